// The score of each label for each token, without their neighbours' labels: the sum of the weights of the token's features. Those
// that do not depend on the position are added up once while the word is kept: a few thousand words make up most lines.
import type { Knowledge, TaggerModel } from "../../knowledge/knowledge.ts";
import { HALF_BITS, HALF_MASK, WEIGHT_OFFSET } from "../../knowledge/packed-weights.ts";
import { type Token, TOKENS_MAX } from "../text/tokenise.ts";
import { createExtractor, type FeatureExtractor, firstFeature, shapeOf } from "./attributes.ts";
import { LABEL_COUNT } from "./labels.ts";

/** Weights of two labels are packed in a number: a token has too few features to overflow. */
const PAIRS = LABEL_COUNT / 2;

/** Words that are kept; a power of two. 132 bytes each. */
const WORDS_KEPT = 8192;
/** A word adds to the scores of its own token, of the token behind it and of the token before it. */
const ROLES = 3;
const OWN = 0;
const BEFORE = 1;
const BEHIND = 2;

/** Sums of weights of words, each at the place that its hash names; another word there replaces it. */
class WordSums {
  readonly sums = new Int32Array(WORDS_KEPT * ROLES * PAIRS);
  /** Features that were added, for each word and role. */
  readonly counts = new Uint8Array(WORDS_KEPT * ROLES);
  readonly flags = new Uint16Array(WORDS_KEPT);
  private readonly texts = new Array<string | null>(WORDS_KEPT).fill(null);
  private readonly shapes = new Int32Array(WORDS_KEPT);
  private readonly extractor: FeatureExtractor;
  private readonly weights: Int32Array;

  constructor(knowledge: Knowledge) {
    this.extractor = createExtractor(knowledge, 1);
    this.weights = knowledge.tagger.weights;
  }

  /** Where the sums of the token's word are. */
  placeOf(text: string, token: Token): number {
    const shape = shapeOf(text, token);
    const place = (token.hash ^ (token.hash >>> 16) ^ shape) & (WORDS_KEPT - 1);
    if (this.texts[place] !== token.text || this.shapes[place] !== shape)
      this.keep(place, token, shape);
    return place;
  }

  private keep(place: number, token: Token, shape: number): void {
    const { flags, own, before, behind } = this.extractor.extractWord(token, shape);
    this.texts[place] = token.text;
    this.shapes[place] = shape;
    this.flags[place] = flags;
    this.addUp(place * ROLES + OWN, own);
    this.addUp(place * ROLES + BEFORE, before);
    this.addUp(place * ROLES + BEHIND, behind);
  }

  private addUp(role: number, rows: readonly number[]): void {
    const { sums, weights, counts } = this;
    const base = role * PAIRS;
    sums.fill(0, base, base + PAIRS);
    for (const row of rows)
      for (let pair = 0; pair < PAIRS; pair++)
        sums[base + pair] = ((sums[base + pair] ?? 0) + (weights[row * PAIRS + pair] ?? 0)) | 0;
    counts[role] = rows.length;
  }
}

/** Fills in the scores of a line's tokens. Keeps its working memory from line to line. */
class TokenScorer {
  private readonly model: TaggerModel;
  private readonly extractor: FeatureExtractor;
  private readonly words: WordSums;
  private readonly sums = new Int32Array(TOKENS_MAX * PAIRS);
  /** Features that were added, for each token. */
  private readonly counts = new Uint16Array(TOKENS_MAX);

  constructor(knowledge: Knowledge) {
    this.model = knowledge.tagger;
    this.extractor = createExtractor(knowledge, TOKENS_MAX);
    this.words = new WordSums(knowledge);
  }

  score(text: string, tokens: readonly Token[], scores: Float32Array): Uint16Array {
    const count = tokens.length;
    this.sums.fill(0, 0, count * PAIRS);
    this.counts.fill(0, 0, count);
    const flags = new Uint16Array(count);
    tokens.forEach((token, at) => {
      const place = this.words.placeOf(text, token);
      flags[at] = this.words.flags[place] ?? 0;
      this.addWord(at, place * ROLES + OWN);
      if (at + 1 < count) this.addWord(at + 1, place * ROLES + BEFORE);
      if (at > 0) this.addWord(at - 1, place * ROLES + BEHIND);
    });
    const { rows, counts } = this.extractor.extractPlaces(tokens);
    for (let at = 0; at < count; at++) {
      const first = firstFeature(at);
      const end = first + (counts[at] ?? 0);
      for (let i = first; i < end; i++) this.add(at, this.model.weights, (rows[i] ?? 0) * PAIRS, 1);
      this.write(at, scores);
    }
    return flags;
  }

  private addWord(at: number, role: number): void {
    const { sums, counts } = this.words;
    this.add(at, sums, role * PAIRS, counts[role] ?? 0);
  }

  private add(at: number, values: Int32Array, from: number, features: number): void {
    const { sums, counts } = this;
    const base = at * PAIRS;
    for (let pair = 0; pair < PAIRS; pair++)
      sums[base + pair] = (sums[base + pair] ?? 0) + (values[from + pair] ?? 0);
    counts[at] = (counts[at] ?? 0) + features;
  }

  private write(at: number, scores: Float32Array): void {
    const { scale } = this.model;
    const offset = (this.counts[at] ?? 0) * WEIGHT_OFFSET;
    const base = at * LABEL_COUNT;
    for (let pair = 0; pair < PAIRS; pair++) {
      const sum = this.sums[at * PAIRS + pair] ?? 0;
      scores[base + 2 * pair] = ((sum & HALF_MASK) - offset) * scale;
      scores[base + 2 * pair + 1] = ((sum >>> HALF_BITS) - offset) * scale;
    }
  }
}

/**
 * Fills in the scores of the labels of each token, `token * LABEL_COUNT + label`; returns what the tables know of each token's
 * word, see WordFlag.
 */
export type ScoreTokens = (
  text: string,
  tokens: readonly Token[],
  scores: Float32Array,
) => Uint16Array;

/** One for each thread: it keeps words. The function returned is deterministic. */
export function createTokenScorer(knowledge: Knowledge): ScoreTokens {
  const scorer = new TokenScorer(knowledge);
  return (text, tokens, scores) => scorer.score(text, tokens, scores);
}
