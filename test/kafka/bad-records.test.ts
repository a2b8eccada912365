// Records that cannot be processed, each among good ones: it is kept with the reason and harms no other record.
import { randomBytes } from "node:crypto";
import type { Message } from "kafkajs";
import { expect, it } from "vitest";
import { createLogger } from "../../src/observability/logger.ts";
import { openKafkaGrants } from "../../src/app/kafka-commands.ts";
import { createClient } from "../support/client.ts";
import { startService } from "../support/service.ts";
import { createKeysFor, grantTo } from "./keys.ts";
import { joinFromOutside, type Letter, type Outside, purchase, signature } from "./outside.ts";

const GOOD = 200;
const MB = 1024 * 1024;

interface Bad {
  readonly name: string;
  readonly message: Message;
  readonly reason: string;
  readonly error: RegExp;
}

/** A whole number as Avro writes it. */
function long(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value < 0n ? -value * 2n - 1n : value * 2n;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

/** Invalid bytes, signed like a request. */
async function badBytes(outside: Outside): Promise<Bad[]> {
  const good = await outside.encode();
  const other = await outside.registerOwn({
    type: "record",
    name: "Other",
    fields: [{ name: "x", type: "int" }],
  });
  const empty = await outside.encode({ transactions: [] });
  // Of a request without transactions the last byte is the end of their list.
  const announcing = (count: bigint): Buffer => Buffer.concat([empty.subarray(0, -1), long(count)]);
  const unknownId = Buffer.from(good);
  unknownId.writeUInt32BE(2_000_000_000, 1);
  const values: [string, Buffer, RegExp][] = [
    ["no Avro at all", Buffer.from('{"org":"default"}'), /no Confluent header/],
    ["an empty value", Buffer.alloc(0), /no Confluent header/],
    ["an unknown schema", unknownId, /schema id 2000000000 is unknown/],
    ["a schema that does not fit", await outside.encode({ x: 1 }, other), /does not fit/],
    ["a truncated body", good.subarray(0, good.length - 3), /does not match its schema/],
    ["more bytes than the body", Buffer.concat([good, Buffer.from("x")]), /does not match/],
    ["a list that announces two thousand million", announcing(2_000_000_000n), /does not match/],
    ["a list that announces more than numbers count", announcing(2n ** 62n), /does not match/],
    ["noise after a good header", Buffer.concat([good.subarray(0, 5), randomBytes(500)]), /./],
  ];
  return values.map(([name, value, error]) => ({
    name,
    message: outside.signed(value),
    reason: "undecodable",
    error,
  }));
}

/** Requests that break a rule. */
async function badRequests(outside: Outside): Promise<Bad[]> {
  const one = (fields: object): object => ({ transactions: [purchase("bad", fields)] });
  const rules: [string, object, RegExp][] = [
    ["a negative amount", one({ amount: -0.01 }), /transaction 0: amount/],
    ["a batch without its total", { batch_id: "b-total", chunk_count: 2 }, /total/],
  ];
  return Promise.all(
    rules.map(async ([name, fields, error]) => ({
      name,
      message: outside.signed(await outside.encode(fields)),
      reason: "invalid",
      error,
    })),
  );
}

/** Numbers so large that the library cannot read them, or the day has no name. */
async function unreadableTimes(outside: Outside): Promise<Bad[]> {
  const millis = await outside.registerOwn({
    type: "record",
    name: "EnrichmentRequest",
    namespace: "ledgerline",
    fields: [
      { name: "org", type: "string" },
      { name: "created_at", type: { type: "long", logicalType: "timestamp-millis" } },
      {
        name: "transactions",
        type: {
          type: "array",
          items: {
            type: "record",
            name: "Transaction",
            fields: [
              ...["id", "description", "currency"].map((name) => ({ name, type: "string" })),
              { name: "date", type: { type: "int", logicalType: "date" } },
              { name: "amount", type: "double" },
              {
                name: "entry_type",
                type: { type: "enum", name: "EntryType", symbols: ["incoming", "outgoing"] },
              },
            ],
          },
        },
      },
    ],
  });
  const day = await outside.encode({ transactions: [purchase("bad", { date: 2 ** 31 - 1 })] });
  const late = await outside.encode({ created_at: 9e15 }, millis);
  return [
    { name: "a day that has no name", value: day, reason: "undecodable", error: /does not match/ },
    { name: "milliseconds beyond all time", value: late, reason: "invalid", error: /created_at/ },
  ].map(({ value, ...rest }) => ({ ...rest, message: outside.signed(value) }));
}

/** The keys that an attacker could try. */
interface Keys {
  readonly revoked: { readonly id: string; readonly secret: string };
  readonly other: { readonly id: string; readonly secret: string };
}

/** Records of a producer that may not write them. */
async function badSenders(outside: Outside, keys: Keys): Promise<Bad[]> {
  const value = await outside.encode({ transactions: [purchase("bad")] });
  const from = (headers: Message["headers"] & object, unsigned = value): Message => ({
    value: unsigned,
    headers,
  });
  const wrong = { ...outside.key, secret: "guessed" };
  const senders: [string, Message, string, RegExp][] = [
    ["unsigned", { value }, "unsigned", /not signed/],
    ["no value at all", { key: "k", value: null }, "unsigned", /not signed/],
    ["a wrong signature", from(signature(value, wrong)), "unsigned", /does not fit/],
    [
      "Ledgerline's name with another secret",
      from({ "ledgerline-signature": "ledgerline:guessed" }),
      "unsigned",
      /does not fit/,
    ],
    [
      "an old record, sent again",
      from(signature(value, outside.key, Date.now() - 310_000)),
      "unsigned",
      /more than 300 seconds/,
    ],
    [
      "a key id that was made up",
      from(signature(value, { ...outside.key, id: "lk_0000000000000000" })),
      "unsigned",
      /not known/,
    ],
    ["a revoked key", from(signature(value, keys.revoked)), "unsigned", /revoked/],
    ["another's key", from(signature(value, keys.other)), "wrong_organization", /another/],
  ];
  return senders.map(([name, message, reason, error]) => ({ name, message, reason, error }));
}

it("every bad record is among the dead letters with its reason and its bytes, and none of its 200 good neighbours", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  const { revoked, other } = await grantTo(service, ["revoked", "other"]);
  const opened = await openKafkaGrants(service.config, createLogger("silent"));
  await opened.grants.revokeSecret("revoked", revoked.id);
  await opened.close();
  const { other: otherKey } = await createKeysFor(service, { other: ["read"] });

  const large = randomBytes(2 * MB);
  const bad: Bad[] = [
    ...(await badBytes(outside)),
    ...(await badRequests(outside)),
    ...(await unreadableTimes(outside)),
    ...(await badSenders(outside, { revoked, other })),
    {
      name: "2 MB",
      message: outside.signed(large),
      reason: "too_large",
      error: /1 048 576 bytes/,
    },
  ];
  const named = bad.map((one, index) => ({
    ...one,
    message: { ...one.message, key: `bad-${String(index)}` },
  }));
  const good = await Promise.all(
    Array.from({ length: GOOD }, async (_, index) =>
      outside.signed(await outside.encode({ transactions: [purchase(`good-${String(index)}`)] })),
    ),
  );
  // A bad one after every few good ones, over both partitions.
  const step = Math.ceil(GOOD / named.length);
  const mixed: Message[] = [];
  good.forEach((message, index) => {
    mixed.push(message);
    const next = named[Math.floor(index / step)];
    if (index % step === 0 && next !== undefined) mixed.push(next.message);
  });
  for (const next of named.slice(Math.ceil(GOOD / step))) mixed.push(next.message);
  await outside.send(...mixed.map((message, index) => ({ ...message, partition: index % 2 })));
  await outside.settled();

  const letters = [...(await outside.deadLetters()).entries()];
  const byKey = new Map(letters.map(([id, letter]) => [letter.key, { id, letter }]));
  for (const { name, message, reason, error } of named) {
    const found = byKey.get(message.key);
    expect([name, found?.letter.reason]).toEqual([name, reason]);
    expect([name, found?.letter.error]).toEqual([name, expect.stringMatching(error)]);
    const letter = found?.letter as Letter;
    expect(letter.original.equals((message.value as Buffer | null) ?? Buffer.alloc(0))).toBe(true);
    expect(found?.id).toBe(`${letter.topic}-${String(letter.partition)}-${String(letter.offset)}`);
    const sent = Object.entries(message.headers ?? {}).map(([header, text]) => [header, text]);
    expect(
      Object.entries(letter.headers).map(([header, text]) => [header, text.toString()]),
    ).toEqual(sent);
  }
  expect(letters).toHaveLength(named.length);

  const rows = await service.client.listAll<{ id: string }>("/v3/transactions");
  const ids = new Set(rows.map(({ id }) => id));
  expect(ids.size).toBe(GOOD);
  for (const id of ids) expect(id).toMatch(/^good-/);
  const enriched = await outside.enriched();
  expect(new Set(enriched.map(({ record }) => record.id))).toEqual(ids);
  // No other organization sees any of it, and the refused batch is not known by its invalid name.
  expect(await createClient(service.url, otherKey.secret).listAll("/v3/transactions")).toEqual([]);
  const batches = await service.client.listAll<{ id: string; status: string }>("/v3/batches");
  expect(batches.map(({ id, status }) => [id, status])).toEqual([["b-total", "error"]]);
});

it("a batch of which one record is bad ends with an error; its other records are stored", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  const part = (index: number, fields: object): Promise<Buffer> =>
    outside.encode({
      batch_id: "b",
      chunk_index: index,
      chunk_count: 2,
      total: 2,
      transactions: [purchase(`t${String(index)}`, fields)],
    });
  await outside.send(
    outside.signed(await part(0, {})),
    outside.signed(await part(1, { currency: "XXXX" })),
  );
  await outside.settled();
  const batch = await service.client.getBatch("b");
  expect(batch).toMatchObject({ status: 200, body: { status: "error" } });
  const rows = await service.client.listAll<{ id: string }>("/v3/transactions");
  expect(rows.map(({ id }) => id)).toEqual(["t0"]);
});
