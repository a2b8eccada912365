// The series among the payments of one payee: two subscriptions, a membership among purchases, a price that changed, a day that
// moved. The rule that saves the most bits takes its payments first; then the rest is looked at again.
import type { BankCalendar } from "./calendar/bank-days.ts";
import {
  CYCLES,
  cycleRules,
  DAILY,
  MONTH_CYCLES,
  monthRules,
  type RuleCandidate,
  semiMonthlyRules,
} from "./due-rules.ts";
import { fitPass, PASS_DAYS_MIN } from "./passes.ts";
import { type Instalments, statutoryRules, yearRules } from "./year-rules.ts";
import {
  amountRatio,
  createRun,
  type Fit,
  fitDaily,
  fitRule,
  mostBits,
  type Payments,
  type TriedRun,
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

/** Where the runs of payments begin: a gap that is longer than some periods ends one. The last number is where the last one ends. */
function cutsOf(days: readonly number[], longestGap: number, periodDays: number): number[] {
  const longest = Math.max(GAP_DAYS_MIN, GAP_PERIODS_MAX * periodDays);
  if (longestGap <= longest) return [0, days.length];
  const cuts = [0];
  for (let index = 1; index < days.length; index++)
    if ((days[index] ?? 0) - (days[index - 1] ?? 0) > longest) cuts.push(index);
  cuts.push(days.length);
  return cuts;
}

function longestGapOf(days: readonly number[]): number {
  let longest = 0;
  for (let index = 1; index < days.length; index++)
    longest = Math.max(longest, (days[index] ?? 0) - (days[index - 1] ?? 0));
  return longest;
}

type ReadRun = (from: number, until: number) => TriedRun;

/** Returns what makes the runs of payments, each once: most of them are runs of several kinds of rules. */
function createRunReader(payments: Payments, calendar: BankCalendar): ReadRun {
  const { places, days, amounts } = payments;
  let whole: TriedRun | null = null;
  let parts: Map<number, TriedRun> | null = null;
  return (from, until) => {
    if (until - from === days.length) return (whole ??= createRun(payments, calendar));
    parts ??= new Map();
    const key = from * days.length + until;
    let run = parts.get(key);
    if (run === undefined) {
      run = createRun(
        {
          places: places.slice(from, until),
          days: days.slice(from, until),
          amounts: amounts.slice(from, until),
        },
        calendar,
      );
      parts.set(key, run);
    }
    return run;
  };
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
  fits(run: TriedRun, best: number): Fit | null;
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
    rulesOf: (run: TriedRun, least: number) => readonly RuleCandidate[],
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
      for (const rule of rulesOf(run, least)) {
        const fit = fitRule(run, rule, best?.bits ?? bits);
        if (fit !== null && fit.hits.length >= least && fit.spread <= spreadMax) best = fit;
      }
      return best;
    },
  });
  const byMonths = MONTH_CYCLES.map((cycle) =>
    kind(
      cycle.days,
      (run, least) => monthRules(run, cycle, least),
      cycle.periodicity === "yearly" && isYearlyByTwo ? 2 : PAYMENTS_MIN,
      { windowDays: cycle.early + cycle.late + UNEVEN_DAYS },
    ),
  );
  const ofYear = (rulesOf: (run: TriedRun) => readonly RuleCandidate[], least: number) =>
    kind(YEAR_RULE_DAYS, rulesOf, least, { runDays: YEAR_RUN_DAYS });
  const daily: RuleKind = {
    ...{ periodDays: 1, runDays: 1, windowDays: 1, least: DAILY_PAYMENTS_MIN },
    fits: ({ payments }) => fitDaily(payments, DAILY, calendar),
  };
  const pass: RuleKind = {
    ...{ periodDays: PASS_DAYS_MIN, runDays: PASS_DAYS_MIN, windowDays: 0, least: PASSES_MIN },
    fits: ({ payments }, best) => fitPass(payments, best),
  };
  const kinds = [
    ...byMonths,
    ...(mayBePass ? [pass] : []),
    ...CYCLES.map((cycle) =>
      kind(cycle.days, (run) => cycleRules(run, cycle), PAYMENTS_MIN, {
        windowDays: cycle.early + cycle.late,
        ...(isService && { spreadMax: SERVICE_SPREAD_MAX }),
      }),
    ),
    // Nothing is subscribed to twice a month: those are two subscriptions of one price.
    ...(isService ? [] : [kind(15, semiMonthlyRules, 4)]),
    daily,
    ofYear(yearRules, 5),
    ...(isTax ? [ofYear((run) => statutoryRules(run, instalments), PAYMENTS_MIN)] : []),
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

/** Whether a rule of a kind may save more than some bits for the payments of a run. */
function maySave(
  { periodDays, windowDays, least }: RuleKind,
  count: number,
  spanDays: number,
  bits: number,
): boolean {
  if (count < least || count > DENSITY_MAX * (spanDays / periodDays + 1) + 2) return false;
  const hitsMax = Math.floor((spanDays + windowDays) / periodDays) + 1;
  return hitsMax >= least && mostBits(count, hitsMax, periodDays) > bits;
}

/** The best rule for a set of payments; null when none of them saves any bits. */
function bestFit(
  { payments, bits: setBits }: Subset,
  kinds: readonly RuleKind[],
  calendar: BankCalendar,
): Segment | null {
  const { days } = payments;
  const longestGap = longestGapOf(days);
  const readRun = createRunReader(payments, calendar);
  let best: Segment | null = null;
  for (const kind of kinds) {
    const cuts = cutsOf(days, longestGap, kind.runDays);
    for (let at = 1; at < cuts.length; at++) {
      const from = cuts[at - 1] ?? 0;
      const until = cuts[at] ?? 0;
      const spanDays = (days[until - 1] ?? 0) - (days[from] ?? 0);
      const bits = best?.fit.bits ?? BITS_MIN + setBits;
      if (!maySave(kind, until - from, spanDays, bits)) continue;
      const run = readRun(from, until);
      const fit = kind.fits(run, bits);
      if (fit !== null && fit.bits > bits) best = { fit, payments: run.payments };
    }
  }
  return best === null ? null : { ...best, fit: lessBits(best.fit, setBits) };
}

const lessBits = (fit: Fit, bits: number): Fit => ({
  ...fit,
  ...{ dateBits: fit.dateBits - bits, bits: fit.bits - bits },
});

interface PaymentSets {
  /** All payments, those of one amount, those of amounts near each other. */
  readonly sets: readonly Payments[];
  /** How many there are, with those that are the same as another one. */
  readonly count: number;
}

/** Sets of payments that may be a series. */
function subsetsOf(payments: Payments, least: number): PaymentSets {
  const { amounts } = payments;
  const sets = [payments];
  const order = amounts.map((_, index) => index);
  order.sort((a, b) => (amounts[a] ?? 0) - (amounts[b] ?? 0) || a - b);
  const amountAt = (at: number): number => amounts[order[at] ?? 0] ?? 0;
  let count = 1;
  const addRuns = (maximumRatio: number): void => {
    let from = 0;
    for (let until = 1; until <= order.length; until++) {
      if (until < order.length && amountRatio(amountAt(until), amountAt(until - 1)) <= maximumRatio)
        continue;
      if (until - from >= least && until - from < order.length) {
        count += 1;
        // Of one amount alone, it is there already.
        if (maximumRatio === 1 || amountAt(from) !== amountAt(until - 1))
          sets.push(
            pick(
              payments,
              order.slice(from, until).sort((a, b) => a - b),
            ),
          );
      }
      from = until;
    }
  };
  addRuns(1);
  addRuns(CLUSTER_RATIO);
  return { sets, count };
}

/** The series of a payee, by the bits that they save. */
export function findSegments(payments: Payments, options: SeriesOptions): readonly Segment[] {
  const least = options.isYearlyByTwo ? 2 : PAYMENTS_MIN;
  if (payments.places.length < least) return [];
  const { sets, count } = subsetsOf(payments, least);
  const subsets: Subset[] = sets.map((one, index) => ({
    payments: one,
    bits: index === 0 ? 0 : Math.log2(count),
    best: undefined,
  }));
  const kinds = kindsOf(options);
  const found: Segment[] = [];
  while (found.length < SERIES_MAX) {
    let best: Segment | null = null;
    for (const subset of subsets) {
      if (subset.best === undefined) subset.best = bestFit(subset, kinds, options.calendar);
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
