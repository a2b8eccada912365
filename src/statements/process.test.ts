import { describe, expect, it } from "vitest";
import type { BankStatement, StatementResult } from "../model/bank-statement.ts";
import type { BatchStatus } from "../model/batch.ts";
import type { StoredEvent } from "../model/event.ts";
import type { StatementEvent } from "../model/process-events.ts";
import { statementRecordKey } from "../model/record-key.ts";
import type { EnrichmentRequest } from "../model/records.ts";
import type { StatementEnd, StoredStatement } from "../model/statement-document.ts";
import { LedgerlineError } from "../shared/errors.ts";
import { encryptPassword, type PasswordVault } from "./password.ts";
import { createStatementProcessing, type ProcessingPorts } from "./process.ts";
import { statementBatchId } from "./transactions.ts";

const KEY = { org: "acme", id: "0d7c1a52-9c0e-4f0a-8f4b-2a6f6f3f1f7e" };
const SUBMITTED = { ...KEY, createdAt: 1_000 };
const RECORD = { key: statementRecordKey(KEY.org, KEY.id), value: SUBMITTED, order: "1" };

const vault: PasswordVault = {
  encrypt: (text, context) => `${context}=${text}`,
  open: (text, context) => {
    if (!text.startsWith(`${context}=`)) throw new LedgerlineError("bad_secret", "another key");
    return text.slice(context.length + 1);
  },
  isCurrent: () => true,
};

const READ: BankStatement = {
  pages: 2,
  pagesWithoutText: [],
  pagesRecognised: [],
  header: { institution: null, holder: null, period: null, accounts: [] },
  accounts: [
    {
      ...{ number: null, name: null, type: null, currency: "EUR", period: null },
      ...{ opening: null, isOpeningCalculated: false, closing: null, sum: "-1" },
      ...{ totalIncoming: "0", totalOutgoing: "1", verdict: "not_checkable", unproven: [] },
      ...{ firstBreak: null, repairs: [] },
      transactions: [
        {
          ...{ date: "2026-05-04", isYearInferred: false, description: "COFFEE" },
          ...{ amount: "1", direction: "debit", balance: null, page: 1, row: 1 },
          evidence: { date: null, description: [], amount: null, balance: null },
        },
      ],
    },
  ],
  signals: [],
};

const lost = (): LedgerlineError => new LedgerlineError("unavailable", "the reader died");

/** A store with one document. Readings are what `reads` gives, one after the other. */
function setUp(...reads: readonly (StatementResult | LedgerlineError)[]) {
  const state = {
    document: {
      ...{ ...SUBMITTED, name: "May.pdf", status: "queued", size: 9, pages: 0 },
      ...{ accountHolderId: null, accountType: null, currency: null, failure: null },
      ...{ batchId: null, password: encryptPassword(vault, KEY, "1234"), crashes: 0 },
    } as StoredStatement | null,
    reading: null as BankStatement | null,
    batchStatus: "processing" as BatchStatus,
    file: Buffer.from("%PDF-") as Uint8Array | null,
  };
  const published: EnrichmentRequest[] = [];
  const events: StoredEvent[] = [];
  const reported: StatementEvent[] = [];
  const passwords: string[] = [];
  const alone: boolean[] = [];
  const submissions: number[] = [];
  const waiting = [...reads];
  const ports: ProcessingPorts = {
    start: () => {
      const { document } = state;
      if (document === null || document.failure !== null || document.status === "processed")
        return Promise.resolve(null);
      state.document = { ...document, status: "processing" };
      return Promise.resolve(state.document);
    },
    countCrash: (_key, before) => {
      if (state.document !== null) state.document = { ...state.document, crashes: before + 1 };
      return Promise.resolve();
    },
    reading: () => Promise.resolve(state.reading),
    storeReading: (_key, statement) => {
      if (state.document === null) return Promise.resolve("gone");
      state.reading ??= statement;
      return Promise.resolve(state.reading);
    },
    finish: (_key, end: StatementEnd, event) => {
      if (state.document?.status !== "processing") return Promise.resolve(false);
      state.document = { ...state.document, ...end, password: null };
      events.push(event);
      return Promise.resolve(true);
    },
    readFile: () => Promise.resolve(state.file),
    vault,
    readDocument: (_bytes, password, { isAlone, submittedAt }) => {
      submissions.push(submittedAt);
      passwords.push(password);
      alone.push(isAlone);
      const next = waiting.shift();
      if (next === undefined) return Promise.reject(new Error("read too often"));
      return next instanceof LedgerlineError ? Promise.reject(next) : Promise.resolve(next);
    },
    publish: (_topic, records) => {
      published.push(...records.map(({ value }) => value));
      return Promise.resolve();
    },
    insertBatch: () => Promise.resolve(),
    batchStatus: () => Promise.resolve(state.batchStatus),
    markUnenriched: () => {
      if (state.document?.status === "processed")
        state.document = { ...state.document, status: "unenriched" };
      return Promise.resolve();
    },
    onEvent: () => undefined,
    report: (event) => reported.push(event),
    nowMs: () => 3_500,
  };
  return { state, ports, published, events, reported, passwords, alone, submissions };
}

describe("a statement that is processed", () => {
  it("gets its transactions into the log, then its end, its event, and no password", async () => {
    const { state, ports, published, events, reported, passwords, submissions } = setUp(READ);
    expect(await createStatementProcessing(ports).handle(RECORD)).toBe("done");
    expect(passwords).toEqual(["1234"]);
    expect(submissions).toEqual([SUBMITTED.createdAt]);
    expect(published).toMatchObject([{ origin: "statement", batchId: statementBatchId(KEY.id) }]);
    expect(state.document).toMatchObject({
      ...{ status: "processed", pages: 2, batchId: statementBatchId(KEY.id), password: null },
    });
    expect(events).toMatchObject([
      { eventType: "bank_statements.completed", resourceId: KEY.id, createdAt: 3_500 },
    ]);
    expect(reported).toEqual([
      { kind: "ended", ...KEY, failure: null, pages: 2, transactions: 1, ms: 2_500 },
    ]);
  });

  it("is not read again after a crash behind its reading, and ends the same", async () => {
    const first = setUp(READ);
    await createStatementProcessing(first.ports).handle(RECORD);
    const again = setUp();
    again.state.reading = READ;
    await createStatementProcessing(again.ports).handle(RECORD);
    expect(again.published).toEqual(first.published);
    expect(again.events).toEqual(first.events);
    expect(again.state.document).toEqual(first.state.document);
  });

  it("is marked when its batch has failed before it was processed; what was read, and its event, stay", async () => {
    const { state, ports, events } = setUp(READ);
    state.batchStatus = "error";
    await createStatementProcessing(ports).handle(RECORD);
    expect(state.document).toMatchObject({ status: "unenriched", failure: null, pages: 2 });
    expect(state.reading).toEqual(READ);
    expect(events).toMatchObject([{ eventType: "bank_statements.completed" }]);
  });

  it("is left alone when its record comes again", async () => {
    const { ports, published, events } = setUp(READ);
    const processing = createStatementProcessing(ports);
    await processing.handle(RECORD);
    expect(await processing.handle(RECORD)).toBe("done");
    expect([published.length, events.length]).toEqual([1, 1]);
  });

  it("submits what another process has read first", async () => {
    const { state, ports, published } = setUp(READ);
    const other = { ...READ, accounts: [] };
    const storeReading = ports.storeReading.bind(ports);
    const slow: ProcessingPorts = {
      ...ports,
      storeReading: (...stored) => {
        state.reading = other;
        return storeReading(...stored);
      },
    };
    await createStatementProcessing(slow).handle(RECORD);
    expect(published).toEqual([]);
  });
});

describe("a statement that cannot be read", () => {
  it("fails with the fault of the document, and an event", async () => {
    const { state, ports, events, published } = setUp({ fault: "password_wrong" });
    await createStatementProcessing(ports).handle(RECORD);
    expect(state.document).toMatchObject({ status: "failed", failure: "password_wrong" });
    expect(published).toEqual([]);
    expect(events.map(({ eventType }) => eventType)).toEqual(["bank_statements.error"]);
    expect(JSON.parse(events[0]?.body ?? "")).toMatchObject({
      data: { status: "error", error: { code: "invalid_bank_statement" } },
    });
  });

  it("is read a second time when its reader was lost, away from others that may have been the cause", async () => {
    const { state, ports, reported, alone } = setUp(lost(), READ);
    await createStatementProcessing(ports).handle(RECORD);
    expect(alone).toEqual([false, true]);
    expect(state.document).toMatchObject({ status: "processed", crashes: 1 });
    expect(reported.map(({ kind }) => kind)).toEqual(["reader_lost", "ended"]);
  });

  it("fails after the second loss, also when the process ended between the two", async () => {
    const both = setUp(lost(), lost());
    await createStatementProcessing(both.ports).handle(RECORD);
    expect(both.state.document).toMatchObject({ failure: "internal_error", crashes: 2 });
    expect(JSON.parse(both.events[0]?.body ?? "")).toMatchObject({
      data: { error: { code: "internal_error" } },
    });
    const { state, ports, alone } = setUp(lost());
    if (state.document !== null) state.document = { ...state.document, crashes: 1 };
    await createStatementProcessing(ports).handle(RECORD);
    expect(alone).toEqual([true]);
    expect(state.document).toMatchObject({ failure: "internal_error", crashes: 2 });
  });

  it("fails when its file or the key of its password is missing", async () => {
    const fileless = setUp();
    fileless.state.file = null;
    await createStatementProcessing(fileless.ports).handle(RECORD);
    expect(fileless.state.document).toMatchObject({ failure: "internal_error" });
    const locked = setUp();
    const other = encryptPassword(vault, { org: "other", id: KEY.id }, "1234");
    if (locked.state.document !== null)
      locked.state.document = { ...locked.state.document, password: other };
    await createStatementProcessing(locked.ports).handle(RECORD);
    expect(locked.state.document).toMatchObject({ failure: "internal_error" });
  });

  it("fails when its record becomes a dead letter, by the key alone", async () => {
    const { state, ports, events } = setUp();
    await createStatementProcessing(ports).abandoned({ key: RECORD.key, value: null });
    expect(state.document).toMatchObject({ status: "failed", failure: "internal_error" });
    expect(events).toHaveLength(1);
  });
});

it("a reader that is closed because the process stops is not a loss: the next process reads again", async () => {
  const { state, ports, reported } = setUp();
  const processing = createStatementProcessing({
    ...ports,
    readDocument: () => {
      processing.stop();
      return Promise.reject(lost());
    },
  });
  expect(await processing.handle(RECORD)).toBe("retry");
  expect(state.document).toMatchObject({ status: "processing", crashes: 0 });
  expect(reported).toEqual([]);
});

it("a statement that is removed while it is read ends without effect", async () => {
  const { state, ports, published, events } = setUp();
  const removing: ProcessingPorts = {
    ...ports,
    readDocument: () => {
      state.document = null;
      return Promise.resolve(READ);
    },
  };
  const processing = createStatementProcessing(removing);
  expect(await processing.handle(RECORD)).toBe("done");
  expect(await processing.handle(RECORD)).toBe("done");
  expect([published, events]).toEqual([[], []]);
});
