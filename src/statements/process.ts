// Brings a submitted statement to its end: file → reading → transactions into the log → final state and event. It may get the
// same record twice, after a crash or because another process has it too: the reading that is stored first counts, ids follow
// from it, and the final state is written once.
//
//   queued ──▶ processing ──▶ processed
//                  │  └─ fault of the document, or the reader was lost twice ──▶ failed
//                  └─ removed meanwhile: nothing more happens
//   processed ──▶ unenriched, when the batch of its transactions ends with an error
import { statementEvent } from "../events/events.ts";
import type { BankStatement, StatementResult } from "../model/bank-statement.ts";
import type { BatchHead, BatchStatus } from "../model/batch.ts";
import type { StatementEvent } from "../model/process-events.ts";
import { readRecordKey } from "../model/record-key.ts";
import type {
  Abandoned,
  Delivered,
  EnrichmentRequest,
  Handled,
  StatementSubmitted,
} from "../model/records.ts";
import type {
  StatementFailure,
  StatementKey,
  StoredStatement,
} from "../model/statement-document.ts";
import type { StatementRepository } from "../model/statement-repository.ts";
import { LedgerlineError } from "../shared/errors.ts";
import { CRASHES_MAX } from "./limits.ts";
import { readPassword, type PasswordVault } from "./password.ts";
import { hasTooManyRows, statementRecords } from "./transactions.ts";

/** What the processing needs of the store, the files, the reader and the log. */
export interface ProcessingPorts
  extends Pick<
    StatementRepository,
    "start" | "countCrash" | "reading" | "storeReading" | "finish" | "markUnenriched"
  > {
  readFile(key: StatementKey): Promise<Uint8Array | null>;
  readonly vault: PasswordVault;
  /**
   * Faults of the document are values.
   * @param options.isAlone away from all other documents
   * @param options.submittedAt milliseconds since 1970
   * @throws LedgerlineError `unavailable` when the reader died or hung
   */
  readDocument(
    bytes: Uint8Array,
    password: string,
    options: { readonly isAlone: boolean; readonly submittedAt: number },
  ): Promise<StatementResult>;
  publish(
    topic: "requests",
    records: readonly { readonly key: string; readonly value: EnrichmentRequest }[],
    waitingRecords?: number,
  ): Promise<void>;
  insertBatch(head: BatchHead): Promise<void>;
  batchStatus(org: string, id: string): Promise<BatchStatus | null>;
  /** Called when an event was recorded. */
  onEvent(): void;
  report(event: StatementEvent): void;
  nowMs(): number;
}

export interface StatementProcessing {
  handle(record: Delivered<StatementSubmitted>): Promise<Handled>;
  /** Fails the document of a record that cannot be processed. */
  abandoned(record: Abandoned<StatementSubmitted>): Promise<void>;
  /** From now on a lost reader is one that was closed: its document is read again by the next process. */
  stop(): void;
}

/** What the reading of a document led to. `stopped`: this process ends. */
type ReadingEnd = { readonly statement: BankStatement } | { readonly failure: StatementFailure };
type ReadingAttempt = ReadingEnd | "gone" | "stopped";

export function createStatementProcessing(ports: ProcessingPorts): StatementProcessing {
  const state = { isStopping: false };

  async function process(org: string, id: string): Promise<Handled> {
    const document = await ports.start(org, id);
    // Removed, done, or never submitted to its end.
    if (document === null) return "done";
    const stored = await ports.reading(org, id);
    const outcome =
      stored === null ? await readStored(ports, document, state) : { statement: stored };
    if (outcome === "stopped") return "retry";
    if (outcome !== "gone") await end(ports, document, outcome);
    return "done";
  }

  return {
    handle: ({ value: { org, id } }) => process(org, id),
    abandoned: async ({ key, value }) => {
      const [org, id] = value === null ? readRecordKey(key) : [value.org, value.id];
      if (org === undefined || id === undefined) return;
      const document = await ports.start(org, id);
      if (document !== null) await finish(ports, document, { failure: "internal_error" }, null);
    },
    stop: () => {
      state.isStopping = true;
    },
  };
}

/**
 * Reads the file, a second time when the reader was lost, and stores what was read. The second time it is alone: the loss may have
 * been the fault of a document that was read at the same time.
 */
async function readStored(
  ports: ProcessingPorts,
  document: StoredStatement,
  state: { readonly isStopping: boolean },
): Promise<ReadingAttempt> {
  const bytes = await ports.readFile(document);
  const password = readPassword(ports.vault, document);
  // Without its file, or its password in a backup without keys, it can never be read.
  if (bytes === null || password === undefined) return { failure: "internal_error" };
  for (let { crashes } = document; crashes < CRASHES_MAX; ) {
    try {
      const result = await ports.readDocument(bytes, password ?? "", {
        isAlone: crashes > 0,
        submittedAt: document.createdAt,
      });
      return "fault" in result
        ? { failure: result.fault }
        : await storeRead(ports, document, result);
    } catch (error) {
      if (!(error instanceof LedgerlineError) || error.code !== "unavailable") throw error;
      if (state.isStopping) return "stopped";
      await ports.countCrash(document, crashes);
      crashes += 1;
      ports.report({ kind: "reader_lost", org: document.org, id: document.id, crashes, error });
    }
  }
  return { failure: "internal_error" };
}

async function storeRead(
  ports: ProcessingPorts,
  document: StoredStatement,
  statement: BankStatement,
): Promise<ReadingAttempt> {
  if (hasTooManyRows(statement)) return { failure: "too_large" };
  // Another process may have stored its reading first.
  const outcome = await ports.storeReading(document, statement);
  if (outcome === "gone") return "gone";
  return outcome === "too_large" ? { failure: "too_large" } : { statement: outcome };
}

async function end(
  ports: ProcessingPorts,
  document: StoredStatement,
  outcome: ReadingEnd,
): Promise<void> {
  if ("failure" in outcome) {
    await finish(ports, document, outcome, null);
    return;
  }
  const batch = await statementRecords(document, outcome.statement);
  if (batch !== null) {
    await ports.publish("requests", batch.records, batch.records.length);
    // It is accepted by now: if this fails, the first chunk stores the batch.
    await ports.insertBatch(batch.head).catch(() => undefined);
  }
  await finish(ports, document, outcome, batch?.head ?? null);
  // It may have failed before the document was processed, when nothing could be marked.
  if (batch !== null && (await ports.batchStatus(document.org, batch.head.id)) === "error")
    await ports.markUnenriched(document);
}

async function finish(
  ports: ProcessingPorts,
  document: StoredStatement,
  outcome: ReadingEnd,
  batch: BatchHead | null,
): Promise<void> {
  const failure = "failure" in outcome ? outcome.failure : null;
  const pages = "statement" in outcome ? outcome.statement.pages : 0;
  const status = failure === null ? "processed" : "failed";
  const set = { status, failure, pages, batchId: batch?.id ?? null } as const;
  const endedAt = ports.nowMs();
  const { org, id } = document;
  const event = statementEvent({ ...document, ...set }, endedAt);
  // False: it was removed, or another process has ended it.
  if (!(await ports.finish(document, set, event))) return;
  ports.onEvent();
  const ms = Math.max(0, endedAt - document.createdAt);
  ports.report({ kind: "ended", org, id, failure, pages, transactions: batch?.total ?? 0, ms });
}
