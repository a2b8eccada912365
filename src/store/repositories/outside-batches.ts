// Batches of outside producers: known from their records alone, of which some may never come.
import type { BatchHead } from "../../model/batch.ts";
import type { Store } from "../collection.ts";
import { unpackResults } from "./packed-results.ts";
import {
  type BatchChunkRow,
  batchChunkSpec,
  type BatchRow,
  batchSpec,
  type DueBatchRow,
  dueBatchSpec,
} from "../specs/specs.ts";

/** What is stored of a batch. */
export interface KnownBatch {
  /** False: it is a batch of the API. */
  readonly isOutside: boolean;
  /** 0: a record that could not be read was its first. */
  readonly chunkCount: number;
  readonly total: number;
}

export interface OutsideBatchRepository {
  /** Stores a batch of an outside producer unless there is one with this id. Returns what is stored. */
  open(head: BatchHead, dueAt: number): Promise<KnownBatch>;
  /** The ids of the transactions in a stored chunk, or null when it is not stored. */
  chunkIds(org: string, id: string, index: number): Promise<readonly string[] | null>;
  /** Up to `limit` batches that are due before a time, the longest due first. */
  due(beforeMs: number, limit: number): Promise<readonly DueBatchRow[]>;
  /** Removes what `due` returned, unless it is due at another time by now. */
  looked(batch: DueBatchRow): Promise<void>;
}

export function createOutsideBatchRepository(store: Store): OutsideBatchRepository {
  const batches = store.collection<BatchRow>(batchSpec);
  const chunks = store.collection<BatchChunkRow>(batchChunkSpec);
  const dues = store.collection<DueBatchRow>(dueBatchSpec);
  const known = async ({ org, id }: BatchHead): Promise<KnownBatch | null> => {
    const row = await batches.get({ org, id });
    if (row === null) return null;
    const { isOutside = false, chunkCount, total } = row;
    return { isOutside, chunkCount, total };
  };

  return {
    open: async (head, dueAt) => {
      const found = await known(head);
      if (found !== null) return found;
      const state = {
        status: "processing",
        updatedAt: head.createdAt,
        deletedAfter: null,
      } as const;
      const { org, id } = head;
      await store.write([
        dues.insert({ org, id, dueAt }, "ignore"),
        batches.insert({ ...head, ...state, isOutside: true }, "ignore"),
      ]);
      // Another process may have been faster, with another record.
      const stored = await known(head);
      return stored ?? { isOutside: true, chunkCount: head.chunkCount, total: head.total };
    },
    chunkIds: async (org, batchId, chunkIndex) => {
      const row = await chunks.get({ org, batchId, chunkIndex });
      if (row === null) return null;
      const results = JSON.parse(`[${await unpackResults(row.results)}]`) as { id: string }[];
      return results.map(({ id }) => id);
    },
    due: (beforeMs, limit) =>
      dues.find({
        where: { dueAt: { lt: beforeMs } },
        order: { fields: ["dueAt"], direction: "asc" },
        limit,
      }),
    looked: async ({ org, id, dueAt }) => {
      await store.write([dues.delete({ org, id, dueAt })]);
    },
  };
}
