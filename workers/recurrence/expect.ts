// What comes next: the day by the rule, the amount by what would have been right before.
import type { ExpectedPayment } from "../../src/model/recurrence.ts";
import { roundAmount } from "../../src/shared/round-amount.ts";
import type { BankCalendar } from "./calendar/bank-days.ts";
import { formatDay } from "./calendar/days.ts";
import { dueAfter } from "./due-rules.ts";
import { errorInterval } from "./intervals.ts";
import { type Fit, medianOf, type Payments, type Shift } from "./fit.ts";

/** Days and share of a period by which a payment may be late before its series counts as ended. */
const LATE_DAYS_MAX = 7;
const LATE_SHARE_MAX = 0.3;
/** Days by which a payment may be late and still be expected on the next day, where others were not later. */
const OVERDUE_DAYS_MIN = 2;
/** Share of a period around a payment in which no other one is due. */
const NEAR_SHARE = 0.45;

export interface Surroundings {
  readonly calendar: BankCalendar;
  /** Where payments of this kind usually go whose due day is not a bank day. */
  readonly usualShift: Shift;
  /** The last day of the ledger: whether a payment is late is judged by it, not by today. */
  readonly until: number;
}

/** Where a due day goes that is not a bank day, with what is usual for such payments where no payment shows it yet. */
function shiftOf({ shift }: Fit, { days }: Payments, calendar: BankCalendar, usual: Shift): Shift {
  return shift === "none" && days.every((day) => calendar.isBankDay(day)) ? usual : shift;
}

function shifted(shift: Shift, calendar: BankCalendar, day: number): number {
  if (shift === "none") return day;
  return shift === "following" ? calendar.following(day) : calendar.preceding(day);
}

interface NextDue {
  readonly day: number;
  /** False: it was due so long before the end of the ledger that the series has ended. */
  readonly isActive: boolean;
}

/** The next due day after the last payment; where that one is missing, the next one after the ledger. */
function nextDue(
  fit: Fit,
  payments: Payments,
  { calendar, usualShift, until }: Surroundings,
): NextDue {
  const { rule, lag, spread } = fit;
  const { periodDays } = rule;
  const last = payments.days.at(-1) ?? until;
  const shift = shiftOf(fit, payments, calendar, usualShift);
  const expectedOn = (day: number): number => shifted(shift, calendar, day) + lag;
  // The due day of the last payment is up to a window after it.
  const window = Math.max(rule.late, Math.min(rule.early, periodDays / 2)) + Math.abs(lag);
  const first = dueAfter(rule, last + Math.min(window, NEAR_SHARE * periodDays), expectedOn);
  const overdue = until - first;
  const isActive = overdue <= Math.max(LATE_DAYS_MAX, LATE_SHARE_MAX * periodDays);
  if (overdue < 0) return { day: first, isActive };
  const mayStillCome = overdue <= Math.max(OVERDUE_DAYS_MIN, 2 * spread);
  return { day: mayStillCome ? until + 1 : dueAfter(rule, until, expectedOn), isActive };
}

interface AmountForecast {
  readonly amount: number;
  readonly low: number;
  readonly high: number;
}

type Predict = (amounts: readonly number[], days: readonly number[], next: number) => number | null;

const YEAR_DAYS = 365;

const PREDICTORS: readonly Predict[] = [
  (amounts) => amounts.at(-1) ?? null,
  (amounts) => medianOf(amounts.slice(-3)),
  (amounts) => {
    const latest = amounts.slice(-6);
    const sum = latest.reduce((before, amount) => before + amount, 0);
    return Math.min(sum, Number.MAX_VALUE) / latest.length;
  },
  // A year before, for what follows the seasons.
  (amounts, days, next) => {
    const at = days.findIndex((day) => Math.abs(next - YEAR_DAYS - day) <= 10);
    return at === -1 ? null : (amounts[at] ?? null);
  },
];
const TESTED_MAX = 19;
/** Logarithm of the ratio up to which amounts are the same. */
const SAME_AMOUNT = 0.001;

/** The predictor that would have been nearest for the latest payments, with the interval of its errors. */
function forecast({ amounts, days }: Payments, next: number): AmountForecast {
  const from = Math.max(1, amounts.length - TESTED_MAX);
  let best: AmountForecast | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const predict of PREDICTORS) {
    const amount = predict(amounts, days, next);
    if (amount === null) continue;
    const errors: number[] = [];
    for (let at = from; at < amounts.length; at++) {
      const guess = predict(amounts.slice(0, at), days.slice(0, at), days[at] ?? 0);
      if (guess !== null && guess > 0) errors.push(Math.log((amounts[at] ?? 0) / guess));
    }
    if (errors.length < Math.min(3, amounts.length - 1)) continue;
    const mean =
      errors.reduce((sum, error) => sum + Math.abs(Math.expm1(error)), 0) /
      Math.max(1, errors.length);
    if (mean >= least) continue;
    least = mean;
    const { low, high } = errorInterval(errors, SAME_AMOUNT);
    best = { amount, low: amount * Math.exp(low), high: amount * Math.exp(high) };
  }
  const last = amounts.at(-1) ?? 0;
  return best ?? { amount: last, low: last, high: last };
}

/** Parts of a unit in which most currencies, and those with more decimals, are counted. */
const CENTS = 100;
const SMALLEST = 10_000;

/** To the decimals that the amounts have, at least two. */
function rounded(amount: number, { amounts }: Payments): number {
  const hasCents = amounts.every((one) => Math.abs(one * CENTS - Math.round(one * CENTS)) < 1e-6);
  const scale = hasCents ? CENTS : SMALLEST;
  return roundAmount(amount, scale);
}

/** Where an interval of payments that come on bank days ends: none comes on a weekend. */
function bankDayOf({ days }: Payments, { calendar }: Surroundings, day: number): number {
  return days.every((one) => calendar.isBankDay(one)) ? calendar.following(day) : day;
}

/** 9999-12-31: the years of dates have four digits. */
const LAST_DAY = Date.UTC(9999, 11, 31) / 86_400_000;

export interface Outlook {
  readonly isActive: boolean;
  /** Null: the series has ended. */
  readonly next: ExpectedPayment | null;
}

export function outlookOf(fit: Fit, payments: Payments, surroundings: Surroundings): Outlook {
  const { until } = surroundings;
  const due = nextDue(fit, payments, surroundings);
  // Of a payment behind the last date that there is, none is expected.
  if (!due.isActive || due.day > LAST_DAY) return { isActive: due.isActive, next: null };
  const { amount, low, high } = forecast(payments, due.day);
  const apart = errorInterval(
    fit.lags.map((lag) => lag - fit.lag),
    0,
  );
  const earliest = Math.max(until + 1, due.day + Math.round(apart.low));
  const latest = bankDayOf(payments, surroundings, due.day + Math.round(apart.high));
  return {
    isActive: true,
    next: {
      date: formatDay(due.day),
      earliestDate: formatDay(Math.min(earliest, due.day)),
      latestDate: formatDay(Math.min(latest, LAST_DAY)),
      amount: rounded(amount, payments),
      lowestAmount: rounded(low, payments),
      highestAmount: rounded(high, payments),
    },
  };
}
