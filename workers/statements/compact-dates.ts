// "20260105" and "050126": eight or six digits are a day only in a column of such days, because numbers of cheques and references look
// like them too. Six stand in savings books and old systems; their order is the only one in which the days of the column go on in time.
import { findDates, isCalendarDay } from "./dates.ts";
import { makeLine, type TextLine } from "./lines.ts";
import type { PageWord } from "./words.ts";

const COMPACT = /^((?:19|20)\d{2})(\d{2})(\d{2})$/u;
const LINES_MIN = 3;
const SHORT_LINES_MIN = 5;
const SHORT = /^\d{6}$/u;
/** From six digits to "2026-01-05". */
const SHORT_ORDERS: readonly ((text: string) => string)[] = [
  (text) => text.replace(/^(..)(..)(..)$/u, "20$3-$2-$1"),
  (text) => text.replace(/^(..)(..)(..)$/u, "20$1-$2-$3"),
  (text) => text.replace(/^(..)(..)(..)$/u, "20$3-$1-$2"),
];
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

/**
 * The same lines with "2026-01-05" for "20260105" or "050126", where more lines have such days below each other than begin with other
 * dates.
 */
export function splitCompactDates(printed: readonly TextLine[]): readonly TextLine[] {
  const lines = printed.map((line) =>
    line.words.some(({ text }) => BEFORE_HAN.test(text))
      ? makeLine(line.words.flatMap(splitBeforeHan))
      : line,
  );
  const column = dayColumnOf(lines, isCompactDate, LINES_MIN);
  if (column !== null) return withColumn(lines, column, isCompactDate, splitDay);
  const short = dayColumnOf(lines, isShort, SHORT_LINES_MIN);
  const orders = SHORT_ORDERS.filter(
    (order) => short !== null && goOnInTime([...short].map(({ text }) => order(text))),
  );
  const [order] = orders;
  if (short === null || order === undefined || orders.length > 1) return lines;
  return withColumn(
    lines,
    short,
    (word) => isShort(word) && isCalendarDay(order(word.text)),
    order,
  );
}

/** The most such words below each other; null: not more than the lines that begin with other dates. */
function dayColumnOf(
  lines: readonly TextLine[],
  isDay: (word: PageWord) => boolean,
  min: number,
): ReadonlySet<PageWord> | null {
  const found = lines.flatMap(({ words }) => words.slice(0, PLACE_MAX).find(isDay) ?? []);
  if (found.length < min) return null;
  const column = found
    .map(({ left }) => new Set(found.filter((word) => Math.abs(word.left - left) < EDGE_TOLERANCE)))
    .reduce((best, words) => (words.size > best.size ? words : best));
  return column.size < min || column.size <= lines.filter(beginsWithDate).length ? null : column;
}

/** With the day behind it too: the one of its value. */
function withColumn(
  lines: readonly TextLine[],
  column: ReadonlySet<PageWord>,
  isDay: (word: PageWord) => boolean,
  write: (text: string) => string,
): readonly TextLine[] {
  return lines.map((line) => {
    const at = line.words.findIndex((word) => column.has(word));
    const second = line.words[at + 1];
    if (at < 0) return line;
    const dates = second !== undefined && isDay(second) ? [at, at + 1] : [at];
    const written = line.words.map((word, index) =>
      dates.includes(index)
        ? { ...word, text: write(word.text), printed: word.printed ?? word }
        : word,
    );
    return makeLine(written);
  });
}

/** Days that all exist, each not before (or none behind) the one above it, and not all the same. */
function goOnInTime(days: readonly string[]): boolean {
  const pairs = days.slice(1).map((day, at) => [days[at] ?? "", day] as const);
  const isSorted =
    pairs.every(([before, day]) => before <= day) || pairs.every(([before, day]) => before >= day);
  return isSorted && days.every(isCalendarDay) && days[0] !== days.at(-1);
}

const isShort = ({ text }: PageWord): boolean => SHORT.test(text);

const isCompactDate = ({ text }: PageWord): boolean =>
  COMPACT.test(text) && isCalendarDay(text.replace(COMPACT, "$1-$2-$3"));

/** In either order of day and month. */
const beginsWithDate = (line: TextLine): boolean => findDates(line, "day first")[0]?.from === 0;

const splitDay = (text: string): string => text.replace(COMPACT, "$1-$2-$3");
