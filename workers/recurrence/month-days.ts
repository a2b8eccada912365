// On which day of a month payments fall due: dates, such as the 31st, the second Wednesday, the first and the last bank day. Found
// once for a run of payments: all kinds of rules by months ask for the same days.
import type { BankCalendar } from "./calendar/bank-days.ts";
import { dateInMonth, monthOf, monthStart, weekdayOf } from "./calendar/days.ts";

/** Of whole numbers. */
export const modulo = (value: number, by: number): number => value - by * Math.floor(value / by);

/**
 * Numbers by which to count, all 0. Not a typed array: one of more than 64 bytes has memory of its own outside of the heap, which
 * takes longer to get and to free than all that is counted here.
 */
export function zeros(length: number): number[] {
  const list = new Array<number>(length);
  // Lists are short: `fill` takes longer to begin than this.
  for (let at = 0; at < length; at++) list[at] = 0;
  return list;
}

/** The places of the largest numbers above 0, of equals the smaller first. */
export function topKeys(counts: readonly number[], keysMax: number): readonly number[] {
  const top: number[] = [];
  for (let key = 0; key < counts.length; key++) {
    const count = counts[key] ?? 0;
    if (count <= 0) continue;
    let at = top.length;
    while (at > 0 && count > (counts[top[at - 1] ?? 0] ?? 0)) at -= 1;
    if (at === keysMax) continue;
    // Moved by hand: `splice` makes a list of what it removes, for every run of payments.
    for (let last = Math.min(top.length, keysMax - 1); last > at; last--)
      top[last] = top[last - 1] ?? 0;
    top[at] = key;
  }
  return top;
}

/** The due day of a month; months are counted from January 1970, which is 0. */
export type DayOfMonth = (month: number) => number;

export const onDate =
  (date: number): DayOfMonth =>
  (month) =>
    dateInMonth(month, date);

/** From the first on: the second Wednesday is the second of the month. */
function onNthWeekday(weekday: number, nth: number): DayOfMonth {
  const weeks = 7 * (nth - 1);
  return (month) => {
    const first = monthStart(month);
    return first + modulo(weekday - weekdayOf(first), 7) + weeks;
  };
}

/** The month whose due day is nearest to a day. */
export const nearestMonth = (dayOf: DayOfMonth, day: number): number =>
  nearestTo(dayOf, day, monthOf(day));

/** @param month that the day is in */
function nearestTo(dayOf: DayOfMonth, day: number, month: number): number {
  const due = dayOf(month);
  const distance = Math.abs(due - day);
  // A due day of another month is at least half a month away unless this one is far.
  if (distance <= 13) return month;
  const other = due > day ? month - 1 : month + 1;
  return Math.abs(dayOf(other) - day) < distance ? other : month;
}

/** Of each payment, the month whose due day is nearest, and that day. */
export interface NearestMonths {
  readonly months: readonly number[];
  readonly dueDays: readonly number[];
  /** How many of them there are in each month of the year, January first. */
  readonly countsOfYear: readonly number[];
}

export interface MonthDay {
  readonly dayOf: DayOfMonth;
  /** What it costs to say which day it is. */
  readonly bits: number;
  nearest(): NearestMonths;
}

/** The days of a run of payments. */
export interface RunDays {
  /** Ascending. */
  readonly days: readonly number[];
  /** The month that each is in. */
  months(): readonly number[];
  /** Ways to say on which day of a month. */
  monthDays(): readonly MonthDay[];
}

/** @param calendar of the bank days that payments are moved to */
export function createRunDays(days: readonly number[], calendar: BankCalendar): RunDays {
  let inMonths: readonly number[] | null = null;
  let found: readonly MonthDay[] | null = null;
  const months = (): readonly number[] => (inMonths ??= days.map(monthOf));
  return {
    days,
    months,
    monthDays: () => (found ??= findMonthDays(days, months(), calendar)),
  };
}

/** The days of some months that are nearest to days of payments. */
export function nearestMonths(
  days: readonly number[],
  months: readonly number[],
  dayOf: DayOfMonth,
): NearestMonths {
  const nearest = zeros(days.length);
  const dueDays = zeros(days.length);
  const countsOfYear = zeros(12);
  for (let at = 0; at < days.length; at++) {
    const month = nearestTo(dayOf, days[at] ?? 0, months[at] ?? 0);
    nearest[at] = month;
    dueDays[at] = dayOf(month);
    const ofYear = modulo(month, 12);
    countsOfYear[ofYear] = (countsOfYear[ofYear] ?? 0) + 1;
  }
  return { months: nearest, dueDays, countsOfYear };
}

/** Dates are counted from 1 to 31. */
export const DATES = 32;
/** Weekday times eight and how often it was in the month. */
const NTH_WEEKDAYS = 56;
const LATE_DATES_MAX = 3;
/** Last days of months, on which payments come that are due at the end of any. */
const MONTH_ENDS = [29, 30, 31];

/** The date of a day in its month; 31 for the last day of any. */
export const dateOfMonth = (day: number, month: number): number =>
  day === monthStart(month + 1) - 1 ? 31 : day - monthStart(month) + 1;

function findMonthDays(
  days: readonly number[],
  months: readonly number[],
  calendar: BankCalendar,
): readonly MonthDay[] {
  const counts = zeros(DATES);
  const weekdays = zeros(NTH_WEEKDAYS);
  for (let at = 0; at < days.length; at++) {
    const day = days[at] ?? 0;
    const month = months[at] ?? 0;
    const date = dateOfMonth(day, month);
    counts[date] = (counts[date] ?? 0) + 1;
    const weekday = weekdayOf(day) * 8 + Math.ceil((day - monthStart(month) + 1) / 7);
    weekdays[weekday] = (weekdays[weekday] ?? 0) + 1;
  }
  const [weekday = 0] = topKeys(weekdays, 1);
  const createMonthDay = (dayOf: DayOfMonth, bits: number): MonthDay => {
    let nearest: NearestMonths | null = null;
    return { dayOf, bits, nearest: () => (nearest ??= nearestMonths(days, months, dayOf)) };
  };
  return [
    ...usualDates(counts).map((date) => createMonthDay(onDate(date), Math.log2(31))),
    createMonthDay(
      onNthWeekday(Math.floor(weekday / 8), Math.min(4, weekday % 8)),
      Math.log2(35) + 1,
    ),
    createMonthDay((month) => calendar.preceding(monthStart(month + 1) - 1), 4),
    createMonthDay((month) => calendar.following(monthStart(month)), 4),
  ];
}

/** @param counts of payments by date */
function usualDates(counts: readonly number[]): readonly number[] {
  // Payments that are moved to the next bank day, or posted late, begin at their due day; pay that is moved back ends there.
  const first = zeros(DATES);
  for (let date = 1; date < DATES; date++) {
    const count = counts[date] ?? 0;
    for (let before = 0; before <= Math.min(LATE_DATES_MAX, date - 1) && count > 0; before++)
      first[date - before] = (first[date - before] ?? 0) + count - before / 4;
  }
  const dates = [...topKeys(counts, 3)];
  const add = (date: number): void => {
    if (!dates.includes(date)) dates.push(date);
  };
  topKeys(first, 2).forEach(add);
  if (MONTH_ENDS.some((date) => dates.includes(date - 1))) MONTH_ENDS.forEach(add);
  return dates;
}
