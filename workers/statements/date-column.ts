// Which of two dates at the start of a row is its date: the one below the heading of the dates.
import type { PrintedDate } from "./dates.ts";
import type { PageLine } from "./layout.ts";
import type { HeaderCell } from "./header-cell.ts";

/** The first one, unless only another one stands below the heading, such as "Received by us" in front of "Transaction date". */
export function dateOfRow({ dates }: PageLine, header: readonly HeaderCell[]): PrintedDate | null {
  const [first = null] = dates;
  const cells = header.filter(({ role }) => role === "date");
  const isBelow = ({ words }: PrintedDate): boolean =>
    words.some((word) => cells.some(({ left, right }) => word.left < right && word.right > left));
  if (first === null) return first;
  const found = isBelow(first) ? first : (dates.find(isBelow) ?? first);
  return found.year === null ? withYearOf(found, dates) : found;
}

/** Months that lie between two dates of one row at most; more are a turn of the year. */
const MONTHS_APART_MAX = 6;

/** "02 May   02 May 24": the year is printed with the day of the value alone. */
function withYearOf(date: PrintedDate, dates: readonly PrintedDate[]): PrintedDate {
  const other = dates.find(({ year }) => year !== null);
  if (other?.year == null) return date;
  const months = date.month - other.month;
  const turn = Math.abs(months) > MONTHS_APART_MAX ? Math.sign(months) : 0;
  return { ...date, year: other.year - turn };
}
