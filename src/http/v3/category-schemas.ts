import { z } from "zod";
import {
  CATEGORY_ENTRIES_MAX,
  CATEGORY_LENGTH_MAX,
  type MappingPatch,
  type NamedCategorySet,
} from "../../model/category-set.ts";
import { distinctList, namedTexts, text, trimmedText } from "../server/fields.ts";
// Gives schemas their `openapi`.
import "./schemas.ts";
import { MODEL_NAME_LENGTH_MAX } from "../../model/custom-model.ts";
import type { CategorySet } from "../../model/categories.ts";

// Category sets, like `schemas.ts`.

/** More than we have categories of a direction. */
const CHANGES_MAX = 200;

// ---- Requests

const entry = trimmedText(1, CATEGORY_LENGTH_MAX);
const entries = distinctList(entry, { min: 0, max: CATEGORY_ENTRIES_MAX }, null);

const words = z.object({ incoming: entries, outgoing: entries });
const bound = words.extend({ model: text(1, MODEL_NAME_LENGTH_MAX).nullish() });
const toSet = ({ incoming, outgoing }: z.output<typeof words>): CategorySet => ({
  incoming,
  outgoing,
});
const description = "Any words, without the spaces around them; none of them twice in a direction.";

export const customCategorySet = bound
  .openapi("CustomCategorySet", { description })
  .transform(
    ({ model, ...set }): NamedCategorySet =>
      model == null ? toSet(set) : { ...toSet(set), model },
  );
/** The same by its name in the v2 API. */
export const labelSet = words.openapi("LlmHierarchy", { description }).transform(toSet);

const changedEntries = namedTexts(CHANGES_MAX)
  .transform((changes) =>
    Object.fromEntries(
      Object.entries(changes).map(([category, word]) => [category, word?.trim() ?? null]),
    ),
  )
  .nullish();

export const mappingPatch = z
  .object({ incoming: changedEntries, outgoing: changedEntries })
  .openapi("CategoryMappingPatch", {
    description:
      "Our categories that are to map differently: to an entry of the set, or to null for `not enough information`. What is left " +
      "out stays as it is.",
  })
  .transform(
    ({ incoming, outgoing }): MappingPatch => ({
      ...(incoming === null || incoming === undefined ? {} : { incoming }),
      ...(outgoing === null || outgoing === undefined ? {} : { outgoing }),
    }),
  );

// ---- Answers

const wordList = z.array(z.string());
export const categorySet = z
  .object({
    incoming: wordList.openapi({ description: "For money that arrives." }),
    outgoing: wordList.openapi({ description: "For money that leaves." }),
    model: z.string().optional(),
  })
  .openapi("CategorySet");

const mapped = z.record(z.string(), z.string().nullable());
export const categoryMapping = z
  .object({ incoming: mapped, outgoing: mapped })
  .openapi("CategoryMapping", {
    description:
      "The entry of the set that each of our own categories maps to; null: `not enough information`.",
  });

/** Innermost first, see the components of `schemas.ts`. */
export const categoryComponents: readonly z.ZodType[] = [
  customCategorySet,
  categorySet,
  categoryMapping,
];
