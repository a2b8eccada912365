// What the words of a name sound like: multinomial logistic regression over hashed words and pieces of words (text/features.ts).
import type { Knowledge } from "../../knowledge/knowledge.ts";
import {
  addRowTo,
  fourWidth,
  pairPlaceOf,
  pairWidth,
  putSums,
  sumIn,
} from "../../knowledge/packed-weights.ts";
import { exponential } from "../exponential.ts";
import { zerosOf } from "../zeros.ts";
import {
  directionBucket,
  pairBucket,
  putWordBuckets,
  WORD_BUCKETS_MAX,
  WORDS_MAX,
} from "../text/features.ts";
import { hashSeed, hashText } from "../text/hash.ts";

/** Words whose weights are kept added up; a power of two. Some 200 bytes each. */
const WORDS_KEPT = 4096;

/** A category so much less likely than the likeliest one, as a logarithm, has no share. */
const SCORE_MIN = -20;

/**
 * Probability of each category of the lexicon by the words alone, 0 for those of the other direction.
 * @param words folded words, see `tokenise`
 * @param isOutgoing money leaves the account
 */
export type SoundOf = (words: readonly string[], isOutgoing: boolean) => readonly number[];

class WordModel {
  private readonly weights: Int32Array;
  private readonly scale: number;
  private readonly categories: number;
  private readonly zeros: () => number[];
  private readonly outgoingCategories: number;
  /** Numbers of a row of the model. */
  private readonly rowWidth: number;
  /** Pairs of the sums of a row. */
  private readonly width: number;
  /** What is being added up, and how many features. */
  private readonly pairs: Int32Array;
  private features = 0;
  private readonly texts = new Array<string | null>(WORDS_KEPT).fill(null);
  private readonly sums: Int32Array;
  private readonly buckets = new Uint16Array(WORD_BUCKETS_MAX);
  private readonly counts = new Uint8Array(WORDS_KEPT);

  constructor({ model, lexicon, outgoingCategories }: Knowledge) {
    this.weights = model.weights;
    this.scale = model.scale;
    const categories = lexicon.categories.length;
    this.categories = categories;
    this.zeros = zerosOf(categories);
    this.outgoingCategories = outgoingCategories;
    this.rowWidth = fourWidth(categories);
    this.width = pairWidth(categories);
    this.pairs = new Int32Array(this.width);
    this.sums = new Int32Array(WORDS_KEPT * this.width);
  }

  soundOf(words: readonly string[], isOutgoing: boolean): readonly number[] {
    for (let pair = 0; pair < this.width; pair++) this.pairs[pair] = 0;
    this.features = 0;
    this.addRow(directionBucket(isOutgoing));
    const count = Math.min(words.length, WORDS_MAX);
    for (let at = 0; at < count; at++) {
      const word = words[at] ?? "";
      const place = this.placeOf(word);
      this.addWord(place * this.width);
      this.features += this.counts[place] ?? 0;
      const next = at + 1 < count ? (words[at + 1] ?? "") : "";
      if (next !== "") this.addRow(pairBucket(word, next));
    }
    return this.shares(isOutgoing);
  }

  /** Where the sums of the word are kept. */
  private placeOf(word: string): number {
    const hash = hashText(hashSeed, word);
    const place = (hash ^ (hash >>> 16)) & (WORDS_KEPT - 1);
    if (this.texts[place] === word) return place;
    const { buckets } = this;
    const count = putWordBuckets(word, buckets);
    putSums(this.weights, buckets, count, this.rowWidth, this.sums, place * this.width);
    this.texts[place] = word;
    this.counts[place] = count;
    return place;
  }

  private addRow(bucket: number): void {
    addRowTo(this.pairs, this.weights, bucket, this.rowWidth);
    this.features += 1;
  }

  private addWord(from: number): void {
    const { pairs, sums, width } = this;
    for (let pair = 0; pair < width; pair++)
      pairs[pair] = ((pairs[pair] ?? 0) + (sums[from + pair] ?? 0)) | 0;
  }

  /** The sums as probabilities. */
  private shares(isOutgoing: boolean): number[] {
    const { pairs, features } = this;
    const shares = this.zeros();
    // Categories of money that arrives stand last, see Knowledge.
    const end = isOutgoing ? this.outgoingCategories : this.categories;
    const unit = this.scale / Math.sqrt(features);
    let most = 0;
    for (let at = 0; at < end; at++) {
      const score = sumIn(pairs[pairPlaceOf(at)] ?? 0, at);
      shares[at] = score;
      if (score > most) most = score;
    }
    let sum = 0;
    for (let at = 0; at < end; at++) {
      const score = ((shares[at] ?? 0) - most) * unit;
      const share = score < SCORE_MIN ? 0 : exponential(score);
      shares[at] = share;
      sum += share;
    }
    const part = 1 / sum;
    for (let at = 0; at < end; at++) shares[at] = (shares[at] ?? 0) * part;
    return shares;
  }
}

/** One for each thread: it keeps words. The function returned is deterministic. */
export function createWordModel(knowledge: Knowledge): SoundOf {
  const model = new WordModel(knowledge);
  return (words, isOutgoing) => model.soundOf(words, isOutgoing);
}
