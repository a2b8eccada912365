// What the model of categories sees of a name: its words, pairs of neighbours and pieces of words, hashed into a fixed
// number of buckets ("hashing trick", Weinberger et al. 2009), so that unknown words share pieces with known ones.

import { SUMMANDS_MAX } from "../../knowledge/packed-weights.ts";

export const FEATURE_BUCKETS = 1 << 15;
/** Pieces of so many letters: three, four and five together are right no more often, and cost three times as much. */
const PIECE_LENGTH = 4;
/** More words than a name has; the rest is ignored, which bounds the work. */
const WORDS_MAX = 8;
/** As many as may be added up, see knowledge/packed-weights.ts; longer names are cut there. */
const BUCKETS_MAX = SUMMANDS_MAX;
const WORD_LENGTH_MAX = 20;

const PRIME = 0x01000193;
const WORD_SEED = 0x811c9dc5;
const PAIR_SEED = 0x2f0b4a11;
const PIECE_SEED = 0x5bd1e995;
const INCOMING_BUCKET = 0;
const OUTGOING_BUCKET = 1;
const FIRST_BUCKET = 2;

function bucketOf(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
  return FIRST_BUCKET + (mixed % (FEATURE_BUCKETS - FIRST_BUCKET));
}

function hashOver(seed: number, text: string, from: number, to: number): number {
  let hash = seed;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
  return hash;
}

/**
 * Buckets of a name, with repetitions.
 * @param words folded words, see `tokenise`
 * @param isOutgoing money leaves the account
 */
export function featuresOf(words: readonly string[], isOutgoing: boolean): number[] {
  const buckets = [isOutgoing ? OUTGOING_BUCKET : INCOMING_BUCKET];
  const count = Math.min(words.length, WORDS_MAX);
  for (let at = 0; at < count; at++) {
    const word = (words[at] ?? "").slice(0, WORD_LENGTH_MAX);
    const hash = hashOver(WORD_SEED, word, 0, word.length);
    buckets.push(bucketOf(hash));
    const next = at + 1 < count ? (words[at + 1] ?? "") : "";
    if (next !== "") buckets.push(bucketOf(hashOver(hash ^ PAIR_SEED, next, 0, next.length)));
    // The borders of the word count as letters: an ending is another thing than a middle.
    const bounded = `<${word}>`;
    for (let from = 0; from + PIECE_LENGTH <= bounded.length; from++)
      buckets.push(bucketOf(hashOver(PIECE_SEED, bounded, from, from + PIECE_LENGTH)));
  }
  if (buckets.length > BUCKETS_MAX) buckets.length = BUCKETS_MAX;
  return buckets;
}
