// Days that stand above the rows they are of, such as "Wed 30 September 2026" in lists without a header, as the pages of apps print them.
import type { PrintedDate } from "./dates.ts";
import type { PageLine } from "./layout.ts";
import type { HeaderCell } from "./header-cell.ts";

/** A letter has one day, and may have an amount below it. */
const DAYS_MIN = 3;
/** Until the one that has the amount. */
const ROW_LINES_MAX = 2;

/** Nothing but a day, with its year or the day of the week. */
export function isDayLine({ dates, words, money }: PageLine): boolean {
  const [date, ...more] = dates;
  if (date === undefined || more.length > 0 || money.length > 0) return false;
  return date.to === words.length && (date.year !== null || date.from > 0);
}

/** Whether most of several such lines have a row below them, and no row has a day of its own. */
export function areRowsBelowDays(lines: readonly PageLine[]): boolean {
  const isRow = (line: PageLine | undefined): boolean =>
    line?.facts.length === 0 && line.money.some(({ isCertain }) => isCertain);
  if (lines.some((line) => line.dates.length > 0 && isRow(line))) return false;
  // The amount may stand level with the second line of its row, next to a picture.
  const below = lines.flatMap((line, at) =>
    isDayLine(line) ? [lines.slice(at + 1, at + 1 + ROW_LINES_MAX).some(isRow)] : [],
  );
  const filled = below.filter(Boolean).length;
  return filled >= DAYS_MIN && filled * 2 > below.length;
}

/** The date of the row before, which has no place in this one. */
export const unprinted = (date: PrintedDate | null): PrintedDate | null =>
  date === null ? null : { ...date, words: [] };

/** The day of the rows below. Next to a column of dates, such a line is the date of the statement. */
export const dayAbove = ({ day }: PageLine, header: readonly HeaderCell[]): PrintedDate | null =>
  header.length > 0 && !header.some(({ role }) => role === "date") ? unprinted(day) : null;

/** The same of a line that is nothing but a day. */
export const dayOfLine = (line: PageLine): PrintedDate | null =>
  isDayLine(line) ? unprinted(line.dates[0] ?? null) : null;

/** A line that begins with a date and has words behind it, but no amount. */
export const isDateLine = (line: PageLine): boolean =>
  line.dates[0]?.from === 0 &&
  line.header === null &&
  line.facts.length === 0 &&
  line.words.length > line.dates[0].to;
