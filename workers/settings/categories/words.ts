// Names that customers use for our categories, from the tables in words/. The format is described at the top of each table.
import { ownCategories } from "../../../src/model/categories.ts";
import { readWordTable, type WordTable } from "../../../src/shared/word-table.ts";

/** A phrase that a customer may use for one of our categories. */
export interface CategoryPhrase {
  readonly text: string;
  /** -1: our own name; 0: a synonym; the higher the number, the wider. */
  readonly tier: number;
  /** Matches only when it is the whole entry. */
  readonly isWhole: boolean;
}

/** A phrase that names a part of a category. */
export interface NarrowerPhrase {
  readonly category: string;
  readonly text: string;
}

/** Our own categories of a direction, consumers' first, with the phrases of customers. */
export type CategoryWords = ReadonlyMap<string, readonly CategoryPhrase[]>;

export interface AllCategoryWords {
  readonly incoming: CategoryWords;
  readonly outgoing: CategoryWords;
  readonly narrower: readonly NarrowerPhrase[];
}

type TableName = "business" | "consumer" | "either" | "groups" | "incoming" | "narrower";

export const readCategoryTable = (name: TableName): WordTable =>
  readWordTable(new URL(`words/${name}.txt`, import.meta.url));

/** Read at the first use: few threads map categories. */
let allWords: AllCategoryWords | null = null;

export function openCategoryWords(): AllCategoryWords {
  allWords ??= readAll();
  return allWords;
}

function readAll(): AllCategoryWords {
  const groups = readCategoryTable("groups");
  const either = readCategoryTable("either");
  const incoming = new Map([...readCategoryTable("incoming"), ...either]);
  const outgoing = new Map([
    ...readCategoryTable("consumer"),
    ...readCategoryTable("business"),
    ...either,
  ]);
  const narrower = [...readCategoryTable("narrower")].flatMap(([category, texts]) =>
    texts.map((text) => ({ category, text })),
  );
  return {
    incoming: joinWords(ownCategories.incoming, incoming, groups),
    outgoing: joinWords(ownCategories.outgoing, outgoing, groups),
    narrower,
  };
}

function joinWords(
  categories: ReadonlySet<string>,
  table: WordTable,
  groups: WordTable,
): CategoryWords {
  return new Map(
    [...categories].map((category) => {
      const phrases = readPhrases(table.get(category) ?? [], groups);
      return [category, [{ text: category, tier: -1, isWhole: false }, ...phrases]];
    }),
  );
}

function readPhrases(entries: readonly string[], groups: WordTable): CategoryPhrase[] {
  let tier = 0;
  return entries.flatMap((entry) => {
    if (entry.startsWith(">")) tier += 1;
    const phrase = entry.replace(/^>\s*/u, "");
    const texts = phrase.startsWith("#") ? (groups.get(phrase.slice(1)) ?? []) : [phrase];
    return texts.map((text) => {
      const isWhole = text.startsWith("=");
      return { text: isWhole ? text.slice(1) : text, tier, isWhole };
    });
  });
}
