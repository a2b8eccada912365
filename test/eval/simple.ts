// The simplest recogniser that uses the same tables: the longest known name in the line, its category, else the category that most
// lines of the block have. What the models buy is the difference to it.
import { hashSeed, hashText } from "../../workers/recogniser/text/hash.ts";
import { normaliseText } from "../../workers/recogniser/text/normalise.ts";
import { tokenise } from "../../workers/recogniser/text/tokenise.ts";
import type { Knowledge } from "../../workers/knowledge/knowledge.ts";
import type { Case } from "./cases.ts";
import type { Outcome } from "./measure.ts";

const ALIAS_TOKENS_MAX = 7;
const ALIAS_LETTERS_MIN = 3;

/** The first merchant of the longest known name, -1 without any. */
export function longestName(description: string, { aliases }: Knowledge): number {
  const parts = tokenise(normaliseText(description)).map(({ text }) => text);
  let merchant = -1;
  let most = ALIAS_LETTERS_MIN - 1;
  for (let from = 0; from < parts.length; from++) {
    let hash: number = hashSeed;
    let letters = 0;
    for (let to = from + 1; to <= Math.min(parts.length, from + ALIAS_TOKENS_MAX); to++) {
      const part = parts[to - 1] ?? "";
      hash = hashText(hash, part);
      letters += part.length;
      if (letters <= most) continue;
      const alias = aliases.keys.findJoined(hash, parts, from, to);
      if (alias < 0) continue;
      merchant = aliases.merchants[aliases.first[alias] ?? 0] ?? -1;
      most = letters;
    }
  }
  return merchant;
}

/** The category that most lines are labelled with: the baseline reads the labels, which the recogniser does not. */
export function majorityCategory(cases: readonly Case[]): string {
  const counts = new Map<string, number>();
  for (const { label } of cases)
    for (const category of label.categories ?? [])
      counts.set(category, (counts.get(category) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? "";
}

/** @param majority the category of lines without a known name */
export function simpleOutcome(one: Case, majority: string, knowledge: Knowledge): Outcome {
  const merchant = longestName(one.item.description, knowledge);
  const { merchants, text, lexicon } = knowledge;
  const isNamed = merchant >= 0;
  const category = lexicon.categories[(merchants.category[merchant] ?? 0) - 1] ?? majority;
  return {
    one,
    merchant: isNamed ? text(merchants.name[merchant] ?? 0) : "",
    website: isNamed ? text(merchants.website[merchant] ?? 0) : "",
    category,
    city: "",
    by: isNamed ? "brand" : null,
    confidence: isNamed ? 1 : 0,
    categoryConfidence: 1,
    isPerson: false,
  };
}
