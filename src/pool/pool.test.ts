import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sampleKnowledgeBytes } from "../../test/support/knowledge-sample.ts";
import { temporaryFolder } from "../../test/support/service.ts";
import type { Explanation } from "../model/explanation.ts";
import type { Facts } from "../model/facts.ts";
import { FEATURES } from "../model/tenant-settings.ts";
import type { EnrichItem } from "../model/enrich-item.ts";
import type { LedgerEntry } from "../model/recurrence.ts";
import { createLedgerColumns } from "../codec/ledger-columns.ts";
import { requireRecurrence } from "./ask.ts";
import { openPool, type Pool } from "./pool.ts";
import { shareSettings } from "./shared-settings.ts";
import type { PoolEvent } from "../model/process-events.ts";

interface TestPool {
  readonly pool: Pool;
  readonly events: string[];
}

async function openTestPool(
  worker = "defective-worker.ts",
  taskTimeoutMs?: number,
): Promise<TestPool> {
  const bytes = await sampleKnowledgeBytes();
  const knowledge = new SharedArrayBuffer(bytes.length);
  new Uint8Array(knowledge).set(bytes);
  const events: string[] = [];
  const pool = await openPool({
    threads: 1,
    knowledge,
    workerUrl: new URL(`../../test/support/fixtures/${worker}`, import.meta.url),
    ...(taskTimeoutMs === undefined ? {} : { taskTimeoutMs }),
    report: ({ kind }: PoolEvent) => {
      events.push(kind);
    },
  });
  onTestFinished(() => pool.close());
  return { pool, events };
}

const itemOf = (description: string): EnrichItem => ({
  description,
  amount: 6.5,
  entryType: "outgoing",
  currency: "USD",
  accountType: "consumer",
  rawAddress: null,
  country: null,
});

it("an explanation comes from the threads, about the facts that enriching gives", async () => {
  const { pool } = await openTestPool();
  const item = itemOf("DOORDASH*WENDYS 855-973-1040 CA");
  const text = await pool.explain(item);
  const settings = { rules: [], mappings: {}, corrections: [], features: FEATURES };
  const [facts] = await pool.enrich([item], "batch", shareSettings("all", settings));
  const explanation = JSON.parse(text ?? "null") as Explanation;
  expect(explanation.decision.counterparty?.name).toBe("DoorDash");
  expect(explanation.facts).toEqual(JSON.parse(facts ?? "null"));
});

it("a line that kills its thread has no explanation, and the next has one", async () => {
  const { pool, events } = await openTestPool();
  const [killed, next] = await Promise.all([
    pool.explain(itemOf("POISON exit")),
    pool.explain(itemOf("NETFLIX.COM")),
  ]);
  expect([killed, next === null]).toEqual([null, false]);
  // It was tried on another thread too. No stored transaction failed.
  expect(events).toEqual(["task_lost", "task_lost"]);
});

it("a question whose thread is lost once is answered by another thread", async () => {
  const { pool, events } = await openTestPool();
  const line = itemOf(`POISON once ${join(temporaryFolder(), "lost")}`);
  expect(await pool.explain(line)).not.toBeNull();
  expect(events).toEqual(["task_lost"]);
});

it("a question on which the code throws is not taken for one without an answer: it is reported", async () => {
  const { pool, events } = await openTestPool();
  const ill = { kind: "map_categories", incoming: null as never, outgoing: [] } as const;
  expect(await pool.ask(ill)).toBeNull();
  expect(events).toEqual(["question_failed"]);
});

it("a pool that is closing does not look for the culprit", async () => {
  const { pool } = await openTestPool();
  pool.stopRetrying();
  await expect(pool.explain(itemOf("POISON exit"))).rejects.toMatchObject({ code: "unavailable" });
});

it("settings count for their own chunks alone, and a rule that fails is reported and not blamed", async () => {
  const { pool, events } = await openTestPool();
  const item = { ...itemOf("NETFLIX.COM"), holder: { id: "h", name: null, categorySetId: "x" } };
  const rules = [
    { if: { "==": [{ get: "account_holder_id" } as const, "h"] }, then: [{ add_label: "films" }] },
    { add_mcc: { "/": [1, { "-": [{ get: "amount" } as const, 6.5] }] } },
  ];
  const settings = shareSettings("v1", { rules, mappings: {}, corrections: [], features: [] });
  const [[with_], [without]] = await Promise.all([
    pool.enrich([item], "batch", settings),
    pool.enrich([item], "batch"),
  ]);
  const generalOf = (text: string | null | undefined): unknown =>
    (JSON.parse(text ?? "null") as Facts).categories?.general;
  expect(generalOf(with_)).toBe("films");
  expect(generalOf(without)).toBe("media");
  expect(events).toEqual(["rules_failed"]);
});

it("the cost of an organization's batches follows its batch work alone, not its synchronous calls", async () => {
  const { pool } = await openTestPool();
  const item = itemOf("NETFLIX.COM");
  await pool.enrich([item], "interactive", null, "o");
  expect(pool.msPerItem("o")).toBe(0);
  await pool.enrich([item], "batch", null, "o");
  await pool.enrich([item], "low", null, "low only");
  const known = pool.msPerItem("o");
  expect([known > 0, pool.msPerItem("low only") > 0]).toEqual([true, true]);
  await pool.enrich([item], "interactive", null, "o");
  expect(pool.msPerItem("o")).toBe(known);
});

it("what recurs in a ledger comes from the threads, with the places of its columns", async () => {
  const { pool } = await openTestPool();
  const builder = createLedgerColumns();
  for (const month of ["01", "02", "03", "04", "05", "06"])
    builder.add(payment(`2026-${month}-05`));
  const found = await requireRecurrence(pool.ask, "o", builder.columns());
  expect(found.groups.map(({ members }) => members)).toEqual([[0, 1, 2, 3, 4, 5]]);
});

it("a ledger on which the code throws fails its call alone", async () => {
  const { pool, events } = await openTestPool();
  const ill = { ...createLedgerColumns().columns(), days: null as never };
  await expect(requireRecurrence(pool.ask, "o", ill)).rejects.toThrow("failed on a ledger");
  expect(events).toEqual(["question_failed"]);
  const empty = createLedgerColumns().columns();
  expect(await requireRecurrence(pool.ask, "o", empty)).toEqual({ groups: [], income: [] });
});

it("a ledger whose thread is lost can be asked for again later, and the next ledger is found", async () => {
  const { pool, events } = await openTestPool();
  const lost = createLedgerColumns();
  lost.add({ ...payment("2026-01-05"), category: "POISON exit" });
  await expect(requireRecurrence(pool.ask, "o", lost.columns())).rejects.toMatchObject({
    code: "recurrence_timeout",
    retryable: true,
    retryAfterSeconds: 10,
  });
  expect(events).toEqual(["task_lost"]);
  const next = createLedgerColumns();
  next.add(payment("2026-01-05"));
  expect(await requireRecurrence(pool.ask, "o", next.columns())).toBeTruthy();
});

const payment = (date: string): LedgerEntry => ({
  id: date,
  date,
  amount: 15.49,
  entryType: "outgoing",
  currency: "USD",
  description: "NETFLIX.COM",
  counterparty: { id: "n", name: "Netflix", website: "netflix.com", type: "organization" },
  category: "media",
});

it("a transaction that kills its thread is found where a thread starts slower than a task may take", async () => {
  const { pool, events } = await openTestPool("slow-worker.ts", 1_000);
  const items = [itemOf("NETFLIX.COM"), itemOf("POISON exit"), itemOf("NETFLIX.COM")];
  const enriched = await pool.enrich(items, "batch");
  expect(enriched.map((facts) => facts === null)).toEqual([false, true, false]);
  expect(events.filter((kind) => kind === "item_failed")).toHaveLength(1);
});
