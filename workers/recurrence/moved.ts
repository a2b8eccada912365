// A series whose day has moved: what comes next is by the latest payments, once they agree on another day.
import type { BankCalendar } from "./calendar/bank-days.ts";
import { MONTH_CYCLES, monthRules, type RuleCandidate } from "./due-rules.ts";
import { createRun, type Fit, fitRule, type Payments, type TriedRun } from "./fit.ts";
import type { Series } from "./groups.ts";

/** Payments that show a new day: one alone may only be late. */
const LATEST_MIN = 2;
const LATEST_MAX = 12;
/** Mean days by which payments on the new day may differ. */
const SPREAD_MAX = 1.5;
/** What it costs to say that the day has moved, when, and to which one. */
const MOVE_BITS = 8;
/** What it costs more for each day that payments were apart before: they are apart again by chance. */
const WIDTH_BITS = 6;
/** Days that payments on one day of the month differ at least, whatever the first ones show. */
const WIDTH_MIN = 0.5;

/** Bits that say how far a payment is from its day, by a two-sided exponential distribution (Laplace 1774). */
function daysBits(apart: number, width: number): number {
  const scale = Math.max(WIDTH_MIN, width);
  return Math.log2(2 * scale) + Math.abs(apart) / (scale * Math.LN2);
}

const latestOf = ({ places, days, amounts }: Payments, count: number): Payments => ({
  places: places.slice(-count),
  days: days.slice(-count),
  amounts: amounts.slice(-count),
});

/** The best rule for payments of which none is missing or left over. */
function fitAll(run: TriedRun, rules: readonly RuleCandidate[]): Fit | null {
  let best: Fit | null = null;
  for (const rule of rules) {
    const fit = fitRule(run, rule);
    if (fit === null || fit.hits.length < run.days.length || fit.misses > 0) continue;
    if (best === null || fit.bits > best.bits) best = fit;
  }
  return best;
}

/** How far the latest payments are from the days of the rule of the series, in days. */
function apartFrom(
  { rule, shift, lag }: Fit,
  days: readonly number[],
  calendar: BankCalendar,
): readonly number[] {
  return days.map((day) => {
    const due = rule.dueDay(rule.periodOf(day));
    return day - (shift === "none" ? due : calendar[shift](due)) - lag;
  });
}

/**
 * The rule of the latest payments of a series by months, where another day of the month describes them with fewer bits, that of
 * the move included; null where the day has not moved.
 */
export function movedFit({ segments, payments }: Series, calendar: BankCalendar): Fit | null {
  const fit = segments.at(-1)?.fit;
  const cycle = MONTH_CYCLES.find(({ days }) => days === fit?.rule.periodDays);
  if (fit === undefined || cycle === undefined) return null;
  const most = Math.log2(cycle.days);
  let best: Fit | null = null;
  let saved = MOVE_BITS;
  for (let count = LATEST_MIN; count <= Math.min(LATEST_MAX, payments.days.length - 2); count++) {
    const latest = latestOf(payments, count);
    const apart = apartFrom(fit, latest.days, calendar);
    if (apart[0] === 0) continue;
    const before = fit.lags.slice(0, Math.max(1, fit.lags.length - count));
    const width = before.reduce((sum, lag) => sum + Math.abs(lag - fit.lag), 0) / before.length;
    if (width > SPREAD_MAX) continue;
    const run = createRun(latest, calendar);
    const moved = fitAll(run, monthRules(run, cycle, run.days.length));
    if (moved === null || moved.spread > SPREAD_MAX) continue;
    const bits =
      apart.reduce((sum, days) => sum + Math.min(most, daysBits(days, width)), 0) -
      moved.lags.reduce((sum, lag) => sum + daysBits(lag - moved.lag, moved.spread), 0);
    if (bits - WIDTH_BITS * width > saved) [best, saved] = [moved, bits - WIDTH_BITS * width];
  }
  return best;
}
