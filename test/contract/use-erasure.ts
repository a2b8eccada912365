// Every query around the deletion of batches and the erasure of account holders, for the tests of how they are served.
import { createBatchErasureRepository } from "../../src/store/repositories/batch-erasure.ts";
import { createBatchRemovalRepository } from "../../src/store/repositories/batch-removal.ts";
import type { Store } from "../../src/store/collection.ts";
import { createHolderErasureRepository } from "../../src/store/repositories/holder-erasure.ts";
import { createHolderRepository } from "../../src/store/repositories/holders.ts";
import { createReportRepository } from "../../src/store/repositories/reports.ts";
import { createStatementErasureRepository } from "../../src/store/repositories/statement-erasure.ts";

/** @param batchId of a batch with results of the holder `h`, which has ended */
export async function useErasure(store: Store, batchId: string): Promise<void> {
  const holders = createHolderRepository(store);
  const holder = {
    org: "o",
    id: "erased",
    type: "consumer",
    name: null,
    categoryId: null,
  } as const;
  await holders.insert({ ...holder, createdAt: 1 }, "0");
  const removal = await holders.markDeleting("o", "erased");
  if (removal === null) throw new Error("The holder should be there");
  const results = createBatchErasureRepository(store);
  await results.noteAssigned("o", "t", 1, "erased");
  await results.eraseHolder(removal, holders.requireRemoval(removal));
  const kept = createHolderErasureRepository(store);
  await kept.eraseAnswers(removal);
  await kept.eraseCorrections(removal, () => "v");
  await createStatementErasureRepository(store).eraseIfGone({ org: "o", id: "none" });
  const reports = createReportRepository(store);
  await reports.ofHolder("o", "erased", 10);
  await reports.reassign("o", "t", "h");
  await holders.remove(removal);
  const batches = createBatchRemovalRepository(store);
  await batches.endedBefore(1, 10);
  await batches.hide({ org: "o", id: batchId }, "0", 1, null);
  await batches.removeResults({ org: "o", id: batchId });
  await batches.removeHidden("1", 10);
}
