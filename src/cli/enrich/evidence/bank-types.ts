import type { EntryType } from "../../../model/transaction.ts";
import { readWordTable } from "../../../shared/word-table.ts";
import { plainWords } from "../values/plain-words.ts";

interface TypeCategory {
  readonly outgoing: string | null;
  readonly incoming: string | null;
}

/** Category of companies → the same in the consumer set. */
const CONSUMER_NAMES: Readonly<Record<string, string>> = {
  dividends: "interest and dividends",
  interest: "interest and dividends",
};

const byType = new Map(
  [...readWordTable(new URL("bank-types.txt", import.meta.url))].flatMap(([categories, types]) => {
    const category = parseCategories(categories);
    return types.map((type) => [type, category] as const);
  }),
);

/** `bank fee | -` → outgoing money is a bank fee, incoming money has no category. */
function parseCategories(text: string): TypeCategory {
  const [outgoing = null, incoming = null] = text
    .split(" | ")
    .map((category) => (category === "-" ? null : category));
  return { outgoing, incoming };
}

/** Candidates of our categories for a bank's own type, best first; empty when the type does not imply a purpose. */
export function categoriesOfType(type: string, direction: EntryType): readonly string[] {
  const category = byType.get(plainWords(type))?.[direction] ?? null;
  if (category === null) return [];
  const consumer = direction === "incoming" ? CONSUMER_NAMES[category] : undefined;
  return consumer === undefined ? [category] : [consumer, category];
}
