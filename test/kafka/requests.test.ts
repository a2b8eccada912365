// What a request may contain, and its result.
import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { expect, it } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { answered, type StoredTransaction } from "../support/client.ts";
import { distributedEnvironment, realServices } from "../support/distributed.ts";
import { until } from "../support/poll.ts";
import { startService, temporaryFolder, type TestService } from "../support/service.ts";
import {
  distributedOf,
  type EnrichedMessage,
  joinFromOutside,
  ORGANIZATION,
  type Outside,
  purchase,
} from "./outside.ts";

const DAY_MS = 86_400_000;
const required = [
  { name: "id", type: "string" },
  { name: "description", type: "string" },
  { name: "date", type: { type: "int", logicalType: "date" } },
  { name: "amount", type: "double" },
  {
    name: "entry_type",
    type: { type: "enum", name: "EntryType", symbols: ["incoming", "outgoing"] },
  },
  { name: "currency", type: "string" },
];

/** A schema of a producer's own. */
function ownSchema(fields: readonly object[], transaction: readonly object[] = required): object {
  const items = { type: "record", name: "Transaction", fields: transaction };
  return {
    type: "record",
    name: "EnrichmentRequest",
    namespace: "ledgerline",
    fields: [
      { name: "org", type: "string" },
      ...fields,
      { name: "transactions", type: { type: "array", items } },
    ],
  };
}

async function storedRow({ client }: TestService, id: string): Promise<StoredTransaction> {
  return until(`${id} is in the ledger`, async () => {
    const found = await client.getTransaction(id);
    return found.kind === "answered" && found.status === 200 ? found.body : null;
  });
}

/** The last enriched record of each transaction, as docs/guides/kafka.md defines it. */
async function latestEnriched(outside: Outside): Promise<ReadonlyMap<string, EnrichedMessage>> {
  const latest = new Map<string, EnrichedMessage>();
  for (const { record } of await outside.enriched()) {
    if ((latest.get(record.id)?.order ?? "") < record.order) latest.set(record.id, record);
  }
  return latest;
}

/** How often the event of a batch was stored. */
async function eventsOf(service: TestService, batchId: string): Promise<readonly string[]> {
  const mongo = new MongoClient(distributedOf(service).mongodbUrl);
  try {
    const rows = await mongo.db().collection("events").find({}).toArray();
    return rows.map((row) => JSON.stringify(row)).filter((text) => text.includes(batchId));
  } finally {
    await mongo.close();
  }
}

it("chunks with one batch_id are a batch of the API, which completes once with its results in order, whatever comes twice", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  const batchId = randomUUID();
  const chunk = async (index: number): Promise<ReturnType<Outside["signed"]>> => {
    const transactions = Array.from({ length: 2 }, (_, place) =>
      purchase(`t${String(index)}-${String(place)}`),
    );
    return outside.signed(
      await outside.encode({
        batch_id: batchId,
        chunk_index: index,
        chunk_count: 3,
        total: 6,
        transactions,
      }),
    );
  };
  await outside.send(await chunk(2), await chunk(0));
  await storedRow(service, "t0-1");
  await storedRow(service, "t2-1");
  const running = await until("the batch has two chunks", async () => {
    const batch = await service.client.getBatch(batchId);
    return batch.kind === "answered" && batch.status === 200 && batch.body.progress === 4
      ? batch.body
      : null;
  });
  expect(running).toMatchObject({ status: "processing", total: 6 });
  expect(await eventsOf(service, batchId)).toEqual([]);

  await outside.send(await chunk(0), await chunk(1), await chunk(1), await chunk(2));
  const done = await until("the batch is complete", async () => {
    const batch = answered(await service.client.getBatch(batchId), 200);
    return batch.status === "completed" ? batch : null;
  });
  expect(done).toMatchObject({ progress: 6, total: 6 });
  const { results } = answered(await service.client.results(batchId), 200);
  expect(results.map(({ id }) => id)).toEqual(["t0-0", "t0-1", "t1-0", "t1-1", "t2-0", "t2-1"]);
  await outside.settled();
  expect(await eventsOf(service, batchId)).toHaveLength(1);
  for (const { record } of await outside.enriched()) expect(record.batch_id).toBe(batchId);
});

it("a batch of one record needs no numbers", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  const transactions = [purchase("a"), purchase("b")];
  await outside.send(outside.signed(await outside.encode({ batch_id: "mine", transactions })));
  const batch = await until("the batch is complete", async () => {
    const found = await service.client.getBatch("mine");
    const isDone = found.kind === "answered" && found.status === 200;
    return isDone && found.body.status === "completed" ? found.body : null;
  });
  expect(batch).toMatchObject({ progress: 2, total: 2 });
});

it("reply_to brings the results of the record to its organization's topic of replies alone", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  const transactions = [purchase("a"), purchase("b", { account_holder_id: "unknown" })];
  const replyTo = { address: "1.my program", id: "call 7" };
  await outside.send(
    outside.signed(await outside.encode({ reply_to: replyTo, transactions })),
    // No address is invalid: it is only copied.
    outside.signed(await outside.encode({ reply_to: { address: "99.nowhere", id: "x" } })),
  );
  const reply = await until("the reply", async () => {
    const replies = await outside.ownReplies();
    return replies.find(({ record }) => record.id === "call 7") ?? null;
  });
  const shared = await outside.replies();
  expect(shared.filter(({ record }) => record.id === "call 7")).toEqual([]);
  expect(reply.record).toMatchObject({
    address: "1.my program",
    id: "call 7",
    chunk_index: 0,
    outcome: "stored",
    results: [
      { facts: expect.stringContaining("Blue Bottle Coffee") as string, error: null },
      { facts: null, error: { code: "account_holder_not_found" } },
    ],
  });
  await storedRow(service, "t");
});

it("created_at is the producer's, or else the append time of the record", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  const own = Date.UTC(2020, 1, 29, 12, 30, 0, 123);
  const before = Date.now();
  await outside.send(
    outside.signed(
      await outside.encode({ created_at: own * 1_000, transactions: [purchase("own")] }),
    ),
    outside.signed(await outside.encode({ transactions: [purchase("default")] })),
  );
  expect((await storedRow(service, "own")).created_at).toBe("2020-02-29T12:30:00.123Z");
  const appended = Date.parse((await storedRow(service, "default")).created_at);
  expect(appended).toBeGreaterThanOrEqual(before - 1);
  expect(appended).toBeLessThanOrEqual(Date.now() + 1);
  const enriched = await latestEnriched(outside);
  expect(enriched.get("own")?.created_at).toBe(own * 1_000);
  expect(enriched.get("default")?.created_at).toBe(appended * 1_000);
});

it("of two records of one transaction the later counts, in the ledger and on `enriched`", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  for (let amount = 1; amount <= 20; amount += 1) {
    const value = await outside.encode({ transactions: [purchase("t", { amount })] });
    // Whichever partition it goes to: the time of the log decides.
    await outside.send({ ...outside.signed(value), partition: amount % 2 });
    await delay(3);
  }
  await outside.settled();
  expect((await storedRow(service, "t")).amount).toBe(20);
  expect((await latestEnriched(outside)).get("t")?.amount).toBe(20);
});

it.each([
  ["on", 1],
  ["off", 0],
] as const)(
  "KAFKA_ENRICHED_SHARED=%s: a result is once on its own topic, %i times on `enriched`",
  async (KAFKA_ENRICHED_SHARED, copies) => {
    const dataFolder = temporaryFolder();
    const environment = distributedEnvironment(realServices(basename(dataFolder)));
    const { distributed } = readConfig({ ...environment, KAFKA_ENRICHED_SHARED }, 1);
    const service = await startService({ config: { dataFolder, distributed } });
    const outside = await joinFromOutside(service);
    await outside.send(outside.signed(await outside.encode()));
    await outside.settled();
    await storedRow(service, "t");
    expect((await outside.ownEnriched()).map(({ record }) => record.id)).toEqual(["t"]);
    expect(await outside.enriched()).toHaveLength(copies);
  },
);

it("KAFKA_ENRICHED_COMPRESSION=zstd: programs outside read the same results, however many there are", async () => {
  const dataFolder = temporaryFolder();
  const environment = distributedEnvironment(realServices(basename(dataFolder)));
  const zstd = { ...environment, KAFKA_ENRICHED_COMPRESSION: "zstd" };
  const { distributed } = readConfig(zstd, 1);
  const service = await startService({ config: { dataFolder, distributed } });
  const outside = await joinFromOutside(service);
  const ids = Array.from({ length: 250 }, (_, index) => `t${String(index).padStart(3, "0")}`);
  const transactions = ids.map((id) => purchase(id));
  await outside.send(outside.signed(await outside.encode({ transactions })));
  await outside.settled();
  await storedRow(service, "t249");
  for (const found of [await outside.enriched(), await outside.ownEnriched()])
    expect(found.map(({ record }) => record.id).toSorted()).toEqual(ids);
});

it("transactions of one account holder are all on one partition of `enriched`, in a key that names it", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  for (const id of ["h1", "h2", "h3"]) await service.client.createHolder(id, "consumer");
  const holders = ["h1", "h2", "h3", null];
  for (let round = 0; round < 5; round += 1) {
    const transactions = holders.map((holder) =>
      purchase(`${String(holder)}-${String(round)}`, { account_holder_id: holder }),
    );
    await outside.send(outside.signed(await outside.encode({ transactions })));
    await storedRow(service, `h3-${String(round)}`);
  }
  const partitions = new Map<string, Set<number>>();
  for (const { key, partition, record } of await outside.enriched()) {
    const holder = record.id.startsWith("null") ? null : record.id.slice(0, 2);
    expect(key).toBe(JSON.stringify([ORGANIZATION, holder]));
    partitions.set(key, (partitions.get(key) ?? new Set()).add(partition));
  }
  expect(partitions.size).toBe(4);
  for (const seen of partitions.values()) expect(seen.size).toBe(1);
});

const OWN_SCHEMAS: readonly [string, object, object][] = [
  ["with the required fields only", ownSchema([]), {}],
  [
    "of timestamp-millis",
    ownSchema([{ name: "created_at", type: { type: "long", logicalType: "timestamp-millis" } }]),
    { created_at: Date.UTC(2020, 0, 1) },
  ],
  [
    "wider than ours",
    ownSchema(
      [{ name: "trace", type: { type: "map", values: "string" }, default: {} }],
      [...required, { name: "tags", type: { type: "array", items: "string" }, default: [] }],
    ),
    { trace: { a: "b" } },
  ],
  [
    "in another order, with numbers that widen",
    ownSchema(
      [],
      [
        { name: "amount", type: "float" },
        { name: "currency", type: "string" },
        ...required.filter(({ name }) => name !== "amount" && name !== "currency"),
      ],
    ),
    {},
  ],
];

it("schemas of producers are read: fewer, more, reordered and wider fields", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  for (const [name, schema, fields] of OWN_SCHEMAS) {
    const id = await outside.registerOwn(schema);
    const [first, second] = [`${name} a`, `${name} b`];
    const transactions = [purchase(first, { tags: ["x"] }), purchase(second, { tags: [] })];
    await outside.send(outside.signed(await outside.encode({ transactions, ...fields }, id)));
    const row = await storedRow(service, second);
    expect(row).toMatchObject({ amount: 6.5, date: "2026-05-04", account_holder_id: null });
    if ("created_at" in fields) expect(row.created_at).toBe("2020-01-01T00:00:00.000Z");
    const enriched = (await latestEnriched(outside)).get(first);
    expect([name, enriched?.date]).toEqual([name, Date.UTC(2026, 4, 4) / DAY_MS]);
  }
});
