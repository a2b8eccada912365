// Two detectors to compare with, each a careful version of what published tools do. They read dates, amounts and names only.
import type { Periodicity } from "../../src/model/recurrence.ts";
import {
  toCalendarDate,
  dayInMonth,
  formatDay,
  parseDay,
} from "../../workers/recurrence/calendar/days.ts";
import type { DetectedGroup, Detector, LedgerTransactionSample } from "./samples.ts";

interface KnownPeriod {
  readonly periodicity: Periodicity;
  readonly days: number;
  /** Months, for periods by the calendar. */
  readonly months: number | null;
  /** Days by which a gap may differ. */
  readonly toleranceDays: number;
}

const period = (
  periodicity: Periodicity,
  days: number,
  toleranceDays: number,
  months: number | null = null,
): KnownPeriod => ({ periodicity, days, toleranceDays, months });

/** Tolerances as in published tools: about a tenth of the period, at least a day (firefly-iii and actual allow 1 to 5 days). */
const KNOWN_PERIODS: readonly KnownPeriod[] = [
  period("daily", 1, 0),
  period("weekly", 7, 1),
  period("bi-weekly", 14, 1),
  period("semi-monthly", 15, 2),
  period("monthly", 30.4, 4, 1),
  period("bi-monthly", 60.9, 5, 2),
  period("quarterly", 91.3, 6, 3),
  period("semi-yearly", 182.6, 8, 6),
  period("yearly", 365.25, 10, 12),
];
const OCCURRENCES_MIN = 3;

interface DatedEntry {
  readonly entry: LedgerTransactionSample;
  readonly day: number;
}

/** The name, or the words of the line that have no digits. */
function payeeKey({ counterparty, description }: LedgerTransactionSample): string {
  const text =
    counterparty?.name ??
    description
      .split(/\s+/u)
      .filter((word) => !/\d/u.test(word))
      .join(" ");
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ");
}

function byPayee(entries: readonly LedgerTransactionSample[]): readonly (readonly DatedEntry[])[] {
  const dated = entries
    .map((entry) => ({ entry, day: parseDay(entry.date) }))
    .toSorted((a, b) => a.day - b.day);
  const groups = Map.groupBy(
    dated,
    ({ entry }) => `${payeeKey(entry)}|${entry.entryType}|${entry.currency}`,
  );
  return [...groups.values()];
}

const gapsOf = (entries: readonly DatedEntry[]): readonly number[] =>
  entries.slice(1).map(({ day }, index) => day - (entries[index]?.day ?? day));

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

/** Months ahead on the same day of the month, or days ahead. */
function nextDay(last: number, { days, months }: KnownPeriod): number {
  if (months === null) return last + Math.round(days);
  const { year, month, day } = toCalendarDate(last);
  return dayInMonth(year, month + months, day);
}

/** A payment may be late by this many tolerances before its series counts as ended. */
const LATE_TOLERANCES = 2;

function groupOf(
  members: readonly DatedEntry[],
  known: KnownPeriod,
  nextAmount: number,
  confidence: number,
  asOf: number,
): DetectedGroup {
  const next = nextDay(members.at(-1)?.day ?? asOf, known);
  const isActive = asOf <= next + LATE_TOLERANCES * Math.max(1, known.toleranceDays);
  return {
    transactionIds: members.map(({ entry }) => entry.id),
    periodicity: known.periodicity,
    nextDate: isActive ? formatDay(next) : null,
    nextAmount: isActive ? nextAmount : null,
    ...{ isActive, confidence },
  };
}

const AMOUNT_TOLERANCE = 0.2;
const GAP_SHARE_MIN = 0.75;

/** Runs of amounts, ascending, in which none is above the first by more than the tolerance. */
function byAmount(entries: readonly DatedEntry[]): readonly (readonly DatedEntry[])[] {
  const sorted = entries.toSorted((a, b) => a.entry.amount - b.entry.amount);
  const runs: DatedEntry[][] = [];
  for (const one of sorted) {
    const run = runs.at(-1);
    const first = run?.[0]?.entry.amount;
    if (
      run === undefined ||
      first === undefined ||
      one.entry.amount > first * (1 + AMOUNT_TOLERANCE)
    )
      runs.push([one]);
    else run.push(one);
  }
  return runs.map((run) => run.toSorted((a, b) => a.day - b.day));
}

/** The period that fits most gaps, and its share of them. */
function bestPeriod(
  gaps: readonly number[],
): { readonly known: KnownPeriod; readonly share: number } | null {
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const fits = KNOWN_PERIODS.map((known) => ({
    known,
    share:
      gaps.filter((gap) => Math.abs(gap - known.days) <= known.toleranceDays).length / gaps.length,
  })).filter(({ share }) => share >= GAP_SHARE_MIN);
  // Bi-weekly and semi-monthly overlap: the mean gap decides.
  const [best] = fits.toSorted(
    (a, b) => b.share - a.share || Math.abs(mean - a.known.days) - Math.abs(mean - b.known.days),
  );
  return best ?? null;
}

/**
 * Baseline A: payments of one payee, direction and currency with amounts within 20 %; at least three, with three of four gaps
 * within a tolerance of a known period. The next one is a period after the last, with its amount. This is what open-source
 * tools for personal finance do (GiGurra/subscription-detector, elcukro/bank-mcp, find-recurring of actual).
 */
export const detectByFixedInterval: Detector = (entries, asOf) => {
  const end = parseDay(asOf);
  return byPayee(entries).flatMap((payee) =>
    byAmount(payee).flatMap((members) => {
      if (members.length < OCCURRENCES_MIN) return [];
      const best = bestPeriod(gapsOf(members));
      const last = members.at(-1);
      if (best === null || last === undefined) return [];
      return [groupOf(members, best.known, last.entry.amount, best.share, end)];
    }),
  );
};

const CORRELATION_MIN = 0.5;
const HARMONIC_MARGIN = 0.15;
const LATEST_AMOUNTS = 3;

interface Lagged {
  readonly known: KnownPeriod;
  /** Share of payments with another one a period later, above what chance gives; at most 1. */
  readonly correlation: number;
  /** Payments with another one a period before or after. */
  readonly members: readonly DatedEntry[];
}

/** Whether an ascending list has a value from `low` to `high`. */
function hasBetween(days: readonly number[], low: number, high: number): boolean {
  let [from, to] = [0, days.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((days[middle] ?? 0) < low) from = middle + 1;
    else to = middle;
  }
  const found = days[from];
  return found !== undefined && found <= high;
}

function correlate(entries: readonly DatedEntry[], known: KnownPeriod): Lagged | null {
  const days = entries.map(({ day }) => day);
  const [first, last] = [days[0] ?? 0, days.at(-1) ?? 0];
  const low = known.days - known.toleranceDays;
  const high = known.days + known.toleranceDays;
  const tested = days.filter((day) => day + high <= last + known.toleranceDays);
  if (tested.length < OCCURRENCES_MIN - 1) return null;
  const followed = tested.filter((day) => hasBetween(days, day + low, day + high)).length;
  // A window with at least one of payments that come by chance at the same rate (Poisson).
  const rate = days.length / (last - first + 1);
  const chance = 1 - Math.exp(-rate * (2 * known.toleranceDays + 1));
  const correlation = (followed / tested.length - chance) / (1 - chance);
  const members = entries.filter(
    ({ day }) => hasBetween(days, day + low, day + high) || hasBetween(days, day - high, day - low),
  );
  return { known, correlation, members };
}

/** The most common gap of known periods; null where fewer than half of the gaps are near one. */
function commonestPeriod(gaps: readonly number[]): KnownPeriod | null {
  const counts = KNOWN_PERIODS.map((known) => ({
    known,
    count: gaps.filter((gap) => Math.abs(gap - known.days) <= known.toleranceDays).length,
  })).toSorted((a, b) => b.count - a.count);
  const [most] = counts;
  return most === undefined || 2 * most.count < gaps.length ? null : most.known;
}

/**
 * Baseline B: the most common gap of a payee, direction and currency where half of the gaps agree, else the autocorrelation of
 * its days at the lags of known periods, corrected for chance: the shortest lag near the highest correlation (the fundamental,
 * as in Vlachos, Yu and Castelli 2005, whose candidates are confirmed on the autocorrelation). Both need a correlation of one
 * half. Amounts do not matter. The next one is a period after the last member, with the median of the latest three amounts.
 */
export const detectByAutocorrelation: Detector = (entries, asOf) => {
  const end = parseDay(asOf);
  return byPayee(entries).flatMap((payee) => {
    if (payee.length < OCCURRENCES_MIN) return [];
    const common = commonestPeriod(gapsOf(payee));
    const candidates = common === null ? KNOWN_PERIODS : [common];
    const peaks = candidates
      .map((known) => correlate(payee, known))
      .filter((one) => one !== null)
      .filter(
        ({ correlation, members }) =>
          correlation >= CORRELATION_MIN && members.length >= OCCURRENCES_MIN,
      );
    const highest = Math.max(...peaks.map(({ correlation }) => correlation));
    // What is monthly is also correlated at two months: the fundamental period is the shortest of the high ones.
    const [best] = peaks
      .filter(({ correlation }) => correlation >= highest - HARMONIC_MARGIN)
      .toSorted((a, b) => a.known.days - b.known.days);
    if (best === undefined) return [];
    const latest = best.members.slice(-LATEST_AMOUNTS).map(({ entry }) => entry.amount);
    return [groupOf(best.members, best.known, medianOf(latest), best.correlation, end)];
  });
};
