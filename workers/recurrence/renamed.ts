// A payee that changed its name: a series stops, and one with the same amount begins under another name when its next payment is due.
import { amountRatio, type Payments } from "./fit.ts";
import { byDay, type Series } from "./groups.ts";
import type { Account } from "./payees.ts";

/** The series of a payee, and what else is known of it. */
export interface AccountSeries {
  readonly account: Account;
  /** The category of most of its payments. */
  readonly category: string | null;
  /** Days between payments of a service that sells subscriptions; null: it is not known to sell them. */
  readonly service: 30 | 365 | null;
  /** Those whose payments these are: the account, and before it what it was called before. */
  readonly parts: readonly Account[];
  /** Payments, the days of the first and the last one, and the amount of the first. */
  readonly count: number;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly firstAmount: number;
  readonly series: readonly Series[];
}

type ReadPayments = (account: Account) => Payments;

const PERIOD_DAYS_MIN = 25;
const AMOUNT_RATIO_MAX = 1.05;
const OFF_DAYS_MAX = 5;
/** The payment that was due when the name changed may be missing. */
const PERIODS_MAX = 2;
/** Payments of a new name that are too few to be a series of their own. */
const SHORT_MAX = 2;

const lastOf = (values: readonly number[]): number => values.at(-1) ?? 0;
const firstOf = (values: readonly number[]): number => values[0] ?? 0;

interface End {
  readonly one: AccountSeries;
  readonly series: Series;
  readonly periodDays: number;
}

function endOf(one: AccountSeries): End | null {
  const [series, second] = one.series;
  const rule = series?.segments.at(-1)?.fit.rule;
  if (series === undefined || second !== undefined || rule === undefined) return null;
  if (rule.periodDays < PERIOD_DAYS_MIN) return null;
  // Payments to the old name go on: it was not renamed.
  if (lastOf(series.payments.days) < one.lastDay) return null;
  return { one, series, periodDays: rule.periodDays };
}

/** Whether two accounts may be of one payee, whatever was paid when. */
function mayBeOne(one: AccountSeries, next: AccountSeries): boolean {
  const isSameCategory =
    one.category === null || next.category === null || one.category === next.category;
  return (
    next !== one &&
    next.account.isIncoming === one.account.isIncoming &&
    next.account.currency === one.account.currency &&
    isSameCategory
  );
}

/** Whether a payment comes when the series expects one. */
function isInTime({ series, periodDays }: End, day: number): boolean {
  const gap = day - lastOf(series.payments.days);
  const periods = Math.max(1, Math.round(gap / periodDays));
  return periods <= PERIODS_MAX && Math.abs(gap - periods * periodDays) <= OFF_DAYS_MAX;
}

function continues(end: End, next: AccountSeries): boolean {
  const { one, series } = end;
  const { firstDay, firstAmount } = next;
  if (!mayBeOne(one, next) || !isInTime(end, firstDay)) return false;
  const ratio = amountRatio(firstAmount, lastOf(series.payments.amounts));
  const [first, second] = next.series;
  if (first === undefined) return next.count <= SHORT_MAX && ratio === 1;
  if (second !== undefined || firstOf(first.payments.days) > firstDay) return false;
  const isSameRule =
    first.segments[0]?.fit.rule.periodicity === series.segments.at(-1)?.fit.rule.periodicity;
  return isSameRule && ratio <= AMOUNT_RATIO_MAX;
}

function joined({ one, series }: End, next: AccountSeries, read: ReadPayments): AccountSeries {
  const [after] = next.series;
  const payments = byDay([series.payments, after?.payments ?? read(next.account)]);
  const segments = [...series.segments, ...(after?.segments ?? [])];
  // The payee is who is paid now; a service stays one.
  return {
    ...next,
    service: next.service ?? one.service,
    category: next.category ?? one.category,
    parts: [...one.parts, ...next.parts],
    count: one.count + next.count,
    firstDay: Math.min(one.firstDay, next.firstDay),
    lastDay: Math.max(one.lastDay, next.lastDay),
    series: [{ account: next.account, segments, payments }],
  };
}

/** Whether one may go on under another name, or go on from it: a payee of several series, or of many payments in none, does not. */
export const mayBeRenamed = ({ series, count }: AccountSeries): boolean =>
  series.length === 1 || (series.length === 0 && count <= SHORT_MAX);

/** Joins the series of payees that changed their name, where exactly one other payee continues them. */
export function joinRenamed(
  accounts: readonly AccountSeries[],
  read: ReadPayments,
): readonly AccountSeries[] {
  const replaced = new Map<AccountSeries, AccountSeries | null>();
  const byFirstDay = accounts.toSorted((a, b) => a.firstDay - b.firstDay);
  const current = (one: AccountSeries): AccountSeries => replaced.get(one) ?? one;
  for (const one of byFirstDay) {
    if (replaced.get(one) === null) continue;
    const end = endOf(current(one));
    if (end === null) continue;
    const from = lastOf(end.series.payments.days) + end.periodDays - OFF_DAYS_MAX;
    const until = from + 2 * OFF_DAYS_MAX + (PERIODS_MAX - 1) * end.periodDays;
    const nexts = between(byFirstDay, from, until).filter(
      (next) => replaced.get(next) === undefined && continues(end, next),
    );
    const [next] = nexts;
    if (next === undefined || nexts.length > 1) continue;
    replaced.set(next, joined(end, next, read));
    replaced.set(one, null);
  }
  return accounts.flatMap((one) => {
    const now = replaced.get(one);
    return now === null ? [] : [now ?? one];
  });
}

/** Those that begin in a span of days, of a list by the first day. */
function between(
  accounts: readonly AccountSeries[],
  from: number,
  until: number,
): readonly AccountSeries[] {
  let low = 0;
  let high = accounts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((accounts[middle]?.firstDay ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  const found: AccountSeries[] = [];
  for (let at = low; at < accounts.length; at++) {
    const one = accounts[at];
    if (one === undefined || one.firstDay > until) break;
    found.push(one);
  }
  return found;
}
