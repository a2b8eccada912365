// Step: what a name that no table knows sounds like. Asked last: a guess from pieces of words is the weakest evidence.
import type { Line, Span } from "../line.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { featuresOf } from "../text/features.ts";
import { lookUp } from "../text/word-map.ts";
import { likelihoodOf } from "./amount.ts";
import type { Hints } from "./hints.ts";

export interface Guess {
  /** Index into the lexicon's categories. */
  readonly category: number;
  /** What the model holds it for, 0..1. */
  readonly probability: number;
}

/** Words of the name with abbreviations spelled out, without numbers. */
function wordsOf(line: Line, span: Span, knowledge: Knowledge): string[] {
  const words: string[] = [];
  for (let at = span.from; at < span.to; at++) {
    const token = line.tokens[at];
    if (token === undefined || token.kind === "number" || token.kind === "mask") continue;
    words.push(lookUp(knowledge.abbreviations, token) ?? token.text);
  }
  return words;
}

/**
 * What the amount counts beside the words. Both are taken to be independent of each other ("naive Bayes"), which they are
 * not quite, and the ranges of the table are guesses: so less than in full.
 */
const AMOUNT_WEIGHT = 0.5;

function scoresOf(buckets: readonly number[], size: number, knowledge: Knowledge): Float64Array {
  const { model, lexicon } = knowledge;
  const scores = new Float64Array(lexicon.categories.length);
  for (const bucket of buckets) {
    const row = bucket * scores.length;
    for (let at = 0; at < scores.length; at++)
      scores[at] = (scores[at] ?? 0) + (model.weights[row + at] ?? 0);
  }
  const unit = model.scale / Math.sqrt(buckets.length);
  const isSized = !Number.isNaN(size);
  for (let at = 0; at < scores.length; at++) {
    const said = isSized ? AMOUNT_WEIGHT * likelihoodOf(size, at, knowledge) : 0;
    scores[at] = (scores[at] ?? 0) * unit + said;
  }
  return scores;
}

/** The likeliest category of the words in the span, for such an amount; null where there are no words. */
export function guessCategory(
  line: Line,
  span: Span,
  { direction, size }: Pick<Hints, "direction" | "size">,
  knowledge: Knowledge,
): Guess | null {
  const words = wordsOf(line, span, knowledge);
  if (words.length === 0) return null;
  const scores = scoresOf(featuresOf(words, direction === 1), size, knowledge);
  // Categories of money that arrives stand last, see Knowledge.
  const count = direction === 1 ? knowledge.outgoingCategories : scores.length;
  let best = 0;
  for (let at = 1; at < count; at++) if ((scores[at] ?? 0) > (scores[best] ?? 0)) best = at;
  let sum = 0;
  for (let at = 0; at < count; at++) sum += Math.exp((scores[at] ?? 0) - (scores[best] ?? 0));
  return { category: best, probability: 1 / sum };
}
