// "20260105": eight digits are a day only in a column of such days, because numbers of cheques and references look like them too.
import { findDates, isCalendarDay } from "./dates.ts";
import { makeLine, type TextLine } from "./lines.ts";
import type { PageWord } from "./words.ts";

const COMPACT = /^((?:19|20)\d{2})(\d{2})(\d{2})$/u;
const LINES_MIN = 3;
/** The number of a row and a code may stand before the day. */
const PLACE_MAX = 3;
/** In points: the digits of a column begin at one edge. */
const EDGE_TOLERANCE = 3;

/** "20260105水电费" and "20260113ATM取款": nothing sets the columns of Chinese statements apart where the description begins at once. */
const BEFORE_HAN = /^((?:19|20)\d{2}[-/.]?\d{2}[-/.]?\d{2})((?=\p{L}).*\p{Script=Han}.*)$/u;
/** In widths of a digit. */
const HAN_WIDTH = 2;

function splitBeforeHan(word: PageWord): readonly PageWord[] {
  const [, day = "", text = ""] = BEFORE_HAN.exec(word.text) ?? [];
  if (day === "") return [word];
  const share = day.length / (day.length + HAN_WIDTH * text.length);
  const edge = word.left + (word.right - word.left) * share;
  return [
    { ...word, text: day, right: edge },
    { ...word, text, left: edge },
  ];
}

/** The same lines with "2026-01-05" for "20260105", where more lines have such days below each other than begin with other dates. */
export function splitCompactDates(printed: readonly TextLine[]): readonly TextLine[] {
  const lines = printed.map((line) =>
    line.words.some(({ text }) => BEFORE_HAN.test(text))
      ? makeLine(line.words.flatMap(splitBeforeHan))
      : line,
  );
  const found = lines.flatMap(({ words }) => words.slice(0, PLACE_MAX).find(isCompactDate) ?? []);
  if (found.length < LINES_MIN) return lines;
  const column = found
    .map(({ left }) => new Set(found.filter((word) => Math.abs(word.left - left) < EDGE_TOLERANCE)))
    .reduce((best, words) => (words.size > best.size ? words : best));
  if (column.size < LINES_MIN || column.size <= lines.filter(beginsWithDate).length) return lines;
  return lines.map((line) => {
    const at = line.words.findIndex((word) => column.has(word));
    const second = line.words[at + 1];
    if (at < 0) return line;
    const dates = second !== undefined && isCompactDate(second) ? [at, at + 1] : [at];
    return makeLine(line.words.map((word, index) => (dates.includes(index) ? split(word) : word)));
  });
}

const isCompactDate = ({ text }: PageWord): boolean =>
  COMPACT.test(text) && isCalendarDay(text.replace(COMPACT, "$1-$2-$3"));

/** In either order of day and month. */
const beginsWithDate = (line: TextLine): boolean => findDates(line, "day first")[0]?.from === 0;

const split = (word: PageWord): PageWord => ({
  ...word,
  text: word.text.replace(COMPACT, "$1-$2-$3"),
  printed: word.printed ?? word,
});
