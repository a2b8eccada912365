// What the tagger sees of a token: hashed features, each a number ("hashing trick", Weinberger et al. 2009). A feature is
// an attribute of the token, or of a neighbour. Nothing in it is tuned to a line: shapes, positions, what tables know of a word.
import { allFlagsOfToken, type Knowledge, usageOf } from "../../knowledge/knowledge.ts";
import { WordFlag } from "../../knowledge/sections.ts";
import { hashSeed, hashText, hashUnit } from "../text/hash.ts";
import type { Token } from "../text/tokenise.ts";
import { isIn, type WordSet, wordSet } from "../text/word-map.ts";
import { digitsIn } from "../line.ts";
import { type CityKind, cityKind } from "./cities.ts";
import { isMixedReference, DIGITS_COUNTED_MAX } from "./references.ts";
import { shapeOf } from "./shape.ts";

/** What may be left out, to measure what it is worth. */
export interface FeatureSet {
  /** What stands in front of the token and behind it. */
  readonly neighbours: boolean;
  /** What tables know of words. */
  readonly gazetteers: boolean;
}

/**
 * What `npm run train -- tagger --compare` found: neighbours at a distance of two, pairs and triples of neighbours and repeated fields
 * were tried and left out, because names were right no more often than their standard error.
 */
export const SHIPPED_FEATURES: FeatureSet = { neighbours: true, gazetteers: true };

/** Bits of a feature's number; the weights of a model have a row for each. */
export const FEATURE_BITS = 16;
const FEATURE_MASK = (1 << FEATURE_BITS) - 1;

/** More than a token has. */
const OWN_MAX = 32;
const SHARED_MAX = 24;
const FEATURES_MAX = 1 + OWN_MAX + 3 * SHARED_MAX;

/** Attributes by kind; the numbers only have to differ. */
const Kind = {
  shape: 1,
  before: 2,
  word: 3,
  length: 4,
  digits: 5,
  fromStart: 6,
  fromEnd: 7,
  beginning: 8,
  ending: 9,
  shortEnding: 10,
  edges: 11,
  flags: 12,
  usage: 13,
  flag: 14,
  city: 15,
  border: 21,
} as const;

/** Mixes bits so that similar values are filed apart (the finaliser of MurmurHash3, Appleby, public domain). */
function mix(value: number): number {
  let h = value;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

const attribute = (kind: number, value: number): number => mix(Math.imul(kind, 0x9e3779b1) ^ value);

const row = (hash: number): number => mix(hash) & FEATURE_MASK;

/** Tells the attributes of a neighbour from those of the token itself. */
const saltOf = (offset: number): number => Math.imul(offset + 3, 0x27d4eb2f);

/** FNV-1a of a part of a text. */
function hashPart(text: string, from: number, to: number): number {
  let hash: number = hashSeed;
  for (let at = from; at < to; at++) hash = hashUnit(hash, text.charCodeAt(at));
  return hash;
}

const MONTHS: WordSet = wordSet(
  (
    "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september " +
    "october november december " +
    "januar februar maerz marz mai juni juli oktober dezember janvier fevrier mars avril juin juillet aout septembre octobre " +
    "novembre decembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre gennaio febbraio " +
    "aprile maggio giugno luglio settembre ottobre dicembre januari februari maart mei augustus janeiro fevereiro marco maio " +
    "junho julho setembro outubro novembro dezembro"
  ).split(" "),
);

/** Number of a kind of city, as features count it. */
const CITY_NUMBERS: Readonly<Record<CityKind, number>> = { none: 0, city: 1, beginning: 2 };

const isValue = ({ kind }: Token): boolean => kind === "number" || kind === "mask";

/** Flags that are one feature together. */
const JOINT_FLAGS =
  WordFlag.firstName | WordFlag.lastName | WordFlag.plain | WordFlag.place | WordFlag.banking;

/** Flags that are features of their own, of the token and of its neighbours. */
const SHARED_FLAGS = [
  WordFlag.firstName,
  WordFlag.lastName,
  WordFlag.place,
  WordFlag.trade,
  WordFlag.prefix,
  WordFlag.legalForm,
  WordFlag.domainEnding,
  WordFlag.street,
  WordFlag.region,
] as const;

const LENGTH_MAX = 12;
const DIGITS_MAX = 6;
const POSITION_MAX = 5;
const EDGE_MAX = 3;
const SHORT_WORD_MAX = 3;
const CITY_TOKENS_MAX = 3;
/** Row of the feature that every token has. */
const BIAS_ROW = 0;

/** The features of one line. Kept by the tagger and filled again for every line, so that none is allocated. */
export interface TokenFeatures {
  /** Rows of the model, `FEATURES_MAX` places for each token. */
  readonly rows: Uint16Array;
  /** How many of them each token has. */
  readonly counts: Uint16Array;
  /** What the tables know of each token's word, see WordFlag. */
  readonly flags: Uint16Array;
}

/** Place of a token's first feature. */
export const firstFeature = (token: number): number => token * FEATURES_MAX;

/** The rows of features of a word that do not depend on its position: for its own token, the token behind it, the token before it. */
export interface WordFeatures {
  /** See WordFlag. */
  readonly flags: number;
  readonly own: FeatureRows;
  /** Where it is the neighbour before. */
  readonly before: FeatureRows;
  /** Where it is the neighbour behind. */
  readonly behind: FeatureRows;
}

/** A list of rows of the model that is filled again and again. */
export interface FeatureRows {
  readonly rows: Uint16Array;
  /** How many of them count. */
  count: number;
}

export const featureRows = (rows: Iterable<number>): FeatureRows => {
  const all = Uint16Array.from(rows);
  return { rows: all, count: all.length };
};

const emptyRows = (length: number): FeatureRows => ({ rows: new Uint16Array(length), count: 0 });

export interface FeatureExtractor {
  /** All features of each token. The result is valid until the next call. */
  readonly extract: (text: string, tokens: readonly Token[]) => TokenFeatures;
  /** Only those that depend on nothing but the word: what they weigh can be kept. The result is valid until the next call. */
  readonly extractWord: (token: Token, shape: number) => WordFeatures;
}

/** Positions from either end that features tell apart: any later one counts as the last of them. */
export const POSITIONS = POSITION_MAX + 1;

/** The attributes of a token's position from the start and from the end. */
function positionAttributes(fromStart: number, fromEnd: number): readonly number[] {
  const edges = Math.min(fromStart, EDGE_MAX) * 4 + Math.min(fromEnd, EDGE_MAX);
  return [
    attribute(Kind.fromStart, Math.min(fromStart, POSITION_MAX)),
    attribute(Kind.fromEnd, Math.min(fromEnd, POSITION_MAX)),
    attribute(Kind.edges, edges),
  ];
}

/** The row in place of those of a neighbour where the line ends. */
const borderRow = (offset: number): number => row(attribute(Kind.border, offset));

/** The rows of the features that every token has at such a position from the start and from the end. */
export const positionRows = (fromStart: number, fromEnd: number): readonly number[] => [
  BIAS_ROW,
  ...positionAttributes(fromStart, fromEnd).map(row),
  ...(fromStart === 0 ? [borderRow(-1)] : []),
  ...(fromEnd === 0 ? [borderRow(1)] : []),
];

/** What stands in front of a token, as features count it; below `PLAIN_FRONTS` where that is an ASCII character. */
export function frontOf({ before, gap }: Token): number {
  const separator = before === "" ? 0 : before.charCodeAt(0);
  return separator * 4 + Math.min(gap, 2);
}
export const PLAIN_FRONTS = 128 * 4;

/** Row of the feature that the token at `offset` from this one, -1 to 1, has so much in front of it. */
export const frontRow = (front: number, offset: number): number =>
  row(attribute(Kind.before, front) ^ saltOf(offset));

/** More than any number of a kind of city that features count. */
export const CITY_VALUES = 48;

/** Row of the feature that the token at `offset` from this one, -1 to 1, begins or is in such a city. */
export const cityRow = (value: number, offset: number): number =>
  row(attribute(Kind.city, value) ^ saltOf(offset));

/** Kind of the city that the word alone is. */
export const ownCity = (knowledge: Knowledge, { kind, hash, text }: Token): number =>
  kind === "word" ? CITY_NUMBERS[cityKind(knowledge, hash, text.length)] : 0;

/**
 * Cities of one to three words that begin at a token, and beginnings of cities that a field cut off.
 * @param own `ownCity` of the token
 * @param add is given the tokens of each, with the number of the feature
 */
export function findCities(
  knowledge: Knowledge,
  tokens: readonly Token[],
  at: number,
  own: number,
  add: (token: number, value: number) => void,
): void {
  const first = tokens[at];
  if (first?.kind !== "word") return;
  if (own !== 0) add(at, own * 16 + 1);
  let { hash } = first;
  let { length } = first.text;
  for (let to = at + 2; to <= Math.min(tokens.length, at + CITY_TOKENS_MAX); to++) {
    const token = tokens[to - 1];
    if (token?.kind !== "word") return;
    hash = hashText(hash, token.text);
    length += token.text.length;
    const found = CITY_NUMBERS[cityKind(knowledge, hash, length)];
    if (found === 0) continue;
    add(at, found * 16 + to - at);
    for (let inside = at + 1; inside < to; inside++) add(inside, found * 16 + 8);
  }
}

/** Keeps its working memory from line to line. */
class Extractor implements FeatureExtractor {
  private readonly knowledge: Knowledge;
  private readonly set: FeatureSet;
  /** Attributes of the token alone, and those that its neighbours have too. */
  private readonly own: Int32Array;
  private readonly owns: Uint8Array;
  private readonly shared: Int32Array;
  private readonly shares: Uint8Array;
  private readonly features: TokenFeatures;
  private readonly wordOwn = emptyRows(OWN_MAX + SHARED_MAX);
  private readonly wordBefore = emptyRows(SHARED_MAX);
  private readonly wordBehind = emptyRows(SHARED_MAX);

  constructor(knowledge: Knowledge, tokensMax: number, set: FeatureSet) {
    this.knowledge = knowledge;
    this.set = set;
    this.own = new Int32Array(tokensMax * OWN_MAX);
    this.owns = new Uint8Array(tokensMax);
    this.shared = new Int32Array(tokensMax * SHARED_MAX);
    this.shares = new Uint8Array(tokensMax);
    this.features = {
      rows: new Uint16Array(tokensMax * FEATURES_MAX),
      counts: new Uint16Array(tokensMax),
      flags: new Uint16Array(tokensMax),
    };
  }

  extract(text: string, tokens: readonly Token[]): TokenFeatures {
    this.clear(tokens.length);
    tokens.forEach((token, at) => {
      this.features.flags[at] = this.addWord(token, at, shapeOf(text, token));
    });
    return this.addPlaces(tokens);
  }

  extractWord(token: Token, shape: number): WordFeatures {
    this.clear(1);
    const flags = this.addWord(token, 0, shape);
    const { wordOwn: own, wordBefore: before, wordBehind: behind } = this;
    own.count = 0;
    before.count = 0;
    behind.count = 0;
    for (let i = 0; i < (this.owns[0] ?? 0); i++) own.rows[own.count++] = row(this.own[i] ?? 0);
    this.putShared(own, 0);
    if (!this.set.neighbours) return { flags, own, before, behind };
    this.putShared(before, -1);
    this.putShared(behind, 1);
    return { flags, own, before, behind };
  }

  private clear(count: number): void {
    this.owns.fill(0, 0, count);
    this.shares.fill(0, 0, count);
  }

  private addOwn(at: number, kind: number, value: number): void {
    this.putOwn(at, attribute(kind, value));
  }

  private putOwn(at: number, value: number): void {
    const count = this.owns[at] ?? 0;
    this.own[at * OWN_MAX + count] = value;
    this.owns[at] = count + 1;
  }

  private addShared(at: number, kind: number, value: number): void {
    const count = this.shares[at] ?? 0;
    this.shared[at * SHARED_MAX + count] = attribute(kind, value);
    this.shares[at] = count + 1;
  }

  /** The attributes of a word that do not depend on its position; returns its flags. */
  private addWord(token: Token, at: number, shape: number): number {
    const { text: word } = token;
    const isReference = isMixedReference(token);
    this.addShared(at, Kind.shape, shape);
    this.addOwn(at, Kind.length, Math.min(word.length, LENGTH_MAX));
    this.addOwn(
      at,
      Kind.digits,
      Math.min(digitsIn(word), isReference ? DIGITS_COUNTED_MAX : DIGITS_MAX),
    );
    if (token.kind !== "number" && !isReference) {
      this.addOwn(at, Kind.beginning, hashPart(word, 0, 3));
      this.addOwn(at, Kind.ending, hashPart(word, Math.max(0, word.length - 3), word.length));
      this.addOwn(at, Kind.shortEnding, hashPart(word, Math.max(0, word.length - 2), word.length));
    }
    return isValue(token) || isReference ? 0 : this.addIdentity(token, at);
  }

  /** The word itself counts where it is a word of templates or too short to be known by its pieces: names are not learned. */
  private addIdentity(token: Token, at: number): number {
    const flags = allFlagsOfToken(this.knowledge, token);
    const isKnown = (flags & WordFlag.template) !== 0 || token.text.length <= SHORT_WORD_MAX;
    this.addShared(at, Kind.word, isKnown ? token.hash : 0);
    if (!this.set.gazetteers) return flags;
    this.addShared(at, Kind.flags, flags & JOINT_FLAGS);
    this.addOwn(at, Kind.usage, usageOf(flags));
    for (const flag of SHARED_FLAGS) if ((flags & flag) !== 0) this.addShared(at, Kind.flag, flag);
    if (isIn(MONTHS, token)) this.addShared(at, Kind.flag, 0);
    return flags;
  }

  /** The attributes of the position of each token and of the words next to it; then the features of all that was added. */
  private addPlaces(tokens: readonly Token[]): TokenFeatures {
    const count = tokens.length;
    tokens.forEach((token, at) => {
      this.addShared(at, Kind.before, frontOf(token));
      for (const position of positionAttributes(at, count - 1 - at)) this.putOwn(at, position);
    });
    if (this.set.gazetteers)
      tokens.forEach((token, at) => {
        findCities(this.knowledge, tokens, at, ownCity(this.knowledge, token), (to, value) => {
          this.addShared(to, Kind.city, value);
        });
      });
    for (let at = 0; at < count; at++) this.join(count, at);
    return this.features;
  }

  /** The features of a token: what it has itself, and what its neighbours have. */
  private join(count: number, at: number): void {
    const { rows, counts } = this.features;
    const start = firstFeature(at);
    let place = start;
    rows[place++] = BIAS_ROW;
    for (let i = 0; i < (this.owns[at] ?? 0); i++)
      rows[place++] = row(this.own[at * OWN_MAX + i] ?? 0);
    const reach = this.set.neighbours ? 1 : 0;
    for (let offset = -reach; offset <= reach; offset++) {
      const other = at + offset;
      const isInside = other >= 0 && other < count;
      place = isInside ? this.joinShared(place, other, offset) : place;
      if (!isInside) rows[place++] = borderRow(offset);
    }
    counts[at] = place - start;
  }

  private joinShared(first: number, token: number, offset: number): number {
    const from = token * SHARED_MAX;
    const count = this.shares[token] ?? 0;
    for (let i = 0; i < count; i++)
      this.features.rows[first + i] = row((this.shared[from + i] ?? 0) ^ saltOf(offset));
    return first + count;
  }

  /** Of the first token. */
  private putShared(to: FeatureRows, offset: number): void {
    const count = this.shares[0] ?? 0;
    const salt = saltOf(offset);
    for (let i = 0; i < count; i++) to.rows[to.count++] = row((this.shared[i] ?? 0) ^ salt);
  }
}

/** @param tokensMax the most tokens of a line */
export const createExtractor = (
  knowledge: Knowledge,
  tokensMax: number,
  set: FeatureSet = SHIPPED_FEATURES,
): FeatureExtractor => new Extractor(knowledge, tokensMax, set);
