// The score of each label for each token, without their neighbours' labels: the sum of the weights of the token's features. What
// the features are of comes again and again: positions, separators, cities, and a few thousand words make up most lines. So their
// weights are added up once and kept.
import type { Knowledge, TaggerModel } from "../../knowledge/knowledge.ts";
import {
  fourWidth,
  pairPlaceOf,
  pairWidth,
  putSums,
  sumIn,
  WEIGHT_OFFSET,
} from "../../knowledge/packed-weights.ts";
import { type Token, TOKENS_MAX } from "../text/tokenise.ts";
import { isMixedReference, REFERENCE_SORTS, sortOfReference } from "./references.ts";
import {
  CITY_VALUES,
  cityRow,
  createExtractor,
  type FeatureExtractor,
  type FeatureRows,
  featureRows,
  findCities,
  frontOf,
  frontRow,
  ownCity,
  PLAIN_FRONTS,
  positionRows,
  POSITIONS,
} from "./attributes.ts";
import { LABEL_COUNT } from "./labels.ts";
import { shapeOf } from "./shape.ts";

/** Sums of two labels are in a number: a token has too few features to overflow. */
const PAIRS = pairWidth(LABEL_COUNT);
const ROW_WIDTH = fourWidth(LABEL_COUNT);

/** Words that are kept; a power of two. 132 bytes each. */
const WORDS_KEPT = 8192;
/** What stands at a place adds to the scores of its own token, of the token behind it and of the token before it. */
const ROLES = 3;
const OWN = 0;
const BEFORE = 1;
const BEHIND = 2;
/** Offset of the neighbour whose features they are, by role. */
const OFFSETS = [0, -1, 1] as const;

/** Added up weights of sets of features, each with how many features that are. */
class FeatureSums {
  readonly sums: Int32Array;
  readonly counts: Uint8Array;
  private readonly weights: Int32Array;

  constructor({ weights }: TaggerModel, size: number) {
    this.weights = weights;
    this.sums = new Int32Array(size * PAIRS);
    this.counts = new Uint8Array(size);
  }

  put(at: number, { rows, count }: FeatureRows): void {
    putSums(this.weights, rows, count, ROW_WIDTH, this.sums, at * PAIRS);
    this.counts[at] = count;
  }
}

/** A number of digits is known by how many there are: only these. */
const DIGITS_KEPT = 32;
/** Words, numbers, and the sorts of references. */
const REFERENCES_FROM = WORDS_KEPT + DIGITS_KEPT;
const PLACES = REFERENCES_FROM + REFERENCE_SORTS;

/** Sums of weights of words, each at the place that its hash names; another word there replaces it. */
class WordSums {
  readonly kept: FeatureSums;
  readonly flags = new Uint16Array(PLACES);
  /** See `ownCity`. */
  readonly cities = new Uint8Array(PLACES);
  private readonly texts = new Array<string | null>(PLACES).fill(null);
  private readonly shapes = new Int32Array(PLACES);
  private readonly extractor: FeatureExtractor;
  private readonly knowledge: Knowledge;

  constructor(knowledge: Knowledge) {
    this.knowledge = knowledge;
    this.extractor = createExtractor(knowledge, 1);
    this.kept = new FeatureSums(knowledge.tagger, PLACES * ROLES);
  }

  /** Where the sums of the token's word are, `place * ROLES + role`. */
  placeOf(text: string, token: Token): number {
    if (token.kind !== "word" && token.end - token.start === token.text.length) {
      if (token.kind === "number")
        return this.placeOfSort(
          WORDS_KEPT + Math.min(token.text.length, DIGITS_KEPT - 1),
          text,
          token,
        );
      if (isMixedReference(token))
        return this.placeOfSort(REFERENCES_FROM + sortOfReference(token), text, token);
    }
    const shape = shapeOf(text, token);
    const place = (token.hash ^ (token.hash >>> 16) ^ shape) & (WORDS_KEPT - 1);
    if (this.texts[place] !== token.text || this.shapes[place] !== shape)
      this.keep(place, token, shape);
    return place;
  }

  /** All numbers of a length have the same features, and all references of a sort. */
  private placeOfSort(place: number, text: string, token: Token): number {
    if (this.texts[place] === null) this.keep(place, token, shapeOf(text, token));
    return place;
  }

  private keep(place: number, token: Token, shape: number): void {
    const { flags, own, before, behind } = this.extractor.extractWord(token, shape);
    this.texts[place] = token.text;
    this.shapes[place] = shape;
    this.flags[place] = flags;
    this.cities[place] = ownCity(this.knowledge, token);
    this.kept.put(place * ROLES + OWN, own);
    this.kept.put(place * ROLES + BEFORE, before);
    this.kept.put(place * ROLES + BEHIND, behind);
  }
}

/** Sums of the features that a token has at each position, `fromStart * POSITIONS + fromEnd`. */
function createPositionSums(model: TaggerModel): FeatureSums {
  const kept = new FeatureSums(model, POSITIONS * POSITIONS);
  for (let start = 0; start < POSITIONS; start++)
    for (let end = 0; end < POSITIONS; end++)
      kept.put(start * POSITIONS + end, featureRows(positionRows(start, end)));
  return kept;
}

/** Sums of one feature each, `value * ROLES + role`. */
function createRoleSums(
  model: TaggerModel,
  values: number,
  rowOf: (value: number, offset: number) => number,
): FeatureSums {
  const kept = new FeatureSums(model, values * ROLES);
  for (let value = 0; value < values; value++)
    OFFSETS.forEach((offset, role) => {
      kept.put(value * ROLES + role, featureRows([rowOf(value, offset)]));
    });
  return kept;
}

/** Fills in the scores of a line's tokens. Keeps its working memory from line to line. */
class TokenScorer {
  private readonly knowledge: Knowledge;
  private readonly model: TaggerModel;
  private readonly words: WordSums;
  private readonly positions: FeatureSums;
  private readonly cities: FeatureSums;
  /** In front of tokens; the last place is for any that is not plain. */
  private readonly fronts: FeatureSums;
  private readonly sums = new Int32Array(TOKENS_MAX * PAIRS);
  /** Features that were added, for each token. */
  private readonly counts = new Uint16Array(TOKENS_MAX);
  /** Tokens of the line. */
  private count = 0;

  constructor(knowledge: Knowledge) {
    this.knowledge = knowledge;
    this.model = knowledge.tagger;
    this.words = new WordSums(knowledge);
    this.positions = createPositionSums(this.model);
    this.cities = createRoleSums(this.model, CITY_VALUES, cityRow);
    this.fronts = createRoleSums(this.model, PLAIN_FRONTS + 1, frontRow);
  }

  score(text: string, tokens: readonly Token[], scores: Float32Array): readonly number[] {
    const count = tokens.length;
    this.count = count;
    for (let i = 0; i < count * PAIRS; i++) this.sums[i] = 0;
    for (let at = 0; at < count; at++) this.counts[at] = 0;
    const flags: number[] = [];
    for (let at = 0; at < count; at++) {
      const token = tokens[at];
      if (token === undefined) continue;
      const place = this.words.placeOf(text, token);
      flags.push(this.words.flags[place] ?? 0);
      this.addRoles(at, this.words.kept, place * ROLES);
      this.addRoles(at, this.fronts, this.frontPlace(token) * ROLES);
      this.addPosition(at);
      findCities(this.knowledge, tokens, at, this.words.cities[place] ?? 0, this.addCity);
    }
    for (let at = 0; at < count; at++) this.write(at, scores);
    return flags;
  }

  private readonly addCity = (token: number, value: number): void => {
    this.addRoles(token, this.cities, value * ROLES);
  };

  private frontPlace(token: Token): number {
    const front = frontOf(token);
    if (front < PLAIN_FRONTS) return front;
    OFFSETS.forEach((offset, role) => {
      this.fronts.put(PLAIN_FRONTS * ROLES + role, featureRows([frontRow(front, offset)]));
    });
    return PLAIN_FRONTS;
  }

  private addPosition(at: number): void {
    const start = Math.min(at, POSITIONS - 1);
    const end = Math.min(this.count - 1 - at, POSITIONS - 1);
    this.add(at, this.positions, start * POSITIONS + end);
  }

  /** To a token and its neighbours, what each gets by its role. */
  private addRoles(at: number, kept: FeatureSums, first: number): void {
    this.add(at, kept, first + OWN);
    if (at + 1 < this.count) this.add(at + 1, kept, first + BEFORE);
    if (at > 0) this.add(at - 1, kept, first + BEHIND);
  }

  private add(at: number, kept: FeatureSums, place: number): void {
    const { sums, counts } = this;
    const { sums: values } = kept;
    const base = at * PAIRS;
    const from = place * PAIRS;
    for (let pair = 0; pair < PAIRS; pair++)
      sums[base + pair] = ((sums[base + pair] ?? 0) + (values[from + pair] ?? 0)) | 0;
    counts[at] = (counts[at] ?? 0) + (kept.counts[place] ?? 0);
  }

  private write(at: number, scores: Float32Array): void {
    const { scale } = this.model;
    const offset = (this.counts[at] ?? 0) * WEIGHT_OFFSET;
    const base = at * LABEL_COUNT;
    for (let label = 0; label < LABEL_COUNT; label++) {
      const pair = this.sums[at * PAIRS + pairPlaceOf(label)] ?? 0;
      scores[base + label] = (sumIn(pair, label) - offset) * scale;
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
) => readonly number[];

/** One for each thread: it keeps words. The function returned is deterministic. */
export function createTokenScorer(knowledge: Knowledge): ScoreTokens {
  const scorer = new TokenScorer(knowledge);
  return (text, tokens, scores) => scorer.score(text, tokens, scores);
}
