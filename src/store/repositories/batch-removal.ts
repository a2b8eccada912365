// Deletion of batches: hidden in one write, then emptied, then removed once no chunk of them can be redelivered.
import type { AuditEntry } from "../../model/audit.ts";
import { createAuditRepository } from "./audit.ts";
import type { Store } from "../collection.ts";
import {
  type BatchChunkRow,
  batchChunkSpec,
  type BatchHolderRow,
  batchHolderSpec,
  type BatchRow,
  batchSpec,
} from "../specs/specs.ts";

type BatchId = Pick<BatchRow, "org" | "id">;

export interface BatchRemovalRepository {
  /**
   * Hides a batch that has ended.
   * @param after order of acceptance up to which its chunks may be redelivered
   * @param entry audit entry of the deletion, written with it; null for the retention job
   */
  hide(
    batch: BatchId,
    after: string,
    nowMs: number,
    entry: AuditEntry | null,
  ): Promise<"deleted" | "processing" | "not_found">;
  /** Removes the results of a hidden batch. */
  removeResults(batch: BatchId): Promise<void>;
  /** Up to `limit` batches that ended before `beforeMs`, the oldest first. */
  endedBefore(beforeMs: number, limit: number): Promise<readonly BatchId[]>;
  /** Removes up to `limit` hidden batches that were deleted before `passed`, with what is left of them. Returns how many. */
  removeHidden(doneOrder: string, limit: number): Promise<number>;
}

/** A chunk has about 15 KB of results. */
const CHUNKS_AT_ONCE = 25;
const HOLDERS_AT_ONCE = 1_000;
const ENDED = ["completed", "error"] as const;

export function createBatchRemovalRepository(store: Store): BatchRemovalRepository {
  const batches = store.collection<BatchRow>(batchSpec);
  const chunks = store.collection<BatchChunkRow>(batchChunkSpec);
  const holders = store.collection<BatchHolderRow>(batchHolderSpec);
  const audit = createAuditRepository(store);

  async function removeResults({ org, id }: BatchId): Promise<void> {
    const emptied = async (
      step: ReturnType<typeof chunks.delete>,
      atOnce: number,
    ): Promise<boolean> => {
      const outcome = await store.write([step]);
      return !outcome.ok || (outcome.changed[0] ?? 0) < atOnce;
    };
    while (!(await emptied(chunks.delete({ org, batchId: id }, CHUNKS_AT_ONCE), CHUNKS_AT_ONCE)));
    while (
      !(await emptied(holders.delete({ org, batchId: id }, HOLDERS_AT_ONCE), HOLDERS_AT_ONCE))
    );
  }

  return {
    hide: async ({ org, id }, deletedAfter, nowMs, entry) => {
      const row = await batches.get({ org, id });
      if (row === null || row.status === "deleted") return "not_found";
      if (row.status === "processing") return "processing";
      const set = { status: "deleted", deletedAfter, updatedAt: nowMs } as const;
      const outcome = await store.write([
        batches.update({ org, id, status: row.status }, set, "fail"),
        ...(entry === null ? [] : [audit.step(entry)]),
      ]);
      return outcome.ok ? "deleted" : "not_found";
    },
    removeResults,
    endedBefore: async (beforeMs, limit) => {
      const found = await Promise.all(
        ENDED.map((status) =>
          batches.find({
            where: { status, updatedAt: { lt: beforeMs } },
            order: { fields: ["updatedAt"], direction: "asc" },
            limit,
          }),
        ),
      );
      return found
        .flat()
        .toSorted((a, b) => a.updatedAt - b.updatedAt)
        .slice(0, limit);
    },
    removeHidden: async (doneOrder, limit) => {
      const hidden = await batches.find({
        where: { status: "deleted" },
        order: { fields: ["updatedAt"], direction: "asc" },
        limit,
      });
      let removed = 0;
      for (const { org, id, deletedAfter } of hidden) {
        await removeResults({ org, id });
        if (deletedAfter !== null && deletedAfter > doneOrder) continue;
        await store.write([batches.delete({ org, id, status: "deleted" })]);
        removed += 1;
      }
      return removed;
    },
  };
}
