// Passes: bought again when the last one has ended, so that each late purchase moves all that follow. The days of a month do not
// describe them, the time from one to the next does.
import { type DueRule, FAMILY_BITS, MONTH_DAYS } from "./due-rules.ts";
import {
  amountBitsOf,
  amountRatio,
  EXTRA_BITS,
  type Fit,
  medianOf,
  MISS_BITS,
  type Payments,
  spreadBits,
} from "./fit.ts";

interface PassTerm extends Pick<DueRule, "periodicity" | "periodDays"> {
  /** Bits for a term that is rarer than others. */
  readonly rarity: number;
}

/** What passes are sold for: 30 days or a month from any day, and four weeks. */
const TERMS: readonly PassTerm[] = [
  { periodicity: "monthly", periodDays: 30, rarity: 0 },
  { periodicity: "other", periodDays: 28, rarity: 2 },
];
export const PASS_DAYS_MIN = 28;

/** Days before the end of a pass from which the next one is bought. */
const EARLY_DAYS = 4;
/** Days after its end by which the next one is bought, but for breaks. */
const LATE_DAYS = 6;
/** What it costs to say that a pass was bought before the last one had ended. */
const EARLY_BITS = 1;
/** Tariffs change by less. */
const TARIFF_RATIO_MAX = 1.15;
/** A pass that is bought before it is needed, most of the time, by more than this is not one. */
const LAG_MIN = -1;
const PAYMENTS_MIN = 4;

interface Renewals {
  readonly hits: readonly number[];
  /** Days from the end of the last pass to the purchase, of each hit but the first. */
  readonly lags: readonly number[];
  readonly extras: number;
}

/** Each purchase from some days before the end of the last pass on renews it; what is bought sooner is extra. */
function renewalsOf({ days, amounts }: Payments, periodDays: number): Renewals {
  const hits = [0];
  const lags: number[] = [];
  let extras = 0;
  for (let at = 1; at < days.length; at++) {
    const last = hits.at(-1) ?? 0;
    const lag = (days[at] ?? 0) - (days[last] ?? 0) - periodDays;
    if (lag < -EARLY_DAYS || amountRatio(amounts[at] ?? 0, amounts[last] ?? 0) > TARIFF_RATIO_MAX)
      extras += 1;
    else {
      hits.push(at);
      lags.push(lag);
    }
  }
  return { hits, lags, extras };
}

/** Bits that one whole number of days with a normal distribution saves against any day of the period (Sheppard 1898). */
function normalBits(periodDays: number, lags: readonly number[]): number {
  const mean = lags.reduce((sum, one) => sum + one, 0) / lags.length;
  const variance = lags.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (lags.length - 1);
  return Math.max(
    0,
    Math.log2(periodDays) - 0.5 * Math.log2(2 * Math.PI * Math.E * (variance + 1 / 12)),
  );
}

/** The place of the first of ascending days that is after a day; as many as there are where none is. */
function firstAfter(days: readonly number[], day: number): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle] ?? 0) > day) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The rule by which each pass is due at the end of the one before, and the next ones one after the other. */
function renewalRule(
  { periodicity, periodDays, rarity }: PassTerm,
  bought: readonly number[],
): DueRule {
  const [first = 0] = bought;
  const last = bought.at(-1) ?? first;
  const count = bought.length;
  const dueDay = (period: number): number => {
    if (period <= 0) return first + period * periodDays;
    if (period >= count) return last + (period - count + 1) * periodDays;
    return (bought[period - 1] ?? 0) + periodDays;
  };
  return {
    ...{ periodicity, periodDays, early: EARLY_DAYS, late: LATE_DAYS },
    parameterBits: Math.log2(periodDays) + FAMILY_BITS + rarity,
    periodOf(day) {
      if (day <= first) return Math.round((day - first) / periodDays);
      if (day >= last) return count - 1 + Math.round((day - last) / periodDays);
      const next = firstAfter(bought, day);
      const after = (bought[next] ?? 0) - day;
      return after < day - (bought[next - 1] ?? 0) ? next : next - 1;
    },
    dueDay,
  };
}

function fitTerm(payments: Payments, term: PassTerm): Fit | null {
  const { hits, lags, extras } = renewalsOf(payments, term.periodDays);
  if (hits.length < PAYMENTS_MIN) return null;
  const near = lags.filter((lag) => lag <= LATE_DAYS);
  if (near.length < 2) return null;
  const lag = medianOf(near);
  if (lag < LAG_MIN) return null;
  const spread = near.reduce((sum, one) => sum + Math.abs(one - lag), 0) / near.length;
  const misses = lags.reduce((sum, one) => sum + Math.max(0, Math.round(one / term.periodDays)), 0);
  const rule = renewalRule(
    term,
    hits.map((hit) => payments.days[hit] ?? 0),
  );
  const early = near.filter((one) => one < 0).length;
  const lostBits =
    MISS_BITS * (lags.length - near.length) + EXTRA_BITS * extras + EARLY_BITS * early;
  const dateBits =
    Math.max(spreadBits(term.periodDays, spread), normalBits(term.periodDays, near)) * near.length -
    lostBits -
    rule.parameterBits -
    Math.log2(1 + Math.abs(lag));
  const amountBits = amountBitsOf(payments.amounts, hits);
  return {
    ...{ rule, shift: "none", hits, lags, lag, spread, misses, extras },
    ...{ dateBits, amountBits, bits: dateBits + amountBits },
  };
}

/** The term that describes the purchases best; null where none describes four of them with more than the bits to surpass. */
export function fitPass(payments: Payments, best: number): Fit | null {
  let found: Fit | null = null;
  for (const term of TERMS) {
    const fit = fitTerm(payments, term);
    if (fit !== null && fit.bits > (found?.bits ?? best)) found = fit;
  }
  return found;
}

/**
 * How regular habits are at most: the times between purchases have a gamma distribution, whose shape is 1 where they come by chance,
 * and 2 for most goods (Chatfield and Goodhardt 1973, "A consumer purchasing model with Erlang inter-purchase times"); more regular
 * buyers have higher ones (Platzer and Reutterer 2016, "Ticking away the moments"). Who buys again when ten or twenty rides are used
 * has the sum of them, which is more regular: this one has gaps that differ by a quarter. Set on development ledgers.
 */
const HABIT_SHAPE = 16;
/** Logarithm of the gamma function of the shape, by Stirling's series. */
const LOG_GAMMA =
  (HABIT_SHAPE - 0.5) * Math.log(HABIT_SHAPE) -
  HABIT_SHAPE +
  0.5 * Math.log(2 * Math.PI) +
  1 / (12 * HABIT_SHAPE);

/**
 * Bits that a habit as regular as habits are at most saves to say when payments come, against any day of their period. A calendar that
 * saves more describes them better: the likelihood ratio of both, which grows with their number (Wald 1945).
 * @param days ascending
 */
export function habitBitsOf(days: readonly number[], periodDays: number): number {
  const gaps = days.slice(1).map((day, at) => Math.max(1, day - (days[at] ?? 0)));
  if (gaps.length === 0) return 0;
  const mean = medianOf(gaps);
  let bits = 0;
  for (const gap of gaps) {
    const scaled = (HABIT_SHAPE * gap) / mean;
    const logDensity = HABIT_SHAPE * Math.log(scaled) - scaled - Math.log(gap) - LOG_GAMMA;
    bits += Math.max(-MISS_BITS, Math.log2(periodDays) + logDensity / Math.LN2);
  }
  return bits;
}

/** From four weeks to a month. */
export const isPassPeriod = (periodDays: number): boolean =>
  periodDays >= PASS_DAYS_MIN && periodDays <= MONTH_DAYS;
