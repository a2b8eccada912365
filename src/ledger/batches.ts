import type { Actor, AuditEntry } from "../model/audit.ts";
import type { Batch, BatchHead, BatchStatus, ChunkResults } from "../model/batch.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import type { StoredEvent } from "../model/event.ts";
import { createSingleFlight } from "../shared/concurrency/single-flight.ts";
import { batchEvent } from "../events/events.ts";

/** What the batches need from the store. */
export interface BatchPorts {
  getBatch(org: string, id: string): Promise<Batch | null>;
  listBatches(org: string, status: BatchStatus | null, page: PageRequest): Promise<Page<Batch>>;
  storedOf(
    org: string,
    id: string,
  ): Promise<{ chunks: number; transactions: number; lastAt: number | null }>;
  results(org: string, id: string): AsyncIterable<ChunkResults>;
  endBatch(
    org: string,
    id: string,
    status: "completed" | "error",
    updatedAt: number,
    event: StoredEvent,
  ): Promise<void>;
  /** Stores a batch unless it exists. */
  insertBatch(head: BatchHead): Promise<void>;
  /** Hides a batch that has ended. `after`: order of acceptance up to which its chunks may be redelivered. */
  hideBatch(
    batch: { readonly org: string; readonly id: string },
    after: string,
    nowMs: number,
    entry: AuditEntry | null,
  ): Promise<DeleteBatchOutcome>;
  removeResults(batch: { readonly org: string; readonly id: string }): Promise<void>;
  endedBefore(
    beforeMs: number,
    limit: number,
  ): Promise<readonly { readonly org: string; readonly id: string }[]>;
  /** Order of the last record in the log: the end offset. */
  endOrder(): Promise<string>;
  newId(): string;
  nowMs(): number;
}

export type DeleteBatchOutcome = "deleted" | "processing" | "not_found";

export interface Batches {
  list(
    org: string,
    filter: { status: BatchStatus | null },
    page: PageRequest,
  ): Promise<Page<Batch>>;
  get(org: string, id: string): Promise<Batch | null>;
  /**
   * The batch and, once it is completed, its results in order of submission: texts of comma-joined v3
   * EnrichedTransaction objects in UTF-8.
   */
  results(
    org: string,
    id: string,
  ): Promise<{ batch: Batch; chunks: AsyncIterable<Uint8Array> } | null>;
  /** The same with what the v2 API shows of each result in addition. */
  resultChunks(
    org: string,
    id: string,
  ): Promise<{ batch: Batch; chunks: AsyncIterable<ChunkResults> } | null>;
  /**
   * Ends the batch when all its chunks are stored: with an error when they have not as many transactions as an outside
   * producer has announced. Counts the chunks themselves: a counter could be wrong after a crash.
   */
  chunkStored(head: BatchHead): Promise<void>;
  /** Ends the batch with an error, because one of its chunks can never be stored. */
  fail(org: string, id: string): Promise<void>;
  /** Ends a batch with an error if it is processing. */
  failKnown(org: string, id: string): Promise<void>;
  /**
   * Deletes a batch that has ended, and its results. Its transactions stay in the ledger. `processing`: nothing was changed,
   * because chunks that are still in the log would restore the batch.
   */
  delete(org: string, id: string, by: Actor): Promise<DeleteBatchOutcome>;
  /** Deletes up to `limit` batches of all organizations that ended before `beforeMs`. Returns how many. */
  expire(beforeMs: number, limit: number): Promise<number>;
}

type Endings = Pick<Batches, "chunkStored" | "fail" | "failKnown">;

function createEndings(ports: BatchPorts): Endings {
  async function end(
    batch: Batch,
    status: "completed" | "error",
    updatedAt: number,
  ): Promise<void> {
    const ended: Batch = { ...batch, status, updatedAt };
    await ports.endBatch(batch.org, batch.id, status, updatedAt, batchEvent(ended));
  }

  async function failKnown(org: string, id: string): Promise<void> {
    const batch = await ports.getBatch(org, id);
    if (batch?.status === "processing") await end(batch, "error", ports.nowMs());
  }

  async function endWhole(org: string, id: string, chunkCount: number): Promise<void> {
    const stored = await ports.storedOf(org, id);
    if (stored.chunks < chunkCount) return;
    // As it was stored first: the records of an outside producer have times of their own.
    const batch = await ports.getBatch(org, id);
    if (batch?.status !== "processing") return;
    const isWhole = stored.transactions === batch.total;
    await end(
      { ...batch, progress: stored.transactions },
      isWhole ? "completed" : "error",
      stored.lastAt ?? ports.nowMs(),
    );
  }

  // One at a time of each batch: chunks are stored together, and each of the last ones would count all chunks and end the batch.
  const endWholeOnce = createSingleFlight(
    (key) => endWhole(...(JSON.parse(key) as Parameters<typeof endWhole>)),
    1,
  );

  return {
    chunkStored: ({ org, id, chunkCount }) => endWholeOnce(JSON.stringify([org, id, chunkCount])),
    fail: async (org, id) => {
      const now = ports.nowMs();
      // Its size and priority are in the record that could not be read; without the batch the client would not see the failure.
      await ports.insertBatch({
        ...{ org, id, total: 0, chunkCount: 0 },
        ...{ priority: "default", createdAt: now },
      });
      await failKnown(org, id);
    },
    failKnown,
  };
}

export function createBatches(ports: BatchPorts): Batches {
  const resultChunks = resultChunksOf(ports);
  return {
    list: (org, filter, page) => ports.listBatches(org, filter.status, page),
    get: ports.getBatch,
    results: async (org, id) => {
      const found = await resultChunks(org, id);
      return found === null ? null : { ...found, chunks: textsOf(found.chunks) };
    },
    resultChunks,
    ...createEndings(ports),
    delete: async (org, id, by) => {
      const nowMs = ports.nowMs();
      const action = "batch.deleted";
      const entry = {
        ...by,
        org,
        id: ports.newId(),
        createdAt: nowMs,
        action,
        subject: id,
      } as const;
      const outcome = await ports.hideBatch({ org, id }, await ports.endOrder(), nowMs, {
        ...entry,
        details: {},
      });
      if (outcome === "deleted") await ports.removeResults({ org, id });
      return outcome;
    },
    expire: async (beforeMs, limit) => {
      const ended = await ports.endedBefore(beforeMs, limit);
      if (ended.length === 0) return 0;
      const endOrder = await ports.endOrder();
      for (const batch of ended) {
        await ports.hideBatch(batch, endOrder, ports.nowMs(), null);
        await ports.removeResults(batch);
      }
      return ended.length;
    },
  };
}

function resultChunksOf({
  getBatch,
  results,
}: Pick<BatchPorts, "getBatch" | "results">): Batches["resultChunks"] {
  return async (org, id) => {
    const batch = await getBatch(org, id);
    if (batch === null) return null;
    return { batch, chunks: batch.status === "completed" ? results(org, id) : nothing() };
  };
}

async function* textsOf(chunks: AsyncIterable<ChunkResults>): AsyncIterable<Uint8Array> {
  for await (const { results } of chunks) yield results;
}

async function* nothing(): AsyncIterable<ChunkResults> {
  // A batch that is not completed shows no results.
}
