// The day of each row. Where no year is printed in it, the period, other dates, or the age of the document gives one.
import { isCalendarDay, type PrintedDate, toIsoDate } from "./dates.ts";
import type { Period } from "./period.ts";

/** Days around a period in which a transaction may have been posted. */
const PERIOD_MARGIN_DAYS = 45;
const DAY_MS = 86_400_000;
/** A 29th of February is at most so many years back. */
const YEARS_BACK_MAX = 8;

/** What gives rows a year that do not print one; the first that is known. */
export interface YearSources {
  readonly period: Period | null;
  /** The latest that is printed in the document. */
  readonly printed: number | null;
  /** Of the dates that are printed with their year, YYYY-MM-DD. */
  readonly latestDay: string | null;
  /** Of the file, milliseconds since 1970. */
  readonly createdAt: number | null;
  readonly submittedAt: number | null;
}

/** YYYY-MM-DD, in the order of the rows. null: neither the row nor one before it has a date, or nothing gives it a year. */
export function datesOfRows(
  rows: readonly { readonly date: PrintedDate | null }[],
  sources: YearSources,
): (string | null)[] {
  const dates = withDaysBefore(rows);
  const first = firstMonth(dates);
  const inYear = ({ month, day }: PrintedDate, year: number): string =>
    toIsoDate(first !== null && month >= first ? year - 1 : year, month, day);
  const { period } = sources;
  const year = sources.printed ?? yearByAge(dates, sources, inYear);
  return dates.map((date) => {
    if (date === null) return null;
    if (date.year !== null) return toIsoDate(date.year, date.month, date.day);
    if (period !== null) return inPeriod(date, period);
    if (year === null) return null;
    const day = inYear(date, year);
    return isLongAfter(day, sources.latestDay) ? inYear(date, year - 1) : day;
  });
}

/** Rows of December, in a statement of January: half a year behind the last date that is printed is before it. */
const DAYS_AFTER_MAX = 183;

const isLongAfter = (day: string, latest: string | null): boolean =>
  latest !== null && Date.parse(day) - Date.parse(latest) > DAYS_AFTER_MAX * DAY_MS;

/** A row without a date has that of the row before: a page may begin with a row of the day before the break. */
function withDaysBefore(
  rows: readonly { readonly date: PrintedDate | null }[],
): (PrintedDate | null)[] {
  let before: PrintedDate | null = null;
  return rows.map(({ date }) => {
    before = date ?? before;
    return before;
  });
}

/** Months from one row to the next, in the printed order: more are a turn of the year. */
const STEP_MAX = 6;
/** Months without a row, at least, in the year of a statement that goes over new year: else it has rows of a whole year, in sections. */
const PAUSE_MIN = 3;

/**
 * Of rows over new year, the first month: behind the longest time without a row. null: they are of one year. Whether the newest row
 * comes first does not matter.
 */
function firstMonth(dates: readonly (PrintedDate | null)[]): number | null {
  const inOrder = dates.flatMap((date) => (date === null ? [] : [date.month]));
  const hasTurn = inOrder.some(
    (month, at) => Math.abs(month - (inOrder[at - 1] ?? month)) > STEP_MAX,
  );
  const months = [...new Set(inOrder)].toSorted((a, b) => a - b);
  const gaps = months.map((month, at) => month - (months[at - 1] ?? month));
  const longest = Math.max(0, ...gaps);
  return hasTurn && longest > PAUSE_MIN ? (months[gaps.indexOf(longest)] ?? null) : null;
}

/**
 * The latest year with which no row is after the day on which the file was made or, where that is not known or is after the submission,
 * on which it was submitted. A day more, because both are in UTC.
 */
function yearByAge(
  dates: readonly (PrintedDate | null)[],
  { createdAt, submittedAt }: YearSources,
  inYear: (date: PrintedDate, year: number) => string,
): number | null {
  if (submittedAt === null) return null;
  const until = createdAt !== null && createdAt <= submittedAt ? createdAt : submittedAt;
  const last = new Date(until + DAY_MS).toISOString().slice(0, 10);
  const years = Array.from(
    { length: YEARS_BACK_MAX + 1 },
    (_, back) => Number(last.slice(0, 4)) - back,
  );
  const isPossible = (day: string): boolean => day <= last && isCalendarDay(day);
  const fitting = years.find((year) =>
    dates.every((date) => date === null || isPossible(inYear(date, year))),
  );
  return fitting ?? null;
}

function inPeriod({ month, day }: PrintedDate, { start, end }: Period): string {
  const last = Number(end.slice(0, 4));
  const fitting = [last, last - 1, last + 1].find((year) => {
    const at = Date.UTC(year, month - 1, day);
    const margin = PERIOD_MARGIN_DAYS * DAY_MS;
    return at >= Date.parse(start) - margin && at <= Date.parse(end) + margin;
  });
  return toIsoDate(fitting ?? last, month, day);
}
