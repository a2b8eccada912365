// "1234" for "12.34", "9.16" for "-9.16": text recognition loses small marks of numbers, but their ink is on the page.
import type { Box } from "./affine.ts";
import { type InkMark, type InkPage, marksWithin } from "./ink.ts";
import type { RecognisedWord } from "./text-recognition.ts";

/** A number whose last mark may be lost: what is before its last two digits, these, and what is behind them. */
const WITHOUT_MARK = /^([-+(]?\p{Sc}?[-+]?\d+(?:[.,]\d{3})*)(\d{2})([-)]?(?:cr|dr)?)$/iu;
/** Behind "=" also with a colon for the mark: a time has none. */
const WITHOUT_MINUS = /^(?:=?\p{Sc}?(?:\d{1,3}(?:[.,'’]?\d{3})*|\d+)[.,]|=\p{Sc}?[1-9]\d*:)\d{2}$/u;
/** In heights of a digit. */
const TALL_MIN = 0.7;
const REACH = 1.2;

/**
 * The same words, where numbers have the marks and the minus whose ink is on the page, and are one word each.
 * @param words of the picture, in its pixels
 */
export function withMarksOfInk(
  words: readonly RecognisedWord[],
  ink: InkPage,
): readonly RecognisedWord[] {
  const whole = joinTornDates(joinAtPoints(words, ink));
  const mark = decimalMarkOf(whole);
  return whole.map((word) => {
    if (mark !== null && WITHOUT_MARK.test(word.text)) return withDecimalMark(word, ink, mark);
    return WITHOUT_MINUS.test(word.text) ? withMinus(word, whole, ink) : word;
  });
}

/** "1,295" ".16", "07" "12" "24": parts of one number or one date, the next of which may have its mark. */
const PART_BEFORE = /^[-+(=]?\p{Sc}?[-+]?\d+(?:[.,]\d{1,3})*[.,]?$/u;
const PART_BEHIND = /^[^\p{L}\d\s()+-]?\d{2,4}(?:[.,]\d{2,4})*[-)]?(?:cr|dr)?$/iu;
/** A mark that became a word of its own. */
const MARK = /^[.,]$/u;
const STROKES = /^=(?=\d)/u;

function joinAtPoints(words: readonly RecognisedWord[], ink: InkPage): readonly RecognisedWord[] {
  const joined = new Map<RecognisedWord, RecognisedWord | null>();
  for (const word of [...words].sort((a, b) => a.box[0] - b.box[0])) {
    if (!PART_BEHIND.test(word.text) && !MARK.test(word.text)) continue;
    const before = words.find((other) => {
      const own = joined.get(other);
      return isBefore(own === undefined ? other : own, word);
    });
    const part = before === undefined ? null : (joined.get(before) ?? before);
    const mark = part === null ? null : markBetween(part, word, ink);
    if (before === undefined || part === null || mark === null) continue;
    joined.set(before, null);
    joined.set(word, joinedWord(part, word, mark));
  }
  if (joined.size === 0) return words;
  return words.flatMap((word) => {
    const own = joined.get(word);
    return own === undefined ? word : (own ?? []);
  });
}

/** "202" "5-02-05", "10/10/" "2024": a space was read where there is none. */
const WHOLE_DATE = /^(?:\d{4}([-/.])\d{2}\1\d{2}|\d{1,2}([-/.])\d{1,2}\2\d{4})$/u;
const DATE_PART = /^[\d./-]+$/u;

function joinTornDates(words: readonly RecognisedWord[]): readonly RecognisedWord[] {
  const parts = words.filter(({ text }) => DATE_PART.test(text) && !WHOLE_DATE.test(text));
  const joined = new Map<RecognisedWord, RecognisedWord | null>();
  for (const first of parts) {
    const second = parts.find(
      (word) => isAdjacent(first, word) && WHOLE_DATE.test(first.text + word.text),
    );
    if (second === undefined || joined.has(first) || joined.has(second)) continue;
    joined.set(first, joinedWord(first, second, "")).set(second, null);
  }
  return joined.size === 0
    ? words
    : words.flatMap((word) => (joined.has(word) ? (joined.get(word) ?? []) : word));
}

/** Whether a word ends where the other one begins. */
const isBefore = (word: RecognisedWord | null, other: RecognisedWord): boolean =>
  word !== null && PART_BEFORE.test(word.text) && isAdjacent(word, other);

function isAdjacent(word: RecognisedWord, { box }: RecognisedWord): boolean {
  const heights = [box[3] - box[1], word.box[3] - word.box[1]];
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const gap = box[0] - word.box[2];
  const shared = Math.min(box[3], word.box[3]) - Math.max(box[1], word.box[1]);
  return gap > -high / 4 && gap < high * REACH && shared > low / 2;
}

/** The mark between two words: read at the beginning of the second one, or only its ink. null: there is none. */
function markBetween(before: RecognisedWord, word: RecognisedWord, ink: InkPage): string | null {
  // Of two marks after each other, neither is one of a number.
  if (MARK.test(word.text) && /[.,]$/u.test(before.text)) return null;
  const read = /[.,]$/u.exec(before.text)?.[0] ?? /^[.,]/u.exec(word.text)?.[0];
  if (read !== undefined) return read;
  const height = word.box[3] - word.box[1];
  const around: Box = [
    ...[before.box[2] - height, Math.min(before.box[1], word.box[1])],
    ...[word.box[0] + height, Math.max(before.box[3], word.box[3]) + height / 3],
  ] as unknown as Box;
  const marks = marksWithin(ink, around);
  const line = digitLineOf(marks, word);
  if (line === null) return null;
  const [from, to] = [before.box[2] - height / 4, word.box[0] + height / 4];
  const point = marks.find((one) => isPoint(one, line) && one.left >= from && one.right <= to);
  if (point === undefined) return null;
  return point.bottom > line.bottom + line.height * COMMA_BELOW_MIN ? "," : ".";
}

/** A comma reaches below the line that digits stand on. */
const COMMA_BELOW_MIN = 0.12;

/** @param mark between them; empty: they have all their marks */
function joinedWord(before: RecognisedWord, word: RecognisedWord, mark: string): RecognisedWord {
  return {
    text:
      mark === ""
        ? before.text + word.text
        : `${before.text.replace(/[.,]$/u, "")}${mark}${word.text.replace(/^\D/u, "")}`,
    box: [
      before.box[0],
      Math.min(before.box[1], word.box[1]),
      word.box[2],
      Math.max(before.box[3], word.box[3]),
    ],
    confidence: Math.min(before.confidence, word.confidence),
  };
}

/** Fewer numbers of the other mark than this share show which one the page has. */
const OTHER_MARK_MAX = 0.2;
const NUMBERS_MIN = 3;

/** Not those that begin with 0, and not those with more points: they are dates. */
const WITH_POINT =
  /^[-+(=]?\p{Sc}?[-+]?(?:[1-9]\d*|[1-9]\d{0,2}(?:[,'’]\d{3})+|0)\.\d{2}[-)]?(?:cr|dr)?$/iu;
const WITH_COMMA =
  /^[-+(=]?\p{Sc}?[-+]?(?:[1-9]\d*|[1-9]\d{0,2}(?:[.'’]\d{3})+|0),\d{2}[-)]?(?:cr|dr)?$/iu;

/** null: the page does not show it. */
function decimalMarkOf(words: readonly RecognisedWord[]): "." | "," | null {
  const count = (pattern: RegExp): number => words.filter(({ text }) => pattern.test(text)).length;
  const points = count(WITH_POINT);
  const commas = count(WITH_COMMA);
  const all = points + commas;
  if (all < NUMBERS_MIN || Math.min(points, commas) > all * OTHER_MARK_MAX) return null;
  return points > commas ? "." : ",";
}

interface DigitLine {
  /** Of a digit. */
  readonly height: number;
  readonly top: number;
  readonly bottom: number;
}

/** Where the digits of a number stand. null: no mark is as tall as its box. */
function digitLineOf(marks: readonly InkMark[], { box }: RecognisedWord): DigitLine | null {
  const boxHeight = box[3] - box[1];
  const digits = marks.filter(
    ({ left, right, top, bottom }) =>
      bottom - top > boxHeight * TALL_MIN && right > box[0] && left < box[2],
  );
  const middle = (values: number[]): number =>
    values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  if (digits.length === 0) return null;
  const top = middle(digits.map((mark) => mark.top));
  const bottom = middle(digits.map((mark) => mark.bottom));
  return { height: bottom - top, top, bottom };
}

/** How far the point may be from where two digits of equal width end, in widths of a digit. */
const PLACE_TOLERANCE = 0.45;

function withDecimalMark(word: RecognisedWord, ink: InkPage, mark: "." | ","): RecognisedWord {
  const [, whole = "", places = "", end = ""] = WITHOUT_MARK.exec(word.text) ?? [];
  if (end !== "" || whole.replaceAll(/\D/gu, "") === "") return word;
  // Behind a mark of thousands, five digits are not one group.
  const groupMark = /[.,](?=\d{3}$)/u.exec(whole)?.[0];
  if (groupMark !== undefined && groupMark !== mark)
    return { ...word, text: `${whole}${mark}${places}` };
  const [left, top, right, bottom] = word.box;
  const height = bottom - top;
  const around: Box = [left, top - height / 4, right, bottom + height / 3];
  const marks = marksWithin(ink, around);
  const line = digitLineOf(marks, word);
  if (line === null) return word;
  const digits = marks.filter((one) => isDigit(one, line));
  const last = digits.at(-1);
  if (last === undefined) return word;
  const points = marks.filter((one) => isPoint(one, line));
  const width = (last.right - (digits[0]?.left ?? left)) / (word.text.length + points.length / 2);
  const isBetween = points.some(
    ({ left: from, right: to }) =>
      Math.abs((last.right - (from + to) / 2) / width - places.length) < PLACE_TOLERANCE + 1 / 4,
  );
  return isBetween ? { ...word, text: `${whole}${mark}${places}` } : word;
}

const isDigit = ({ top, bottom }: InkMark, line: DigitLine): boolean =>
  bottom - top > line.height * TALL_MIN && bottom < line.bottom + line.height / 3;

const POINT_MAX = 0.45;
const POINT_MIN = 0.1;

/** A point or a comma: small, and on the line that the digits stand on. */
function isPoint({ left, top, right, bottom }: InkMark, line: DigitLine): boolean {
  const [width, height] = [right - left, bottom - top];
  return (
    Math.max(width, height) < line.height * POINT_MAX &&
    Math.min(width, height) > line.height * POINT_MIN &&
    top > line.bottom - line.height * POINT_MAX &&
    bottom > line.bottom - line.height * POINT_MIN * 1.5
  );
}

function withMinus(
  word: RecognisedWord,
  words: readonly RecognisedWord[],
  ink: InkPage,
): RecognisedWord {
  const [left, top, right, bottom] = word.box;
  const reach = (bottom - top) * REACH;
  const around: Box = [left - reach, top, right + reach, bottom];
  const marks = marksWithin(ink, around);
  const line = digitLineOf(marks, word);
  if (line === null) return word;
  const digits = marks.filter((one) => isDigit(one, line) && one.right > left && one.left < right);
  const minus = marks.find(
    (one) =>
      isMinus(one, line) &&
      // Of what is cut off at the edge, the rest may be anything.
      one.left > around[0] + 1 &&
      one.right < around[2] - 1 &&
      marks.every((other) => other === one || !isAboveOrBelow(other, one)) &&
      isFree(one, word, words),
  );
  if (minus === undefined) return word;
  const [first, last] = [digits[0]?.left ?? left, digits.at(-1)?.right ?? right];
  if (minus.right > first && minus.left < last) return word;
  const number = word.text.replace(STROKES, "");
  return {
    ...word,
    text: minus.right <= first ? `-${number}` : `${number}-`,
    box: [Math.min(left, minus.left), top, Math.max(right, minus.right), bottom],
  };
}

const MINUS_THICK_MAX = 0.25;
const MINUS_WIDE_MIN = 0.22;
const MINUS_WIDE_MAX = 0.8;

/** A short flat stroke at half the height of the digits. */
function isMinus({ left, top, right, bottom }: InkMark, line: DigitLine): boolean {
  const [width, height] = [right - left, bottom - top];
  const middle = (top + bottom) / 2 - line.top;
  return (
    height < line.height * MINUS_THICK_MAX &&
    width > height * 1.5 &&
    width > line.height * MINUS_WIDE_MIN &&
    width < line.height * MINUS_WIDE_MAX &&
    middle > line.height * 0.35 &&
    middle < line.height * 0.8
  );
}

/** Two strokes are an equals sign. */
const isAboveOrBelow = (a: InkMark, b: InkMark): boolean => a.left < b.right && a.right > b.left;

/** Whether no other word has this ink, and none stands next to it on the other side: a dash between words is not a minus. */
function isFree(
  { left, top, right, bottom }: InkMark,
  of: RecognisedWord,
  words: readonly RecognisedWord[],
): boolean {
  const reach = of.box[3] - of.box[1];
  return !words.some(
    ({ box }) =>
      box !== of.box &&
      box[0] < right + reach / 2 &&
      box[2] > left - reach / 2 &&
      box[1] < bottom &&
      box[3] > top,
  );
}
