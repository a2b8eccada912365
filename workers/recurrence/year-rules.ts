// Rules of a year: the same months of every year, at uneven distances, and due days by law.
import type { Periodicity } from "../../src/model/recurrence.ts";
import type { BankCalendar } from "./calendar/bank-days.ts";
import { monthOf } from "./calendar/days.ts";
import {
  type DayOfMonth,
  type DueRule,
  FAMILY_BITS,
  MONTH_DAYS,
  modulo,
  monthDaysOf,
  nearestMonth,
  onDate,
} from "./due-rules.ts";

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
export function yearRules(days: readonly number[], calendar: BankCalendar): readonly DueRule[] {
  const first = days[0] ?? 0;
  const last = days.at(-1) ?? 0;
  return monthDaysOf(days, calendar).flatMap(
    ({ dayOf, bits, nearestMonths }): readonly DueRule[] => {
      const months = new Set(nearestMonths().map((month) => modulo(month, 12)));
      const periodicity = PERIODICITY_OF_COUNT.get(months.size);
      const isShown = monthOf(last) - monthOf(first) >= 12;
      if (periodicity === undefined || !isShown) return [];
      // Months left out once are a break of a series that comes every month.
      if (periodicity === "monthly" && !areFreeEachYear(months, monthOf(first), monthOf(last)))
        return [];
      return [monthSetRule(dayOf, months, periodicity, bits + 12)];
    },
  );
}

/** Whether each month outside of the set was between two months at least twice. */
function areFreeEachYear(months: ReadonlySet<number>, first: number, last: number): boolean {
  for (let free = 0; free < 12; free++) {
    const times = Math.floor((last - free) / 12) - Math.ceil((first - free) / 12) + 1;
    if (!months.has(free) && times < 2) return false;
  }
  return true;
}

function monthSetRule(
  dayOf: DayOfMonth,
  months: ReadonlySet<number>,
  periodicity: Periodicity,
  bits: number,
): DueRule {
  const inYear = [...months].sort((a, b) => a - b);
  const count = inYear.length;
  const monthOfPeriod = (period: number): number =>
    12 * Math.floor(period / count) + (inYear[modulo(period, count)] ?? 0);
  return {
    ...{ periodicity, periodDays: (12 * MONTH_DAYS) / count, early: 6, late: 8 },
    parameterBits: bits + FAMILY_BITS,
    periodOf(day) {
      const month = nearestMonth(dayOf, day);
      const inThisYear = modulo(month, 12);
      const before = inYear.filter((one) => one <= inThisYear).length - 1;
      const period = count * Math.floor(month / 12) + before;
      // Between two months of the set, the nearer one.
      const isAfter = dayOf(monthOfPeriod(period + 1)) - day < day - dayOf(monthOfPeriod(period));
      return isAfter ? period + 1 : period;
    },
    dueDay: (period) => dayOf(monthOfPeriod(period)),
  };
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
export function statutoryRules(
  days: readonly number[],
  calendar: BankCalendar,
  instalments: Instalments,
): readonly DueRule[] {
  const taxes = STATUTORY_DATES.map(({ months, date, periodicity }) =>
    monthSetRule(onDate(date), new Set(months), periodicity, 3),
  );
  if (instalments === null) return taxes;
  const ofTenMonths = monthDaysOf(days, calendar).flatMap(({ dayOf, bits }) =>
    TEN_MONTHS.map((months, index) => {
      const isByLaw = instalments === "council tax" && index === 0;
      const more = isByLaw ? COUNCIL_BITS : OTHER_INSTALMENT_BITS;
      return monthSetRule(dayOf, new Set(months), "monthly", bits + more);
    }),
  );
  return [...taxes, ...ofTenMonths];
}
