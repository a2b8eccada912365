// Rules of a year: the same months of every year, at uneven distances, and due days by law.
import type { Periodicity } from "../../src/model/recurrence.ts";
import { monthOf } from "./calendar/days.ts";
import { FAMILY_BITS, MONTH_DAYS, type RuleCandidate } from "./due-rules.ts";
import {
  type DayOfMonth,
  type MonthDay,
  modulo,
  nearestMonth,
  nearestMonths,
  onDate,
  type RunDays,
} from "./month-days.ts";

/** Payments in the year with these months, for which the list has a word. */
const PERIODICITY_OF_COUNT: ReadonlyMap<number, Periodicity> = new Map([
  [2, "semi-yearly"],
  [4, "quarterly"],
  [6, "bi-monthly"],
  [9, "monthly"],
  [10, "monthly"],
  [11, "monthly"],
]);

/**
 * The same months of every year, at uneven distances: estimated taxes, quarter days, instalments with free months. Shown by
 * payments in more than twelve months; `months` of a law need fewer.
 */
export function yearRules(run: RunDays): readonly RuleCandidate[] {
  const { days } = run;
  const first = monthOf(days[0] ?? 0);
  const last = monthOf(days.at(-1) ?? 0);
  if (last - first < 12) return [];
  const candidates: RuleCandidate[] = [];
  for (const monthDay of run.monthDays()) {
    const months = monthsIn(monthDay.nearest().countsOfYear);
    const periodicity = PERIODICITY_OF_COUNT.get(months.length);
    if (periodicity === undefined) continue;
    // Months left out once are a break of a series that comes every month.
    if (periodicity === "monthly" && !areFreeEachYear(months, first, last)) continue;
    const bits = monthDay.bits + 12;
    candidates.push(monthSetRule(run, monthDay, { months, periodicity, bits }));
  }
  return candidates;
}

/** The months of the year with payments, January is 0. */
function monthsIn(countsOfYear: readonly number[]): readonly number[] {
  const months: number[] = [];
  for (let month = 0; month < 12; month++) if ((countsOfYear[month] ?? 0) > 0) months.push(month);
  return months;
}

/** Whether each month outside of the set was between two months at least twice. */
function areFreeEachYear(months: readonly number[], first: number, last: number): boolean {
  for (let free = 0; free < 12; free++) {
    const times = Math.floor((last - free) / 12) - Math.ceil((first - free) / 12) + 1;
    if (times < 2 && !months.includes(free)) return false;
  }
  return true;
}

interface MonthSet {
  /** January is 0. */
  readonly months: readonly number[];
  readonly periodicity: Periodicity;
  /** What it costs to say which months and which day. */
  readonly bits: number;
}

function monthSetRule(
  { days }: RunDays,
  { dayOf, nearest }: Pick<MonthDay, "dayOf" | "nearest">,
  { months, periodicity, bits }: MonthSet,
): RuleCandidate {
  const { count, periodIn, periodOf, dueDay } = yearOf(dayOf, months);
  const fields = {
    ...{ periodDays: (12 * MONTH_DAYS) / count, early: 6, late: 8 },
    parameterBits: bits + FAMILY_BITS,
  };
  return {
    ...fields,
    place: ({ periods, dueDays }) => {
      const near = nearest();
      for (let at = 0; at < days.length; at++) {
        const period = periodIn(near.months[at] ?? 0, days[at] ?? 0);
        periods[at] = period;
        dueDays[at] = dueDay(period);
      }
    },
    rule: () => ({ periodicity, ...fields, periodOf, dueDay }),
  };
}

/** The periods of the same months of every year. Apart from the payments that they are tried on, which they outlive. */
function yearOf(dayOf: DayOfMonth, months: readonly number[]) {
  const inYear = months.toSorted((a, b) => a - b);
  const count = inYear.length;
  /** Months of the set up to each one of the year. */
  const until: number[] = [];
  for (let month = 0; month < 12; month++)
    until.push((until[month - 1] ?? 0) + (inYear.includes(month) ? 1 : 0));
  const dueDay = (period: number): number =>
    dayOf(12 * Math.floor(period / count) + (inYear[modulo(period, count)] ?? 0));
  /** @param month whose day is nearest */
  const periodIn = (month: number, day: number): number => {
    const period = count * Math.floor(month / 12) + (until[modulo(month, 12)] ?? 0) - 1;
    // Between two months of the set, the nearer one.
    const isAfter = dueDay(period + 1) - day < day - dueDay(period);
    return isAfter ? period + 1 : period;
  };
  const periodOf = (day: number): number => periodIn(nearestMonth(dayOf, day), day);
  return { count, periodIn, periodOf, dueDay };
}

interface StatutoryDates {
  readonly months: readonly number[];
  readonly date: number;
  readonly periodicity: Periodicity;
}

/**
 * Due days by law, January is 0. US: Internal Revenue Code § 6654 (c); California Revenue and Taxation Code § 2617, § 2618. UK: Taxes
 * Management Act 1970, s 59A; the Council Tax (Administration and Enforcement) Regulations 1992, schedule 1; the quarter
 * days of leases (25 March, 24 June, 29 September, 25 December). Germany: EStG § 37; GrStG § 28. France: impots.gouv.fr,
 * "mensualisation".
 */
const STATUTORY_DATES: readonly StatutoryDates[] = [
  { months: [3, 5, 8, 0], date: 15, periodicity: "quarterly" },
  { months: [11, 3], date: 10, periodicity: "semi-yearly" },
  { months: [0, 6], date: 31, periodicity: "semi-yearly" },
  { months: [2, 5, 8, 11], date: 25, periodicity: "quarterly" },
  { months: [2, 5, 8, 11], date: 10, periodicity: "quarterly" },
  { months: [1, 4, 7, 10], date: 15, periodicity: "quarterly" },
];
/** Instalments of ten months, which begin on any day. */
const TEN_MONTHS = [
  [3, 4, 5, 6, 7, 8, 9, 10, 11, 0],
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
];

/** Council tax is asked for in the ten months from April, unless another plan is agreed on (the regulations of 1992, above). */
const COUNCIL_BITS = -2;
const OTHER_INSTALMENT_BITS = 1;

/** Who may have months without an instalment: councils by law, others by agreement. */
export type Instalments = "council tax" | "agreed" | null;

/** Rules for payments to tax offices and councils. */
export function statutoryRules(run: RunDays, instalments: Instalments): readonly RuleCandidate[] {
  const taxes = STATUTORY_DATES.map(({ months, date, periodicity }) => {
    const dayOf = onDate(date);
    const nearest = () => nearestMonths(run.days, run.months(), dayOf);
    return monthSetRule(run, { dayOf, nearest }, { months, periodicity, bits: 3 });
  });
  if (instalments === null) return taxes;
  const ofTenMonths = run.monthDays().flatMap((monthDay) =>
    TEN_MONTHS.map((months, index) => {
      const isByLaw = instalments === "council tax" && index === 0;
      const more = isByLaw ? COUNCIL_BITS : OTHER_INSTALMENT_BITS;
      const bits = monthDay.bits + more;
      return monthSetRule(run, monthDay, { months, periodicity: "monthly", bits });
    }),
  );
  return [...taxes, ...ofTenMonths];
}
