// Words to lines, by their baselines. The order of the words in the file means nothing.
import { plainWord } from "./lexicon.ts";
import type { PageWord } from "./words.ts";

export interface TextLine {
  readonly page: number;
  readonly top: number;
  readonly bottom: number;
  readonly words: readonly PageWord[];
  /** The words in lower case, without accents and marks: what labels are looked up in. */
  readonly plain: readonly string[];
}

/** As a share of the height of a word. */
const BASELINE_TOLERANCE = 0.4;

/** All lines from top to bottom, page by page; words from left to right. */
export function toLines(words: readonly PageWord[]): TextLine[] {
  const ordered = [...words].sort(
    (a, b) => a.page - b.page || middle(a) - middle(b) || a.left - b.left,
  );
  const groups: PageWord[][] = [];
  for (const word of ordered) {
    const group = groups.at(-1);
    if (group !== undefined && isOfLine(group, word)) group.push(word);
    else groups.push([word]);
  }
  return withTallWords(groups).map(makeLine);
}

/** Of the lines above and below. */
const NEAR_LINES = 2;
const SHARED_LINE_MIN = 0.8;

/**
 * A recognised word whose box holds noise too, and so is higher than its line, is of the one line that lies within its box, with
 * the words that were taken for its line because their middles lie near.
 */
function withTallWords(groups: readonly PageWord[][]): PageWord[][] {
  const moved = new Map<PageWord[], PageWord[]>();
  for (const [at, group] of groups.entries()) {
    if (!group.every(({ source }) => source === "ocr")) continue;
    const around = groups.slice(Math.max(at - NEAR_LINES, 0), at + NEAR_LINES + 1);
    const within = around.filter(
      (line) =>
        line.length > group.length &&
        group.some((word) => liesWithin(line, word)) &&
        group.every((word) => sharesHeight(line, word)),
    );
    const [line] = within;
    if (
      line === undefined ||
      within.length > 1 ||
      line.some((other) => group.some((word) => gapBetween(other, word) < 0))
    )
      continue;
    moved.set(line, [...(moved.get(line) ?? []), ...group]);
  }
  if (moved.size === 0) return [...groups];
  const words = new Set([...moved.values()].flat());
  return groups
    .filter(([word]) => word === undefined || !words.has(word))
    .map((line) => [...line, ...(moved.get(line) ?? [])]);
}

function liesWithin(line: readonly PageWord[], tall: PageWord): boolean {
  const heights = line
    .map(heightInLine)
    .filter((height) => height > 0)
    .sort((a, b) => a - b);
  // Of two words, the lower one: the other one has a letter that reaches below the line.
  const height = heights[Math.floor((heights.length - 1) / 2)] ?? Number.POSITIVE_INFINITY;
  return sharedHeight(line, tall) > height * SHARED_LINE_MIN;
}

/** Whether a word stands in a line with most of its height. */
const sharesHeight = (line: readonly PageWord[], word: PageWord): boolean =>
  sharedHeight(line, word) >
  Math.min(...[word, nearestTo(line, word)].map(({ top, bottom }) => bottom - top)) *
    SHARED_LINE_MIN;

function sharedHeight(line: readonly PageWord[], word: PageWord): number {
  const nearest = nearestTo(line, word);
  if (nearest.page !== word.page) return 0;
  return Math.min(nearest.bottom, word.bottom) - Math.max(nearest.top, word.top);
}

const nearestTo = (line: readonly PageWord[], word: PageWord): PageWord =>
  line.reduce((a, b) => (gapBetween(b, word) < gapBetween(a, word) ? b : a));

const middle = (word: PageWord): number => (word.top + word.bottom) / 2;

/** Lines of a photo are bent, so a recognised word is compared with the one next to it and not with the first. */
function isOfLine(group: readonly PageWord[], word: PageWord): boolean {
  const other =
    word.source === "ocr"
      ? group.reduce((a, b) => (gapBetween(b, word) < gapBetween(a, word) ? b : a))
      : group[0];
  return other !== undefined && isSameLine(other, word);
}

const gapBetween = (a: PageWord, b: PageWord): number =>
  Math.max(a.left - b.right, b.left - a.right);

/** Around a recognised word, the box may reach into the line below: the shared height tells more than the middle. */
const SHARED_HEIGHT_MIN = 0.6;
/** A taller box is noise that may reach over several lines. */
const HEIGHT_RATIO_MAX = 2;

function shareHeight(a: PageWord, b: PageWord): boolean {
  const heights = [a, b].map(({ top, bottom }) => bottom - top);
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return high < low * HEIGHT_RATIO_MAX && shared > low * SHARED_HEIGHT_MIN;
}

function isSameLine(other: PageWord, word: PageWord): boolean {
  if (word.source === "ocr" && other.page === word.page && shareHeight(other, word)) return true;
  const heights = [other, word].map(heightInLine).filter((height) => height > 0);
  return (
    other.page === word.page &&
    Math.abs(middle(other) - middle(word)) < Math.min(...heights) * BASELINE_TOLERANCE
  );
}

/** Of a recognised mark such as a minus, the box does not show how high its line is. 0: unknown. */
const heightInLine = ({ source, text, top, bottom }: PageWord): number =>
  source === "ocr" && !/[\p{L}\d]/u.test(text) ? 0 : bottom - top;

/** Of words that stand next to each other. */
export function makeLine(group: readonly PageWord[]): TextLine {
  const words = [...group].sort((a, b) => a.left - b.left);
  return {
    page: words[0]?.page ?? 0,
    top: Math.min(...words.map(({ top }) => top)),
    bottom: Math.max(...words.map(({ bottom }) => bottom)),
    words,
    plain: words.map(({ text }) => plainWord(text)),
  };
}

/**
 * The parts of a line that begin at these places, in points from left to right, and the one before the first of them; null: a part without
 * words.
 */
export const divideLine = (line: TextLine, edges: readonly number[]): (TextLine | null)[] =>
  [Number.NEGATIVE_INFINITY, ...edges].map((start, at) => {
    const end = edges[at] ?? Number.POSITIVE_INFINITY;
    const words = line.words.filter(({ left }) => left >= start && left < end);
    return words.length === 0 ? null : makeLine(words);
  });

/** Where most words of a line stand: the box of one may hold noise above it. */
export const bandOfLine = ({
  words,
}: TextLine): { readonly top: number; readonly bottom: number } => ({
  top: medianEdge(words.map(({ top }) => top)),
  bottom: medianEdge(words.map(({ bottom }) => bottom)),
});

const medianEdge = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
