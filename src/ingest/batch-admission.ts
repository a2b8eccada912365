// Whether a batch is accepted. What waits is bounded for each organization, in records and in the thread time that they will
// take, so that one organization that floods is refused while all others are accepted.
import type { BatchHead } from "../domain/batch.ts";
import { LedgerlineError } from "../domain/errors.ts";
import { CHUNK_TRANSACTIONS_MAX, type RequestTopic } from "../domain/records.ts";

export interface AdmittedBatch {
  /** Records of the organization that wait already. */
  readonly waitingRecords: number;
  /** To be called once the batch is known to the store, or was not accepted. */
  release(): void;
}

export interface BatchAdmission {
  /** @throws LedgerlineError `overloaded` when the batch is refused */
  admit(head: BatchHead): Promise<AdmittedBatch>;
}

/** What the admission needs of the log, the store and the threads. */
export interface AdmissionPorts {
  pending(topic: RequestTopic): number;
  /** Transactions in batches of the organization that have not ended. */
  unfinished(org: string): Promise<number>;
  /** Thread time that a transaction of the organization takes, milliseconds; 0 where this process does not know. */
  threadMsPerTransaction(org: string): number;
}

export interface AdmissionLimits {
  /** Records of batches that may wait in the log, one organization holding no more than it leaves to the others. */
  readonly batchRecordsMax: number;
  /** Thread time that the batches of one organization may have waiting, milliseconds; a single batch may take more. */
  readonly batchThreadMsMax: number;
}

export function createBatchAdmission(
  ports: AdmissionPorts,
  limits: AdmissionLimits,
): BatchAdmission {
  /** Transactions of batches that are being published, which the store does not count yet. */
  const publishing = new Map<string, number>();
  const publish = (org: string, transactions: number): void => {
    const left = (publishing.get(org) ?? 0) + transactions;
    if (left > 0) publishing.set(org, left);
    else publishing.delete(org);
  };
  return {
    admit: async ({ org, total, chunkCount }) => {
      const unfinished = await ports.unfinished(org);
      const waiting = unfinished + (publishing.get(org) ?? 0);
      const pending = ports.pending("requests");
      // A batch that never ends, as after its records were lost, has nothing in the log that would wait.
      const waitingRecords = Math.min(Math.ceil(waiting / CHUNK_TRANSACTIONS_MAX), pending);
      if (waitingRecords + chunkCount > limits.batchRecordsMax - pending) throw tooMany(waiting);
      // Transactions of batches that never end take no thread time any more.
      const waitingNow = Math.min(waiting, waitingRecords * CHUNK_TRANSACTIONS_MAX);
      const threadMs = (waitingNow + total) * ports.threadMsPerTransaction(org);
      if (waitingRecords > 0 && threadMs > limits.batchThreadMsMax) throw tooMany(waiting);
      publish(org, total);
      return {
        waitingRecords,
        release: () => {
          publish(org, -total);
        },
      };
    },
  };
}

function tooMany(waiting: number): LedgerlineError {
  return new LedgerlineError(
    "overloaded",
    `Batch limit exceeded: ${String(waiting)} transactions of this organization are waiting already; try again when some of them are enriched.`,
  );
}
