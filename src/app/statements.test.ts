// A statement on the real embedded engine, whose processing is cut off before or after each of its effects, as by a kill.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { readConfig } from "../config/config.ts";
import type { BankStatement } from "../model/bank-statement.ts";
import { statementRecordKey } from "../model/record-key.ts";
import type { EnrichmentRequest } from "../model/records.ts";
import { createLogger } from "../observability/logger.ts";
import { createMetrics } from "../observability/metrics.ts";
import type { StatementPool } from "../pool/statements.ts";
import { createStatementProcessing, type ProcessingPorts } from "../statements/process.ts";
import { openEngine } from "./engine.ts";
import { createLifecycle } from "./lifecycle.ts";
import { createRemovals, createStatementsOf } from "./statements.ts";

const ORG = "acme";
const vault = {
  encrypt: (text: string) => text,
  open: (text: string) => text,
  isCurrent: () => true,
};

const read = (rows: number): BankStatement => ({
  pages: 1,
  pagesWithoutText: [],
  pagesRecognised: [],
  header: { institution: null, holder: null, period: null, accounts: [] },
  accounts: [
    {
      ...{ number: null, name: null, type: null, currency: "EUR", period: null },
      ...{ opening: null, isOpeningCalculated: false, closing: null, sum: "0" },
      ...{ totalIncoming: "0", totalOutgoing: "0", verdict: "not_checkable", unproven: [] },
      ...{ firstBreak: null, repairs: [] },
      transactions: Array.from({ length: rows }, (_, row) => ({
        ...{ date: "2026-05-04", isYearInferred: false, description: `ROW ${String(row)}` },
        ...{ amount: "1", direction: "debit" as const, balance: null, page: 1, row: row + 1 },
        evidence: { date: null, description: [], amount: null, balance: null },
      })),
    },
  ],
  signals: [],
});

const reader: StatementPool = {
  read: () => Promise.resolve(read(300)),
  verify: () => Promise.resolve(read(300).header),
  state: () => ({ documents: 0, processes: 0, rssBytes: 0, deaths: 0 }),
  close: () => Promise.resolve(),
};

async function openStage() {
  const dataFolder = mkdtempSync(join(tmpdir(), "ledgerline-statements-"));
  const config = readConfig({ LEDGERLINE_DATA: dataFolder }, 1);
  const logger = createLogger("silent");
  const engine = await openEngine(config, logger, "service");
  const { repositories } = engine;
  const { log } = await engine.openLog({
    secret: "",
    loadGrants: () => Promise.resolve([]),
    nowMs: Date.now,
    logger,
    fatal: () => undefined,
  });
  onTestFinished(async () => {
    await engine.close();
    rmSync(dataFolder, { recursive: true });
  });
  const published: EnrichmentRequest[] = [];
  const shared = { config, logger, metrics: createMetrics(), lifecycle: createLifecycle() };
  const base = { ...shared, nowMs: Date.now, engine, repositories, log, vault, reader };
  const removals = createRemovals(base);
  const statements = createStatementsOf({ ...base, onEvent: () => undefined }, removals);
  const ports: ProcessingPorts = {
    ...repositories.statements,
    readFile: engine.files.read,
    vault,
    readDocument: reader.read,
    publish: (_topic, records) => {
      published.push(...records.map(({ value }) => value));
      return Promise.resolve();
    },
    insertBatch: repositories.batches.insert,
    batchStatus: async (org, id) => (await repositories.batches.get(org, id))?.status ?? null,
    onEvent: () => undefined,
    report: () => undefined,
    nowMs: Date.now,
  };
  const submit = async (): Promise<string> => {
    const submitted = await statements.submit(ORG, {
      ...{ name: "May.pdf", bytes: Readable.from([Buffer.from("%PDF-1.7")]), password: "1234" },
      ...{ accountHolderId: null, accountType: null, currency: null },
    });
    if (!submitted.ok) throw new Error(submitted.reason);
    return submitted.document.id;
  };
  return { repositories, statements, ports, published, submit };
}

const EFFECTS = [
  "start",
  "readDocument",
  "storeReading",
  "publish",
  "insertBatch",
  "finish",
] as const;

/** Ports of a process that is killed before or after one of its effects: from then on it does nothing. */
function killedAt(ports: ProcessingPorts, effect: (typeof EFFECTS)[number], isAfter: boolean) {
  const never = new Promise<never>(() => undefined);
  const { promise: killed, resolve } = Promise.withResolvers<undefined>();
  const call = ports[effect] as (...given: readonly unknown[]) => Promise<unknown>;
  const cut = async (...given: readonly unknown[]): Promise<unknown> => {
    if (isAfter) await call(...given);
    resolve(undefined);
    return never;
  };
  return { killed, ports: { ...ports, [effect]: cut } };
}

const cases = EFFECTS.flatMap((effect) => [
  { when: "before", effect },
  { when: "after", effect },
]);

it.each(cases)(
  "a kill $when $effect: the next process ends it with the same transactions and one event",
  async ({ when, effect }) => {
    const { repositories, statements, ports, published, submit } = await openStage();
    const id = await submit();
    const record = {
      ...{ key: statementRecordKey(ORG, id), order: "1" },
      value: { org: ORG, id, createdAt: 0 },
    };
    const first = killedAt(ports, effect, when === "after");
    void createStatementProcessing(first.ports).handle(record);
    await first.killed;
    // What the next process reads may differ, when it has another version: what was stored counts.
    const isKept =
      effect !== "start" &&
      effect !== "readDocument" &&
      !(effect === "storeReading" && when === "before");
    const next = { ...ports, readDocument: () => Promise.resolve(read(isKept ? 1 : 300)) };
    expect(await createStatementProcessing(next).handle(record)).toBe("done");

    const rows = published.flatMap(({ chunkIndex, transactions }) =>
      transactions.map((transaction) => [
        transaction.id,
        JSON.stringify([chunkIndex, transaction]),
      ]),
    );
    expect(new Map(rows.map(([key, text]) => [key, text])).size).toBe(300);
    expect(new Set(rows.map(([, text]) => text)).size).toBe(300);
    const reading = await statements.reading(ORG, id);
    const ids = reading?.kind === "reading" ? reading.reading.transactionIds.flat() : [];
    expect(new Set(rows.map(([key]) => key))).toEqual(new Set(ids));
    expect(await statements.get(ORG, id)).toMatchObject({ status: "processed", pages: 1 });
    expect(await repositories.statements.getStored(ORG, id)).toMatchObject({ password: null });
    const events = await repositories.events.older(Date.now() + 1_000, 10);
    expect(events.map(({ eventType }) => eventType)).toEqual(["bank_statements.completed"]);
  },
);

it("a document, its file and what was read are gone once it is removed, and its transactions stay", async () => {
  const { repositories, statements, ports, published, submit } = await openStage();
  const id = await submit();
  const value = { org: ORG, id, createdAt: 0 };
  await createStatementProcessing(ports).handle({ key: "", value, order: "1" });
  expect(await statements.remove("other", id)).toBe(false);
  expect(await statements.remove(ORG, id)).toBe(true);
  expect(await statements.reading(ORG, id)).toBeNull();
  expect(await ports.readFile(value)).toBeNull();
  expect(await repositories.statements.has(ORG, id)).toBe(false);
  expect(published).toHaveLength(2);
});
