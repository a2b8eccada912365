// Ink that gave no word: a page is divided before it is read, and numbers that stand alone are lost there most often. They are
// read one by one, with the number adjacent them, of which they may be a part.
import type { Box } from "./affine.ts";
import { type InkMark, type InkPage, marksWithin } from "./ink.ts";
import type { RecognisedLine, RecognisedWord } from "./text-recognition.ts";

/** A place with ink, and the words that it may be a part of. */
export interface LostPlace {
  readonly box: Box;
  readonly adjacent: readonly RecognisedWord[];
  /** Of the words that were read there, which are not sure. 0: there are none. */
  readonly confidence: number;
}

/** Of one page: each takes some 10 ms, and a column of numbers may have lost the first digit of each. */
const LOST_PLACES_MAX = 64;
/** Pixels of the picture that are looked at as one. */
const STEP = 2;
/** In heights of a word. */
const TALL_MIN = 0.45;
const TALL_MAX = 1.5;
const WIDE_MAX = 4;
const SMALL_MIN = 0.12;
const GAP_MAX = 0.9;
const SMALL_GAP_MAX = 0.5;
const ADJACENT_GAP_MAX = 1.6;
const WIDTH_MIN = 0.8;
/** Of a word, the ink may stand out of its box by so much. */
const MARGIN = 0.2;

/**
 * Places in the lines of sure words with ink that none of them has, first those without any word. All lengths in pixels of the
 * picture.
 */
export function lostPlaces(
  ink: InkPage,
  words: readonly RecognisedWord[],
  unsure: readonly RecognisedWord[] = [],
): LostPlace[] {
  const heights = words
    .filter(({ text }) => /\d/u.test(text))
    .map(({ box }) => box[3] - box[1])
    .sort((a, b) => a - b);
  const height = heights[Math.floor(heights.length / 2)];
  if (height === undefined) return [];
  const marks = marksWithin(ink, [0, 0, ink.width, ink.height], STEP).filter(
    (mark) => !words.some((word) => covers(word, mark, height)),
  );
  return groupsOf(marks, height)
    .flatMap((box) => placeOf(box, words, height) ?? [])
    .map(({ box, adjacent }) => ({ box, adjacent, confidence: confidenceIn(box, unsure) }))
    .sort((a, b) => Math.sign(a.confidence) - Math.sign(b.confidence))
    .slice(0, LOST_PLACES_MAX);
}

function covers({ box }: RecognisedWord, mark: InkMark, height: number): boolean {
  const margin = height * MARGIN;
  return (
    mark.left < box[2] + margin &&
    mark.right > box[0] - margin &&
    mark.top < box[3] + margin &&
    mark.bottom > box[1] - margin
  );
}

/** Letters next to each other, with the small marks between them. */
function groupsOf(marks: readonly InkMark[], height: number): Box[] {
  const groups: Box[] = [];
  const sizes = marks.map((mark) => ({ mark, size: mark.bottom - mark.top }));
  const isTall = (mark: InkMark, size: number): boolean =>
    size > height * TALL_MIN &&
    size < height * TALL_MAX &&
    mark.right - mark.left < height * WIDE_MAX;
  const isSmall = (mark: InkMark, size: number): boolean =>
    size <= height * TALL_MIN &&
    Math.max(size, mark.right - mark.left) > height * SMALL_MIN &&
    mark.right - mark.left < height;
  const add = (mark: InkMark, gap: number, isNew: boolean): void => {
    const at = groups.findIndex((box) => isNear(box, mark, height * gap));
    const box = groups[at];
    const own: Box = [mark.left, mark.top, mark.right, mark.bottom];
    if (box !== undefined) groups[at] = union(box, own);
    else if (isNew) groups.push(own);
  };
  for (const { mark, size } of sizes) if (isTall(mark, size)) add(mark, GAP_MAX, true);
  for (const { mark, size } of sizes) if (isSmall(mark, size)) add(mark, SMALL_GAP_MAX, false);
  return groups;
}

const isNear = ([left, top, right, bottom]: Box, mark: InkMark, gap: number): boolean => {
  const shared = Math.min(bottom, mark.bottom) - Math.max(top, mark.top);
  return (
    mark.left - right < gap &&
    left - mark.right < gap &&
    shared > Math.min(bottom - top, mark.bottom - mark.top) / 2
  );
};

const union = (a: Box, b: Box): Box => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];

/** null: it is in none of the lines, or too little to be a word. */
function placeOf(
  box: Box,
  words: readonly RecognisedWord[],
  height: number,
): Pick<LostPlace, "box" | "adjacent"> | null {
  const inLine = words.filter(
    (word) =>
      Math.min(box[3], word.box[3]) - Math.max(box[1], word.box[1]) > (box[3] - box[1]) / 2 &&
      word.box[3] - word.box[1] < height * TALL_MAX,
  );
  if (inLine.length === 0) return null;
  const adjacent = inLine.filter(
    (word) =>
      /\d/u.test(word.text) &&
      word.box[0] - box[2] < height * ADJACENT_GAP_MAX &&
      box[0] - word.box[2] < height * ADJACENT_GAP_MAX,
  );
  const isNarrow = box[2] - box[0] < height * WIDTH_MIN;
  if (adjacent.length === 0 && isNarrow && !endsInColumn(box, words, height)) return null;
  return { box: adjacent.reduce((all, word) => union(all, word.box), box), adjacent };
}

/** Of a column of numbers, at least so many end where a single digit does that is an amount of its own. */
const COLUMN_MIN = 3;
/** In heights of a word. */
const COLUMN_EDGE = 0.4;

/** "4" under "245.45" and "125": statements that leave out zeros have amounts of one digit, which are lost most often. */
const endsInColumn = (box: Box, words: readonly RecognisedWord[], height: number): boolean =>
  words.filter(
    (word) =>
      /\d$/u.test(word.text) &&
      Math.abs(word.box[2] - box[2]) < height * COLUMN_EDGE &&
      word.box[2] - word.box[0] > box[2] - box[0],
  ).length >= COLUMN_MIN;

const CONFIDENCE_MIN = 0.5;
/** What replaces other words is surer than they are by so much. */
const SURER_MIN = 0.1;

const confidenceIn = ([left, top, right, bottom]: Box, unsure: readonly RecognisedWord[]): number =>
  unsure.reduce((most, { box, confidence }) => {
    const isInside = box[0] < right && box[2] > left && box[1] < bottom && box[3] > top;
    return isInside ? Math.max(most, confidence) : most;
  }, 0);

/** The words with what was read at a place, if it goes with those next to it. */
export function withLostWords(
  words: readonly RecognisedWord[],
  { box, adjacent, confidence: before }: LostPlace,
  { text, confidence }: RecognisedLine,
): readonly RecognisedWord[] {
  const texts = text.split(/\s+/u).filter(Boolean);
  const isText = texts.some((part) => /[\p{L}\d]{2}|\d/u.test(part));
  const least = before === 0 ? CONFIDENCE_MIN : Math.max(CONFIDENCE_MIN, before + SURER_MIN);
  if (confidence < least || !isText) return words;
  const old = digitsOf(adjacent.map((word) => word.text).join(""));
  const read = digitsOf(text);
  // What was read before is the beginning or the end of it.
  const isPart = read.length > old.length && (read.endsWith(old) || read.startsWith(old));
  if (adjacent.length > 0 && !isPart) return words;
  return [
    ...words.filter((word) => !adjacent.includes(word)),
    ...sideBySide(texts, box).map((part) => ({ ...part, confidence })),
  ];
}

const digitsOf = (text: string): string => text.replaceAll(/\D/gu, "");

/** Words of a text side by side, in a place as wide as all of them. */
export function sideBySide(
  texts: readonly string[],
  [left, top, right, bottom]: Box,
): { readonly text: string; readonly box: Box }[] {
  const letters = texts.join(" ").length;
  let from = left;
  return texts.map((text) => {
    const to = from + ((right - left) * text.length) / letters;
    const word = { text, box: [from, top, to, bottom] as const };
    from = to + (right - left) / letters;
    return word;
  });
}
