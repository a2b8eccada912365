// Calls of the repository of outside producers' batches, whose plans are read.
import type { BatchHead } from "../../src/model/batch.ts";
import type { Store } from "../../src/store/collection.ts";
import { createOutsideBatchRepository } from "../../src/store/repositories/outside-batches.ts";
import { type DueBatchRow, dueBatchSpec } from "../../src/store/specs/specs.ts";

/** So many batches may still become whole. */
const WAITING = 2_000;
const DUE_MS = 1_000;

export async function fillOutsideBatches(store: Store): Promise<void> {
  const rows = store.collection<DueBatchRow>(dueBatchSpec);
  const waiting = Array.from({ length: WAITING }, (_, index) => {
    return { org: "o", id: `waiting-${String(index)}`, dueAt: DUE_MS + index };
  });
  await store.apply([rows.upsertMany(waiting, "id")]);
}

/** @param stored a batch whose first chunk is stored */
export async function useOutsideBatches(store: Store, stored: BatchHead): Promise<void> {
  const batches = createOutsideBatchRepository(store);
  await batches.open(stored, DUE_MS);
  await batches.open({ ...stored, id: "new" }, DUE_MS - 1);
  await batches.chunkIds(stored.org, stored.id, 0);
  for (const due of await batches.due(DUE_MS, 10)) await batches.looked(due);
}
