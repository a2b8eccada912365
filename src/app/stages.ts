// Joins the repositories of the store with the stages that work on them; part of the composition root.
import { randomUUID } from "node:crypto";
import type { EngineLog } from "./engine.ts";
import { createErasure } from "./erasure.ts";
import { createIngest, type Ingest, type IngestLimits } from "../ingest/ingest.ts";
import { type Batches, createBatches } from "../ledger/batches.ts";
import { createHolders, type Holders } from "../ledger/holders.ts";
import { createTransactions, type Transactions } from "../ledger/transactions.ts";
import type { Log } from "../log/log.ts";
import type { Clock } from "../shared/clock.ts";
import {
  type BatchRemovalRepository,
  createBatchRemovalRepository,
} from "../store/repositories/batch-removal.ts";
import { createBatchRepository } from "../store/repositories/batches.ts";
import type { Store } from "../store/collection.ts";
import { createEventRepository } from "../store/repositories/events.ts";
import { createHolderRepository } from "../store/repositories/holders.ts";
import { createOrganizationRepository } from "../store/repositories/organizations.ts";
import {
  createIdempotencyRepository,
  type IdempotencyRepository,
} from "../store/repositories/idempotency.ts";
import {
  createTransactionRepository,
  type TransactionRepository,
} from "../store/repositories/transactions.ts";
import {
  createLedgerWrites,
  type LedgerWrites,
  type LedgerRepositories,
} from "../store/repositories/writes.ts";

/** The stages that the API and the consumers call. */
export interface Ledger {
  readonly holders: Holders;
  readonly transactions: Transactions;
  readonly batches: Batches;
  readonly ingest: Ingest;
  readonly idempotency: IdempotencyRepository;
  readonly repositories: LedgerRepositories & {
    readonly transactions: TransactionRepository;
    readonly batchRemoval: BatchRemovalRepository;
  };
  readonly writes: LedgerWrites;
}

export interface LedgerOptions {
  readonly limits: IngestLimits;
  readonly threadMsPerTransaction: (org: string) => number;
  /** The time by which to delete what is kept for a while. */
  retentionNow(): Promise<number>;
  /** Called when an event was recorded. */
  onEvent(): void;
  /** Called when the removal of an account holder failed. */
  removalFailed(error: unknown): void;
}

export function createLedger(
  store: Store,
  nowMs: Clock,
  engineLog: EngineLog,
  { limits, threadMsPerTransaction, retentionNow, onEvent, removalFailed }: LedgerOptions,
): Ledger {
  const { log, isOver } = engineLog;
  const batchRemoval = createBatchRemovalRepository(store);
  const repositories = {
    batchRemoval,
    holders: createHolderRepository(store),
    transactions: createTransactionRepository(store),
    batches: createBatchRepository(store),
    events: createEventRepository(store),
  };
  const writes = createLedgerWrites(store, repositories);
  const { holders, transactions, batches } = repositories;
  const organizations = createOrganizationRepository(store);
  const { erasures, noteAssigned } = createErasure(store, repositories, writes, engineLog);
  const { insert: insertBatch, unfinished } = batches;
  const ingest = createIngest(
    { ...log, insertBatch, unfinished, threadMsPerTransaction, nowMs, newId: randomUUID },
    limits,
  );
  return {
    repositories,
    writes,
    ingest,
    idempotency: createIdempotencyRepository(store, {
      nowMs,
      retentionNow,
      newId: randomUUID,
      isOver,
    }),
    holders: createHolders({
      insertHolder: holders.insert,
      getHolder: holders.get,
      listHolders: holders.list,
      markDeleting: holders.markDeleting,
      listDeleting: holders.listDeleting,
      removeTransactionsOfHolder: writes.removeOfHolder,
      erasures,
      removeHolder: holders.remove,
      holderRemoved: organizations.holderRemoved,
      removalFailed,
      newId: randomUUID,
      writeTombstones: transactions.writeTombstones,
      endOrder: log.endOrder,
      doneOrder: log.doneOrder,
      nowMs,
    }),
    transactions: createTransactions({
      getTransaction: transactions.get,
      listTransactions: transactions.list,
      writeTombstones: transactions.writeTombstones,
      getHolder: holders.get,
      noteAssigned,
      enrichAgain: ingest.enrichAgain,
      endOrder: log.endOrder,
    }),
    batches: createBatchStage(repositories, writes, log, nowMs, onEvent),
  };
}

function createBatchStage(
  { batches, batchRemoval }: Ledger["repositories"],
  writes: LedgerWrites,
  { endOrder }: Log,
  nowMs: Clock,
  onEvent: () => void,
): Batches {
  return createBatches({
    getBatch: batches.get,
    listBatches: batches.list,
    storedOf: batches.stored,
    results: batches.results,
    endBatch: async (...end) => {
      await writes.endBatch(...end);
      onEvent();
    },
    insertBatch: batches.insert,
    hideBatch: batchRemoval.hide,
    removeResults: batchRemoval.removeResults,
    endedBefore: batchRemoval.endedBefore,
    endOrder,
    newId: randomUUID,
    nowMs,
  });
}
