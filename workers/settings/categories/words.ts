// What customers call our categories. Written by hand: for each of our own categories the words that say the same, then,
// behind every `>`, wider ones. `#food` stands for all words of a group (words/groups.ts), `=gas` counts only where it is
// the whole entry. Case, accents, punctuation, plurals, order and the words of `stopWords` do not matter, see text.ts.
import { ownCategories } from "../../../src/model/categories.ts";
import { businessWords } from "./words/business.ts";
import { consumerWords } from "./words/consumer.ts";
import { eitherWords } from "./words/either.ts";
import { groups } from "./words/groups.ts";
import { incomingWords } from "./words/incoming.ts";
import { narrowerWords } from "./words/narrower.ts";

/** A phrase that a customer may use for one of our categories. */
export interface Phrase {
  readonly text: string;
  /** -1: our own name; 0: says the same; the higher the number, the wider. */
  readonly tier: number;
  /** Counts only where it is the whole entry. */
  readonly isWhole: boolean;
}

/** Our own categories of a direction, consumers' first, with what customers call them. */
export type CategoryWords = ReadonlyMap<string, readonly Phrase[]>;

export const incomingCategoryWords: CategoryWords = readWords(ownCategories.incoming, {
  ...incomingWords,
  ...eitherWords,
});

export const outgoingCategoryWords: CategoryWords = readWords(ownCategories.outgoing, {
  ...consumerWords,
  ...businessWords,
  ...eitherWords,
});

function readWords(
  categories: ReadonlySet<string>,
  words: Readonly<Record<string, string>>,
): CategoryWords {
  return new Map(
    [...categories].map((category) => {
      const tiers = (words[category] ?? "").split(">");
      const phrases = tiers.flatMap((text, tier) => phrasesOf(text, tier));
      return [category, [{ text: category, tier: -1, isWhole: false }, ...phrases]];
    }),
  );
}

function phrasesOf(list: string, tier: number): Phrase[] {
  return wordsOf(list).flatMap((word) => {
    if (word.startsWith("#")) return phrasesOf(groups[word.slice(1)] ?? "", tier);
    const isWhole = word.startsWith("=");
    return [{ text: isWhole ? word.slice(1) : word, tier, isWhole }];
  });
}

/** Phrases that name a part of one of our categories, or of none. */
export const narrowerPhrases: readonly { readonly category: string; readonly text: string }[] =
  Object.entries(narrowerWords).flatMap(([category, list]) =>
    wordsOf(list).map((text) => ({ category, text })),
  );

/** The words of a list that is separated by `|`. */
function wordsOf(list: string): string[] {
  return list
    .split("|")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}
