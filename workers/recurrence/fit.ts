// How well a rule describes a set of payments, in bits: what it saves to say on which days and for how much they were, against
// days and amounts without a rule (minimum description length, Rissanen 1978). A rule that fits by chance saves nothing, because
// it has to be described too.
import type { BankCalendar } from "./calendar/bank-days.ts";
import type { DueRule, RulePlaces, RuleCandidate } from "./due-rules.ts";
import { createRunDays, type RunDays, zeros } from "./month-days.ts";

/** Payments by day. Place i of each column belongs to payment i. */
export interface Payments {
  /** Places in the ledger. */
  readonly places: readonly number[];
  readonly days: readonly number[];
  readonly amounts: readonly number[];
}

/** Payments that rules are tried on, with what all of them ask for and the memory that each works in. */
export interface TriedRun extends RunDays {
  readonly payments: Payments;
  readonly calendar: BankCalendar;
  readonly work: RunWork;
}

/** Lists of which a rule writes the beginning: lists of its own would be most of the garbage of a search. */
interface RunWork extends RulePlaces {
  /** Places of the hits in the payments. */
  readonly hits: number[];
  /** Lags of the best shift so far, and of the one that is tried. */
  lags: number[];
  otherLags: number[];
}

export function createRun(payments: Payments, calendar: BankCalendar): TriedRun {
  const { days } = payments;
  const list = (): number[] => zeros(days.length);
  const [periods, dueDays, hits, lags, otherLags] = [list(), list(), list(), list(), list()];
  const work: RunWork = { periods, dueDays, hits, lags, otherLags };
  return { payments, calendar, work, ...createRunDays(days, calendar) };
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

/** @param count of the hits that are looked at, the first ones */
export function amountBitsOf(
  amounts: readonly number[],
  hits: readonly number[],
  count = hits.length,
): number {
  let bits = 0;
  let last = amounts[hits[0] ?? 0] ?? 0;
  for (let at = 1; at < count; at++) {
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
  /** How many hits there are. */
  readonly count: number;
  readonly misses: number;
}

/** At most one payment for each due day: the nearest, of near amounts the one that is like the last. */
function match({ payments, work }: TriedRun, { early, late }: RuleCandidate): Matched {
  const { days } = payments;
  const { periods, dueDays, hits } = work;
  let count = 0;
  let first = 0;
  let period = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < days.length; at++) {
    const lag = (days[at] ?? 0) - (dueDays[at] ?? 0);
    const near = periods[at] ?? 0;
    if (lag < -early || lag > late || near < period) continue;
    if (near === period) {
      if (isNearer(payments, work, at, count)) hits[count - 1] = at;
      continue;
    }
    if (count === 0) first = near;
    hits[count] = at;
    count += 1;
    period = near;
  }
  return { count, misses: count === 0 ? 0 : period - first + 1 - count };
}

/** Whether a payment takes the place of the last hit, which is near the same due day. */
function isNearer(
  { days, amounts }: Payments,
  { dueDays, hits }: RunWork,
  at: number,
  count: number,
): boolean {
  const hit = hits[count - 1] ?? 0;
  const last = count < 2 ? null : (amounts[hits[count - 2] ?? 0] ?? null);
  const due = dueDays[at] ?? 0;
  return (
    Math.abs((days[at] ?? 0) - due) + amountDays(amounts[at] ?? 0, last) <
    Math.abs((days[hit] ?? 0) - due) + amountDays(amounts[hit] ?? 0, last)
  );
}

interface DueLags {
  readonly shift: Shift;
  readonly lag: number;
  readonly spread: number;
}

/** Lags of payments from the same due day differ by less. */
const LAG_RANGE = 64;

/** The lower median of the first whole numbers of a list, which are near each other. */
function medianOfLags(lags: readonly number[], count: number): number {
  let low = lags[0] ?? 0;
  let high = low;
  for (let at = 1; at < count; at++) {
    const lag = lags[at] ?? 0;
    if (lag < low) low = lag;
    else if (lag > high) high = lag;
  }
  if (low === high) return low;
  if (high - low >= LAG_RANGE) return medianOf(lags.slice(0, count));
  const counts = zeros(high - low + 1);
  for (let at = 0; at < count; at++) {
    const lag = (lags[at] ?? 0) - low;
    counts[lag] = (counts[lag] ?? 0) + 1;
  }
  let left = Math.floor((count - 1) / 2);
  for (let at = 0; ; at++) {
    const same = counts[at] ?? 0;
    if (left < same) return low + at;
    left -= same;
  }
}

/** Writes the lags of the hits to due days that are moved by a shift. */
function lagsTo({ payments, calendar, work }: TriedRun, count: number, shift: Shift): DueLags {
  const { days } = payments;
  const { hits, dueDays, otherLags } = work;
  for (let at = 0; at < count; at++) {
    const hit = hits[at] ?? 0;
    const day = days[hit] ?? 0;
    const due = dueDays[hit] ?? 0;
    otherLags[at] = day - (shift === "none" ? due : calendar[shift](due));
  }
  const lag = medianOfLags(otherLags, count);
  let sum = 0;
  for (let at = 0; at < count; at++) sum += Math.abs((otherLags[at] ?? 0) - lag);
  return { shift, lag, spread: sum / count };
}

/** The shift after which the lags differ least; `lags` has them. */
function bestLags(run: TriedRun, count: number): DueLags {
  const { work } = run;
  const keep = (): void => {
    [work.lags, work.otherLags] = [work.otherLags, work.lags];
  };
  let best = lagsTo(run, count, "none");
  keep();
  for (const shift of ["following", "preceding"] as const) {
    if (best.spread === 0) return best;
    const moved = lagsTo(run, count, shift);
    if (moved.spread >= best.spread) continue;
    best = moved;
    keep();
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

/** More than sums of so many bits are rounded by. */
const ROUNDING_BITS = 1e-6;

/**
 * @param best the bits that are to be surpassed
 * @returns null when fewer than two payments are near due days, or the rule does not save more
 */
export function fitRule(
  run: TriedRun,
  candidate: RuleCandidate,
  best = Number.NEGATIVE_INFINITY,
): Fit | null {
  const { payments, work } = run;
  const { periodDays, parameterBits } = candidate;
  candidate.place(work);
  const { count, misses } = match(run, candidate);
  if (count < 2) return null;
  const dayBits = Math.log2(periodDays) * count;
  // Before it is known how many payments are left over, and what the amounts save at most.
  const most = dayBits - MISS_BITS * misses - parameterBits + SAME_AMOUNT_BITS * (count - 1);
  if (most + ROUNDING_BITS <= best) return null;
  const { hits } = work;
  const extras = countExtras(payments, hits, count);
  const lostBits = MISS_BITS * misses + EXTRA_BITS * extras + parameterBits;
  if (dayBits - lostBits + SAME_AMOUNT_BITS * (count - 1) + ROUNDING_BITS <= best) return null;
  const amountBits = amountBitsOf(payments.amounts, hits, count);
  if (dayBits - lostBits + amountBits <= best) return null;
  const lags = bestLags(run, count);
  const dateBits = spreadBits(periodDays, lags.spread) * count - lostBits - lagBits(lags.lag);
  const bits = dateBits + amountBits;
  if (bits <= best) return null;
  return {
    ...{ rule: candidate.rule(), ...lags, hits: hits.slice(0, count) },
    ...{ lags: work.lags.slice(0, count), misses, extras, dateBits, amountBits, bits },
  };
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
function countExtras(
  { days, amounts }: Payments,
  hits: readonly number[],
  count = hits.length,
): number {
  let extras = 0;
  for (let at = 1; at < count; at++) {
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
