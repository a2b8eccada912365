import { LEDGER_SORTS } from "../../src/model/ledger-page.ts";
import { createLedgerPageRepository } from "../../src/store/repositories/ledger-pages.ts";
import type { Store } from "../../src/store/collection.ts";

/** Every query of a ledger that an index is to answer alone. */
export async function useLedgerPages(store: Store, org: string, holderId: string): Promise<void> {
  const pages = createLedgerPageRepository(store);
  for (const sortBy of LEDGER_SORTS)
    for (const direction of ["asc", "desc"] as const)
      await pages.ids(org, holderId, { sortBy, direction, offset: 2, limit: 3 });
  await pages.amounts(org, holderId, { from: null, until: null });
  await pages.amounts(org, holderId, { from: "2026-01-01", until: "2026-12-31" });
  await pages.meanConfidence(org, holderId);
}
