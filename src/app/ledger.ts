// Joins the ledger and the ingest stage with the store and the log; part of the composition root.
import { randomUUID } from "node:crypto";
import { createIngest, type Ingest, type IngestLimits } from "../ingest/ingest.ts";
import { type Batches, createBatches } from "../ledger/batches.ts";
import { createOutsideBatches, type OutsideBatches } from "../ledger/outside-batches.ts";
import { createHolders, type Holders } from "../ledger/holders.ts";
import { createLedgerPages, type LedgerPages } from "../ledger/ledger-pages.ts";
import { createRecurrence, type HolderRecurrence } from "../ledger/recurrence.ts";
import { createTransactions, type Transactions } from "../ledger/transactions.ts";
import { createSubmissions, type Submissions } from "../ledger/submission.ts";
import type { HolderRemoval } from "../model/account-holder.ts";
import type { IdempotencyRepository } from "../model/idempotency.ts";
import { requireRecurrence } from "../pool/ask.ts";
import type { Pool } from "../pool/pool.ts";
import { createReportErasure } from "../settings/report-erasure.ts";
import type { Clock } from "../shared/clock.ts";
import type { EngineLog } from "./engine.ts";
import type { Repositories } from "./repositories.ts";

const MINUTE_MS = 60_000;

/** The stages that the API and the consumers call. */
export interface Ledger {
  readonly holders: Holders;
  readonly transactions: Transactions;
  readonly batches: Batches;
  readonly outsideBatches: OutsideBatches;
  readonly recurrence: HolderRecurrence;
  readonly ledgerPages: LedgerPages;
  readonly ingest: Ingest;
  readonly submissions: Submissions;
  readonly idempotency: IdempotencyRepository;
}

export interface LedgerOptions {
  readonly limits: IngestLimits;
  /** For the records of a batch of an outside producer. */
  readonly batchMinutes: number;
  readonly pool: Pick<Pool, "ask" | "msPerItem">;
  /** The time by which expired rows are deleted. */
  retentionNow(): Promise<number>;
  /** Removes the bank statements of a holder. */
  removeStatements(removal: HolderRemoval): Promise<void>;
  /** Called when an event was recorded. */
  onEvent(): void;
  /** Called when the removal of an account holder failed. */
  removalFailed(error: unknown): void;
}

export function createLedger(
  repositories: Repositories,
  nowMs: Clock,
  engineLog: EngineLog,
  options: LedgerOptions,
): Ledger {
  const { limits, batchMinutes, pool, retentionNow, removeStatements } = options;
  const { onEvent, removalFailed } = options;
  const { holders, transactions, outsideBatches } = repositories;
  const { log } = engineLog;
  const newId = randomUUID;
  const { insert: insertBatch, unfinished } = repositories.batches;
  const batches = batchesOf(repositories, nowMs, log, onEvent);
  const ingest = createIngest(
    { ...log, insertBatch, unfinished, threadMsPerTransaction: pool.msPerItem, nowMs, newId },
    limits,
  );
  const recurrence = recurrenceOf(repositories, pool);
  const holderStage = createHolders({
    ...holderStorage(repositories),
    // Statements first: one that is being read submits no more transactions then, whose results the others erase.
    erasures: [removeStatements, ...erasuresOf(repositories, engineLog, recurrence)],
    removalFailed,
    newId,
    endOrder: log.endOrder,
    doneOrder: log.doneOrder,
    nowMs,
  });
  return {
    ingest,
    submissions: createSubmissions({
      getHolders: async (org, ids) => (await holders.getMany(org, ids)).map(({ holder }) => holder),
      ensureHolders: holderStage.ensure,
    }),
    idempotency: repositories.idempotency({ nowMs, retentionNow, newId, isOver: log.isOver }),
    holders: holderStage,
    transactions: createTransactions({
      getTransaction: transactions.get,
      listTransactions: transactions.list,
      writeTombstones: transactions.writeTombstones,
      getHolder: holders.get,
      noteAssigned: noteAssignedIn(repositories),
      enrichAgain: ingest.enrichAgain,
      endOrder: log.endOrder,
    }),
    recurrence,
    ledgerPages: ledgerPagesOf(repositories),
    batches,
    outsideBatches: createOutsideBatches(
      {
        openBatch: outsideBatches.open,
        chunkIds: outsideBatches.chunkIds,
        dueBatches: outsideBatches.due,
        lookedAt: outsideBatches.looked,
        failBatch: batches.failKnown,
        isOver: log.isOver,
        nowMs,
      },
      batchMinutes * MINUTE_MS,
    ),
  };
}

function batchesOf(
  { batches, batchRemoval, ledgerWrites }: Repositories,
  nowMs: Clock,
  log: Pick<EngineLog["log"], "endOrder">,
  onEvent: () => void,
): Batches {
  return createBatches({
    getBatch: batches.get,
    listBatches: batches.list,
    storedOf: batches.stored,
    results: batches.results,
    endBatch: async (...end) => {
      await ledgerWrites.endBatch(...end);
      onEvent();
    },
    insertBatch: batches.insert,
    hideBatch: batchRemoval.hide,
    removeResults: batchRemoval.removeResults,
    endedBefore: batchRemoval.endedBefore,
    endOrder: log.endOrder,
    newId: randomUUID,
    nowMs,
  });
}

const holderStorage = ({
  holders,
  transactions,
  ledgerPages,
  ledgerWrites,
  organizations,
}: Repositories) => ({
  insertHolder: holders.insert,
  insertMissing: holders.insertMissing,
  getHolder: holders.get,
  getHolders: holders.getMany,
  listHolders: holders.list,
  searchHolders: holders.search,
  changeHolder: holders.change,
  countTransactions: transactions.countOfHolder,
  meanConfidence: ledgerPages.meanConfidence,
  markDeleting: holders.markDeleting,
  listDeleting: holders.listDeleting,
  removeTransactionsOfHolder: ledgerWrites.removeOfHolder,
  removeHolder: holders.remove,
  holderRemoved: organizations.holderRemoved,
  writeTombstones: transactions.writeTombstones,
});

function recurrenceOf(
  { holders, transactions }: Repositories,
  { ask }: Pick<Pool, "ask">,
): HolderRecurrence {
  return createRecurrence({
    getHolder: holders.get,
    ledgerVersion: transactions.ledgerVersion,
    walkLedger: transactions.walkLedger,
    walkIds: transactions.walkIds,
    getTransactions: transactions.getMany,
    findRecurrence: (org, columns) => requireRecurrence(ask, org, columns),
  });
}

const ledgerPagesOf = ({ holders, transactions, ledgerPages }: Repositories): LedgerPages =>
  createLedgerPages({
    getHolder: holders.get,
    countTransactions: transactions.countOfHolder,
    pageIds: ledgerPages.ids,
    getTransactions: transactions.getMany,
    transactionsAmong: ledgerPages.among,
    amounts: ledgerPages.amounts,
  });

/** Each erases the data of a holder in one place. */
function erasuresOf(
  { transactions, events, holderErasure, ledgerWrites, reports, reportWrites }: Repositories,
  { eraseDeadLetters }: EngineLog,
  recurrence: HolderRecurrence,
): readonly ((removal: HolderRemoval) => Promise<void>)[] {
  return [
    ledgerWrites.eraseResults,
    holderErasure.eraseAnswers,
    (removal) => holderErasure.eraseCorrections(removal, randomUUID),
    createReportErasure({
      reportsOfHolder: reports.ofHolder,
      holderOf: transactions.holderOf,
      reassign: reports.reassign,
      getEvents: events.getMany,
      removeWithEvents: reportWrites.removeWithEvents,
    }),
    eraseDeadLetters,
    ({ org, id }) => {
      recurrence.drop(org, id);
      return Promise.resolve();
    },
  ];
}

/** Notes that a transaction belongs to another holder now, whose erasure covers it. */
const noteAssignedIn =
  ({ batchErasure, reports }: Repositories) =>
  async (org: string, transactionId: string, createdAt: number, accountHolderId: string | null) => {
    if (accountHolderId !== null)
      await batchErasure.noteAssigned(org, transactionId, createdAt, accountHolderId);
    await reports.reassign(org, transactionId, accountHolderId);
  };
