// How well a rule describes a set of payments, in bits: what it saves to say on which days and for how much they were, against
// days and amounts without a rule (minimum description length, Rissanen 1978). A rule that fits by chance saves nothing, because
// it has to be described too.
import type { BankCalendar } from "./calendar/bank-days.ts";
import type { DueRule } from "./due-rules.ts";

/** Payments by day. Place i of each column belongs to payment i. */
export interface Payments {
  /** Places in the ledger. */
  readonly places: readonly number[];
  readonly days: readonly number[];
  readonly amounts: readonly number[];
}

/** Where a payment goes whose due day is not a bank day. */
export type Shift = "none" | "following" | "preceding";

export interface Fit {
  readonly rule: DueRule;
  readonly shift: Shift;
  /** Places in the payments, ascending. */
  readonly hits: readonly number[];
  /** Days from the shifted due day to the payment, of each hit. */
  readonly lags: readonly number[];
  /** The median of `lags`. */
  readonly lag: number;
  /** Mean distance of lags from their median, in days. */
  readonly spread: number;
  /** Due days between the first and the last hit without a payment. */
  readonly misses: number;
  /** Payments of the set in between that are not hits. */
  readonly extras: number;
  readonly dateBits: number;
  readonly amountBits: number;
  readonly bits: number;
}

export const MISS_BITS = 3;
export const EXTRA_BITS = 2;
/** One due day of a daily rule that is met: banks are open on five of seven days, which has 0.86 bits of entropy. */
const DAILY_BITS = 0.8;
/** The width of a two-sided exponential distribution in units of its mean deviation, 2e (Laplace 1774). */
const LAPLACE_WIDTH = 2 * Math.E;

const SAME_AMOUNT_BITS = 3;
const SAME_ROUND_AMOUNT_BITS = 2;
const NEAR_AMOUNT_BITS = 1;
const OTHER_AMOUNT_BITS = -0.7;
const NEAR_AMOUNT = 1.05;
const SIMILAR_AMOUNT = 1.35;

function medianOfSorted(sorted: readonly number[]): number {
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

export const medianOf = (values: readonly number[]): number =>
  medianOfSorted(values.toSorted((a, b) => a - b));

/** Larger over smaller; infinite where one is nothing. */
export function amountRatio(a: number, b: number): number {
  if (a === b) return 1;
  const low = Math.min(a, b);
  return low === 0 ? Number.POSITIVE_INFINITY : Math.max(a, b) / low;
}

/** Amounts that people choose, which are shared by chance more often. */
const isRound = (amount: number): boolean => amount % 5 === 0;

export function amountBitsOf(amounts: readonly number[], hits: readonly number[]): number {
  let bits = 0;
  let last = amounts[hits[0] ?? 0] ?? 0;
  for (let at = 1; at < hits.length; at++) {
    const amount = amounts[hits[at] ?? 0] ?? 0;
    const ratio = amountRatio(amount, last);
    if (ratio === 1) bits += isRound(amount) ? SAME_ROUND_AMOUNT_BITS : SAME_AMOUNT_BITS;
    else if (ratio <= NEAR_AMOUNT) bits += NEAR_AMOUNT_BITS;
    else if (ratio > SIMILAR_AMOUNT) bits += OTHER_AMOUNT_BITS;
    last = amount;
  }
  return bits;
}

/** Days that an amount other than the last one makes up for, when two payments are near one due day. */
function amountDays(amount: number, last: number | null): number {
  if (last === null) return 0;
  const ratio = amountRatio(amount, last);
  if (ratio === 1) return 0;
  if (ratio <= NEAR_AMOUNT) return 1;
  return ratio <= SIMILAR_AMOUNT ? 2 : 4;
}

interface Matched {
  readonly hits: readonly number[];
  readonly due: readonly number[];
  readonly misses: number;
}

/** At most one payment for each due day: the nearest, of near amounts the one that is like the last. */
function match({ days, amounts }: Payments, rule: DueRule): Matched {
  const hits: number[] = [];
  const due: number[] = [];
  let first = 0;
  let period = Number.NEGATIVE_INFINITY;
  let cost = 0;
  let last: number | null = null;
  for (let at = 0; at < days.length; at++) {
    const day = days[at] ?? 0;
    const near = rule.periodOf(day);
    const dueDay = rule.dueDay(near);
    const lag = day - dueDay;
    if (lag < -rule.early || lag > rule.late || near < period) continue;
    if (near > period && hits.length > 0) last = amounts[hits.at(-1) ?? 0] ?? null;
    const costHere = Math.abs(lag) + amountDays(amounts[at] ?? 0, last);
    if (near === period) {
      if (costHere >= cost) continue;
      hits[hits.length - 1] = at;
    } else {
      if (hits.length === 0) first = near;
      hits.push(at);
      due.push(dueDay);
    }
    period = near;
    cost = costHere;
  }
  return { hits, due, misses: hits.length === 0 ? 0 : period - first + 1 - hits.length };
}

interface DueLags {
  readonly shift: Shift;
  readonly lags: readonly number[];
  readonly lag: number;
  readonly spread: number;
}

/** The lower median of whole numbers that are near each other, in time linear in their number and range. */
function medianOfLags(lags: readonly number[]): number {
  let low = lags[0] ?? 0;
  let high = low;
  for (const lag of lags) {
    if (lag < low) low = lag;
    else if (lag > high) high = lag;
  }
  if (low === high) return low;
  const counts = new Uint32Array(high - low + 1);
  for (const lag of lags) counts[lag - low] = (counts[lag - low] ?? 0) + 1;
  let left = Math.floor((lags.length - 1) / 2);
  for (let at = 0; ; at++) {
    const count = counts[at] ?? 0;
    if (left < count) return low + at;
    left -= count;
  }
}

function lagsTo(paid: readonly number[], due: readonly number[], shift: Shift): DueLags {
  // Not by callbacks: this is done three times for every rule that is tried.
  const lags = new Array<number>(paid.length);
  for (let at = 0; at < paid.length; at++) lags[at] = (paid[at] ?? 0) - (due[at] ?? 0);
  const lag = medianOfLags(lags);
  let sum = 0;
  for (const one of lags) sum += Math.abs(one - lag);
  return { shift, lags, lag, spread: sum / lags.length };
}

/** The shift after which the lags differ least. */
function bestLags(
  paid: readonly number[],
  due: readonly number[],
  calendar: BankCalendar,
): DueLags {
  let best = lagsTo(paid, due, "none");
  for (const shift of ["following", "preceding"] as const) {
    if (best.spread === 0) return best;
    const moved = lagsTo(paid, due.map(calendar[shift]), shift);
    if (moved.spread < best.spread) best = moved;
  }
  return best;
}

/** Bits that one payment saves whose distance from its due day has this mean, against any day of the period. */
export const spreadBits = (periodDays: number, spread: number): number =>
  Math.max(0, Math.log2(periodDays / (1 + LAPLACE_WIDTH * spread)));

/** What it costs to say how many days before or after its due day a payment comes. */
const lagBits = (lag: number): number => Math.log2(1 + Math.abs(lag));

/** What a rule with this many periods saves at most on so many payments. */
export function mostBits(payments: number, periods: number, periodDays: number): number {
  const hits = Math.min(payments, periods);
  const bitsOfHit = Math.max(DAILY_BITS, Math.log2(periodDays));
  return bitsOfHit * hits + SAME_AMOUNT_BITS * (hits - 1);
}

/**
 * @param best the bits that are to be surpassed
 * @returns null when fewer than two payments are near due days, or the rule cannot save more
 */
export function fitRule(
  payments: Payments,
  rule: DueRule,
  calendar: BankCalendar,
  best = Number.NEGATIVE_INFINITY,
): Fit | null {
  const { hits, due, misses } = match(payments, rule);
  if (hits.length < 2) return null;
  const { days, amounts } = payments;
  const extras = countExtras(payments, hits);
  const lostBits = MISS_BITS * misses + EXTRA_BITS * extras + rule.parameterBits;
  const amountBits = amountBitsOf(amounts, hits);
  if (Math.log2(rule.periodDays) * hits.length - lostBits + amountBits <= best) return null;
  const lags = bestLags(
    hits.map((hit) => days[hit] ?? 0),
    due,
    calendar,
  );
  const dateBits =
    spreadBits(rule.periodDays, lags.spread) * hits.length - lostBits - lagBits(lags.lag);
  return { rule, ...lags, hits, misses, extras, dateBits, amountBits, bits: dateBits + amountBits };
}

/**
 * The fit with payments that came so late, or early, that they were not near their due day: those next to a due day without one.
 * What is known of the rule does not change.
 */
export function withLatePayments(payments: Payments, fit: Fit): Fit {
  const { rule, hits } = fit;
  const { days } = payments;
  const paid = new Set(hits.map((hit) => rule.periodOf(days[hit] ?? 0)));
  const late: number[] = [];
  for (let at = 1; at < hits.length; at++)
    for (let index = (hits[at - 1] ?? 0) + 1; index < (hits[at] ?? 0); index++) {
      const day = days[index] ?? 0;
      const near = rule.periodOf(day);
      const period = paid.has(near) && rule.dueDay(near) > day ? near - 1 : near;
      if (paid.has(period)) continue;
      paid.add(period);
      late.push(index);
    }
  if (late.length === 0) return fit;
  const all = [...hits, ...late].sort((a, b) => a - b);
  return { ...fit, hits: all, misses: fit.misses - late.length };
}

/** Payments on each day, or each day on which banks settle, whichever fits. */
export function fitDaily(payments: Payments, rule: DueRule, calendar: BankCalendar): Fit | null {
  const { days } = payments;
  const hits = days.flatMap((day, at) => (day === days[at - 1] ? [] : [at]));
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  const isOnBankDays = hits.every((hit) => calendar.isBankDay(days[hit] ?? 0));
  let dueCount = last - first + 1;
  if (isOnBankDays) {
    dueCount = 0;
    for (let day = first; day <= last; day++) if (calendar.isBankDay(day)) dueCount += 1;
  }
  const misses = dueCount - hits.length;
  const extras = countExtras(payments, hits);
  const bits =
    DAILY_BITS * hits.length - MISS_BITS * misses - EXTRA_BITS * extras - rule.parameterBits;
  const shift: Shift = isOnBankDays ? "following" : "none";
  const lags = hits.map(() => 0);
  return {
    ...{ rule, shift, lags, lag: 0, spread: 0, hits, misses, extras },
    ...{ dateBits: bits, amountBits: 0, bits },
  };
}

/** Payments between the first and the last hit that are not hits, without those that repeat a hit. */
function countExtras({ days, amounts }: Payments, hits: readonly number[]): number {
  let extras = 0;
  for (let at = 1; at < hits.length; at++) {
    const before = hits[at - 1] ?? 0;
    const after = hits[at] ?? 0;
    for (let index = before + 1; index < after; index++) {
      const day = days[index];
      const amount = amounts[index];
      const repeats =
        (days[before] === day && amounts[before] === amount) ||
        (days[after] === day && amounts[after] === amount);
      if (!repeats) extras += 1;
    }
  }
  return extras;
}
