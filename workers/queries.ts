// Single questions, to the knowledge or about a ledger, answered in a thread.
import type { createExaminer } from "./recogniser/recogniser.ts";
import { explain } from "./recogniser/explain.ts";
import { createEntityFactory } from "./recogniser/entities.ts";
import type { Knowledge } from "./knowledge/knowledge.ts";
import { createLookup } from "./lookup/lookup.ts";
import { readBankCategories } from "./settings/categories/bank-categories.ts";
import { mapCategories } from "./settings/categories/map.ts";
import { correctLine } from "./settings/correct-line.ts";
import type { Query } from "./protocol.ts";
import { findRecurrence } from "./recurrence/recurrence.ts";

type Examine = ReturnType<typeof createExaminer>;

const textOf = (answer: object | null): string | null =>
  answer === null ? null : JSON.stringify(answer);

/** One per thread. The returned function answers each kind of query as the protocol documents. */
export function createQueryAnswers(
  knowledge: Knowledge,
  examine: Examine,
  publicUrl: string | null,
): (query: Query) => string | null {
  const lookup = createLookup(knowledge, examine, publicUrl);
  const { unknown } = createEntityFactory(knowledge, publicUrl);
  return (query) => {
    switch (query.kind) {
      case "explain": {
        const { line } = query;
        return JSON.stringify(explain(examine(line), knowledge));
      }
      case "correct": {
        const { namedEntity: resolveEntity } = lookup;
        return JSON.stringify(correctLine(query, { examine, resolveEntity, unknown }));
      }
      case "entity":
        return textOf(lookup.findEntity(query.id));
      case "resolve":
        return textOf(lookup.resolveEntity(query));
      case "map_categories":
        return JSON.stringify(mapCategories(query, knowledge));
      case "bank_categories":
        return JSON.stringify(readBankCategories(query.texts, query.accountType));
      case "recurrence":
        return JSON.stringify(findRecurrence(query.columns));
    }
  };
}
