// Lines of a photo run together on one side, because the page lies aslant: no single turn makes all of them level. Words are
// moved up or down, by as much as the lines around them slope.
import type { PageWord } from "./words.ts";

/** How much lines slope, at a height of the page: `at + by * y`. */
interface Slope {
  readonly at: number;
  readonly by: number;
}

/** In points, at the side of a page: lines that slope less are found as they are. */
const SHIFT_MIN = 1;
/** Pairs of words: fewer show no slope. */
const PAIRS_MIN = 12;
/** In heights of a word. Within the first distance no line can be mistaken for the next one. */
const GAPS = [3, 12] as const;
const RESIDUAL_MAX = 0.3;
/** Letters and marks that reach below the line that the others stand on. */
const BELOW = /[gjpqyQ,;()[\]|/]/u;

/**
 * The words of one page with level lines. What moved keeps its place in `printed`; of a text layer nothing moves.
 * @param words of one page
 */
export function levelWords(words: readonly PageWord[]): readonly PageWord[] {
  const standing = words.filter(
    ({ source, text }) => source === "ocr" && /[\p{L}\d]/u.test(text) && !BELOW.test(text),
  );
  if (standing.length < PAIRS_MIN) return words;
  const left = Math.min(...words.map((word) => word.left));
  const right = Math.max(...words.map((word) => word.right));
  let slope: Slope = { at: 0, by: 0 };
  for (const gap of GAPS) slope = slopeOf(standing, gap, slope);
  const half = (right - left) / 2;
  const most = Math.max(...words.map(({ bottom }) => Math.abs(slopeAt(slope, bottom)))) * half;
  if (most < SHIFT_MIN) return words;
  const middle = left + half;
  return words.map((word): PageWord => {
    if (word.source !== "ocr") return word;
    const shift = -slopeAt(slope, word.bottom) * (middleOf(word) - middle);
    return {
      ...word,
      ...{ top: word.top + shift, bottom: word.bottom + shift, printed: word.printed ?? word },
    };
  });
}

const slopeAt = ({ at, by }: Slope, y: number): number => at + by * y;
const middleOf = ({ left, right }: PageWord): number => (left + right) / 2;

interface Pair {
  readonly dx: number;
  readonly dy: number;
  readonly y: number;
  readonly height: number;
}

/** The slope that fits most pairs of neighbours, by least squares, twice: the second time without those that fit badly. */
function slopeOf(words: readonly PageWord[], gap: number, known: Slope): Slope {
  const pairs = words.flatMap((word) => pairOf(word, words, gap, known) ?? []);
  const first = fitOf(pairs);
  const fitting = pairs.filter(
    ({ dx, dy, y, height }) => Math.abs(dy - slopeAt(first, y) * dx) < height * RESIDUAL_MAX,
  );
  return fitOf(fitting);
}

/** A word and the next one of its line. */
function pairOf(
  word: PageWord,
  words: readonly PageWord[],
  gap: number,
  known: Slope,
): Pair | null {
  const height = word.bottom - word.top;
  let next: PageWord | null = null;
  for (const other of words) {
    const distance = other.left - word.right;
    if (distance < 0 || distance > gap * height) continue;
    const slope = slopeAt(known, word.bottom) * (middleOf(other) - middleOf(word));
    const isInLine = Math.abs(other.bottom - word.bottom - slope) < height / 2;
    if (isInLine && (next === null || other.left < next.left)) next = other;
  }
  if (next === null) return null;
  const dx = middleOf(next) - middleOf(word);
  return { dx, dy: next.bottom - word.bottom, y: (word.bottom + next.bottom) / 2, height };
}

/** Least squares of `dy = (at + by * y) * dx`. */
function fitOf(pairs: readonly Pair[]): Slope {
  if (pairs.length < PAIRS_MIN) return { at: 0, by: 0 };
  let [xx, xxy, xxyy, xd, xyd] = [0, 0, 0, 0, 0];
  for (const { dx, dy, y } of pairs) {
    xx += dx * dx;
    xxy += dx * dx * y;
    xxyy += dx * dx * y * y;
    xd += dx * dy;
    xyd += dx * dy * y;
  }
  const determinant = xx * xxyy - xxy * xxy;
  if (determinant <= 0) return { at: 0, by: 0 };
  return {
    at: (xd * xxyy - xyd * xxy) / determinant,
    by: (xx * xyd - xxy * xd) / determinant,
  };
}
