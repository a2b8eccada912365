// What a detector gets right of a labelled ledger: groups, their members, the next payment, activity and income.
import type { IncomeType } from "../../src/model/recurrence.ts";
import { parseDay } from "../../workers/recurrence/calendar/days.ts";
import type { DetectedGroup, LabelledLedger, TrueSeries } from "./samples.ts";

/** A detected group is a series when they share half of all their payments (as objects in images, Everingham et al. 2010). */
const JACCARD_MIN = 0.5;
const UNSURE_INCOME: IncomeType = "possible income - please verify";

export interface SeriesOutcome {
  readonly case: string;
  readonly isRequired: boolean;
  readonly isFound: boolean;
  /** Found, with its periodicity. */
  readonly isExact: boolean;
  readonly members: number;
  /** Members that the group has too. */
  readonly membersFound: number;
  /** Days between the expected and the true next payment; null: not found, or one of them has none. */
  readonly nextDays: number | null;
  /** Distance from the true next amount as a share of it. */
  readonly nextAmountError: number | null;
  /** Whether the interval of the next date holds the true one; null: no interval, or no next payment. */
  readonly isNextDateHeld: boolean | null;
  readonly isNextAmountHeld: boolean | null;
  /** The same of intervals that are wider than nothing: those of amounts that differ. */
  readonly isVaryingAmountHeld: boolean | null;
  /** Null: not found, or the ledger cannot show it. */
  readonly isActivityRight: boolean | null;
  /** Null: not income, or the detector reports no income. */
  readonly isIncomeTypeRight: boolean | null;
  /** Periodicity of income whose type is right; null as above. */
  readonly isFrequencyRight: boolean | null;
}

/** A detected group that counts: those of optional series do not. */
export interface GroupOutcome {
  /** The case of most of its rows. */
  readonly case: string;
  readonly isRight: boolean;
  readonly isExact: boolean;
  readonly members: number;
  readonly membersRight: number;
}

export interface LedgerScore {
  readonly id: string;
  readonly level: LabelledLedger["level"];
  readonly series: readonly SeriesOutcome[];
  readonly groups: readonly GroupOutcome[];
  /** Groups reported as income, of which `right` are of a source of income; unsure ones are in neither. */
  readonly income: { readonly right: number; readonly of: number };
}

interface Candidate {
  readonly series: TrueSeries;
  readonly ids: ReadonlySet<string>;
}

interface Group {
  readonly detected: DetectedGroup;
  readonly ids: ReadonlySet<string>;
}

function sharedCount(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let count = 0;
  for (const id of small) if (large.has(id)) count += 1;
  return count;
}

/** Shared members as a share of all members of both (Jaccard 1901). */
export function jaccardOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = sharedCount(a, b);
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}

const bestJaccard = (ids: ReadonlySet<string>, groups: readonly Group[]): number =>
  groups.reduce((best, group) => Math.max(best, jaccardOf(ids, group.ids)), 0);

const candidateOf = (series: TrueSeries): Candidate => ({
  series,
  ids: new Set(series.transactionIds),
});

/** A series that stopped and began again is correct as a whole or as its last run, whichever the groups fit better. */
function resolveRuns(series: TrueSeries, groups: readonly Group[]): readonly Candidate[] {
  const whole = candidateOf(series);
  const last = series.runs.at(-1);
  if (last === undefined) return [whole];
  const lastIds = new Set(last);
  if (bestJaccard(whole.ids, groups) >= bestJaccard(lastIds, groups)) return [whole];
  const earlier = series.runs.slice(0, -1).map((run) =>
    candidateOf({
      ...series,
      transactionIds: run,
      isRequired: false,
      isActive: null,
      next: null,
    }),
  );
  return [{ series: { ...series, transactionIds: last }, ids: lastIds }, ...earlier];
}

/**
 * Pairs one to one, the best first. Series do not share payments, so pairs above one half exclude each other only where
 * detected groups overlap.
 */
function pairsOf(
  candidates: readonly Candidate[],
  groups: readonly Group[],
): ReadonlyMap<Candidate, Group> {
  const possible = candidates
    .flatMap((candidate) =>
      groups.map((group) => ({ candidate, group, jaccard: jaccardOf(candidate.ids, group.ids) })),
    )
    .filter(({ jaccard }) => jaccard >= JACCARD_MIN)
    .sort((a, b) => b.jaccard - a.jaccard);
  const pairs = new Map<Candidate, Group>();
  const used = new Set<Group>();
  for (const { candidate, group } of possible) {
    if (pairs.has(candidate) || used.has(group)) continue;
    pairs.set(candidate, group);
    used.add(group);
  }
  return pairs;
}

function incomeTypeRight(
  series: TrueSeries,
  group: DetectedGroup | null,
  reportsIncome: boolean,
): boolean | null {
  if (series.incomeType === null || !reportsIncome) return null;
  return group !== null && group.incomeType === series.incomeType;
}

type NextOutcome = Pick<SeriesOutcome, "nextDays" | "nextAmountError">;
type HeldOutcome = Pick<
  SeriesOutcome,
  "isNextDateHeld" | "isNextAmountHeld" | "isVaryingAmountHeld"
>;

function nextErrors({ next }: TrueSeries, detected: DetectedGroup | null): NextOutcome {
  const { nextDate = null, nextAmount = null } = detected ?? {};
  return {
    nextDays:
      next === null || nextDate === null
        ? null
        : Math.abs(parseDay(nextDate) - parseDay(next.date)),
    nextAmountError:
      next === null || nextAmount === null || next.amount === 0
        ? null
        : Math.abs(nextAmount - next.amount) / next.amount,
  };
}

function nextHeld({ next }: TrueSeries, detected: DetectedGroup | null): HeldOutcome {
  const interval = detected?.nextInterval ?? null;
  if (next === null || interval === null)
    return { isNextDateHeld: null, isNextAmountHeld: null, isVaryingAmountHeld: null };
  const { earliestDate, latestDate, lowestAmount, highestAmount } = interval;
  const isNextAmountHeld = lowestAmount <= next.amount && next.amount <= highestAmount;
  return {
    isNextDateHeld: earliestDate <= next.date && next.date <= latestDate,
    isNextAmountHeld,
    isVaryingAmountHeld: lowestAmount < highestAmount ? isNextAmountHeld : null,
  };
}

function seriesOutcome(
  { series, ids }: Candidate,
  group: Group | null,
  reportsIncome: boolean,
): SeriesOutcome {
  const detected = group?.detected ?? null;
  const isExact = detected?.periodicity === series.periodicity;
  const isIncomeTypeRight = incomeTypeRight(series, detected, reportsIncome);
  return {
    ...{ case: series.case, isRequired: series.isRequired, isFound: group !== null, isExact },
    members: ids.size,
    membersFound: group === null ? 0 : sharedCount(ids, group.ids),
    ...nextErrors(series, detected),
    ...nextHeld(series, detected),
    isActivityRight:
      detected === null || series.isActive === null ? null : detected.isActive === series.isActive,
    isIncomeTypeRight,
    isFrequencyRight: isIncomeTypeRight === true ? isExact : null,
  };
}

function commonestCase(ledger: LabelledLedger, ids: ReadonlySet<string>): string {
  const counts = new Map<string, number>();
  for (const id of ids) {
    const name = ledger.cases.get(id) ?? "unknown rows";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [first] = [...counts].sort((a, b) => b[1] - a[1]);
  return first?.[0] ?? "unknown rows";
}

/** Null: the group is of an optional series, or mostly of its rows, and counts neither as right nor as wrong. */
function groupOutcome(
  ledger: LabelledLedger,
  group: Group,
  match: Candidate | null,
  optionalIds: ReadonlySet<string>,
): GroupOutcome | null {
  if (match?.series.isRequired === false) return null;
  if (match === null && 2 * sharedCount(group.ids, optionalIds) >= group.ids.size) return null;
  const isExact = match?.series.periodicity === group.detected.periodicity;
  return {
    case: match?.series.case ?? commonestCase(ledger, group.ids),
    ...{ isRight: match !== null, isExact: match !== null && isExact },
    members: group.ids.size,
    membersRight: match === null ? 0 : sharedCount(group.ids, match.ids),
  };
}

function incomeGroups(
  ledger: LabelledLedger,
  groups: readonly Group[],
): { readonly right: number; readonly of: number } {
  const incomeIds = new Set(
    ledger.series.flatMap((one) => (one.incomeType === null ? [] : one.transactionIds)),
  );
  const reported = groups.filter(({ detected }) => {
    const type = detected.incomeType ?? null;
    return type !== null && type !== UNSURE_INCOME;
  });
  const right = reported.filter(({ ids }) => 2 * sharedCount(ids, incomeIds) >= ids.size);
  return { right: right.length, of: reported.length };
}

/**
 * Rows that are in the ledger twice are left out of the groups first.
 * @param reportsIncome false: the detector has no income types, and none are measured
 */
export function scoreLedger(
  ledger: LabelledLedger,
  detected: readonly DetectedGroup[],
  reportsIncome = false,
): LedgerScore {
  const groups = detected
    .map((one) => ({
      detected: one,
      ids: new Set(one.transactionIds.filter((id) => !ledger.ignored.has(id))),
    }))
    .filter(({ ids }) => ids.size > 0);
  const candidates = ledger.series.flatMap((series) => resolveRuns(series, groups));
  const pairs = pairsOf(candidates, groups);
  const matchOf = new Map([...pairs].map(([candidate, group]) => [group, candidate] as const));
  const optionalIds = new Set(
    candidates.flatMap(({ series }) => (series.isRequired ? [] : series.transactionIds)),
  );
  return {
    ...{ id: ledger.id, level: ledger.level },
    series: candidates.map((candidate) =>
      seriesOutcome(candidate, pairs.get(candidate) ?? null, reportsIncome),
    ),
    groups: groups
      .map((group) => groupOutcome(ledger, group, matchOf.get(group) ?? null, optionalIds))
      .filter((one) => one !== null),
    income: incomeGroups(ledger, groups),
  };
}
