// Amounts in the middle of a row whose text has two lines: tables of web pages centre the values of a row by default.
import { makeLine, type TextLine } from "./lines.ts";
import type { PageWord } from "./words.ts";

const AMOUNT =
  /^[-+(=\u2212]?(?:\p{Lu}{0,3}\p{Sc}|\p{Lu}{3})?[-+\u2212]?\d[\d.,'’]*[.,]\d{2}[-+)]?$/u;
const MARK = /^(?:[-+\u2212]|\p{Sc}|\p{Lu}{3}|CR|DR)$/iu;

/** The same lines, with such amounts in the upper one of the two. */
export function joinCentredAmounts(lines: readonly TextLine[]): readonly TextLine[] {
  const joined = new Map<TextLine, TextLine>();
  const moved = new Set<TextLine>();
  for (const [at, line] of lines.entries()) {
    const [above, below] = [lines[at - 1], lines[at + 1]];
    if (above === undefined || below === undefined || moved.has(above)) continue;
    if (!isOfAmounts(line) || !isCentred(line, above, below)) continue;
    joined.set(above, makeLine([...above.words, ...line.words.map((word) => inLine(word, above))]));
    moved.add(line);
  }
  return moved.size === 0
    ? lines
    : lines.flatMap((line) => (moved.has(line) ? [] : [joined.get(line) ?? line]));
}

const isOfAmounts = ({ words }: TextLine): boolean =>
  words.some(({ text }) => AMOUNT.test(text)) &&
  words.every(({ source, text }) => source !== "ocr" && (AMOUNT.test(text) || MARK.test(text)));

/** Right of two lines of text that begin at one edge, and at the height of both. */
function isCentred(line: TextLine, above: TextLine, below: TextLine): boolean {
  const [left, right] = [leftOf(line), Math.max(rightOf(above), rightOf(below))];
  const edges = Math.abs(leftOf(above) - leftOf(below));
  return (
    [above.page, below.page].every((page) => page === line.page) &&
    line.top < above.bottom &&
    line.bottom > below.top &&
    left > right &&
    edges < line.bottom - line.top
  );
}

const leftOf = ({ words }: TextLine): number => Math.min(...words.map(({ left }) => left));
const rightOf = ({ words }: TextLine): number => Math.max(...words.map(({ right }) => right));

const inLine = (word: PageWord, { top, bottom }: TextLine): PageWord => ({
  ...word,
  ...{ top, bottom, printed: word.printed ?? word },
});
