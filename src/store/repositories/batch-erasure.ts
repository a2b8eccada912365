// Results of deleted account holders are taken out of the batches that have them: each is replaced by an error, so that a
// batch keeps its length and its order.
import type { HolderRemoval } from "../../model/account-holder.ts";
import type { BatchHead } from "../../model/batch.ts";
import { enrichedTransactionText } from "../../model/enriched-transaction.ts";
import { HOLDER_NOT_FOUND } from "../../model/transaction.ts";
import type { Store, Write } from "../collection.ts";
import { pack, unpackResults } from "./packed-results.ts";
import {
  type BatchChunkRow,
  batchChunkSpec,
  type BatchHolderRow,
  batchHolderSpec,
  type BatchRow,
  batchSpec,
  type TransactionRow,
  transactionSpec,
} from "../specs/specs.ts";

type ChunkKey = Pick<BatchChunkRow, "org" | "batchId" | "chunkIndex">;

export interface BatchErasureRepository {
  /** Steps that note which account holders have results in a batch; before the chunk itself is stored. */
  holderSteps(head: BatchHead, accountHolderIds: readonly (string | null)[]): readonly Write[];
  /**
   * Notes that a transaction which was submitted at `createdAt` goes to this holder: what batches have of it is erased
   * with its new holder too.
   */
  noteAssigned(
    org: string,
    transactionId: string,
    createdAt: number,
    holderId: string,
  ): Promise<void>;
  /**
   * Erases the results of a holder that is being removed, a chunk at a time.
   * @param still a step that ends a write when the holder is not being removed any more
   */
  eraseHolder(removal: HolderRemoval, still: Write): Promise<void>;
  /** Erases the results of holders from one chunk; nothing when it has none of theirs. */
  eraseFromChunk(chunk: ChunkKey, holderIds: readonly string[]): Promise<void>;
}

/** Which results of a chunk are to be erased. */
interface Erased {
  readonly holderIds: ReadonlySet<string>;
  readonly transactionIds: ReadonlySet<string>;
}

/** As far as it is read here; the rest of a result is written back as it was. */
interface Result {
  readonly id: string;
  readonly created_at: string;
  readonly error: unknown;
}

/** Batches of an organization that were accepted in the same millisecond are few. */
const SAME_TIME_MAX = 1_000;
const NOTED_AT_ONCE = 1_000;
const NO_IDS: ReadonlySet<string> = new Set();
/** Guard of rows that are their own key: what is there stays. */
const GUARD = "batchId";

export function createBatchErasureRepository(store: Store): BatchErasureRepository {
  const batches = store.collection<BatchRow>(batchSpec);
  const holders = store.collection<BatchHolderRow>(batchHolderSpec);

  const transactions = store.collection<TransactionRow>(transactionSpec);
  const chunks = createRewriting(store);

  /** Those of the transactions that are not in the ledger of another holder: an assignment may have failed, or gone on. */
  async function notOfOthers(
    org: string,
    holderId: string,
    ids: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const rows = await transactions.find({ where: { org, id: { in: ids } }, limit: ids.length });
    const others = rows.filter((row) => row.deleted === 0 && row.holderId !== holderId);
    const kept = new Set(others.map(({ id }) => id));
    return new Set(ids.filter((id) => !kept.has(id)));
  }

  return {
    holderSteps: ({ org, id }, accountHolderIds) => {
      const rows = distinct(accountHolderIds).map((holderId): BatchHolderRow => {
        return { org, holderId, batchId: id, transactionId: "" };
      });
      return rows.length === 0 ? [] : [holders.upsertMany(rows, GUARD)];
    },
    noteAssigned: async (org, transactionId, createdAt, holderId) => {
      // The transactions of a batch have its time.
      const found = await batches.find({ where: { org, createdAt }, limit: SAME_TIME_MAX });
      if (found.length === 0) return;
      const rows = found.map(({ id }): BatchHolderRow => {
        return { org, holderId, batchId: id, transactionId };
      });
      await store.apply([holders.upsertMany(rows, GUARD)]);
    },
    eraseHolder: async ({ org, id: holderId }, still) => {
      for (;;) {
        const [first] = await holders.find({ where: { org, holderId }, limit: 1 });
        if (first === undefined) return;
        const { batchId } = first;
        const noted = await holders.find({
          where: { org, holderId, batchId },
          limit: NOTED_AT_ONCE,
        });
        const transactionIds = noted.map((row) => row.transactionId);
        const named = transactionIds.filter((id) => id !== "");
        await chunks.eraseFromBatch(org, batchId, {
          holderIds: new Set([holderId]),
          transactionIds: named.length === 0 ? NO_IDS : await notOfOthers(org, holderId, named),
        });
        const outcome = await store.write([
          still,
          holders.delete({ org, holderId, batchId, transactionId: { in: transactionIds } }),
        ]);
        if (!outcome.ok) return;
      }
    },
    eraseFromChunk: (key, holderIds) =>
      chunks.rewrite(() => chunks.get(key), {
        holderIds: new Set(holderIds),
        transactionIds: NO_IDS,
      }),
  };
}

interface Rewriting {
  get(key: ChunkKey): Promise<BatchChunkRow | null>;
  /** Rewrites a chunk as it is now. Another erasure of the same chunk may come between: then it is read again. */
  rewrite(read: () => Promise<BatchChunkRow | null>, erased: Erased): Promise<void>;
  /** Rewrites all chunks of a batch that have something of that, one at a time. */
  eraseFromBatch(org: string, batchId: string, erased: Erased): Promise<void>;
}

function createRewriting(store: Store): Rewriting {
  const chunks = store.collection<BatchChunkRow>(batchChunkSpec);

  async function rewrite(read: () => Promise<BatchChunkRow | null>, erased: Erased): Promise<void> {
    for (;;) {
      const row = await read();
      const next = row === null ? null : await without(row, erased);
      if (row === null || next === null) return;
      const { org, batchId, chunkIndex, revision } = row;
      const outcome = await store.write([
        chunks.require({ org, batchId, chunkIndex, revision }, 1),
        chunks.delete({ org, batchId, chunkIndex }),
        chunks.insert(next, "fail"),
      ]);
      if (outcome.ok) return;
    }
  }

  async function eraseFromBatch(org: string, batchId: string, erased: Erased): Promise<void> {
    for (let after = -1; ; ) {
      const [found] = await chunks.find({
        where: { org, batchId },
        order: { fields: ["chunkIndex"], direction: "asc" },
        after: [after],
        limit: 1,
      });
      if (found === undefined) return;
      let first: BatchChunkRow | null = found;
      after = found.chunkIndex;
      const key = { org, batchId, chunkIndex: after };
      await rewrite(() => {
        const row = first === null ? chunks.get(key) : Promise.resolve(first);
        first = null;
        return row;
      }, erased);
    }
  }

  return { rewrite, eraseFromBatch, get: chunks.get };
}

/** The account holders of results, and for each result the place of its holder, -1 for none. */
export function holdersOf(
  accountHolderIds: readonly (string | null)[],
): Pick<BatchChunkRow, "holders" | "holderOf"> {
  const holders = distinct(accountHolderIds);
  const places = new Map(holders.map((id, place) => [id, place]));
  return { holders, holderOf: accountHolderIds.map((id) => places.get(id ?? "") ?? -1) };
}

function distinct(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids)].filter((id) => id !== null);
}

/** The chunk without what is erased; null when it has nothing of that. */
async function without(row: BatchChunkRow, erased: Erased): Promise<BatchChunkRow | null> {
  const hasHolder = row.holders.some((id) => erased.holderIds.has(id));
  if (!hasHolder && erased.transactionIds.size === 0) return null;
  const results = JSON.parse(`[${await unpackResults(row.results)}]`) as Result[];
  const holderIds = row.holderOf.map((place) => row.holders[place] ?? null);
  const mccs = [...(row.mccs ?? [])];
  let changed = 0;
  const texts = results.map((result, index) => {
    const isTheirs = erased.holderIds.has(holderIds[index] ?? "");
    const isNamed = erased.transactionIds.has(result.id) && result.error === null;
    if (!isTheirs && !isNamed) return JSON.stringify(result);
    changed += 1;
    holderIds[index] = null;
    if (index < mccs.length) mccs[index] = null;
    return enrichedTransactionText(result.id, result.created_at, null, HOLDER_NOT_FOUND);
  });
  if (changed === 0) return null;
  return {
    ...row,
    ...holdersOf(holderIds),
    ...(row.mccs === undefined ? {} : { mccs }),
    results: await pack(texts.join(",")),
    revision: row.revision + 1,
  };
}
