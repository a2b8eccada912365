// What the model of categories sees of a name: its words, pairs of neighbours and pieces of words, hashed into a fixed
// number of buckets ("hashing trick", Weinberger et al. 2009), so that unknown words share pieces with known ones.

export const FEATURE_BUCKETS = 1 << 15;
/** Pieces of so many letters: three, four and five together are right no more often, and cost three times as much. */
const PIECE_LENGTH = 4;
/**
 * More words than a name has; the rest is ignored, which bounds the work, and the buckets to what may be added up (see
 * knowledge/packed-weights.ts).
 */
export const WORDS_MAX = 8;
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

const BORDER_BEFORE = 0x3c;
const BORDER_BEHIND = 0x3e;

/** Of a piece of the first `length` letters with `<` in front of them and `>` behind, without writing that out. */
function pieceHash(text: string, length: number, from: number): number {
  let hash = PIECE_SEED;
  for (let at = from; at < from + PIECE_LENGTH; at++) {
    const unit = at < 0 ? BORDER_BEFORE : at < length ? text.charCodeAt(at) : BORDER_BEHIND;
    hash = Math.imul(hash ^ unit, PRIME);
  }
  return hash;
}

/** Of a line of this direction, whatever its words. */
export const directionBucket = (isOutgoing: boolean): number =>
  isOutgoing ? OUTGOING_BUCKET : INCOMING_BUCKET;

/** Buckets of a word at most: the word itself, and a piece from in front of each of its letters on. */
export const WORD_BUCKETS_MAX = WORD_LENGTH_MAX + 1;

/** Puts the buckets of a word, with repetitions: the word itself and its pieces. Returns how many they are. */
export function putWordBuckets(text: string, buckets: Uint16Array): number {
  const length = Math.min(text.length, WORD_LENGTH_MAX);
  let count = 0;
  buckets[count++] = bucketOf(hashOver(WORD_SEED, text, 0, length));
  // The borders of the word count as letters: an ending is another thing than a middle.
  for (let from = -1; from + PIECE_LENGTH <= length + 1; from++)
    buckets[count++] = bucketOf(pieceHash(text, length, from));
  return count;
}

/** The same as a list. */
function wordBuckets(text: string): readonly number[] {
  const buckets = new Uint16Array(WORD_BUCKETS_MAX);
  return [...buckets.subarray(0, putWordBuckets(text, buckets))];
}

/** Bucket of two neighbours. */
export function pairBucket(text: string, next: string): number {
  const first = hashOver(WORD_SEED, text, 0, Math.min(text.length, WORD_LENGTH_MAX));
  return bucketOf(hashOver(first ^ PAIR_SEED, next, 0, next.length));
}

/**
 * Buckets of a name, with repetitions.
 * @param words folded words, see `tokenise`
 * @param isOutgoing money leaves the account
 */
export function featuresOf(words: readonly string[], isOutgoing: boolean): number[] {
  const read = words.slice(0, WORDS_MAX);
  const pairs = read.slice(1).flatMap((next, at) => {
    const word = read[at] ?? "";
    return next === "" ? [] : [pairBucket(word, next)];
  });
  return [directionBucket(isOutgoing), ...read.flatMap(wordBuckets), ...pairs];
}
