// The series among the payments of one payee: two subscriptions, a membership among purchases, a price that changed, a day that
// moved. The rule that saves the most bits takes its payments first; then the rest is looked at again.
import type { BankCalendar } from "./calendar/bank-days.ts";
import {
  CYCLES,
  cycleRules,
  DAILY,
  type DueRule,
  MONTH_CYCLES,
  monthRules,
  semiMonthlyRules,
} from "./due-rules.ts";
import { fitPass, PASS_DAYS_MIN } from "./passes.ts";
import { type Instalments, statutoryRules, yearRules } from "./year-rules.ts";
import {
  amountRatio,
  type Fit,
  fitDaily,
  fitRule,
  mostBits,
  type Payments,
  withLatePayments,
} from "./fit.ts";

/** A part of a series under one rule. */
export interface Segment {
  readonly fit: Fit;
  readonly payments: Payments;
}

/** What the payee allows to look for. */
export interface SeriesOptions {
  readonly calendar: BankCalendar;
  /** Known to sell subscriptions. */
  readonly isService: boolean;
  /** Two payments a year apart are enough. */
  readonly isYearlyByTwo: boolean;
  readonly isTax: boolean;
  readonly instalments: Instalments;
  /** Sells passes perhaps, which are bought again when they have ended. */
  readonly mayBePass: boolean;
  /** Shorter periods would not be believed of such a payee. */
  readonly periodDaysMin: number;
}

/** Two gaps that agree are the least that shows a period. */
const PAYMENTS_MIN = 3;
/** Of one payee; more are not looked for. */
const SERIES_MAX = 24;
const BITS_MIN = 0;
/** Periods without a payment after which a series has ended, and what follows is another one. */
const GAP_PERIODS_MAX = 3.6;
const GAP_DAYS_MIN = 12;
/** Amounts further apart than this are of different clusters. */
const CLUSTER_RATIO = 1.15;

const pick = ({ places, days, amounts }: Payments, at: readonly number[]): Payments => ({
  places: at.map((index) => places[index] ?? 0),
  days: at.map((index) => days[index] ?? 0),
  amounts: at.map((index) => amounts[index] ?? 0),
});

/** Where a gap is longer than some periods, a run ends. */
function runsOf(payments: Payments, periodDays: number): readonly Payments[] {
  const { days } = payments;
  const longest = Math.max(GAP_DAYS_MIN, GAP_PERIODS_MAX * periodDays);
  const cuts = [0];
  for (let index = 1; index < days.length; index++)
    if ((days[index] ?? 0) - (days[index - 1] ?? 0) > longest) cuts.push(index);
  if (cuts.length === 1) return [payments];
  return cuts.map((from, index) => {
    const until = cuts[index + 1] ?? days.length;
    return {
      places: payments.places.slice(from, until),
      days: days.slice(from, until),
      amounts: payments.amounts.slice(from, until),
    };
  });
}

/** Payments closer together than this share of a period are not a series with it, however they are chosen. */
const DENSITY_MAX = 3;

interface RuleKind {
  /** The shortest of its rules. */
  readonly periodDays: number;
  /** Days between payments up to some times which they are of one run. */
  readonly runDays: number;
  /** Days by which the first and the last payment of a rule may be nearer to each other than its periods are long. */
  readonly windowDays: number;
  /** Payments at least. */
  readonly least: number;
  fits(run: Payments, best: number): Fit | null;
}

interface KindLimits {
  readonly runDays: number;
  readonly windowDays: number;
  /** Mean days by which payments may differ. */
  readonly spreadMax: number;
}

/** The kinds of rules to try, the usual ones first, so that the others are dropped early. */
function kindsOf({
  calendar,
  isService,
  isYearlyByTwo,
  isTax,
  instalments,
  mayBePass,
  periodDaysMin,
}: SeriesOptions): readonly RuleKind[] {
  const kind = (
    periodDays: number,
    rulesOf: (days: readonly number[]) => readonly DueRule[],
    least = PAYMENTS_MIN,
    {
      runDays = periodDays,
      windowDays = periodDays,
      spreadMax = Number.POSITIVE_INFINITY,
    }: Partial<KindLimits> = {},
  ): RuleKind => ({
    ...{ periodDays, runDays, windowDays, least },
    fits(run, bits) {
      let best: Fit | null = null;
      for (const rule of rulesOf(run.days)) {
        const fit = fitRule(run, rule, calendar, best?.bits ?? bits);
        if (fit === null || fit.hits.length < least || fit.spread > spreadMax) continue;
        if (fit.bits > (best?.bits ?? bits)) best = fit;
      }
      return best;
    },
  });
  const byMonths = MONTH_CYCLES.map((cycle) =>
    kind(
      cycle.days,
      (days) => monthRules(days, cycle, calendar),
      cycle.periodicity === "yearly" && isYearlyByTwo ? 2 : PAYMENTS_MIN,
      { windowDays: cycle.early + cycle.late + UNEVEN_DAYS },
    ),
  );
  const ofYear = (rulesOf: (days: readonly number[]) => readonly DueRule[], least: number) =>
    kind(YEAR_RULE_DAYS, rulesOf, least, { runDays: YEAR_RUN_DAYS });
  const daily: RuleKind = {
    ...{ periodDays: 1, runDays: 1, windowDays: 1, least: DAILY_PAYMENTS_MIN },
    fits: (run) => fitDaily(run, DAILY, calendar),
  };
  const pass: RuleKind = {
    ...{ periodDays: PASS_DAYS_MIN, runDays: PASS_DAYS_MIN, windowDays: 0, least: PASSES_MIN },
    fits: fitPass,
  };
  const kinds = [
    ...byMonths,
    ...(mayBePass ? [pass] : []),
    ...CYCLES.map((cycle) =>
      kind(cycle.days, (days) => cycleRules(days, cycle), PAYMENTS_MIN, {
        windowDays: cycle.early + cycle.late,
        ...(isService && { spreadMax: SERVICE_SPREAD_MAX }),
      }),
    ),
    // Nothing is subscribed to twice a month: those are two subscriptions of one price.
    ...(isService ? [] : [kind(15, semiMonthlyRules, 4)]),
    daily,
    ofYear((days) => yearRules(days, calendar), 5),
    ...(isTax ? [ofYear((days) => statutoryRules(days, calendar, instalments), PAYMENTS_MIN)] : []),
  ];
  return kinds.filter(({ periodDays }) => periodDays >= periodDaysMin);
}

/** Days by which due days may be nearer than the mean length of months: short months, weekdays in them, bank days. */
const UNEVEN_DAYS = 10;
/** Services charge cards on the day: two subscriptions half a month apart are not one of every two weeks. */
const SERVICE_SPREAD_MAX = 1.3;
const PASSES_MIN = 4;
const DAILY_PAYMENTS_MIN = 8;
/** Eleven payments a year. */
const YEAR_RULE_DAYS = 33;
/** Months without payments are part of the rule here, so that only a longer gap ends a run. */
const YEAR_RUN_DAYS = 120;

interface Subset {
  payments: Payments;
  /** What it costs to say which of the sets it is. */
  readonly bits: number;
  /** Undefined: not looked at since its payments changed. */
  best: Segment | null | undefined;
}

/** The best rule for a set of payments; null when none of them saves any bits. */
function bestFit({ payments, bits: setBits }: Subset, kinds: readonly RuleKind[]): Segment | null {
  let best: Segment | null = null;
  for (const { periodDays, runDays, windowDays, least, fits } of kinds)
    for (const run of runsOf(payments, runDays)) {
      const { days } = run;
      if (days.length < least) continue;
      const spanDays = (days.at(-1) ?? 0) - (days[0] ?? 0);
      if (days.length > DENSITY_MAX * (spanDays / periodDays + 1) + 2) continue;
      const hitsMax = Math.floor((spanDays + windowDays) / periodDays) + 1;
      if (hitsMax < least) continue;
      const bits = best?.fit.bits ?? BITS_MIN + setBits;
      if (mostBits(days.length, hitsMax, periodDays) <= bits) continue;
      const fit = fits(run, bits);
      if (fit !== null && fit.bits > bits) best = { fit, payments: run };
    }
  return best === null ? null : { ...best, fit: lessBits(best.fit, setBits) };
}

const lessBits = (fit: Fit, bits: number): Fit => ({
  ...fit,
  ...{ dateBits: fit.dateBits - bits, bits: fit.bits - bits },
});

/** Sets of payments that may be a series: all, those of one amount, those of amounts near each other. */
function subsetsOf(payments: Payments, least: number): Payments[] {
  const subsets = [payments];
  const order = payments.amounts.map((_, index) => index);
  order.sort((a, b) => (payments.amounts[a] ?? 0) - (payments.amounts[b] ?? 0) || a - b);
  const addRuns = (maximumRatio: number): void => {
    let run: number[] = [];
    const end = (): void => {
      if (run.length >= least && run.length < payments.places.length)
        subsets.push(
          pick(
            payments,
            run.toSorted((a, b) => a - b),
          ),
        );
      run = [];
    };
    for (const index of order) {
      const last = run.at(-1);
      if (
        last !== undefined &&
        amountRatio(payments.amounts[index] ?? 0, payments.amounts[last] ?? 0) > maximumRatio
      )
        end();
      run.push(index);
    }
    end();
  };
  addRuns(1);
  addRuns(CLUSTER_RATIO);
  return subsets;
}

/** The series of a payee, by the bits that they save. */
export function findSegments(payments: Payments, options: SeriesOptions): readonly Segment[] {
  const least = options.isYearlyByTwo ? 2 : PAYMENTS_MIN;
  if (payments.places.length < least) return [];
  const sets = subsetsOf(payments, least);
  const subsets: Subset[] = sets.map((one, index) => ({
    payments: one,
    bits: index === 0 ? 0 : Math.log2(sets.length),
    best: undefined,
  }));
  const kinds = kindsOf(options);
  const found: Segment[] = [];
  while (found.length < SERIES_MAX) {
    let best: Segment | null = null;
    for (const subset of subsets) {
      if (subset.best === undefined) subset.best = bestFit(subset, kinds);
      if (subset.best !== null && (best === null || subset.best.fit.bits > best.fit.bits))
        best = subset.best;
    }
    if (best === null || best.fit.bits < BITS_MIN) break;
    const whole = { ...best, fit: withLatePayments(best.payments, best.fit) };
    found.push(whole);
    removeHits(subsets, whole);
  }
  return found;
}

function removeHits(subsets: Subset[], { fit, payments }: Segment): void {
  const taken = new Set(fit.hits.map((hit) => payments.places[hit] ?? -1));
  for (const subset of subsets) {
    const { places } = subset.payments;
    const left = places.map((_, index) => index).filter((index) => !taken.has(places[index] ?? -1));
    if (left.length === places.length) continue;
    subset.payments = pick(subset.payments, left);
    subset.best = left.length < 2 ? null : undefined;
  }
}
