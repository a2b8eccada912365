// Notes right of a statement, such as those of a specimen that explains its parts: their words stand in the lines of rows.
import type { PageWord } from "./words.ts";

/** Lines of a note that begin at one edge; fewer are words of a row. */
const LINES_MIN = 4;
/** Of a page, those where most words begin. */
const EDGES_MAX = 24;
/** In points. */
const EDGE_TOLERANCE = 1;
/** A title above or a line at the foot of the page may reach over the edge. */
const CROSSING_LINES_MAX = 4;
/** Notes have numbers in their texts; a column of a table begins with them in most lines. */
const NUMBERS_SHARE_MAX = 0.4;
const NUMBERED_STARTS_MAX = 0.2;
/** In points: it stands left of its note. */
const MARK_WIDTH_MAX = 40;
/** "C", or 3 in a circle: what a note is about has the same mark. */
const MARK = /^(?:\p{Lu}|\d)$/u;

/** The words without those of such notes and their marks; null: no page has them. */
export function withoutSideNotes(words: readonly PageWord[]): readonly PageWord[] | null {
  const pages = [...Map.groupBy(words, ({ page }) => page).values()];
  const notes = new Set(pages.flatMap((page) => notesOf(page)));
  return notes.size === 0 ? null : words.filter((word) => !notes.has(word));
}

function notesOf(page: readonly PageWord[]): readonly PageWord[] {
  const middle = (Math.min(...page.map(({ left }) => left)) + maxRight(page)) / 2;
  const starts = page.map(({ left }) => Math.round(left)).filter((left) => left > middle);
  const edges = [...Map.groupBy(starts, (left) => left)]
    .filter(([, { length }]) => length > 1)
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, EDGES_MAX);
  const found = edges.flatMap(([edge]) => notesAt(page, edge) ?? []);
  const best = found.reduce((most, one) => (one.lines > most.lines ? one : most), NONE);
  const marks = new Set(
    page
      .filter(({ left, text }) => MARK.test(text) && left > best.edge - MARK_WIDTH_MAX)
      .map(({ text }) => text),
  );
  return best.lines === 0 ? [] : [...best.words, ...page.filter(({ text }) => marks.has(text))];
}

interface SideNotes {
  readonly edge: number;
  /** That begin at the edge. */
  readonly lines: number;
  readonly words: readonly PageWord[];
}

const NONE: SideNotes = { edge: 0, lines: 0, words: [] };

function notesAt(page: readonly PageWord[], edge: number): SideNotes | null {
  const starts = page.filter(({ left }) => Math.abs(left - edge) <= EDGE_TOLERANCE);
  if (starts.length < LINES_MIN) return null;
  const isCrossed = (word: PageWord): boolean =>
    word.left < edge - EDGE_TOLERANCE && word.right > edge;
  const crossing = [...new Set(page.filter(isCrossed).map(({ top }) => Math.round(top)))];
  const tops = starts.map(({ top }) => Math.round(top));
  const [first, last] = [Math.min(...tops), Math.max(...tops)];
  // The head of a letter stands above the notes, and belongs to none of them.
  const above = Math.max(...crossing.filter((top) => top < first), Number.NEGATIVE_INFINITY);
  const words = page.filter(({ left, top }) => {
    const line = Math.round(top);
    return left >= edge - EDGE_TOLERANCE && line > above && !crossing.includes(line);
  });
  const areNotes =
    crossing.filter((top) => top > first && top < last).length <= CROSSING_LINES_MAX &&
    words.length >= starts.length * 2 &&
    numbersIn(words) <= words.length * NUMBERS_SHARE_MAX &&
    numbersIn(starts) <= starts.length * NUMBERED_STARTS_MAX;
  return areNotes ? { edge, lines: starts.length, words } : null;
}

const numbersIn = (words: readonly PageWord[]): number =>
  words.filter(({ text }) => /\d/u.test(text)).length;

const maxRight = (words: readonly PageWord[]): number =>
  Math.max(...words.map(({ right }) => right));
