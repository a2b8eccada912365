// Lists without a header whose rows stand below the day they are of: "Wed 30 September 2026", as the pages of apps print them.
import type { PageLine } from "./layout.ts";

/** A letter has one day, and may have an amount below it. */
const DAYS_MIN = 3;

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
  const below = lines.flatMap((line, at) => (isDayLine(line) ? [isRow(lines[at + 1])] : []));
  const filled = below.filter(Boolean).length;
  return filled >= DAYS_MIN && filled * 2 > below.length;
}
