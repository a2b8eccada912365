// Tables and lists of folded words, made to be asked about every token. The engine's own tables file each text that they are
// asked about among the texts of the program, which costs more than the rest of the look-up; these go by the token's hash.
import { buildHashBits, mayBeOneOf } from "../../knowledge/hash-bits.ts";
import { hashSeed, hashText } from "./hash.ts";
import type { Token } from "./tokenise.ts";

/** Slots for each word at least, of which there are a power of two. */
const SLOTS_PER_WORD = 2;

/** Open addressing, linear probing; the three are parallel. A slot without a value is empty: a value is never undefined. */
export interface WordMap<T> {
  /** What is looked up first, see hash-bits.ts: most words that are asked about are not in the table. */
  readonly bits: Uint32Array;
  readonly hashes: Int32Array;
  readonly words: readonly string[];
  readonly values: readonly (T | undefined)[];
}

/** A token, or as much of one as is looked up. */
type Word = Pick<Token, "text" | "hash">;

/** @param entries each word once, or its first value counts */
export function wordMap<T>(entries: Iterable<readonly [string, T]>): WordMap<T> {
  const all = [...entries];
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, all.length) * SLOTS_PER_WORD));
  const hashes = new Int32Array(size);
  const words = new Array<string>(size).fill("");
  const values = new Array<T | undefined>(size).fill(undefined);
  for (const [word, value] of all) {
    const hash = hashText(hashSeed, word);
    let slot = hash & (size - 1);
    while (values[slot] !== undefined) slot = (slot + 1) & (size - 1);
    hashes[slot] = hash;
    words[slot] = word;
    values[slot] = value;
  }
  return {
    bits: buildHashBits(all.map(([word]) => hashText(hashSeed, word))),
    hashes,
    words,
    values,
  };
}

/** The value of the word, undefined where the table does not hold it. */
export function lookUp<T>(table: WordMap<T>, word: Word | undefined): T | undefined {
  if (word === undefined || !mayBeOneOf(table.bits, word.hash)) return undefined;
  const { hashes, words, values } = table;
  const last = values.length - 1;
  for (let slot = word.hash & last; ; slot = (slot + 1) & last) {
    const value = values[slot];
    if (value === undefined) return undefined;
    if (hashes[slot] === word.hash && words[slot] === word.text) return value;
  }
}

/** The same for a folded text without a token. */
export const lookUpText = <T>(table: WordMap<T>, text: string): T | undefined =>
  lookUp(table, { text, hash: hashText(hashSeed, text) });

/** Words without a value: they are in the list or not. */
export type WordSet = WordMap<true>;

export const wordSet = (words: Iterable<string>): WordSet =>
  wordMap([...words].map((word) => [word, true] as const));

/** Whether the list holds the word. */
export const isIn = (words: WordSet, word: Word | undefined): boolean =>
  lookUp(words, word) === true;

/** The same for a folded text without a token. */
export const isTextIn = (words: WordSet, text: string): boolean => lookUpText(words, text) === true;
