// From segments to groups: a price or a day that changed is one series; what repeats by habit is not a series.
import type { Account } from "./payees.ts";
import type { PayeeKind } from "./kinds.ts";
import { amountRatio, medianOf, type Payments } from "./fit.ts";
import { habitBitsOf, isPassPeriod } from "./passes.ts";
import type { Segment } from "./series.ts";

export interface Series {
  readonly account: Account;
  /** In the order of time. */
  readonly segments: readonly Segment[];
  readonly payments: Payments;
}

/** A series of several segments has at most this many periods between two of them, and at least that many. */
const JOIN_PERIODS_MIN = 0.2;
const JOIN_PERIODS_MAX = 2.6;
const JOIN_RATIO_MAX = 2.6;
/** A payment is of the series whose amount it has when it is this near behind one of its own, in days. */
const REPEAT_DAYS_MAX = 8;
const REPEATS_SHARE_MAX = 0.34;

const paymentsOf = ({ fit, payments }: Segment): Payments => ({
  places: fit.hits.map((hit) => payments.places[hit] ?? 0),
  days: fit.hits.map((hit) => payments.days[hit] ?? 0),
  amounts: fit.hits.map((hit) => payments.amounts[hit] ?? 0),
});

export function byDay(parts: readonly Payments[]): Payments {
  const all = parts
    .flatMap(({ places, days, amounts }) =>
      places.map((place, index) => ({ place, day: days[index] ?? 0, amount: amounts[index] ?? 0 })),
    )
    .sort((a, b) => a.day - b.day || a.amount - b.amount || a.place - b.place);
  return {
    places: all.map(({ place }) => place),
    days: all.map(({ day }) => day),
    amounts: all.map(({ amount }) => amount),
  };
}

const lastOf = (values: readonly number[]): number => values.at(-1) ?? 0;
const firstOf = (values: readonly number[]): number => values[0] ?? 0;

interface Open {
  segments: Segment[];
  payments: Payments;
}

/** How far apart a series and a segment are, in amount and days; null when the segment does not continue it. */
function distance(series: Open, next: Segment, payments: Payments): number | null {
  const last = series.segments.at(-1);
  if (last === undefined || last.fit.rule.periodicity !== next.fit.rule.periodicity) return null;
  const { periodDays } = next.fit.rule;
  const gap = firstOf(payments.days) - lastOf(series.payments.days);
  if (gap < JOIN_PERIODS_MIN * periodDays || gap > JOIN_PERIODS_MAX * periodDays) return null;
  const ratio = amountRatio(firstOf(payments.amounts), lastOf(series.payments.amounts));
  return ratio > JOIN_RATIO_MAX ? null : Math.log2(ratio) * 4 + Math.abs(gap / periodDays - 1);
}

/** Segments of one payee that follow each other, as series. */
export function joinSegments(account: Account, segments: readonly Segment[]): readonly Series[] {
  const open: Open[] = [];
  const inOrder = segments
    .map((segment) => ({ segment, payments: paymentsOf(segment) }))
    .sort((a, b) => firstOf(a.payments.days) - firstOf(b.payments.days));
  for (const { segment, payments } of inOrder) {
    let best: Open | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const series of open) {
      const apart = distance(series, segment, payments);
      if (apart !== null && apart < least) [best, least] = [series, apart];
    }
    if (best === null) open.push({ segments: [segment], payments });
    else {
      best.segments.push(segment);
      best.payments = byDay([best.payments, payments]);
    }
  }
  return open.map(({ segments: of, payments }) => ({ account, segments: of, payments }));
}

const LEFT_OVER_RATIO = 1.02;

/** Without what is left over of a more frequent series: its late payments, which a slower rule fits by chance. */
export function withoutLeftOvers(series: readonly Series[]): readonly Series[] {
  const periodOf = ({ segments }: Series): number => segments.at(-1)?.fit.rule.periodDays ?? 0;
  return series.filter(
    (one) =>
      !series.some(
        (other) =>
          periodOf(other) < 0.8 * periodOf(one) &&
          firstOf(other.payments.days) <= lastOf(one.payments.days) &&
          lastOf(other.payments.days) >= firstOf(one.payments.days) &&
          amountRatio(medianOf(one.payments.amounts), medianOf(other.payments.amounts)) <=
            LEFT_OVER_RATIO,
      ),
  );
}

/** Of the visits at one price, some fit a rule by chance; of a series, at least this share of its price is its own. */
const SHARE_OF_PRICE_MIN = 1 / 3;

/** Whether some of many payments were chosen that all have the same amount. @param all of the payee */
export function isChosenOfMany({ payments: { days, amounts } }: Series, all: Payments): boolean {
  const price = lastOf(amounts);
  const own = amounts.filter((amount) => amount === price).length;
  let count = 0;
  for (const [at, day] of all.days.entries())
    if (all.amounts[at] === price && day >= firstOf(days) && day <= lastOf(days)) count += 1;
  return own < SHARE_OF_PRICE_MIN * count;
}

/**
 * Adds payments of the payee that no rule has: the first ones after a day moved, and a second charge a few days after another,
 * both of exactly the amount of the series.
 */
export function addStrays(series: Series, free: Payments): Series {
  const { payments, segments } = series;
  const rule = segments.at(-1)?.fit.rule;
  if (rule === undefined || rule.periodDays < 28 || free.places.length === 0) return series;
  const strays: number[] = [];
  let last = lastOf(payments.days);
  const amount = lastOf(payments.amounts);
  for (const [index, day] of free.days.entries()) {
    if (free.amounts[index] !== amount) continue;
    const gap = day - last;
    if (gap < 0.3 * rule.periodDays || gap > 1.7 * rule.periodDays) continue;
    strays.push(index);
    last = day;
  }
  const amounts = new Map(payments.days.map((day, index) => [day, payments.amounts[index]]));
  const repeats = [...free.days.keys()].filter((index) => {
    for (let before = 1; before <= REPEAT_DAYS_MAX; before++)
      if (amounts.get((free.days[index] ?? 0) - before) === free.amounts[index]) return true;
    return false;
  });
  const added = new Set(strays);
  if (repeats.length <= REPEATS_SHARE_MAX * payments.places.length)
    for (const index of repeats) added.add(index);
  if (added.size === 0) return series;
  const at = [...added].sort((a, b) => a - b);
  const more: Payments = {
    places: at.map((index) => free.places[index] ?? 0),
    days: at.map((index) => free.days[index] ?? 0),
    amounts: at.map((index) => free.amounts[index] ?? 0),
  };
  return { ...series, payments: byDay([payments, more]) };
}

export interface PayeeEvidence {
  readonly kind: PayeeKind;
  /** Known to sell subscriptions. */
  readonly isService: boolean;
  readonly isByMandate: boolean;
  readonly isIncoming: boolean;
}

export interface Regularity {
  readonly bits: number;
  readonly dateBits: number;
  readonly hits: number;
  readonly misses: number;
  /** Payments for one due day. */
  readonly coverage: number;
  readonly spread: number;
  /** Of payments with the amount of the one before. */
  readonly sameAmounts: number;
  /** Of payments within a twentieth of it. */
  readonly nearAmounts: number;
  /** What a habit would save to say when the payments come. */
  habitBits(): number;
}

export function regularityOf({ segments, payments }: Series): Regularity {
  const sum = (of: (segment: Segment) => number): number =>
    segments.reduce((total, segment) => total + of(segment), 0);
  const hits = sum(({ fit }) => fit.hits.length);
  const misses = sum(({ fit }) => fit.misses);
  const { amounts } = payments;
  let same = 0;
  let near = 0;
  for (let at = 1; at < amounts.length; at++) {
    const ratio = amountRatio(amounts[at] ?? 0, amounts[at - 1] ?? 0);
    if (ratio === 1) same += 1;
    if (ratio <= 1.05) near += 1;
  }
  const shareOf = (count: number): number =>
    amounts.length < 2 ? 1 : count / (amounts.length - 1);
  return {
    bits: sum(({ fit }) => fit.bits),
    dateBits: sum(({ fit }) => fit.dateBits),
    ...{ hits, misses, coverage: hits / (hits + misses) },
    spread: sum(({ fit }) => fit.spread * fit.hits.length) / hits,
    sameAmounts: shareOf(same),
    nearAmounts: shareOf(near),
    habitBits: () => habitBitsOf(payments.days, segments.at(-1)?.fit.rule.periodDays ?? 1),
  };
}

/** A habit is called a series from this period on, such as a monthly ticket. */
export const HABIT_PERIOD_DAYS_MIN = 28;

/** Of the due days, those with a payment; daily payments are missing on few. */
const COVERAGE_MIN = 0.6;
const DAILY_COVERAGE_MIN = 0.92;
const HABIT_SPREAD_MAX = 1.5;
/** Bits by which the calendar of a pass has to surpass a habit. */
const PASS_BITS_MIN = 3;
/** One month a year is left out for holidays; more of them are of habits. */
const PASS_COVERAGE_MIN = 11 / 12;
/** A series with these bits less than nothing is not one, whatever else. */
const NO_SERIES = -10;

/** Groups of these many payments are shown by three gaps or more. */
const isLong = ({ hits }: Regularity): boolean => hits > 3;

const hasFixedAmounts = ({ sameAmounts, nearAmounts }: Regularity): boolean =>
  sameAmounts >= 0.6 || nearAmounts >= 0.8;

/**
 * Purchases are made when they are wanted: only fixed amounts on the same day of a month, for long, are more than that; or those of
 * passes, which a calendar describes better than the most regular habit.
 */
function habitMargin(regularity: Regularity, periodDays: number, isIncoming: boolean): number {
  if (!hasFixedAmounts(regularity) || periodDays < HABIT_PERIOD_DAYS_MIN) return NO_SERIES;
  const { bits, dateBits, spread, coverage } = regularity;
  const byDay = spread <= HABIT_SPREAD_MAX ? Math.min(bits - 18, dateBits - 6) : NO_SERIES;
  const mayBePass =
    !isIncoming && isLong(regularity) && isPassPeriod(periodDays) && coverage >= PASS_COVERAGE_MIN;
  if (!mayBePass) return byDay;
  return Math.max(byDay, dateBits - Math.max(0, regularity.habitBits()) - PASS_BITS_MIN);
}

/** Without a category, the days alone have to show it; of short periods, amounts that differ are of habits. */
function unknownMargin(regularity: Regularity, isIncoming: boolean, periodDays: number): number {
  const { bits, dateBits } = regularity;
  if (hasFixedAmounts(regularity))
    return Math.min(bits - 8, dateBits - (isLong(regularity) ? 3 : 1));
  if (periodDays >= HABIT_PERIOD_DAYS_MIN) return dateBits - 8;
  return isIncoming ? dateBits - 12 : NO_SERIES;
}

/** Bits that a series saves beyond what its payee asks for; below 0 it is not reported. */
export function margin(
  regularity: Regularity,
  evidence: PayeeEvidence,
  periodDays: number,
): number {
  const { bits, dateBits, coverage } = regularity;
  const { kind, isService, isByMandate, isIncoming } = evidence;
  if (coverage < (periodDays === 1 ? DAILY_COVERAGE_MIN : COVERAGE_MIN)) return NO_SERIES;
  if (isService && periodDays >= 7) return bits - 1;
  if (kind === "scheduled" || isByMandate) return bits - (isLong(regularity) ? 0 : 2);
  if (kind === "habit") return habitMargin(regularity, periodDays, isIncoming);
  if (kind === "either" && hasFixedAmounts(regularity))
    return Math.min(bits - 6, dateBits - (isLong(regularity) ? 0 : 2));
  return unknownMargin(regularity, isIncoming, periodDays);
}

/** 0.5 at the margin; each bit more or less counts. */
export const confidenceOf = (bits: number): number =>
  1 / (1 + 2 ** (-Math.max(-20, Math.min(20, bits)) / 3));
