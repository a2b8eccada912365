// Every query around account holders, for the tests of how they are served.
import { holderTypes } from "../../src/model/account-holder.ts";
import type { Store } from "../../src/store/collection.ts";
import { createHolderRepository } from "../../src/store/repositories/holders.ts";

export const HOLDER_SORTS = ["createdAt", "id", "name", "statedType"] as const;

/** @param id of a holder that is there */
export async function useHolders(store: Store, id: string): Promise<void> {
  const holders = createHolderRepository(store);
  const page = { search: null, isNamed: false, offset: 2, limit: 10 };
  for (const sortBy of HOLDER_SORTS)
    for (const direction of ["asc", "desc"] as const)
      await holders.search("o", { ...page, sortBy, direction });
  await holders.change("o", id, { name: "Renamed" }, "v1");
  await holders.change("o", id, { ...holderTypes("freelance"), name: null }, "v2");
  await holders.getMany("o", [id, "none"]);
}
