// Rules by which payments fall due, and the candidates for a set of payments: the residues of days and the days of the month that
// occur most. A due day is nominal: banks and billers move it, which `fit.ts` judges.
import type { Periodicity } from "../../src/model/recurrence.ts";
import type { BankCalendar } from "./calendar/bank-days.ts";
import { dateInMonth, monthOf, monthStart, weekdayOf } from "./calendar/days.ts";

export interface DueRule {
  readonly periodicity: Periodicity;
  readonly periodDays: number;
  /** Days before and after a due day on which its payment may come. Windows of neighbours do not meet. */
  readonly early: number;
  readonly late: number;
  /** What it costs to say which rule it is, in bits. */
  readonly parameterBits: number;
  /** The period whose due day is nearest, as a whole number that grows by one from period to period. */
  periodOf(day: number): number;
  dueDay(period: number): number;
}

/**
 * The first due day after a day.
 * @param move where a due day goes: at most some days from where it is
 */
export function dueAfter(rule: DueRule, after: number, move: (day: number) => number): number {
  for (let period = rule.periodOf(after) - 2; ; period++) {
    const day = move(rule.dueDay(period));
    if (day > after) return day;
  }
}

/** Bits that distinguish the kinds of rules. */
export const FAMILY_BITS = 3;

/** How often each whole number below `size` occurs. */
function countKeys(
  values: readonly number[],
  size: number,
  keyOf: (value: number) => number,
): Float64Array {
  const counts = new Float64Array(size);
  for (const value of values) {
    const key = keyOf(value);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** The numbers that occur most, of equals the smaller first. */
function topKeys(counts: Float64Array, keysMax: number): readonly number[] {
  const top: number[] = [];
  while (top.length < keysMax) {
    let best = -1;
    let most = 0;
    // Not over its entries, each of which would be a pair made for it: this is done for every run of payments.
    for (let key = 0; key < counts.length; key++) {
      const count = counts[key] ?? 0;
      if (count <= most || top.includes(key)) continue;
      best = key;
      most = count;
    }
    if (best === -1) break;
    top.push(best);
  }
  return top;
}

interface Cycle {
  readonly periodicity: Periodicity;
  readonly days: number;
  readonly early: number;
  readonly late: number;
  /** Bits for a kind that is rarer than others. */
  readonly rarity: number;
}

/** Every so many days. Every four weeks is usual for pensions, wages and meal boxes; it has no word of its own. */
export const CYCLES: readonly Cycle[] = [
  { periodicity: "weekly", days: 7, early: 2, late: 3, rarity: 0 },
  { periodicity: "bi-weekly", days: 14, early: 4, late: 5, rarity: 0 },
  { periodicity: "other", days: 28, early: 5, late: 6, rarity: 2 },
];

export function modulo(value: number, by: number): number {
  const rest = value % by;
  return rest < 0 ? rest + by : rest;
}

export function cycleRules(days: readonly number[], cycle: Cycle): readonly DueRule[] {
  const residues = topKeys(
    countKeys(days, cycle.days, (day) => modulo(day, cycle.days)),
    3,
  );
  return residues.map((residue) => ({
    ...{ periodicity: cycle.periodicity, periodDays: cycle.days },
    ...{ early: cycle.early, late: cycle.late },
    parameterBits: Math.log2(cycle.days) + FAMILY_BITS + cycle.rarity,
    periodOf: (day) => Math.round((day - residue) / cycle.days),
    dueDay: (period) => residue + period * cycle.days,
  }));
}

interface MonthCycle {
  readonly periodicity: Periodicity;
  readonly months: number;
  readonly days: number;
  readonly early: number;
  readonly late: number;
  readonly rarity: number;
}

/** Mean days of months: 365.2425 / 12. */
export const MONTH_DAYS = 30.44;

export const MONTH_CYCLES: readonly MonthCycle[] = [
  { periodicity: "monthly", months: 1, days: MONTH_DAYS, early: 6, late: 8, rarity: 0 },
  { periodicity: "bi-monthly", months: 2, days: 2 * MONTH_DAYS, early: 8, late: 9, rarity: 2 },
  { periodicity: "quarterly", months: 3, days: 3 * MONTH_DAYS, early: 8, late: 10, rarity: 1 },
  { periodicity: "semi-yearly", months: 6, days: 6 * MONTH_DAYS, early: 10, late: 12, rarity: 1 },
  { periodicity: "yearly", months: 12, days: 12 * MONTH_DAYS, early: 12, late: 14, rarity: 0 },
];

/** The due day of a month; months are counted from January 1970, which is 0. */
export type DayOfMonth = (month: number) => number;

export const onDate =
  (date: number): DayOfMonth =>
  (month) =>
    dateInMonth(month, date);

/** The date in its month; 31 for the last day of any. */
function dateOfMonth(day: number): number {
  const month = monthOf(day);
  return day === monthStart(month + 1) - 1 ? 31 : day - monthStart(month) + 1;
}

/** From the first on: the second Wednesday is the second of the month. */
function nthWeekdayOf(month: number, weekday: number, nth: number): number {
  const first = monthStart(month);
  return first + modulo(weekday - weekdayOf(first), 7) + 7 * (nth - 1);
}

interface MonthDay {
  readonly dayOf: DayOfMonth;
  /** What it costs to say which day it is. */
  readonly bits: number;
  /** Of each payment, the month whose day is the nearest: found once for the kinds of rules that count them. */
  nearestMonths(): readonly number[];
}

function createMonthDay(days: readonly number[], dayOf: DayOfMonth, bits: number): MonthDay {
  let months: readonly number[] | null = null;
  return {
    dayOf,
    bits,
    nearestMonths: () => (months ??= days.map((day) => nearestMonth(dayOf, day))),
  };
}

/** Dates are counted from 1 to 31. */
const DATES = 32;
/** Weekday times eight and how often it was in the month. */
const NTH_WEEKDAYS = 56;
const LATE_DATES_MAX = 3;

/** Ways to say on which day of a month. */
function findMonthDays(days: readonly number[], calendar: BankCalendar): readonly MonthDay[] {
  const counts = countKeys(days, DATES, dateOfMonth);
  // Payments that are moved to the next bank day, or posted late, begin at their due day; pay that is moved back ends there.
  const first = new Float64Array(DATES);
  for (const [date, count] of counts.entries())
    for (let before = 0; before <= Math.min(LATE_DATES_MAX, date - 1) && count > 0; before++)
      first[date - before] = (first[date - before] ?? 0) + count - before / 4;
  const dates = new Set([...topKeys(counts, 3), ...topKeys(first, 2)]);
  if ([28, 29, 30].some((date) => dates.has(date)))
    for (const date of [29, 30, 31]) dates.add(date);
  const [weekday = 0] = topKeys(
    countKeys(
      days,
      NTH_WEEKDAYS,
      (day) => weekdayOf(day) * 8 + Math.ceil((day - monthStart(monthOf(day)) + 1) / 7),
    ),
    1,
  );
  return [
    ...[...dates].map((date) => createMonthDay(days, onDate(date), Math.log2(31))),
    createMonthDay(
      days,
      (month) => nthWeekdayOf(month, Math.floor(weekday / 8), Math.min(4, weekday % 8)),
      Math.log2(35) + 1,
    ),
    createMonthDay(days, (month) => calendar.preceding(monthStart(month + 1) - 1), 4),
    createMonthDay(days, (month) => calendar.following(monthStart(month)), 4),
  ];
}

/** The kinds of rules ask for the same days one after the other. */
let latest: { readonly days: readonly number[]; readonly found: readonly MonthDay[] } | null = null;

export function monthDaysOf(days: readonly number[], calendar: BankCalendar): readonly MonthDay[] {
  if (latest?.days !== days) latest = { days, found: findMonthDays(days, calendar) };
  return latest.found;
}

export function monthRules(
  days: readonly number[],
  cycle: MonthCycle,
  calendar: BankCalendar,
): readonly DueRule[] {
  const { months } = cycle;
  return monthDaysOf(days, calendar).flatMap(({ dayOf, bits, nearestMonths }) => {
    // The month that a payment is due in is not always the one that it comes in.
    const phases =
      months === 1
        ? [0]
        : topKeys(
            countKeys(nearestMonths(), months, (month) => modulo(month, months)),
            2,
          );
    return phases.map((phase) => ({
      ...{ periodicity: cycle.periodicity, periodDays: cycle.days },
      ...{ early: cycle.early, late: cycle.late },
      parameterBits: bits + Math.log2(months) + FAMILY_BITS + cycle.rarity,
      periodOf: (day) => nearestPeriod(dayOf, day, months, phase),
      dueDay: (period) => dayOf(phase + period * months),
    }));
  });
}

export function nearestMonth(dayOf: DayOfMonth, day: number): number {
  const month = monthOf(day);
  const distance = Math.abs(dayOf(month) - day);
  // A due day of another month is at least half a month away unless this one is far.
  if (distance <= 13) return month;
  const other = dayOf(month) > day ? month - 1 : month + 1;
  return Math.abs(dayOf(other) - day) < distance ? other : month;
}

function nearestPeriod(dayOf: DayOfMonth, day: number, months: number, phase: number): number {
  const month = nearestMonth(dayOf, day);
  return months === 1 ? month - phase : Math.round((month - phase) / months);
}

const HALF_MONTH_DAYS = MONTH_DAYS / 2;

type DatePair = readonly [first: number, second: number];

/** Pay days that employers use, which cost less to name than others. */
const USUAL_PAIRS: readonly DatePair[] = [
  [1, 15],
  [15, 31],
  [15, 30],
  [5, 20],
  [10, 25],
  [1, 16],
  [16, 31],
  [7, 22],
];
const HALF_MONTH_WINDOW = 4;
const PAIRS_MAX = 3;

/** Two days of each month, such as the 1st and the 15th, or the 15th and the last. */
export function semiMonthlyRules(days: readonly number[]): readonly DueRule[] {
  const counts = countKeys(days, DATES, dateOfMonth);
  const [first = 0, second = 0] = topKeys(counts, 2).toSorted((a, b) => a - b);
  const found: DatePair[] = isHalfMonth(second - first) ? [[first, second]] : [];
  const near = (date: number): number => {
    let count = 0;
    for (let one = date - HALF_MONTH_WINDOW; one <= date + HALF_MONTH_WINDOW; one++)
      count += counts[modulo(one - 1, DATES - 1) + 1] ?? 0;
    return count + (counts[date] ?? 0);
  };
  return [
    ...found.map((pair) => ({ pair, bits: 8 })),
    ...USUAL_PAIRS.map((pair) => ({ pair, bits: 4 })),
  ]
    .map((one) => ({ ...one, count: near(one.pair[0]) + near(one.pair[1]) }))
    .sort((a, b) => b.count - a.count)
    .slice(0, PAIRS_MAX)
    .map(({ pair: [a, b], bits }) => ({
      ...{ periodicity: "semi-monthly" as const, periodDays: HALF_MONTH_DAYS },
      ...{ early: HALF_MONTH_WINDOW, late: HALF_MONTH_WINDOW },
      parameterBits: bits + FAMILY_BITS,
      periodOf: (day) => nearestHalf(day, a, b),
      dueDay: (period) => dateInMonth(Math.floor(period / 2), modulo(period, 2) === 0 ? a : b),
    }));
}

/** Each month has two periods, the even one is that of its first due day. */
function nearestHalf(day: number, first: number, second: number): number {
  const month = monthOf(day);
  const early = dateInMonth(month, first);
  const late = dateInMonth(month, second);
  if (2 * day < early + late) {
    const before = dateInMonth(month - 1, second);
    return 2 * day < before + early ? 2 * month - 1 : 2 * month;
  }
  const after = dateInMonth(month + 1, first);
  return 2 * day <= late + after ? 2 * month + 1 : 2 * month + 2;
}

const isHalfMonth = (days: number): boolean => days >= 12 && days <= 18;

/** Every day. `fitDaily` counts the days on which banks settle. */
export const DAILY: DueRule = {
  ...{ periodicity: "daily", periodDays: 1, early: 0, late: 0, parameterBits: FAMILY_BITS + 2 },
  periodOf: (day) => day,
  dueDay: (period) => period,
};
