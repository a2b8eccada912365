// Lines of prose that hold words of headings.
import type { HeaderCell } from "./header-cell.ts";
import { linePieces } from "./line-pieces.ts";
import type { TextLine } from "./lines.ts";
import type { PageWord } from "./words.ts";

/** A unit such as "($)" has none, nor what text recognition makes of it. */
export const hasLetters = ({ text }: PageWord): boolean => /\p{L}/u.test(text);

const PROSE_WORDS_MIN = 5;
/** Of a piece between two gaps: no heading of a column has so many. */
const SENTENCE_WORDS_MIN = 8;

/**
 * "credited on your due date": words of headings in a sentence, which has mostly other words, and no gaps unless it is long or stands
 * next to another one.
 */
export function isProse(line: TextLine, cells: readonly HeaderCell[]): boolean {
  const isNamed = (word: PageWord): boolean =>
    cells.some(({ left, right }) => word.left >= left && word.right <= right);
  const isMostlyOther = (words: readonly PageWord[], wordsMin: number): boolean =>
    words.length >= wordsMin && words.filter(isNamed).length * 2 < words.length;
  const pieces = linePieces(line).map(({ words }) => words.filter(hasLetters));
  const words = pieces.flat();
  const isFew =
    words.length >= 2 * PROSE_WORDS_MIN && words.filter(isNamed).length * 4 < words.length;
  return (
    isFew ||
    (pieces.length === 1 && isMostlyOther(words, PROSE_WORDS_MIN)) ||
    pieces.some((piece) => isMostlyOther(piece, SENTENCE_WORDS_MIN))
  );
}
