// What the words of a name sound like: multinomial logistic regression over hashed words and pieces of words (text/features.ts).
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { HALF_BITS, HALF_MASK, WEIGHT_OFFSET } from "../../knowledge/packed-weights.ts";
import { zerosOf } from "../zeros.ts";
import { featuresOf } from "../text/features.ts";

/** More categories than any lexicon has. */
const CATEGORIES_MAX = 256;
const ZEROS = zerosOf(CATEGORIES_MAX)();
/** Working memory of the thread. */
const pairs = new Int32Array(CATEGORIES_MAX / 2);

/**
 * Probability of each category of the lexicon by the words alone, 0 for those of the other direction.
 * @param words folded words, see `tokenise`
 * @param isOutgoing money leaves the account
 */
export function soundOf(
  words: readonly string[],
  isOutgoing: boolean,
  { model, lexicon, outgoingCategories }: Knowledge,
): readonly number[] {
  const shares = ZEROS.slice(0, lexicon.categories.length);
  const buckets = featuresOf(words, isOutgoing);
  // Categories of money that arrives stand last, see Knowledge.
  const end = isOutgoing ? outgoingCategories : shares.length;
  const width = (shares.length + 1) >> 1;
  const used = (end + 1) >> 1;
  pairs.fill(0);
  for (const bucket of buckets) {
    const row = bucket * width;
    for (let pair = 0; pair < used; pair++)
      pairs[pair] = (pairs[pair] ?? 0) + (model.weights[row + pair] ?? 0);
  }
  const unit = model.scale / Math.sqrt(buckets.length);
  const offset = buckets.length * WEIGHT_OFFSET;
  let most = -Infinity;
  for (let at = 0; at < end; at++) {
    const both = pairs[at >> 1] ?? 0;
    const score = (((at & 1) === 0 ? both & HALF_MASK : both >>> HALF_BITS) - offset) * unit;
    shares[at] = score;
    if (score > most) most = score;
  }
  let sum = 0;
  for (let at = 0; at < end; at++) {
    const share = Math.exp((shares[at] ?? 0) - most);
    shares[at] = share;
    sum += share;
  }
  for (let at = 0; at < end; at++) shares[at] = (shares[at] ?? 0) / sum;
  return shares;
}
