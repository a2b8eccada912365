import type { StoredReapplication } from "../../model/reapplication.ts";
import type { Store } from "../collection.ts";
import type { ReapplicationRepository } from "./reapplications.ts";
import type { TransactionRepository } from "./transactions.ts";

export interface ReapplicationWrites {
  /**
   * Stores changed facts, then the progress. False: another process has claimed the job since. A failure in between repeats
   * the page, which is harmless.
   */
  storePage(
    next: StoredReapplication,
    changes: Parameters<TransactionRepository["factsSteps"]>[1],
    holder: string,
    nowMs: number,
  ): Promise<boolean>;
}

export function createReapplicationWrites(
  store: Store,
  {
    transactions,
    reapplications,
  }: {
    readonly transactions: TransactionRepository;
    readonly reapplications: ReapplicationRepository;
  },
): ReapplicationWrites {
  return {
    storePage: async (next, changes, holder, nowMs) => {
      await store.apply(transactions.factsSteps(next.org, changes));
      return (await store.write([reapplications.progressStep(next, holder, nowMs)])).ok;
    },
  };
}
