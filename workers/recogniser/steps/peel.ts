// Step: peel the bank's wrappings off, from outside to inside, until a name is left.
import {
  isLayoutWord,
  isWritten,
  type Layouts,
  type LayoutPhrase,
} from "../../knowledge/layouts.ts";
import type { Token } from "../text/tokenise.ts";
import { isIn, lookUp, wordSet } from "../text/word-map.ts";
import { digitsIn, isReference, type Line, type Span, startsWith } from "../line.ts";
import { companyField, dashedField, isLabel, labelledSpan } from "./fields.ts";

/** Wrappings lie at most this deep; deeper ones are left as they are. */
const DEPTH_MAX = 6;

/** Whose wrappings they can be. */
export interface Around {
  readonly layouts: Layouts;
  /** Packed countries the account may be in; none = nothing known. */
  readonly countries: readonly number[];
  /** Where the longest name of several words ends that begins there and somebody knows; `from` when there is none. */
  nameEnd(line: Line, from: number, to: number): number;
  /** Whether the mark of somebody who stands in between may begin with the word. */
  startsMark(word: Token | undefined): boolean;
}

export interface Peeled {
  /** What is left: the name, and often a place behind it. */
  readonly span: Span;
  /** A labelled field said that this is the name: `ORIG CO NAME:…`, `BNF:…`, `… DES:`. */
  readonly labelled: boolean;
  /** A phrase of the bank stood in front. */
  readonly wrapped: boolean;
  /** The name stands in a payment between accounts, where people are as likely as companies. */
  readonly rail: boolean;
}

/** A day, a month or a year in figures, or what the bank blanked out of one. */
function isDatePart(line: Line, at: number, to: number): boolean {
  const token = line.tokens[at];
  if (at >= to || token === undefined || token.text.length > 4) return false;
  return token.kind === "number" || token.kind === "mask";
}

function isJoinedDate(line: Line, at: number): boolean {
  const token = line.tokens[at];
  return token?.gap === 1 && (token.before === "/" || token.before === "-" || token.before === ":");
}

/** `01/23`, `01-23-2024`, `XX/XX`: a date in figures. Returns the token after it, or `at` when there is none. */
export function skipDate(line: Line, at: number, to: number): number {
  if (!isDatePart(line, at, to)) return at;
  if (isDottedDate(line, at, to)) return at + 3;
  let end = at + 1;
  while (end < at + 3 && isDatePart(line, end, to) && isJoinedDate(line, end)) end++;
  const next = line.tokens[end];
  const glued =
    next !== undefined && end < to && next.gap === 1 && next.before === "-" && next.kind === "word";
  return end > at + 1 && !glued ? end : at;
}

/** `12.03.2024`: with fewer parts, figures with a dot between them are an amount. */
function isDottedDate(line: Line, at: number, to: number): boolean {
  if (at + 3 > to) return false;
  for (let i = at; i < at + 3; i++) {
    const token = line.tokens[i];
    const isYear = i === at + 2 && token?.text.length === 4;
    if (token?.kind !== "number" || (token.text.length > 2 && !isYear)) return false;
    if (i > at && (token.gap !== 1 || token.before !== ".")) return false;
  }
  return true;
}

/** Dates, card numbers and references between a phrase and the name. `7-ELEVEN` and `99 CENTS` are names, not numbers. */
function skipValues(line: Line, from: number, to: number): number {
  let at = from;
  for (;;) {
    const afterDate = skipDate(line, at, to);
    if (afterDate > at) {
      at = afterDate;
      continue;
    }
    const token = line.tokens[at];
    if (at >= to || token === undefined) return at;
    const long = token.kind === "number" ? token.text.length >= 4 : isReference(line, at);
    const filler = token.text === "on" || token.text === "at" || token.text === "x";
    if (!long && !filler) return at;
    at++;
  }
}

function afterLeading(line: Line, span: Span, around: Around): number {
  for (const phrase of lookUp(around.layouts.before, line.tokens[span.from]) ?? []) {
    const end = span.from + phrase.words.length;
    if (end >= span.to || !isWritten(phrase, around.countries)) continue;
    if (!startsWith(line, span.from, span.to, phrase.words)) continue;
    // `CREDIT ONE BANK`: a single word may be the beginning of a name.
    if (phrase.words.length > 1 || around.nameEnd(line, span.from, span.to) === span.from)
      return end;
  }
  return span.from;
}

function peelLeading(line: Line, span: Span, around: Around): Span {
  let from = span.from;
  for (let depth = 0; depth < DEPTH_MAX; depth++) {
    const start = depth === 0 ? from : skipValues(line, from, span.to);
    const end = afterLeading(line, { from: start, to: span.to }, around);
    const next = end > start ? skipValues(line, end, span.to) : start;
    if (next >= span.to) break;
    if (next === from) break;
    from = next;
  }
  return { from, to: span.to };
}

/** What a payer writes behind these is never the name, value or not: `REF FLAT 3`. */
const alwaysCloses: ReadonlySet<string> = new Set(["ref", "reference", "verwendungszweck"]);

/** A marker only closes the name when a value or a colon follows, or nothing at all: `CARD 1082`, not `CARD FACTORY`. */
function closes(line: Line, at: number, words: readonly string[], to: number): boolean {
  if (!startsWith(line, at, to, words)) return false;
  const after = at + words.length;
  if (after >= to || words.length > 1 || alwaysCloses.has(words[0] ?? "")) return true;
  const next = line.tokens[after];
  const marked = next?.before === ":" || next?.before === "#" || next?.before === "=";
  return marked || isReference(line, after);
}

/** The name up to the bank's own data. Such data in front of it (`DEBIT CARD PURCH CARD ENDING IN 3310 RED …`) are skipped. */
function cutClosing(line: Line, span: Span, around: Around): Span {
  let from = span.from;
  for (let at = from; at < span.to; at++) {
    const phrase = closingAt(line, at, span.to, around);
    // A single word with which a line begins is more likely a name.
    if (phrase === null || (at === from && phrase.words.length < 2)) continue;
    // `DISCOVER CARD PAYMENT`: the first word of the phrase is the last of a name.
    if (at > from && at < around.nameEnd(line, from, span.to)) continue;
    if (!isHollow(line, { from, to: at }, around)) return { from, to: at };
    const next = skipValues(line, at + phrase.words.length, span.to);
    if (next >= span.to) return { from, to: at };
    from = next;
    at = next;
  }
  return { from, to: span.to };
}

/** A phrase behind which no name follows. */
function closingAt(
  line: Line,
  at: number,
  to: number,
  { layouts, countries }: Around,
): LayoutPhrase | null {
  const phrases = lookUp(layouts.closing, line.tokens[at]);
  if (phrases === undefined) return null;
  for (const phrase of phrases)
    if (closes(line, at, phrase.words, to) && isWritten(phrase, countries)) return phrase;
  return null;
}

/** Nothing but words of banks and references. */
function isHollow(line: Line, span: Span, { layouts, countries }: Around): boolean {
  for (let at = span.from; at < span.to; at++) {
    if (!isReference(line, at) && !isLayoutWord(layouts, line.tokens[at], countries)) return false;
  }
  return true;
}

export const months = wordSet([
  "jan",
  "feb",
  "mar",
  "apr",
  "may",
  "jun",
  "jul",
  "aug",
  "sep",
  "oct",
  "nov",
  "dec",
]);

/** `HAMELN 12.06.`: a day or an amount with which a line ends; where it begins, or `to`. */
function dottedEnd(line: Line, from: number, to: number): number {
  const [first, second] = [line.tokens[to - 2], line.tokens[to - 1]];
  if (to - 2 <= from || first?.kind !== "number" || second?.kind !== "number") return to;
  const isDotted = second.before === "." && second.gap === 1 && second.text.length === 2;
  return isDotted && first.text.length <= 4 ? to - 2 : to;
}

/** Where a date in figures that ends at `to` begins, `to` when there is none. */
function dateBefore(line: Line, from: number, to: number): number {
  for (let at = Math.max(from, to - 3); at < to - 1; at++) {
    if (skipDate(line, at, to) === to) return at;
  }
  return to;
}

/** `ON 17 MAY`, `17 MAY` at the end of UK lines: where it begins, or `to`. */
function dayAndMonthBefore(line: Line, from: number, to: number): number {
  const month = isIn(months, line.tokens[to - 1]);
  if (!month || to - 2 <= from || line.tokens[to - 2]?.kind !== "number") return to;
  return to - 3 > from && line.tokens[to - 3]?.text === "on" ? to - 3 : to - 2;
}

function isEndWord(line: Line, at: number, { layouts, countries }: Around): boolean {
  const phrases = lookUp(layouts.end, line.tokens[at]);
  return phrases?.some((phrase) => isWritten(phrase, countries)) ?? false;
}

/** Dates and codes at the end of a line. */
export function cutTrailing(line: Line, span: Span, around: Around): Span {
  const first = span.from + 1;
  let to = span.to;
  while (to > first) {
    const before = to;
    to = dottedEnd(line, span.from, dayAndMonthBefore(line, span.from, to));
    if (to > first && isEndWord(line, to - 1, around) && around.nameEnd(line, span.from, to) < to)
      to--;
    const date = Math.max(first, dateBefore(line, first, to));
    if (date < to) to = date - 1 > first && line.tokens[date - 1]?.text === "on" ? date - 1 : date;
    if (to === before) break;
  }
  return { from: span.from, to };
}

/**
 * The name in a line: the labelled field where there is one, else what is inside all wrappings. `direction`: 1 = money
 * leaves.
 */
export function peelWrappers(line: Line, direction: number, around: Around): Peeled {
  const all = { from: 0, to: line.tokens.length };
  const dashed = dashedField(line);
  if (dashed !== null) return { span: dashed, labelled: true, wrapped: true, rail: true };
  const labelled = labelledSpan(line, direction);
  const des = line.tokens.findIndex(
    (token, i) => i > 0 && token.text === "des" && isLabel(line, i + 1),
  );
  // What stands behind such a company is who was paid.
  const isBetween = around.startsMark(line.tokens[0]);
  const company = labelled === null && des < 0 && !isBetween ? companyField(line) : null;
  const start = labelled ?? company ?? (des > 0 ? { from: 0, to: des } : all);
  const inner = peelLeading(line, start, around);
  const from = skipPeeledReference(line, inner);
  const span = cutTrailing(line, cutClosing(line, { from, to: inner.to }, around), around);
  const isLabelled = labelled !== null || des > 0 || company !== null;
  return { span, labelled: isLabelled, wrapped: from > start.from, rail: false };
}

/** A terminal number in front of the name: `0123 DOMINOS PIZZA`. Names like `1800 FLOWERS` are found before that. */
function skipPeeledReference(line: Line, span: Span): number {
  const token = line.tokens[span.from];
  const next = line.tokens[span.from + 1];
  if (token === undefined || next === undefined || span.from + 1 >= span.to) return span.from;
  const reference = token.kind === "mask" || (token.kind === "mixed" && digitsIn(token.text) >= 6);
  return reference && next.kind === "word" ? span.from + 1 : span.from;
}
