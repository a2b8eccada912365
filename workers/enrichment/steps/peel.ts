// Step: peel the bank's wrappings off, from outside to inside, until a name is left.
import { digitsIn, isReference, type Line, type Span, startsWith } from "../line.ts";
import { dashedField, isLabel, labelledSpan } from "./fields.ts";
import { closingPhrases, leadingPhrases, regionalPhrases, trailingWords } from "./layouts.ts";

/** Wrappings lie at most this deep; deeper ones are left as they are. */
const DEPTH_MAX = 6;

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

/** `01/23`, `01-23-2024`, `XX/XX`: a date in figures. Returns the token after it, or `at` when there is none. */
export function skipDate(line: Line, at: number, to: number): number {
  const isPart = (i: number): boolean => {
    const token = line.tokens[i];
    if (i >= to || token === undefined || token.text.length > 4) return false;
    return token.kind === "number" || token.kind === "mask";
  };
  const joined = (i: number): boolean => {
    const token = line.tokens[i];
    return (
      token?.gap === 1 && (token.before === "/" || token.before === "-" || token.before === ":")
    );
  };
  if (!isPart(at)) return at;
  let end = at + 1;
  while (end < at + 3 && isPart(end) && joined(end)) end++;
  const next = line.tokens[end];
  const glued =
    next !== undefined && end < to && next.gap === 1 && next.before === "-" && next.kind === "word";
  return end > at + 1 && !glued ? end : at;
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

function afterLeading(line: Line, span: Span, inEuro: boolean): number {
  const first = line.tokens[span.from]?.text ?? "";
  const regional = inEuro ? (regionalPhrases.get(first) ?? []) : [];
  for (const phrase of [...regional, ...(leadingPhrases.get(first) ?? [])]) {
    const end = span.from + phrase.words.length;
    if (end < span.to && startsWith(line, span.from, span.to, phrase.words)) return end;
  }
  return span.from;
}

function peelLeading(line: Line, span: Span, inEuro: boolean): Span {
  let from = span.from;
  for (let depth = 0; depth < DEPTH_MAX; depth++) {
    const start = depth === 0 ? from : skipValues(line, from, span.to);
    const end = afterLeading(line, { from: start, to: span.to }, inEuro);
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

function cutClosing(line: Line, span: Span): Span {
  for (let at = span.from + 1; at < span.to; at++) {
    const candidates = closingPhrases.get(line.tokens[at]?.text ?? "");
    if (candidates?.some((phrase) => closes(line, at, phrase.words, span.to)) === true) {
      return { from: span.from, to: at };
    }
  }
  return span;
}

const months = new Set([
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

/** Where a date in figures that ends at `to` begins, `to` when there is none. */
function dateBefore(line: Line, from: number, to: number): number {
  for (let at = Math.max(from, to - 3); at < to - 1; at++) {
    if (skipDate(line, at, to) === to) return at;
  }
  return to;
}

/** `ON 17 MAY`, `17 MAY` at the end of UK lines: where it begins, or `to`. */
function dayAndMonthBefore(line: Line, from: number, to: number): number {
  const month = months.has(line.tokens[to - 1]?.text ?? "");
  if (!month || to - 2 <= from || line.tokens[to - 2]?.kind !== "number") return to;
  return to - 3 > from && line.tokens[to - 3]?.text === "on" ? to - 3 : to - 2;
}

/** Dates and codes at the end of a line. */
export function cutTrailing(line: Line, span: Span): Span {
  const first = span.from + 1;
  let to = span.to;
  while (to > first) {
    const before = to;
    to = dayAndMonthBefore(line, span.from, to);
    if (to > first && trailingWords.has(line.tokens[to - 1]?.text ?? "")) to--;
    const date = Math.max(first, dateBefore(line, first, to));
    if (date < to) to = date - 1 > first && line.tokens[date - 1]?.text === "on" ? date - 1 : date;
    if (to === before) break;
  }
  return { from: span.from, to };
}

/**
 * The name in a line: the labelled field where there is one, else what is inside all wrappings. `direction`: 1 = money
 * leaves. `inEuro`: phrases count that are too short to be safe elsewhere.
 */
export function peelWrappers(line: Line, direction: number, inEuro = false): Peeled {
  const all = { from: 0, to: line.tokens.length };
  const dashed = dashedField(line);
  if (dashed !== null) return { span: dashed, labelled: true, wrapped: true, rail: true };
  const labelled = labelledSpan(line, direction);
  const des = line.tokens.findIndex(
    (token, i) => i > 0 && token.text === "des" && isLabel(line, i + 1),
  );
  const start = labelled ?? (des > 0 ? { from: 0, to: des } : all);
  const inner = peelLeading(line, start, inEuro);
  const from = skipPeeledReference(line, inner);
  const span = cutTrailing(line, cutClosing(line, { from, to: inner.to }));
  const isLabelled = labelled !== null || des > 0;
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
