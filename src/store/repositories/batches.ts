import type { Batch, BatchChunk, BatchHead, BatchStatus, ChunkResults } from "../../model/batch.ts";
import { HOLDER_TYPES } from "../../model/transaction.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import { createBatchErasureRepository, holdersOf } from "./batch-erasure.ts";
import type { Collection, Store, Write } from "../collection.ts";
import { pack, unpackBytes } from "./packed-results.ts";
import { readPage } from "./pages.ts";
import { type BatchChunkRow, type BatchRow, batchChunkSpec, batchSpec } from "../specs/specs.ts";

export interface BatchRepository {
  /** Makes the batch known, unless it already is. */
  insert(head: BatchHead): Promise<void>;
  get(org: string, id: string): Promise<Batch | null>;
  list(org: string, status: BatchStatus | null, page: PageRequest): Promise<Page<Batch>>;
  hasChunk(org: string, batchId: string, index: number): Promise<boolean>;
  /** Transactions of the organization's batches that have not ended, those that are enriched already included. */
  unfinished(org: string): Promise<number>;
  /** How much of the batch is stored: chunks, transactions, and when the last chunk was. */
  stored(
    org: string,
    batchId: string,
  ): Promise<{ chunks: number; transactions: number; lastAt: number | null }>;
  /** The results of the chunks in order, read one at a time. */
  results(org: string, batchId: string): AsyncIterable<ChunkResults>;
  /** Steps that store a chunk and make its batch known. A chunk that is there stays as it is. */
  chunkSteps(head: BatchHead, chunk: BatchChunk): Promise<readonly Write[]>;
  /** Step that ends a batch, and ends the write when the batch is not processing any more. */
  endStep(org: string, id: string, status: "completed" | "error", updatedAt: number): Write;
}

type ShownRow = BatchRow & { readonly status: BatchStatus };

const isShown = (row: BatchRow): row is ShownRow => row.status !== "deleted";

export function createBatchRepository(store: Store): BatchRepository {
  const batches = store.collection<BatchRow>(batchSpec);
  const chunks = store.collection<BatchChunkRow>(batchChunkSpec);
  const erasure = createBatchErasureRepository(store);
  const stored: BatchRepository["stored"] = async (org, batchId) => {
    const { count, sum, max } = await chunks.aggregate({ org, batchId }, "length", "storedAt");
    return { chunks: count, transactions: sum, lastAt: max };
  };
  const toBatch = async (row: ShownRow): Promise<Batch> => {
    const { org, id, status, priority, createdAt, total } = row;
    // A completed one is whole: a list of a thousand need not count the chunks of each.
    const done = status === "completed" ? null : await stored(org, id);
    // While it runs, the batch was last updated by its last chunk; its own row is written again only at the end.
    const updatedAt = status === "processing" ? (done?.lastAt ?? createdAt) : row.updatedAt;
    const progress = done?.transactions ?? total;
    return { org, id, status, priority, createdAt, updatedAt, progress, total };
  };
  const insertStep = (head: BatchHead): Write =>
    batches.insert(
      { ...head, status: "processing", updatedAt: head.createdAt, deletedAfter: null },
      "ignore",
    );
  const insert = async (head: BatchHead): Promise<void> => {
    await store.write([insertStep(head)]);
  };
  return {
    insert,
    get: async (org, id) => {
      const row = await batches.get({ org, id });
      return row !== null && isShown(row) ? toBatch(row) : null;
    },
    list: async (org, status, page) => {
      const where = { org, status: status ?? { ne: "deleted" } };
      const found = await readPage(batches, where, page, "id", (row) => row);
      const shown = found.rows.filter(isShown);
      return { rows: await Promise.all(shown.map(toBatch)), next: found.next };
    },
    hasChunk: async (org, batchId, chunkIndex) => {
      const where = { org, batchId, chunkIndex };
      return (await chunks.aggregate(where, "length", "storedAt")).count > 0;
    },
    unfinished: async (org) =>
      (await batches.aggregate({ org, status: "processing" }, "total", "createdAt")).sum,
    stored,
    results: (org, batchId) => readResults(chunks, org, batchId),
    chunkSteps: async (head, chunk) => [
      insertStep(head),
      // Before the chunk: if a chunk exists, its entries for erasure exist too.
      ...erasure.holderSteps(head, chunk.accountHolderIds),
      chunks.insert(
        {
          org: head.org,
          batchId: head.id,
          chunkIndex: chunk.index,
          length: chunk.length,
          storedAt: chunk.storedAt,
          results: await pack(chunk.results),
          revision: 1,
          ...holdersOf(chunk.accountHolderIds),
          types: chunk.accountTypes.map((type) => type?.slice(0, 1) ?? NO_TYPE).join(""),
          ...(chunk.sentMccs == null ? {} : { mccs: chunk.sentMccs }),
        },
        "ignore",
      ),
    ],
    endStep: (org, id, status, updatedAt) =>
      batches.update({ org, id, status: "processing" }, { status, updatedAt }, "fail"),
  };
}

async function* readResults(
  chunks: Collection<BatchChunkRow>,
  org: string,
  batchId: string,
): AsyncIterable<ChunkResults> {
  let after = -1;
  for (;;) {
    const [row] = await chunks.find({
      where: { org, batchId },
      order: { fields: ["chunkIndex"], direction: "asc" },
      after: [after],
      limit: 1,
    });
    if (row === undefined) return;
    after = row.chunkIndex;
    const { holders, holderOf, types, mccs = null } = row;
    yield {
      results: await unpackBytes(row.results),
      accountHolderIds: holderOf.map((place) => holders[place] ?? null),
      accountTypes: Array.from(types, (letter) => TYPE_OF_LETTER.get(letter) ?? null),
      sentMccs: mccs,
    };
  }
}

const NO_TYPE = "-";
const TYPE_OF_LETTER = new Map(HOLDER_TYPES.map((type) => [type.slice(0, 1), type]));
