// Patterns of words ("direct * deposit"), found without trying each of them: every pattern is filed under its rarest
// word, and only those filed under a word of the line are compared.
import type { Token } from "../recogniser/text/tokenise.ts";
import { lookUp, type WordMap, wordMap } from "../recogniser/text/word-map.ts";
import type { PatternRow } from "./sections.ts";

export interface PatternIndex {
  readonly rows: readonly PatternRow[];
  /** Rarest word → row numbers, ascending. */
  readonly byWord: WordMap<readonly number[]>;
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
  return { rows, byWord: wordMap(byWord) };
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

/** The first row that matches of those filed under the word at `word` with a number below `before`. */
function firstRow(
  index: PatternIndex,
  tokens: readonly Token[],
  word: number,
  direction: number,
  before: number,
): PatternMatch | null {
  const candidates = lookUp(index.byWord, tokens[word]);
  if (candidates === undefined || seenBefore(tokens, 0, word)) return null;
  for (const number of candidates) {
    if (number >= before) return null;
    const row = index.rows[number];
    if (row === undefined || (row.direction !== 2 && row.direction !== direction)) continue;
    const range = matchRow(tokens, 0, tokens.length, row, word);
    if (range !== null) return { row, index: number, from: range[0], to: range[1] };
  }
  return null;
}

/** The pattern that stands first in the tables of all that occur in the tokens, null when none does. */
export function firstPattern(
  index: PatternIndex,
  tokens: readonly Token[],
  direction: number,
): PatternMatch | null {
  let first: PatternMatch | null = null;
  let before = index.rows.length;
  for (let at = 0; at < tokens.length; at++) {
    const found = firstRow(index, tokens, at, direction, before);
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
  const found: PatternMatch[] = [];
  for (let i = from; i < to; i++) {
    const candidates = lookUp(index.byWord, tokens[i]);
    if (candidates === undefined || seenBefore(tokens, from, i)) continue;
    for (const number of candidates) {
      const row = index.rows[number];
      if (row === undefined || (row.direction !== 2 && row.direction !== direction)) continue;
      const range = matchRow(tokens, from, to, row, i);
      if (range !== null) found.push({ row, index: number, from: range[0], to: range[1] });
    }
  }
  return found;
}
