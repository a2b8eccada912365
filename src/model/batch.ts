// A batch: up to BATCH_LENGTH_MAX transactions accepted together, enriched in chunks, read back in order.

import type { BatchPriority } from "../shared/concurrency/priority.ts";
import type { HolderType } from "./transaction.ts";

export const BATCH_LENGTH_MAX = 24_960;
export const BATCH_OPERATION = "POST /v3/transactions";

/** processing -> completed when every chunk is stored; processing -> error when a chunk can never be. Both are final. */
export type BatchStatus = "processing" | "completed" | "error";

export interface Batch {
  readonly org: string;
  readonly id: string;
  readonly status: BatchStatus;
  readonly priority: BatchPriority;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Finished transactions. */
  readonly progress: number;
  /** Submitted transactions. */
  readonly total: number;
}

/** The batch as the v3 API and its events show it. */
export function batchResource(batch: Batch): Record<string, string | number> {
  return {
    id: batch.id,
    operation: BATCH_OPERATION,
    status: batch.status,
    priority: batch.priority,
    created_at: new Date(batch.createdAt).toISOString(),
    updated_at: new Date(batch.updatedAt).toISOString(),
    progress: batch.progress,
    total: batch.total,
  };
}

/** What the submitter sets for a batch in addition to its transactions. */
export interface BatchOptions {
  readonly id: string;
  readonly priority: BatchPriority;
}

/** What every chunk of a batch carries about it, so that the batch is known wherever one of its chunks is. */
export interface BatchHead {
  readonly org: string;
  readonly id: string;
  readonly total: number;
  readonly chunkCount: number;
  readonly priority: BatchPriority;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
}

/** A chunk as an outside producer has sent it. */
export interface OutsideChunk {
  /** 0-based. */
  readonly index: number;
  /** Of its transactions, in their order. */
  readonly ids: readonly string[];
}

/** The results of one chunk. */
export interface BatchChunk {
  /** 0-based. */
  readonly index: number;
  /** Transactions in it. */
  readonly length: number;
  /** Milliseconds since 1970, UTC. */
  readonly storedAt: number;
  /** JSON texts of v3 EnrichedTransaction objects in the order of submission, joined by commas. */
  readonly results: string;
  /** Of each result the account holder that it is about; null: it is about none, or has no facts. */
  readonly accountHolderIds: readonly (string | null)[];
  /** Of each result the type of account by which it is categorised; null: none. */
  readonly accountTypes: readonly (HolderType | null)[];
  /** Of each result the merchant category code that the caller sent, null: none; null or left out: none of the chunk has one. */
  readonly sentMccs?: readonly (number | null)[] | null;
}

/** Stored results of one chunk with what the v2 API shows of each in addition. */
export interface ChunkResults
  extends Pick<BatchChunk, "accountHolderIds" | "accountTypes" | "sentMccs"> {
  /** The text of `results` of a `BatchChunk` in UTF-8: most readers get it as it is. */
  readonly results: Uint8Array;
}

/** Parses what it reads. */
export const parsedResults = ({ results }: ChunkResults): unknown =>
  JSON.parse(`[${new TextDecoder().decode(results)}]`);
