// Rules by which payments fall due, and the candidates for a set of payments: the residues of days and the days of the month that
// occur most. A due day is nominal: banks and billers move it, which `fit.ts` judges.
import type { Periodicity } from "../../src/model/recurrence.ts";
import { dateInMonth, monthOf } from "./calendar/days.ts";
import {
  dateOfMonth,
  DATES,
  type DayOfMonth,
  type MonthDay,
  modulo,
  nearestMonth,
  type RunDays,
  topKeys,
  zeros,
} from "./month-days.ts";

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

/** Of each payment of a run, the period whose due day is nearest, and that day. */
export interface RulePlaces {
  readonly periods: number[];
  readonly dueDays: number[];
}

/** A rule to try on a run of payments: most of them are dropped, before anything else is made of them. */
export interface RuleCandidate
  extends Pick<DueRule, "periodDays" | "early" | "late" | "parameterBits"> {
  /** Writes where each payment of the run is: `periodOf` and `dueDay` of its day, found once for all of them. */
  place(places: RulePlaces): void;
  rule(): DueRule;
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

export function cycleRules(
  { days }: Pick<RunDays, "days">,
  cycle: Cycle,
): readonly RuleCandidate[] {
  const { days: length, early, late, periodicity } = cycle;
  const counts = zeros(length);
  for (const day of days) {
    const residue = modulo(day, length);
    counts[residue] = (counts[residue] ?? 0) + 1;
  }
  return topKeys(counts, 3).map((residue) => {
    const fields = {
      ...{ periodDays: length, early, late },
      parameterBits: Math.log2(length) + FAMILY_BITS + cycle.rarity,
    };
    const periodOf = (day: number): number => Math.round((day - residue) / length);
    const dueDay = (period: number): number => residue + period * length;
    return {
      ...fields,
      place: ({ periods, dueDays }) => {
        for (let at = 0; at < days.length; at++) {
          const period = periodOf(days[at] ?? 0);
          periods[at] = period;
          dueDays[at] = dueDay(period);
        }
      },
      rule: () => ({ periodicity, ...fields, periodOf, dueDay }),
    };
  });
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

/** Days by which a payment is at least away from the due days of months that are not its nearest. */
const OTHER_MONTH_DAYS = 12;

/**
 * The rules of a cycle for a run of payments, by each way to say on which day of a month.
 * @param least payments that a rule has to have; those that cannot have as many are left out
 */
export function monthRules(
  run: RunDays,
  cycle: MonthCycle,
  least: number,
): readonly RuleCandidate[] {
  const { months, early, late } = cycle;
  const candidates: RuleCandidate[] = [];
  // The month that a payment is due in is not always the one that it comes in.
  const isNearest = Math.max(early, late) < OTHER_MONTH_DAYS;
  for (const monthDay of run.monthDays()) {
    if (months === 1) {
      candidates.push(monthCandidate(monthDay, cycle, 0));
      continue;
    }
    const counts = countsOfPhases(monthDay.nearest().countsOfYear, months);
    for (const phase of topKeys(counts, 2))
      if (!isNearest || (counts[phase] ?? 0) >= least)
        candidates.push(monthCandidate(monthDay, cycle, phase));
  }
  return candidates;
}

/** @param months that a year is a multiple of */
function countsOfPhases(countsOfYear: readonly number[], months: number): readonly number[] {
  if (months === 12) return countsOfYear;
  const counts = zeros(months);
  for (let month = 0; month < 12; month++)
    counts[month % months] = (counts[month % months] ?? 0) + (countsOfYear[month] ?? 0);
  return counts;
}

function monthCandidate(monthDay: MonthDay, cycle: MonthCycle, phase: number): RuleCandidate {
  const { months, days, early, late } = cycle;
  const parameterBits = monthDay.bits + Math.log2(months) + FAMILY_BITS + cycle.rarity;
  return {
    periodDays: days,
    early,
    late,
    parameterBits,
    place: (places) => {
      placeByMonths(monthDay, months, phase, places);
    },
    rule: () => monthRule(monthDay.dayOf, cycle, phase, parameterBits),
  };
}

function placeByMonths(
  { dayOf, nearest }: MonthDay,
  months: number,
  phase: number,
  { periods, dueDays }: RulePlaces,
): void {
  const near = nearest();
  for (let at = 0; at < near.months.length; at++) {
    const month = near.months[at] ?? 0;
    const period = months === 1 ? month : Math.round((month - phase) / months);
    const dueMonth = phase + period * months;
    periods[at] = period;
    dueDays[at] = dueMonth === month ? (near.dueDays[at] ?? 0) : dayOf(dueMonth);
  }
}

function monthRule(
  dayOf: DayOfMonth,
  { periodicity, days, early, late, months }: MonthCycle,
  phase: number,
  parameterBits: number,
): DueRule {
  return {
    ...{ periodicity, periodDays: days, early, late, parameterBits },
    periodOf: (day) => nearestPeriod(dayOf, day, months, phase),
    dueDay: (period) => dayOf(phase + period * months),
  };
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
export function semiMonthlyRules(run: RunDays): readonly RuleCandidate[] {
  const { days } = run;
  const months = run.months();
  const counts = zeros(DATES);
  for (let at = 0; at < days.length; at++) {
    const date = dateOfMonth(days[at] ?? 0, months[at] ?? 0);
    counts[date] = (counts[date] ?? 0) + 1;
  }
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
    .map(({ pair, bits }) => halfMonthCandidate(days, months, pair, bits));
}

function halfMonthCandidate(
  days: readonly number[],
  months: readonly number[],
  pair: DatePair,
  bits: number,
): RuleCandidate {
  const fields = {
    ...{ periodDays: HALF_MONTH_DAYS, early: HALF_MONTH_WINDOW, late: HALF_MONTH_WINDOW },
    parameterBits: bits + FAMILY_BITS,
  };
  return {
    ...fields,
    place: ({ periods, dueDays }) => {
      for (let at = 0; at < days.length; at++) {
        const period = nearestHalf(days[at] ?? 0, months[at] ?? 0, pair);
        periods[at] = period;
        dueDays[at] = halfDay(period, pair);
      }
    },
    rule: () => ({
      ...{ periodicity: "semi-monthly", ...fields },
      periodOf: (day) => nearestHalf(day, monthOf(day), pair),
      dueDay: (period) => halfDay(period, pair),
    }),
  };
}

/** Each month has two periods, the even one is that of its first due day. */
const halfDay = (period: number, [first, second]: DatePair): number =>
  dateInMonth(Math.floor(period / 2), modulo(period, 2) === 0 ? first : second);

/** @param month that the day is in */
function nearestHalf(day: number, month: number, [first, second]: DatePair): number {
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
