// The programs of examples/kafka, run as they stand, against the real service; and a reader in Python.
import { beforeAll, expect, it } from "vitest";
import { createKeysFor, grantTo, type Key } from "./keys.ts";
import { answered, createClient, type StoredTransaction } from "../support/client.ts";
import type { WireTransaction } from "../support/lines.ts";
import { until } from "../support/poll.ts";
import { startService, type TestService } from "../support/service.ts";
import { findJavaForKafka, findPython, type Language, NODE, runProgram } from "./languages.ts";
import { distributedOf } from "./outside.ts";

let python: Language;
let java: Language;

// The first run downloads 60 MB.
beforeAll(async () => {
  [python, java] = await Promise.all([findPython(), findJavaForKafka()]);
}, 600_000);

const COUNT = 603;

/** Transactions with all that may be in one. Sums like 0.1 + 0.2 are not what they look like in decimal. */
const transactions: readonly WireTransaction[] = Array.from({ length: COUNT }, (_, index) => ({
  id: `t${String(index)} ü💶`,
  description: index % 2 === 0 ? "SQ *BLUE BOTTLE COFFEE OAKLAND CA" : "CAFÉ MÜLLER 💶 KÖLN",
  date: ["1969-12-31", "2024-02-29", "2026-05-04", "0001-01-01", "9999-12-31"][index % 5] ?? "",
  amount:
    [0.1 * (index + 1), index + 0.1 + 0.2, 0, Number.MAX_VALUE, Number.MIN_VALUE][index % 5] ?? 0,
  entry_type: index % 3 === 0 ? "incoming" : "outgoing",
  currency: "EUR",
  ...(index % 7 === 0 ? { location: { raw_address: "Köln", country: "DE" } } : {}),
  ...(index % 7 === 1 ? { account_holder_id: "me", location: { raw_address: "Köln" } } : {}),
}));

function settingsOf(service: TestService, key: Key): Record<string, string> {
  const { kafka, schemaRegistryUrl } = distributedOf(service);
  return {
    KAFKA_BROKERS: kafka.brokers.join(","),
    SCHEMA_REGISTRY_URL: schemaRegistryUrl,
    KAFKA_TOPIC_PREFIX: kafka.topicPrefix,
    SIGNING_SECRET: key.secret,
    SIGNING_KEY_ID: key.id,
    ORGANIZATION: "acme",
    ENRICHED_TOPIC: `${kafka.topicPrefix}org.acme.enriched`,
    GROUP_PREFIX: `${kafka.groupPrefix}org.acme.`,
  };
}

it.each([
  ["TypeScript", "../../examples/kafka/producer.ts", () => NODE],
  ["Python", "../../examples/kafka/producer.py", () => python],
  ["Java", "../../examples/kafka/Producer.java", () => java],
] as const)(
  "what the %s program sends is a batch, in the ledger and on `enriched`, to the last bit",
  async (_language, file, runtime) => {
    const service = await startService();
    const { acme } = await createKeysFor(service, { acme: ["read", "write"] });
    const granted = await grantTo(service, ["acme"]);
    const settings = settingsOf(service, granted.acme);
    const client = createClient(service.url, acme.secret);
    await client.createHolder("me", "consumer");
    const input = transactions.map((one) => `${JSON.stringify(one)}\n`).join("");
    const [batchId = "", ...otherBatches] = (await runProgram(runtime(), file, settings, input))
      .trim()
      .split("\n");
    expect(otherBatches).toEqual([]);

    const rows = await until("all are in the ledger", async () => {
      const found = await client.listAll<StoredTransaction>("/v3/transactions");
      return found.length >= COUNT ? found : null;
    });
    const byId = new Map(rows.map((row) => [row.id, row]));
    expect(byId.size).toBe(COUNT);
    for (const { id, description, date, amount, account_holder_id: holder } of transactions) {
      expect(byId.get(id)).toMatchObject({ description, date, error: null });
      expect(Object.is(byId.get(id)?.amount, amount)).toBe(true);
      expect(byId.get(id)?.account_holder_id).toBe(holder ?? null);
    }
    expect(await createClient(service.url).listAll("/v3/transactions")).toEqual([]);

    await until("the batch is completed", async () => {
      const { status, progress, total } = answered(await client.getBatch(batchId), 200);
      expect(total).toBe(COUNT);
      return status === "completed" && progress === COUNT ? true : null;
    });

    const printed = await runProgram(python, "../../examples/kafka/enriched.py", settings);
    const enriched = printed
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as StoredTransaction);
    expect(enriched).toHaveLength(COUNT);
    for (const record of enriched) {
      const row = byId.get(record.id);
      expect(record).toMatchObject({ org: "acme", batch_id: batchId, request_id: "", error: null });
      expect(record.date).toBe(`date ${String(row?.date)}`);
      expect(record.created_at.replace(/^datetime /, "")).toMatch(/^\d{4}-\d\d-\d\dT.*\+00:00$/);
      expect(Date.parse(record.created_at.slice(9))).toBe(Date.parse(row?.created_at ?? ""));
      expect(Object.is(record.amount, row?.amount)).toBe(true);
      const { entities, categories, location } = record;
      expect({ entities, categories, location }).toEqual({
        entities: row?.entities,
        categories: row?.categories,
        location: row?.location,
      });
    }
  },
);

it.each([
  ["TypeScript", "../../examples/kafka/producer.ts", () => NODE],
  ["Python", "../../examples/kafka/producer.py", () => python],
  ["Java", "../../examples/kafka/Producer.java", () => java],
] as const)(
  "the %s program fails when the registry does not answer",
  async (_language, file, runtime) => {
    const service = await startService();
    const settings = settingsOf(service, { id: "k", secret: "s" });
    const nowhere = { ...settings, SCHEMA_REGISTRY_URL: "http://127.0.0.1:1" };
    await expect(runProgram(runtime(), file, nowhere, "")).rejects.toThrow(/ended with [1-9]/);
  },
);
