// Patterns of words ("direct * deposit"), found without trying each of them: every pattern is filed under its rarest
// word, and only those filed under a word of the line are compared.
import { hashSeed, hashText } from "../recogniser/text/hash.ts";
import type { Token } from "../recogniser/text/tokenise.ts";
import { lookUp, type WordMap, wordMap } from "../recogniser/text/word-map.ts";
import type { PatternRow } from "./sections.ts";

export interface PatternIndex {
  readonly rows: readonly PatternRow[];
  /** Rarest word → row numbers, ascending. */
  readonly byWord: WordMap<readonly number[]>;
  /** For each row the bits of all its words, see `bitOf`: where a line lacks one of them, the row is not read. */
  readonly bits: Int32Array;
  /** Direction of each row, see PatternRow: without reading the row. */
  readonly directions: Uint8Array;
  /** 1 for each row that is one word: it matches where the word under which it is filed stands. */
  readonly words: Uint8Array;
}

/** One of 32 bits for a word, by its hash. */
const bitOf = (hash: number): number => 1 << ((hash ^ (hash >>> 16)) & 31);

function bitsOfTokens(tokens: readonly Token[], from: number, to: number): number {
  let bits = 0;
  for (let at = from; at < to; at++) bits |= bitOf(tokens[at]?.hash ?? 0);
  return bits;
}

function bitsOfRow({ parts }: PatternRow): number {
  let bits = 0;
  for (const part of parts) for (const word of part) bits |= bitOf(hashText(hashSeed, word));
  return bits;
}

/** Where a pattern matched: token numbers, `to` exclusive. */
export interface PatternMatch {
  readonly row: PatternRow;
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

function countWords(rows: readonly PatternRow[]): Map<string, number> {
  const frequency = new Map<string, number>();
  for (const row of rows) {
    for (const part of row.parts) {
      for (const word of part) frequency.set(word, (frequency.get(word) ?? 0) + 1);
    }
  }
  return frequency;
}

function rarestWord(row: PatternRow, frequency: ReadonlyMap<string, number>): string {
  let rarest = "";
  let least = Infinity;
  for (const part of row.parts) {
    for (const word of part) {
      const count = frequency.get(word) ?? 0;
      if (count >= least) continue;
      rarest = word;
      least = count;
    }
  }
  return rarest;
}

/** Every thread does this at its start for thousands of rows: plain loops, no lists in between. */
export function indexPatterns(rows: readonly PatternRow[]): PatternIndex {
  const frequency = countWords(rows);
  const byWord = new Map<string, number[]>();
  rows.forEach((row, index) => {
    const rarest = rarestWord(row, frequency);
    const list = byWord.get(rarest);
    if (list === undefined) byWord.set(rarest, [index]);
    else list.push(index);
  });
  return {
    rows,
    byWord: wordMap(byWord),
    bits: Int32Array.from(rows, bitsOfRow),
    directions: Uint8Array.from(rows, ({ direction }) => direction),
    words: Uint8Array.from(rows, ({ parts }) =>
      parts.length === 1 && parts[0]?.length === 1 ? 1 : 0,
    ),
  };
}

function matchPart(
  tokens: readonly Token[],
  at: number,
  to: number,
  part: readonly string[],
): boolean {
  if (at + part.length > to) return false;
  for (let i = 0; i < part.length; i++) {
    if (tokens[at + i]?.text !== part[i]) return false;
  }
  return true;
}

/**
 * First place of every part after the one before it: enough, since an earlier place never rules out a later part. `word`: where
 * the word under which the row is filed stands first.
 */
function matchRow(
  tokens: readonly Token[],
  from: number,
  to: number,
  row: PatternRow,
  word: number,
): readonly [number, number] | null {
  // The word is in the only part, which cannot stand in front of it.
  const length = row.parts.length === 1 ? (row.parts[0]?.length ?? 0) : to;
  let at = Math.max(from, word + 1 - length);
  let start = -1;
  for (const part of row.parts) {
    while (at < to && !matchPart(tokens, at, to, part)) at++;
    if (at >= to) return null;
    if (start < 0) start = at;
    at += part.length;
  }
  return start < 0 ? null : [start, at];
}

/** A word that comes again would only find the same matches again, and a text of one repeated word would be slow. */
function seenBefore(tokens: readonly Token[], from: number, at: number): boolean {
  const text = tokens[at]?.text;
  for (let i = from; i < at; i++) if (tokens[i]?.text === text) return true;
  return false;
}

/** What a line is searched for. */
interface PatternSearch {
  readonly index: PatternIndex;
  readonly tokens: readonly Token[];
  readonly from: number;
  readonly to: number;
  /** 1 = money leaves; 2 = rows of either direction. */
  readonly direction: number;
  /** Of the tokens, see `bitsOfTokens`. */
  readonly bits: number;
}

/** Where the row matches that is filed under the word at `word`; null when it does not. */
function matchAt(search: PatternSearch, number: number, word: number): PatternMatch | null {
  const { index, tokens, from, to, direction } = search;
  if (((index.bits[number] ?? 0) & ~search.bits) !== 0) return null;
  const own = index.directions[number];
  if (own !== 2 && own !== direction) return null;
  const row = index.rows[number];
  if (row === undefined) return null;
  if (index.words[number] === 1) return { row, index: number, from: word, to: word + 1 };
  const range = matchRow(tokens, from, to, row, word);
  return range === null ? null : { row, index: number, from: range[0], to: range[1] };
}

/** The first row that matches of those filed under the word at `word` with a number below `before`. */
function firstRow(search: PatternSearch, word: number, before: number): PatternMatch | null {
  const { index, tokens } = search;
  const candidates = lookUp(index.byWord, tokens[word]);
  if (candidates === undefined || seenBefore(tokens, 0, word)) return null;
  for (const number of candidates) {
    if (number >= before) return null;
    const match = matchAt(search, number, word);
    if (match !== null) return match;
  }
  return null;
}

/** The pattern that stands first in the tables of all that occur in the tokens, null when none does. */
export function firstPattern(
  index: PatternIndex,
  tokens: readonly Token[],
  direction: number,
): PatternMatch | null {
  const to = tokens.length;
  const search = { index, tokens, from: 0, to, direction, bits: bitsOfTokens(tokens, 0, to) };
  let first: PatternMatch | null = null;
  let before = index.rows.length;
  for (let at = 0; at < to; at++) {
    const found = firstRow(search, at, before);
    if (found === null) continue;
    first = found;
    before = found.index;
  }
  return first;
}

/** Every pattern that occurs in `tokens[from..to)` for the direction (1 = money leaves), in no particular order. */
export function matchPatterns(
  index: PatternIndex,
  tokens: readonly Token[],
  from: number,
  to: number,
  direction: number,
): readonly PatternMatch[] {
  const search = { index, tokens, from, to, direction, bits: bitsOfTokens(tokens, from, to) };
  const found: PatternMatch[] = [];
  for (let at = from; at < to; at++) {
    const candidates = lookUp(index.byWord, tokens[at]);
    if (candidates === undefined || seenBefore(tokens, from, at)) continue;
    for (const number of candidates) {
      const match = matchAt(search, number, at);
      if (match !== null) found.push(match);
    }
  }
  return found;
}
