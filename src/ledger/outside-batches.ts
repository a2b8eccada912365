// Batches of outside producers. Nothing announces one: its first record makes it known, with the number of its records. So
// records can contradict each other, and some may never come.
import type { BatchHead, OutsideChunk } from "../model/batch.ts";

/** What the batches of outside producers need from the store and the log. */
export interface OutsideBatchPorts {
  /** Stores a batch of an outside producer unless there is one with this id. Returns what is stored. */
  openBatch(
    head: BatchHead,
    dueAt: number,
  ): Promise<{ readonly isOutside: boolean; readonly chunkCount: number; readonly total: number }>;
  chunkIds(org: string, id: string, index: number): Promise<readonly string[] | null>;
  dueBatches(beforeMs: number, limit: number): Promise<readonly DueBatch[]>;
  /** Removes the note that a batch is due. */
  lookedAt(batch: DueBatch): Promise<void>;
  /** Ends a batch with an error, and its event, if it is processing. */
  failBatch(org: string, id: string): Promise<void>;
  /** Whether everything is done that was in the log at this time: milliseconds since 1970, UTC. */
  isOver(timeMs: number): boolean;
  nowMs(): number;
}

interface DueBatch {
  readonly org: string;
  readonly id: string;
  readonly dueAt: number;
}

export interface OutsideBatches {
  /** Makes a batch known. Returns why the chunk cannot be one of it, as a sentence that quotes nothing, or null. */
  join(head: BatchHead, chunk: OutsideChunk): Promise<string | null>;
  /** Ends a batch with an error, because a record of it is refused. Batches of the API are left as they are. */
  fail(org: string, id: string): Promise<void>;
  /**
   * Looks at up to `limit` batches that are due, and ends those with an error that are not whole. Returns how many are
   * looked at for good: records that wait in the log are waited for.
   */
  endIncomplete(limit: number): Promise<number>;
}

/** @param completeWithinMs the records of a batch count that are in the log so long after the first of them was processed */
export function createOutsideBatches(
  ports: OutsideBatchPorts,
  completeWithinMs: number,
): OutsideBatches {
  const dueAt = (): number => ports.nowMs() + completeWithinMs;
  return {
    join: async (head, { index, ids }) => {
      const known = await ports.openBatch(head, dueAt());
      if (!known.isOutside) return "batch_id is the id of a batch of the API";
      const isCounted = known.chunkCount > 0;
      if (isCounted && (known.chunkCount !== head.chunkCount || known.total !== head.total))
        return "chunk_count and total are not those of another record of the batch";
      const stored = await ports.chunkIds(head.org, head.id, index);
      // A producer may send a record again, and the log may deliver it again.
      const isSame = stored === null || isEqual(stored, ids);
      return isSame ? null : "another record of the batch has this chunk_index";
    },
    fail: async (org, id) => {
      const unknown = { total: 0, chunkCount: 0, priority: "default", createdAt: ports.nowMs() };
      const head = { org, id, ...unknown, priority: "default" } as const;
      const { isOutside } = await ports.openBatch(head, dueAt());
      if (isOutside) await ports.failBatch(org, id);
    },
    endIncomplete: async (limit) => {
      let looked = 0;
      for (const due of await ports.dueBatches(ports.nowMs(), limit)) {
        if (!ports.isOver(due.dueAt)) break;
        await ports.failBatch(due.org, due.id);
        await ports.lookedAt(due);
        looked += 1;
      }
      return looked;
    },
  };
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}
