import type { StoredReapplication } from "../../model/reapplication.ts";
import type { Store } from "../collection.ts";
import type { ReapplicationRepository } from "./reapplications.ts";
import type { TransactionRepository } from "./transactions.ts";

export interface ReapplicationWrites {
  /** Stores those facts whose transactions still have their order. */
  storeFacts(
    org: string,
    changes: Parameters<TransactionRepository["factsSteps"]>[1],
  ): Promise<void>;
  /** Stores the progress. False: another process has claimed the job since. */
  storeProgress(next: StoredReapplication, holder: string, nowMs: number): Promise<boolean>;
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
    storeFacts: async (org, changes) => {
      await store.apply(transactions.factsSteps(org, changes));
    },
    storeProgress: async (next, holder, nowMs) =>
      (await store.write([reapplications.progressStep(next, holder, nowMs)])).ok,
  };
}
