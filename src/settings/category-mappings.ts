// The mappings by which transactions are told in the words of category sets. A category of ours that is younger than a set
// is not in the mapping that was made for it: it is mapped when the set is read next, and kept.
import { ownCategories } from "../model/categories.ts";
import type { CategoryMapping, CategorySet, StoredCategorySet } from "../model/category-set.ts";

/** What mappings need of the store and the threads. */
export interface MappingPorts<Seen extends StoredCategorySet> {
  setsOf(org: string): Promise<readonly Seen[]>;
  /** Null when the thread fails on the words. */
  mapCategories(set: CategorySet): Promise<CategoryMapping | null>;
  /** Keeps the mapping of a set; does nothing when somebody else has changed the set since it was read. */
  keepMapping(set: Seen): Promise<void>;
}

/** The mappings of all sets of an organization, by the id of the set. */
export async function mappingsOf<Seen extends StoredCategorySet>(
  ports: MappingPorts<Seen>,
  org: string,
): Promise<Readonly<Record<string, CategoryMapping>>> {
  const mappings: [id: string, mapping: CategoryMapping][] = [];
  for (const set of await ports.setsOf(org)) {
    // One after the other: an organization may have many, and others wait for the threads too.
    const whole = await withYoungerCategories(set, ports.mapCategories);
    if (whole !== set) await ports.keepMapping(whole);
    mappings.push([set.id, whole.mapping]);
  }
  return Object.fromEntries(mappings);
}

/** The set with all of our categories in its mapping; what is in it stays. The same set when none is missing. */
export async function withYoungerCategories<Seen extends StoredCategorySet>(
  set: Seen,
  mapCategories: MappingPorts<Seen>["mapCategories"],
): Promise<Seen> {
  const { incoming, outgoing, mapping } = set;
  if (isWhole(mapping)) return set;
  const made = await mapCategories({ incoming, outgoing });
  return made === null ? set : { ...set, mapping: patchedMapping(made, mapping) };
}

const isWhole = (mapping: CategoryMapping): boolean =>
  (["incoming", "outgoing"] as const).every((direction) =>
    [...ownCategories[direction]].every((category) => Object.hasOwn(mapping[direction], category)),
  );

/** The mapping with the entries of the patch in place of its own. */
export const patchedMapping = (
  mapping: CategoryMapping,
  patch: Partial<CategoryMapping>,
): CategoryMapping => ({
  incoming: { ...mapping.incoming, ...patch.incoming },
  outgoing: { ...mapping.outgoing, ...patch.outgoing },
});
