// Every query of the repository of category sets once, for the tests that look at how engines find rows.
import { CATEGORY_SETS_MAX, type SeenCategorySet } from "../../src/model/category-set.ts";
import type { AuditEntry } from "../../src/model/audit.ts";
import { createCategorySetRepository } from "../../src/store/repositories/category-sets.ts";
import type { Store } from "../../src/store/collection.ts";

export const setOf = (id: string, word: string, org = "o"): Omit<SeenCategorySet, "revision"> => ({
  org,
  id,
  incoming: [],
  outgoing: [word],
  mapping: { incoming: {}, outgoing: { groceries: word } },
  corrected: {},
});

export const entryOf = (id: string, org = "o"): AuditEntry => ({
  ...{ org, id, createdAt: 1, action: "categories.replaced", subject: "s" },
  ...{ keyId: null, requestId: null, details: {} },
});

/** Fills the places of an organization but one. */
export async function fillCategorySets(store: Store): Promise<void> {
  const sets = createCategorySetRepository(store);
  for (let at = 1; at < CATEGORY_SETS_MAX; at++) {
    const id = String(at);
    await sets.put(null, setOf(id, "a"), id, entryOf(id));
  }
}

export async function useCategorySets(store: Store): Promise<void> {
  const sets = createCategorySetRepository(store);
  // The last place, none, and one that is free again.
  for (const id of ["last", "more"]) await sets.put(null, setOf(id, "a"), id, entryOf(id));
  const seen = await sets.get("o", "1");
  if (seen === null) throw new Error("The set should be there");
  await sets.put(seen, setOf("1", "b"), "v", entryOf("v"));
  const changed = await sets.get("o", "1");
  if (changed !== null) await sets.remove(changed, "w", entryOf("w"));
  await sets.put(null, setOf("again", "a"), "x", entryOf("x"));
  for (const set of await sets.ofOrganization("o")) await sets.keepMapping(set);
  await sets.changeOf("o", "x");
}
