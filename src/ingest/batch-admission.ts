// Whether a batch is accepted. The waiting work of each organization is limited, in records and in the thread time that they
// will take, so that an organization that floods is refused while all others are accepted.
import type { BatchHead } from "../model/batch.ts";
import { LedgerlineError } from "../shared/errors.ts";
import { CHUNK_TRANSACTIONS_MAX, type RequestTopic } from "../model/records.ts";

export interface BatchAdmission {
  /**
   * Publishes a batch that is accepted. The check and the start of `publish` are one turn of the event loop, so that a batch of
   * a burst is counted before the next one is checked.
   * @param publish publishes the batch in chunks of at most 250 transactions and stores its head; its argument: records of the
   * organization that wait already
   * @throws LedgerlineError `overloaded` when the batch is refused
   */
  admit(head: BatchHead, publish: (waitingRecords: number) => Promise<void>): Promise<void>;
}

/** What the admission needs from the log, the store and the threads. */
export interface AdmissionPorts {
  /** Records that are published or being published, and not done. */
  pending(topic: RequestTopic): number;
  /** Transactions in batches of the organization that have not ended. */
  unfinished(org: string): Promise<number>;
  /** Thread time for a transaction of the organization, milliseconds; 0 if this process has no data. */
  threadMsPerTransaction(org: string): number;
}

export interface AdmissionLimits {
  /** Records of batches that may wait in the log; one organization holds at most as many as it leaves to the others. */
  readonly batchRecordsMax: number;
  /**
   * Limit of the thread time that the waiting batches of one organization will take, milliseconds; a single batch may take
   * more.
   */
  readonly batchThreadMsMax: number;
}

export function createBatchAdmission(
  ports: AdmissionPorts,
  limits: AdmissionLimits,
): BatchAdmission {
  const publishing = createPublishing();

  /** Returns how many records of the organization wait; throws when it would be too many. */
  function check({ org, total, chunkCount }: BatchHead, unfinished: number): number {
    const own = publishing.of(org);
    const pending = ports.pending("requests");
    // A batch that never ends, for example because its records were lost, has no records waiting in the log.
    const published = Math.min(
      Math.ceil(unfinished / CHUNK_TRANSACTIONS_MAX),
      Math.max(0, pending - publishing.records()),
    );
    const waitingRecords = published + own.records;
    const waiting = unfinished + own.transactions;
    if (waitingRecords + chunkCount > limits.batchRecordsMax - pending) throw tooMany(waiting);
    // Transactions of batches that never end take no more thread time.
    const waitingNow = Math.min(unfinished, published * CHUNK_TRANSACTIONS_MAX) + own.transactions;
    const threadMs = (waitingNow + total) * ports.threadMsPerTransaction(org);
    if (waitingRecords > 0 && threadMs > limits.batchThreadMsMax) throw tooMany(waiting);
    return waitingRecords;
  }

  return {
    admit: async (head, publish) => {
      const waitingRecords = check(head, await ports.unfinished(head.org));
      publishing.add(head.org, head.chunkCount, head.total);
      try {
        await publish(waitingRecords);
      } finally {
        publishing.add(head.org, -head.chunkCount, -head.total);
      }
    },
  };
}

interface BatchSizes {
  readonly records: number;
  readonly transactions: number;
}

interface Publishing {
  /** Negative numbers: they are published, or were not accepted. */
  add(org: string, records: number, transactions: number): void;
  of(org: string): BatchSizes;
  /** Records of all organizations. */
  records(): number;
}

/** What is being published and not yet counted by the store. */
function createPublishing(): Publishing {
  const sizes = new Map<string, BatchSizes>();
  let all = 0;
  const of = (org: string): BatchSizes => sizes.get(org) ?? { records: 0, transactions: 0 };
  return {
    add: (org, records, transactions) => {
      const known = of(org);
      const now = {
        records: known.records + records,
        transactions: known.transactions + transactions,
      };
      all += records;
      if (now.records > 0) sizes.set(org, now);
      else sizes.delete(org);
    },
    of,
    records: () => all,
  };
}

function tooMany(waiting: number): LedgerlineError {
  return new LedgerlineError(
    "overloaded",
    `Batch limit exceeded: ${String(waiting)} transactions of this organization are pending; repeat the request when some of them are enriched.`,
  );
}
