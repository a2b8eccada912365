// The rows in the middle of a long table: a check of the header needs none of them, and recognising them takes most of its time. They
// are found by their ink alone, before anything is recognised.
import { readDocumentLines } from "./document.ts";
import type { InkPage } from "./ink.ts";
import type { PageLine } from "./layout.ts";
import type { GreyPicture, PagePicture } from "./page-picture.ts";
import { isDated } from "./rows.ts";
import type { RecognisedWord } from "./text-recognition.ts";
import type { PageWord } from "./words.ts";

/** A part of a page as wide as the page. Pixels of the picture; the bottom is behind the last one. */
export interface PageStrip {
  readonly top: number;
  readonly bottom: number;
}

/** Side of the squares that ink is looked at in, pixels: smaller than the paper between two lines. */
const SQUARE = 4;
/** Longer strokes are rules of a table, squares. */
const RULE_MIN = 40;
/** Heights of a line of text, squares. */
const LINE_MIN = 2;
const LINE_MAX = 14;
/** Dust of a scan is narrower than a date or an amount, squares. */
const SPECK_MAX = 3;
/** Columns are farther apart than words, in heights of a line. */
const COLUMN_GAP = 1.2;
/** How far the dates of a column begin and end from each other, in heights of a line. */
const DATE_TOLERANCE = 1.5;
/** Rows at each end of a table that are read: balances are printed there as if they were rows. */
const ROWS_AT_END = 3;
/** Fewer lines between them are not worth a second look at what they are. */
const LINES_MIN = 6;

/** A line of text. All lengths in squares. */
interface InkLine {
  readonly top: number;
  readonly bottom: number;
  /** Ink between wide gaps, from left to right. */
  readonly segments: readonly { readonly left: number; readonly right: number }[];
}

/** The lines between the first and the last rows of the longest table. null: it has too few, or rows of more than one form. */
export function middleOfRows(ink: InkPage): PageStrip | null {
  const lines = linesOf(ink);
  let best: PageStrip | null = null;
  for (let from = 0; from < lines.length; ) {
    const run = rowsFrom(lines, from);
    const [first, last] = [run.rows[ROWS_AT_END], run.rows.at(-ROWS_AT_END)];
    if (first !== undefined && last !== undefined && last - first >= LINES_MIN) {
      const strip = { top: gapBefore(lines, first), bottom: gapBefore(lines, last) };
      if (best === null || strip.bottom - strip.top > best.bottom - best.top) best = strip;
    }
    from = Math.max(run.end, from + 1);
  }
  return best;
}

/** The middle of the paper above a line, pixels. */
const gapBefore = (lines: readonly InkLine[], at: number): number =>
  Math.round((((lines[at - 1]?.bottom ?? 0) + (lines[at]?.top ?? 0)) / 2) * SQUARE);

/**
 * Lines after each other that begin with something as wide as a date, apart from what follows, and those that continue the text
 * of such a line.
 */
function rowsFrom(
  lines: readonly InkLine[],
  start: number,
): { readonly rows: readonly number[]; readonly end: number } {
  const first = lines[start];
  const rows: number[] = [];
  let end = start;
  for (; first !== undefined && end < lines.length; end += 1) {
    const line = lines[end];
    if (line === undefined || !(isRowLike(line, first) || isContinued(line, first))) break;
    if (isRowLike(line, first)) rows.push(end);
  }
  return { rows, end };
}

function isRowLike({ segments }: InkLine, first: InkLine): boolean {
  const [own, date] = [segments[0], first.segments[0]];
  if (own === undefined || date === undefined || segments.length < 2) return false;
  const tolerance = (first.bottom - first.top) * DATE_TOLERANCE;
  return Math.abs(own.left - date.left) < tolerance && Math.abs(own.right - date.right) < tolerance;
}

function isContinued({ segments: [own, ...others] }: InkLine, { segments }: InkLine): boolean {
  const [date, text] = segments;
  if (own === undefined || date === undefined || text === undefined) return false;
  return others.length === 0 && own.left > date.right && own.left < text.right;
}

function linesOf(ink: InkPage): InkLine[] {
  const columns = Math.floor(ink.width / SQUARE);
  const rows = Math.floor(ink.height / SQUARE);
  const squares = ink.squares({ x: 0, y: 0, side: SQUARE, columns, rows });
  const text = withoutRules(squares, columns, rows);
  const lines: InkLine[] = [];
  let top: number | null = null;
  for (let y = 0; y <= rows; y += 1) {
    const hasInk = y < rows && text.subarray(y * columns, (y + 1) * columns).includes(1);
    if (hasInk) top ??= y;
    if (hasInk || top === null) continue;
    const height = y - top;
    const segments = segmentsOf(text, columns, { top, bottom: y });
    if (height > LINE_MAX) lines.push({ top, bottom: y, segments: [] });
    else if (height >= LINE_MIN && segments.length > 0) lines.push({ top, bottom: y, segments });
    top = null;
  }
  return lines;
}

/** The squares without long strokes, across and down the page. */
function withoutRules(squares: Uint8Array, columns: number, rows: number): Uint8Array {
  const text = squares.slice();
  const clear = (start: number, step: number, length: number): void => {
    let run = 0;
    for (let at = 0; at <= length; at += 1) {
      if (at < length && squares[start + at * step] === 1) {
        run += 1;
        continue;
      }
      if (run >= RULE_MIN)
        for (let back = 1; back <= run; back += 1) text[start + (at - back) * step] = 0;
      run = 0;
    }
  };
  for (let y = 0; y < rows; y += 1) clear(y * columns, 1, columns);
  for (let x = 0; x < columns; x += 1) clear(x, columns, rows);
  return text;
}

function segmentsOf(
  text: Uint8Array,
  columns: number,
  { top, bottom }: PageStrip,
): InkLine["segments"] {
  const gap = (bottom - top) * COLUMN_GAP;
  const segments: { left: number; right: number }[] = [];
  for (let x = 0; x < columns; x += 1) {
    let hasInk = false;
    for (let y = top; y < bottom && !hasInk; y += 1) hasInk = text[y * columns + x] === 1;
    if (!hasInk) continue;
    const last = segments.at(-1);
    if (last !== undefined && x - last.right < gap) last.right = x + 1;
    else segments.push({ left: x, right: x + 1 });
  }
  return segments.filter(({ left, right }) => right - left > SPECK_MAX);
}

/** The picture with what is above and below the strip, one below the other. */
export function withoutStrip(picture: PagePicture, { top, bottom }: PageStrip): PagePicture {
  const { width, height, pixels } = picture;
  const rest = new Uint8Array(width * (height - bottom + top));
  rest.set(pixels.subarray(0, top * width));
  rest.set(pixels.subarray(bottom * width), top * width);
  return { ...picture, height: height - bottom + top, pixels: rest };
}

/** The picture of the strip alone. */
export const stripOf = (
  { width, pixels }: GreyPicture,
  { top, bottom }: PageStrip,
): GreyPicture => ({
  ...{ width, height: bottom - top },
  pixels: pixels.subarray(top * width, bottom * width),
});

/** Rows next to the strip, on each side, that show what it is, and the lines that these are looked for in. */
const ROWS_AROUND = 2;
const LINES_AROUND_MAX = 6;

/**
 * Whether the strip is between rows of a table, so that nothing but rows is in it.
 * @param words of the picture without the strip
 * @param top of the strip, as the words have it
 */
export function areRowsAround(words: readonly PageWord[], top: number): boolean {
  const { lines } = readDocumentLines(words);
  const isAbove = (line: PageLine): boolean => (line.top + line.bottom) / 2 < top;
  const above = lines.filter(isAbove).reverse();
  const below = lines.filter((line) => !isAbove(line));
  return [above, below].every((side) => {
    const near = side.slice(0, LINES_AROUND_MAX);
    const second = near.map((line, at) => (isDated(line) ? at : -1)).filter((at) => at >= 0)[
      ROWS_AROUND - 1
    ];
    return (
      second !== undefined &&
      near.slice(0, second + 1).every(({ facts, header }) => facts.length === 0 && header === null)
    );
  });
}

/** The words of the picture without the strip, moved to where they are on the page, and those of the strip. */
export const withMiddle = (
  words: readonly RecognisedWord[],
  middle: readonly RecognisedWord[],
  { top, bottom }: PageStrip,
): RecognisedWord[] => {
  const moved = ({ box: [left, y, right, end], ...word }: RecognisedWord, by: number) => ({
    ...word,
    box: [left, y + by, right, end + by] as const,
  });
  return [
    ...words.map((word) => moved(word, (word.box[1] + word.box[3]) / 2 < top ? 0 : bottom - top)),
    ...middle.map((word) => moved(word, top)),
  ];
};
