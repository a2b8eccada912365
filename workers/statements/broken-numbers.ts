// "502 a7" for "502.47", "70" for "3.70": a word in a column of amounts that is not an amount was read wrongly. It is read again alone.
import type { Box } from "./affine.ts";
import type { RecognisedLine, RecognisedWord } from "./text-recognition.ts";

export interface BrokenNumber {
  /** As wide as the amounts above and below, without the words next to it. */
  readonly box: Box;
  /** What was read there. */
  readonly words: readonly RecognisedWord[];
  /** Of one character of the amounts around it. */
  readonly characterWidth: number;
}

/** Of one page: each is read in several sizes. */
const BROKEN_MAX = 12;
const AMOUNT = /^[-+(=]?\p{Sc}?[-+]?\d[\d.,'’]*[.,]\d{2}[-)]?(?:cr|dr)?$/iu;
const AMOUNTS_MIN = 3;
/** In heights of a number: how far the amounts of a column end from each other, and how far away they are looked for. */
const EDGE_TOLERANCE = 0.6;
const COLUMN_REACH = 18;
/** Parts of one number are nearer to each other. */
const PART_GAP_MAX = 1.2;
/** A part that has no digits is a mark, or a digit that was taken for a letter. */
const MARK_LENGTH_MAX = 2;
const CONFIDENCE_MIN = 0.7;

/** @param words of the picture, in its pixels */
export function brokenNumbers(words: readonly RecognisedWord[]): BrokenNumber[] {
  const amounts = words.filter(({ text }) => AMOUNT.test(text));
  if (amounts.length < AMOUNTS_MIN) return [];
  return words
    .filter(({ text }) => /\d/u.test(text) && !AMOUNT.test(text))
    .flatMap((word) => brokenNumber(word, amounts, words) ?? [])
    .slice(0, BROKEN_MAX);
}

function brokenNumber(
  word: RecognisedWord,
  amounts: readonly RecognisedWord[],
  words: readonly RecognisedWord[],
): BrokenNumber | null {
  const column = amounts.filter((amount) => isOfColumn(amount, word));
  if (column.length < AMOUNTS_MIN) return null;
  const inLine = words.filter((other) => other !== word && shareLine(other, word));
  const parts = partsBefore(word, inLine);
  const first = parts[0] ?? word;
  const [, top, right, bottom] = word.box;
  const others = inLine.filter((other) => !parts.includes(other));
  const before = others.filter(({ box }) => box[0] < first.box[0]).map(({ box }) => box[2]);
  // Something behind it: it is in the middle of a text.
  const gapBehind = (bottom - top) * PART_GAP_MAX;
  if (others.some(({ box }) => box[0] >= right && box[0] - right < gapBehind)) return null;
  const left = Math.min(first.box[0], ...column.map(({ box }) => box[0]));
  const all = [...parts, word];
  return {
    box: [
      Math.min(Math.max(left, ...before), first.box[0]),
      Math.min(...all.map(({ box }) => box[1])),
      Math.max(right, ...column.map(({ box }) => box[2])),
      Math.max(...all.map(({ box }) => box[3])),
    ],
    words: all,
    characterWidth: medianWidth(column.map(({ box, text }) => (box[2] - box[0]) / text.length)),
  };
}

const heightOf = ({ box }: RecognisedWord): number => box[3] - box[1];
const middleOf = ({ box }: RecognisedWord): number => (box[1] + box[3]) / 2;

const medianWidth = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Whether a number above or below ends where the word does. */
function isOfColumn(amount: RecognisedWord, word: RecognisedWord): boolean {
  const height = heightOf(amount);
  const distance = Math.abs(middleOf(amount) - middleOf(word));
  return (
    Math.abs(amount.box[2] - word.box[2]) < height * EDGE_TOLERANCE &&
    distance > height / 2 &&
    distance < height * COLUMN_REACH
  );
}

const shareLine = (other: RecognisedWord, word: RecognisedWord): boolean =>
  Math.min(other.box[3], word.box[3]) - Math.max(other.box[1], word.box[1]) >
  Math.min(heightOf(other), heightOf(word)) / 2;

/** Words before one that may be parts of the same number, from left to right. */
function partsBefore(word: RecognisedWord, inLine: readonly RecognisedWord[]): RecognisedWord[] {
  const parts: RecognisedWord[] = [];
  const fromRight = inLine
    .filter(({ box }) => box[0] < word.box[0])
    .toSorted((a, b) => b.box[0] - a.box[0]);
  let { 0: left } = word.box;
  for (const other of fromRight) {
    const isPart = /\d/u.test(other.text) || other.text.length <= MARK_LENGTH_MAX;
    if (!isPart || left - other.box[2] > heightOf(word) * PART_GAP_MAX) break;
    parts.unshift(other);
    left = other.box[0];
  }
  return parts;
}

/** The words, with the amount in the place of the broken one, if it has all digits that were read before. */
export function withWholeNumber(
  words: readonly RecognisedWord[],
  { words: old, characterWidth }: BrokenNumber,
  { text, confidence }: RecognisedLine,
): readonly RecognisedWord[] {
  const number = text.replaceAll(/\s/gu, "");
  const [digits, read] = [number, old.map((word) => word.text).join("")].map((all) =>
    all.replaceAll(/\D/gu, ""),
  ) as [string, string];
  if (confidence < CONFIDENCE_MIN || !AMOUNT.test(number) || !hasInOrder(digits, read))
    return words;
  const right = Math.max(...old.map(({ box }) => box[2]));
  const box: Box = [
    Math.min(...old.map((word) => word.box[0]), right - characterWidth * number.length),
    Math.min(...old.map((word) => word.box[1])),
    right,
    Math.max(...old.map((word) => word.box[3])),
  ];
  return [...words.filter((word) => !old.includes(word)), { text: number, box, confidence }];
}

function hasInOrder(digits: string, some: string): boolean {
  let at = 0;
  for (const digit of digits) if (digit === some[at]) at += 1;
  return at === some.length;
}
