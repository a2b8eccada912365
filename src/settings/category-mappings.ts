// The mappings from built-in categories to the categories of a set. A built-in category that is newer than a set is missing in
// the mapping of the set: it is mapped when the set is read next, and stored.
import { ownCategories, type CategorySet } from "../model/categories.ts";
import type { CategoryMapping, StoredCategorySet } from "../model/category-set.ts";

/** What mappings need from the store and the threads. */
export interface MappingPorts<Seen extends StoredCategorySet> {
  setsOf(org: string): Promise<readonly Seen[]>;
  /** Null when the thread fails on the names. */
  mapCategories(set: CategorySet): Promise<CategoryMapping | null>;
  /** Stores the mapping of a set; does nothing when the set was changed since it was read. */
  keepMapping(set: Seen): Promise<void>;
}

/** The mappings of all sets of an organization, by the id of the set. */
export async function mappingsOf<Seen extends StoredCategorySet>(
  ports: MappingPorts<Seen>,
  org: string,
): Promise<Readonly<Record<string, CategoryMapping>>> {
  const mappings: [id: string, mapping: CategoryMapping][] = [];
  for (const set of await ports.setsOf(org)) {
    // One after the other: an organization may have many, and other work waits for the threads too.
    const whole = await withYoungerCategories(set, ports.mapCategories);
    if (whole !== set) await ports.keepMapping(whole);
    mappings.push([set.id, whole.mapping]);
  }
  return Object.fromEntries(mappings);
}

/** Names of the labelling models to which category sets are bound, by the id of the set. */
export const boundModels = (
  sets: readonly Pick<StoredCategorySet, "id" | "model">[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(sets.flatMap(({ id, model = null }) => (model === null ? [] : [[id, model]])));

/** The set with all built-in categories in its mapping; existing entries stay. The same set when none is missing. */
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

/** The mapping with the entries of the patch replacing its own. */
export const patchedMapping = (
  mapping: CategoryMapping,
  patch: Partial<CategoryMapping>,
): CategoryMapping => ({
  incoming: { ...mapping.incoming, ...patch.incoming },
  outgoing: { ...mapping.outgoing, ...patch.outgoing },
});
