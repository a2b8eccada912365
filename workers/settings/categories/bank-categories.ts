// Maps the category text of a bank to our own category: "Eating out", "MERCHANDISE & SUPPLIES-GROCERIES". The reverse of
// map.ts with the same words, and stricter: a text that fits several categories has none.
import type { BankCategories, BankCategory } from "../../../src/model/bank-categories.ts";
import {
  businessCategories,
  type CategorySet,
  consumerCategories,
  NOT_ENOUGH_INFORMATION,
} from "../../../src/model/categories.ts";
import { readWordTable } from "../../../src/shared/word-table.ts";
import { createPhraseIndex } from "./phrases.ts";
import { createScorer, type Meaning, type Scorer } from "./score.ts";
import { wordsKeyOf, readCategoryEntry } from "./text.ts";
import { openCategoryWords } from "./words.ts";

/** Wider words and words with a typo score less. */
const SCORE_MIN = 0.93;
/** A second category as near as this makes the text ambiguous: "Gifts & Donations". */
const LEAD_MIN = 0.04;
/** These add nothing to a row without a category. */
const WITHOUT_MEANING: ReadonlySet<string> = new Set([
  NOT_ENOUGH_INFORMATION,
  "other consumer services",
  "other non-essential",
]);

/** By the key of the text: our categories; the first one of the account type's set applies. */
const bankPhrases = new Map(
  [...readWordTable(new URL("bank-phrases.txt", import.meta.url))].flatMap(([categories, texts]) =>
    texts.map((text) => [keyOfText(text), categories.split(" | ")] as const),
  ),
);

/** Made at the first query: few threads ever answer one. */
let scorers: Readonly<Record<keyof CategorySet, Scorer>> | null = null;

/** The categories of the account type's set for texts of a bank. */
export function readBankCategories(
  texts: readonly string[],
  accountType: "consumer" | "business",
): BankCategories {
  scorers ??= openScorers();
  const { incoming, outgoing } = scorers;
  const own = accountType === "business" ? businessCategories : consumerCategories;
  const wanted = { incoming: new Set(own.incoming), outgoing: new Set(own.outgoing) };
  return {
    incoming: texts.map((text) => nearest(incoming(text), wanted.incoming)),
    outgoing: texts.map((text) => {
      const read = nearest(outgoing(text), wanted.outgoing);
      const known = bankPhrases.get(keyOfText(text))?.find((one) => wanted.outgoing.has(one));
      return known === undefined
        ? read
        : { category: known, agreeing: [...new Set([known, ...read.agreeing])] };
    }),
  };
}

function openScorers(): Readonly<Record<keyof CategorySet, Scorer>> {
  const words = openCategoryWords();
  const incoming = createPhraseIndex(words.incoming);
  const outgoing = createPhraseIndex(words.outgoing);
  return {
    incoming: createScorer(incoming, outgoing, "incoming"),
    outgoing: createScorer(outgoing, incoming, "outgoing"),
  };
}

/** The category that the text names, or the only one of which it names a part ("Airfare"). */
function nearest({ scores, parts }: Meaning, wanted: ReadonlySet<string>): BankCategory {
  const ranked = [...scores].filter(([one]) => wanted.has(one)).sort(([, a], [, b]) => b - a);
  const named = [...parts].filter((one) => wanted.has(one));
  const agreeing = [...new Set([...ranked.map(([one]) => one), ...named])];
  const [best, second] = ranked;
  const isClear =
    best !== undefined && best[1] >= SCORE_MIN && best[1] - (second?.[1] ?? 0) >= LEAD_MIN;
  const part = scores.size === 0 && named.length === 1 ? named[0] : undefined;
  const category = (isClear ? best[0] : part) ?? null;
  return {
    category: category !== null && WITHOUT_MEANING.has(category) ? null : category,
    agreeing,
  };
}

function keyOfText(text: string): string {
  return wordsKeyOf(readCategoryEntry(text).all);
}
