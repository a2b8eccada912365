// What a labelling model sees of a transaction: hashed features ("hashing trick", Weinberger et al. 2009) in blocks: words,
// neighbours and pieces of words, so that unknown merchants share some with known ones; the description as a whole; whom the
// recogniser found and what for; amount, direction, currency, code, country and type of account. The values of a block add up
// to the same length whatever the number of words, so that long lines weigh no more than short ones.
import type { Facts } from "../../src/model/facts.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";
import { isReference, type Line } from "../recogniser/line.ts";
import { hashSeed, hashText, hashUnit } from "../recogniser/text/hash.ts";

/** Features of one line: entry i of `hashes` has the value i of `values`, up to `count`. They change with the next line. */
export interface LineFeatures {
  readonly hashes: Uint32Array;
  readonly values: Float32Array;
  readonly count: number;
}

export type ReadFeatures = (item: RecogniserInput, line: Line, facts: Facts) => LineFeatures;

const WORDS_MAX = 16;
const WORD_LENGTH_MAX = 20;
const PIECE_LENGTHS = [3, 4, 5] as const;
const PIECES_MAX = 160;
/** More than the blocks below have together. */
const FEATURES_MAX = 256;

/** Lengths of the blocks, as they did best on a part of the training lines of `npm run bench:models`. */
const WEIGHT = {
  words: 1,
  pairs: 0.5,
  pieces: 0.7,
  references: 0.5,
  whole: 0.5,
  party: 0.5,
  category: 0.4,
  amount: 0.25,
  amountOfParty: 0.3,
  circumstance: 0.3,
  bias: 1,
} as const;

/** Different for each block: the same text in two of them is two features. */
const KIND = {
  word: 1,
  pair: 2,
  piece: 3,
  reference: 4,
  whole: 5,
  complete: 6,
  party: 7,
  category: 8,
  amount: 9,
  fineAmount: 10,
  exactAmount: 11,
  amountOfParty: 12,
  amountOfCategory: 13,
  currency: 14,
  code: 15,
  country: 16,
  accountType: 17,
  direction: 18,
  bias: 19,
} as const;

const seedOf = (kind: number): number => hashUnit(hashSeed, kind);

/** Finalizer of MurmurHash3 (Appleby, public domain): FNV alone spreads its upper bits badly, by which a model is searched. */
function spread(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

const textHash = (kind: number, text: string): number => spread(hashText(seedOf(kind), text));
const SPACE = 0x20;
const hashWord = (hash: number, word: string): number => hashUnit(hashText(hash, word), SPACE);
/** Continues a hash over a whole number. */
const hashNumber = (hash: number, number: number): number =>
  hashUnit(hashUnit(hash, number & 0xff_ff), number >>> 16);

/** Logarithmic buckets, so many for each doubling. */
const bucketOf = (amount: number, perDoubling: number): number =>
  Math.floor(Math.log2(amount + 0.01) * perDoubling);

/**
 * Names a description without its references: two lines with the same key are the same payment to the memory of a model. Two
 * hashes of 32 bits.
 */
export function descriptionKey({ tokens }: Line): readonly [number, number] {
  let [first, second] = [seedOf(KIND.whole), seedOf(KIND.complete)];
  for (const { text } of tokens) {
    first = hashUnit(hashText(first, text), 0x20);
    second = hashUnit(hashText(second, text), 0x21);
  }
  return [spread(first), spread(second)];
}

interface FeatureList {
  readonly features: { readonly hashes: Uint32Array; readonly values: Float32Array; count: number };
  add(hash: number, value: number): void;
  addText(kind: number, text: string, value: number): void;
  /** Features since the last block. */
  blockLength(): number;
  /** Gives all features since the last block a value, so that together they have this length. */
  endBlock(length: number): void;
  clear(): void;
}

function createFeatureList(): FeatureList {
  const hashes = new Uint32Array(FEATURES_MAX);
  const values = new Float32Array(FEATURES_MAX);
  const features = { hashes, values, count: 0 };
  let blockFrom = 0;
  const add = (hash: number, value: number): void => {
    if (features.count === FEATURES_MAX) return;
    hashes[features.count] = hash;
    values[features.count] = value;
    features.count += 1;
  };
  return {
    features,
    add,
    addText: (kind, text, value) => {
      add(textHash(kind, text), value);
    },
    blockLength: () => features.count - blockFrom,
    endBlock: (length) => {
      const { count } = features;
      values.fill(length / Math.sqrt(Math.max(1, count - blockFrom)), blockFrom, count);
      blockFrom = count;
    },
    clear: () => {
      features.count = 0;
      blockFrom = 0;
    },
  };
}

function addPieces(list: FeatureList, word: string): void {
  const bounded = `<${word.slice(0, WORD_LENGTH_MAX)}>`;
  for (const length of PIECE_LENGTHS)
    for (let from = 0; from + length <= bounded.length; from++) {
      if (list.blockLength() === PIECES_MAX) return;
      let hash = seedOf(KIND.piece);
      for (let at = from; at < from + length; at++) hash = hashUnit(hash, bounded.charCodeAt(at));
      list.add(spread(hash), 0);
    }
}

function addDescription(list: FeatureList, line: Line): void {
  const words: string[] = [];
  const references: string[] = [];
  line.tokens.forEach(({ text }, at) => {
    const kept = isReference(line, at) ? references : words;
    if (kept.length < WORDS_MAX) kept.push(text);
  });
  for (const word of words) list.addText(KIND.word, word, 0);
  list.endBlock(WEIGHT.words);
  for (let at = 1; at < words.length; at++) {
    const first = hashWord(seedOf(KIND.pair), words[at - 1] ?? "");
    list.add(spread(hashText(first, words[at] ?? "")), 0);
  }
  list.endBlock(WEIGHT.pairs);
  for (const word of words) addPieces(list, word);
  list.endBlock(WEIGHT.pieces);
  for (const reference of references) list.addText(KIND.reference, reference, 0);
  list.endBlock(WEIGHT.references);
  const whole = words.reduce(hashWord, seedOf(KIND.whole));
  list.add(spread(whole), WEIGHT.whole);
  list.add(spread(references.reduce(hashWord, hashUnit(whole, KIND.complete))), WEIGHT.whole);
}

function addMeaning(list: FeatureList, amount: number, { entities, categories }: Facts): void {
  const { website = null, name = null } = entities?.counterparty ?? {};
  const party = website ?? name ?? "";
  const category = categories?.general ?? "";
  const bucket = bucketOf(amount, 1);
  list.addText(KIND.party, party, WEIGHT.party);
  list.addText(KIND.category, category, WEIGHT.category);
  const ofParty = hashNumber(seedOf(KIND.amountOfParty), bucket);
  list.add(spread(hashText(ofParty, party)), WEIGHT.amountOfParty);
  const ofCategory = hashNumber(seedOf(KIND.amountOfCategory), bucket);
  list.add(spread(hashText(ofCategory, category)), WEIGHT.amountOfParty);
}

function addCircumstances(list: FeatureList, item: RecogniserInput): void {
  const { amount, entryType, currency, mcc = null, country, accountType } = item;
  const addNumber = (kind: number, number: number, value: number): void => {
    list.add(spread(hashNumber(hashText(seedOf(kind), entryType), number)), value);
  };
  addNumber(KIND.amount, bucketOf(amount, 1), WEIGHT.amount);
  addNumber(KIND.fineAmount, bucketOf(amount, 3), WEIGHT.amount);
  addNumber(KIND.exactAmount, Math.round(amount * 100), WEIGHT.amount / 2);
  list.addText(KIND.direction, entryType, WEIGHT.circumstance);
  list.addText(KIND.currency, currency, WEIGHT.circumstance);
  list.addText(KIND.accountType, accountType ?? "", WEIGHT.circumstance);
  if (mcc !== null) list.addText(KIND.code, String(mcc), WEIGHT.party);
  if (country !== null) list.addText(KIND.country, country, WEIGHT.circumstance);
  list.addText(KIND.bias, "", WEIGHT.bias);
}

/** One for each thread or training: what it returns is its own. */
export function createFeatureReader(): ReadFeatures {
  const list = createFeatureList();
  return (item, line, facts) => {
    list.clear();
    addDescription(list, line);
    addMeaning(list, item.amount, facts);
    addCircumstances(list, item);
    return list.features;
  };
}
