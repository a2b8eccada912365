// When payments fall due: calendars of billers, employers and offices, as lists of days. Posting is another step.
import type { Random } from "../../test/support/random.ts";
import type { BankCalendar } from "../../workers/recurrence/calendar/bank-days.ts";
import {
  toCalendarDate,
  dayInMonth,
  dayNumber,
  MONDAY,
  nthWeekday,
  weekdayOf,
} from "../../workers/recurrence/calendar/days.ts";

/** Both days included. */
export interface DayRange {
  readonly from: number;
  readonly until: number;
}

/** The due days of a range, ascending. */
export type Schedule = (range: DayRange) => readonly number[];

/** Asks `daysOf` for each month that the range touches. */
const byMonth =
  (daysOf: (year: number, month: number) => readonly number[]): Schedule =>
  ({ from, until }) => {
    const first = toCalendarDate(from);
    const last = toCalendarDate(until);
    const days: number[] = [];
    const end = last.year * 12 + last.month;
    for (let at = first.year * 12 + first.month; at <= end; at++)
      days.push(...daysOf(Math.floor((at - 1) / 12), ((at - 1) % 12) + 1));
    return days.filter((day) => day >= from && day <= until).sort((a, b) => a - b);
  };

/**
 * A day of each month; in shorter months its last day, and the 31st again afterwards (Stripe, "Set the subscription billing
 * renewal date": a subscription with the 31st as its anchor bills on the last day of months with fewer days).
 * @param months of the year that have a payment; absent: all
 */
export const monthlyOn = (day: number, months?: readonly number[]): Schedule =>
  byMonth((year, month) =>
    months !== undefined && !months.includes(month) ? [] : [dayInMonth(year, month, day)],
  );

/** Every `count` months on a day, from the month that `anchor` is in. */
export const everyMonths = (count: number, anchor: number): Schedule => {
  const start = toCalendarDate(anchor);
  return byMonth((year, month) => {
    const distance = (year - start.year) * 12 + month - start.month;
    return distance % count === 0 ? [dayInMonth(year, month, start.day)] : [];
  });
};

export const everyDays =
  (count: number, anchor: number): Schedule =>
  ({ from, until }) => {
    const days: number[] = [];
    const behind = (((from - anchor) % count) + count) % count;
    for (let day = behind === 0 ? from : from + count - behind; day <= until; day += count)
      days.push(day);
    return days;
  };

/** @param second day of the month; 31 is its last day */
export const twiceMonthly = (first: number, second: number): Schedule =>
  byMonth((year, month) => [dayInMonth(year, month, first), dayInMonth(year, month, second)]);

export const nthWeekdayMonthly = (weekday: number, n: number): Schedule =>
  byMonth((year, month) => [nthWeekday(year, month, weekday, n)]);

export const firstBankDays = (calendar: BankCalendar): Schedule =>
  byMonth((year, month) => [calendar.firstOfMonth(year, month)]);

export const lastBankDays = (calendar: BankCalendar): Schedule =>
  byMonth((year, month) => [calendar.lastOfMonth(year, month)]);

export const bankDays =
  (calendar: BankCalendar): Schedule =>
  ({ from, until }) =>
    Array.from({ length: until - from + 1 }, (_, index) => from + index).filter((day) =>
      calendar.isBankDay(day),
    );

/** The same days of every year. */
export const yearlyDays = (dates: readonly (readonly [month: number, day: number])[]): Schedule =>
  byMonth((year, month) =>
    dates.filter(([one]) => one === month).map(([, day]) => dayInMonth(year, month, day)),
  );

/**
 * Bills of a meter that is read on a route of working days: 28 to 33 days between readings (New York Codes, Rules and
 * Regulations, title 16, part 11.13, allows 26 to 35), and due a fixed number of days afterwards.
 */
export function meterCycle(random: Random, calendar: BankCalendar, range: DayRange): Schedule {
  const days: number[] = [];
  const SHORTEST = 28;
  const LONGEST = 33;
  const dueAfter = random.integer(18, 24);
  // The route keeps its place in the month: a long gap is followed by a shorter one.
  for (let at = dayNumber(toCalendarDate(range.from).year, 1, 1) - 62; at <= range.until; ) {
    days.push(calendar.following(at) + dueAfter);
    const { year, month } = toCalendarDate(at);
    const wanted = dayInMonth(year, month + 1, toCalendarDate(days[0] ?? at).day);
    const gap = wanted - at + random.integer(-2, 2);
    at += Math.min(LONGEST, Math.max(SHORTEST, gap));
  }
  return ({ from, until }) => days.filter((day) => day >= from && day <= until);
}

/** The Monday of the week of a day. */
export const mondayOf = (day: number): number => day - ((weekdayOf(day) - MONDAY + 7) % 7);
