// The category of an entry without a listed word, guessed by the model for unknown names.
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { NO_SIZE } from "../../recogniser/steps/amount.ts";
import { guessCategory } from "../../recogniser/steps/guess.ts";
import { normaliseText } from "../../recogniser/text/normalise.ts";
import { tokenise } from "../../recogniser/text/tokenise.ts";

/** Below this it is wrong too often for words that are not names. */
const PROBABILITY_MIN = 0.6;
/** An entry is a name for money that leaves, of any size. */
const anyPayment = { direction: 1, size: NO_SIZE } as const;

/** One of our own categories of money that leaves; null where the model is not sure. */
export function soundsLike(entry: string, knowledge: Knowledge): string | null {
  const text = normaliseText(entry);
  const line = { text, tokens: tokenise(text) };
  const span = { from: 0, to: line.tokens.length };
  const guess = guessCategory(line, span, anyPayment, knowledge);
  if (guess === null || guess.probability < PROBABILITY_MIN) return null;
  return knowledge.lexicon.categories[guess.category] ?? null;
}
