// The words of a category set in place of our own.
import { NOT_ENOUGH_INFORMATION, ownCategories } from "../../../src/model/categories.ts";
import type { CategoryMapping } from "../../../src/model/category-set.ts";
import type { EntryType } from "../../../src/model/transaction.ts";
import type { Categories } from "../../../src/model/facts.ts";

/**
 * The categories with `general` mapped to the set; `not enough information` when the set has no entry for it. `accounting`
 * does not change, and a `general` that is not one of our categories is an entry of the set already.
 */
export function mapCategory(
  categories: Categories,
  mapping: CategoryMapping,
  entryType: EntryType,
): Categories {
  const { general } = categories;
  if (general === null) return categories;
  const words = mapping[entryType];
  // Not `in`: the words of a set may be `constructor` too.
  if (Object.hasOwn(words, general)) {
    return { ...categories, general: words[general] ?? NOT_ENOUGH_INFORMATION };
  }
  // A category of ours that is younger than the mapping.
  const isOurs = ownCategories[entryType].has(general);
  return isOurs ? { ...categories, general: NOT_ENOUGH_INFORMATION } : categories;
}
