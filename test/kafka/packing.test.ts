// However a producer packs its records, and whatever it does with transactions: what it committed is processed, once.
import { setTimeout as delay } from "node:timers/promises";
import type { Message } from "kafkajs";
import { beforeAll, expect, it } from "vitest";
import { until } from "../support/poll.ts";
import { startService, type TestService } from "../support/service.ts";
import { findPython, type Language, runProgram } from "./languages.ts";
import { distributedOf, joinFromOutside, type Outside, purchase } from "./outside.ts";

let python: Language;

beforeAll(async () => {
  python = await findPython();
}, 600_000);

async function signedPurchase(outside: Outside, id: string): Promise<Message> {
  return outside.signed(await outside.encode({ transactions: [purchase(id)] }));
}

async function storedIds({ client }: TestService): Promise<Set<string>> {
  const rows = await client.listAll<{ id: string }>("/v3/transactions");
  return new Set(rows.map(({ id }) => id));
}

async function pendingRecords({ url }: TestService): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = /^ledgerline_log_batch_pending (\d+)$/m.exec(text);
  return Number(found?.[1]);
}

it("records are processed with each compression that Kafka has, and with none", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  const sent = new Set<string>();
  for (const compression of ["none", "gzip", "snappy", "lz4", "zstd"]) {
    const ids = Array.from({ length: 40 }, (_, index) => `${compression}-${String(index)}`);
    const lines = await Promise.all(
      ids.map(async (id) => {
        const { value, headers } = await signedPurchase(outside, id);
        return JSON.stringify({ value: (value as Buffer).toString("base64"), headers });
      }),
    );
    const settings = {
      KAFKA_BROKERS: distributedOf(service).kafka.brokers.join(","),
      TOPIC: outside.topic("requests"),
      COMPRESSION: compression,
    };
    await runProgram(python, "producers/raw.py", settings, lines.join("\n"));
    for (const id of ids) sent.add(id);
  }
  await outside.settled();
  expect(await storedIds(service)).toEqual(sent);
  expect((await outside.deadLetters()).size).toBe(0);
});

it("aborted records are never processed, committed ones are, and control records block nothing", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  const producer = outside.kafka.producer({
    transactionalId: outside.topic("producer"),
    idempotent: true,
    maxInFlightRequests: 1,
  });
  await producer.connect();
  const inTransaction = async (id: string, end: "commit" | "abort"): Promise<void> => {
    const transaction = await producer.transaction();
    for (const partition of [0, 1]) {
      const message = await signedPurchase(outside, `${id}-${String(partition)}`);
      const messages = [{ ...message, partition }];
      await transaction.send({ topic: outside.topic("requests"), messages });
    }
    await transaction[end]();
  };
  const both = async (id: string): Promise<void> => {
    for (const partition of [0, 1]) {
      const message = await signedPurchase(outside, `${id}-${String(partition)}`);
      await outside.send({ ...message, partition });
    }
  };
  try {
    await both("before");
    await inTransaction("undone", "abort");
    await outside.settled();
    await inTransaction("committed", "commit");
    await outside.settled();
    await inTransaction("undone again", "abort");
    await both("after");
    await inTransaction("last", "commit");
    await outside.settled();
    // The undone records and the marks count as done, or the service would think that it gets nothing of what is there.
    await inTransaction("undone at the end", "abort");
    await outside.settled();
    await until("nothing is pending", async () =>
      (await pendingRecords(service)) === 0 ? true : null,
    );
  } finally {
    await producer.disconnect();
  }
  const names = ["before", "committed", "after", "last"];
  const expected = new Set(names.flatMap((name) => [`${name}-0`, `${name}-1`]));
  expect(await storedIds(service)).toEqual(expected);
  expect(new Set((await outside.enriched()).map(({ record }) => record.id))).toEqual(expected);
});

it("while a transaction is open the records behind it wait, and go on when it ends", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  const producer = outside.kafka.producer({
    transactionalId: outside.topic("producer"),
    idempotent: true,
    maxInFlightRequests: 1,
  });
  await producer.connect();
  try {
    const transaction = await producer.transaction();
    const open = await signedPurchase(outside, "open");
    const topic = outside.topic("requests");
    await transaction.send({ topic, messages: [{ ...open, partition: 0 }] });
    await outside.send({ ...(await signedPurchase(outside, "behind")), partition: 0 });
    await outside.send({ ...(await signedPurchase(outside, "next")), partition: 1 });
    await delay(3_000);
    expect(await storedIds(service)).toEqual(new Set(["next"]));
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    await transaction.commit();
  } finally {
    await producer.disconnect();
  }
  // The broker reports the commit before its partitions show it: what they contain now proves nothing.
  await until("the records of the transaction are stored", async () =>
    (await storedIds(service)).has("open") ? true : null,
  );
  await outside.settled();
  expect(await storedIds(service)).toEqual(new Set(["open", "behind", "next"]));
});

const MB = 1024 * 1024;
/** `v2 `, a key id of 35 characters, a time of 10 digits, 64 digits and two colons. */
const SIGNATURE_LENGTH = 114;

it.each([
  [30, "is kept"],
  [140, "is too long to be kept"],
])(
  "a record that unpacks to %d MB is a dead letter, which %s, and the records behind it go on",
  async (size, kept) => {
    const service = await startService();
    const outside = await joinFromOutside(service);
    await outside.send({ ...(await signedPurchase(outside, "before")), partition: 0 });
    await outside.send({ ...outside.signed(Buffer.alloc(size * MB)), partition: 0 });
    await outside.send({ ...(await signedPurchase(outside, "behind")), partition: 0 });
    await outside.settled();
    expect(await storedIds(service)).toEqual(new Set(["before", "behind"]));
    const [letter] = (await outside.deadLetters()).values();
    expect(letter?.reason).toBe("too_large");
    if (kept === "is kept") expect(letter?.original.length).toBe(size * MB);
    else expect(letter?.error).toContain(`its ${String(size * MB + SIGNATURE_LENGTH)} bytes`);
  },
);

it("a record with a hundred thousand headers is a dead letter, and the records behind it go on", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  const names = Array.from({ length: 100_000 }, (_, index) => [`h${String(index)}`, "x"]);
  const headers = Object.fromEntries(names) as Record<string, string>;
  await outside.send({ value: "a", headers, partition: 0 });
  await outside.send({ ...(await signedPurchase(outside, "behind")), partition: 0 });
  await outside.settled();
  expect(await storedIds(service)).toEqual(new Set(["behind"]));
});
