// Figures of many scored ledgers: shares with intervals, and quantiles of errors.
import {
  bootstrapInterval,
  type Share,
  type ShareInterval,
  shareOf,
  wilsonInterval,
} from "./intervals.ts";
import type { GroupOutcome, LedgerScore, SeriesOutcome } from "./score.ts";

/** Of a share 0..1; null without anything counted. */
export interface ShareFigure {
  readonly share: number | null;
  readonly of: number;
  readonly interval: ShareInterval | null;
}

/** Null without any. */
export interface Quantiles {
  readonly median: number | null;
  readonly p90: number | null;
}

export interface Summary {
  readonly ledgers: number;
  readonly precision: ShareFigure;
  readonly recall: ShareFigure;
  /** The periodicity is right as well. */
  readonly exactPrecision: ShareFigure;
  readonly exactRecall: ShareFigure;
  readonly memberPrecision: ShareFigure;
  readonly memberRecall: ShareFigure;
  readonly nextDays: Quantiles;
  readonly nextAmountError: Quantiles;
  /** Of the next payments those whose day, or amount, the interval holds. */
  readonly dateHeld: ShareFigure;
  readonly amountHeld: ShareFigure;
  readonly varyingAmountHeld: ShareFigure;
  readonly activity: ShareFigure;
  readonly incomePrecision: ShareFigure;
  readonly incomeType: ShareFigure;
  readonly incomeFrequency: ShareFigure;
}

export interface CaseSummary {
  readonly case: string;
  /** Of the groups most of whose rows are of this case; of habits it is 0. */
  readonly precision: ShareFigure;
  readonly recall: ShareFigure;
  readonly exactRecall: ShareFigure;
  readonly nextDays: Quantiles;
  readonly nextAmountError: Quantiles;
  /** Detected groups of this case that are not one of its series. */
  readonly wrongGroups: number;
}

const countWhere = <T>(items: readonly T[], test: (item: T) => boolean | null): Share => {
  const answers = items.map(test).filter((answer) => answer !== null);
  return { right: answers.filter(Boolean).length, of: answers.length };
};

const sumOf = <T>(
  items: readonly T[],
  right: (item: T) => number,
  of: (item: T) => number,
): Share => ({
  right: items.reduce((sum, item) => sum + right(item), 0),
  of: items.reduce((sum, item) => sum + of(item), 0),
});

const totalOf = (shares: readonly Share[]): Share =>
  sumOf(
    shares,
    ({ right }) => right,
    ({ of }) => of,
  );

/** Over ledgers, which are drawn whole. */
function figureOf(shares: readonly Share[]): ShareFigure {
  const total = totalOf(shares);
  return { share: shareOf(total), of: total.of, interval: bootstrapInterval(shares) };
}

/** Over the series of one case, of which a ledger has few. */
const caseFigure = (share: Share): ShareFigure => ({
  ...{ share: shareOf(share), of: share.of, interval: wilsonInterval(share) },
});

/** The nearest rank: the smallest value with at least this share of values not above it. */
function quantileOf(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

export function quantilesOf(values: readonly (number | null)[]): Quantiles {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  return { median: quantileOf(sorted, 0.5), p90: quantileOf(sorted, 0.9) };
}

const required = ({ series }: LedgerScore): readonly SeriesOutcome[] =>
  series.filter(({ isRequired }) => isRequired);

export function summarize(scores: readonly LedgerScore[]): Summary {
  const ofSeries = (test: (one: SeriesOutcome) => boolean | null): ShareFigure =>
    figureOf(scores.map((score) => countWhere(required(score), test)));
  const ofGroups = (test: (one: GroupOutcome) => boolean | null): ShareFigure =>
    figureOf(scores.map(({ groups }) => countWhere(groups, test)));
  const ofAll = (test: (one: SeriesOutcome) => boolean | null): ShareFigure =>
    figureOf(scores.map(({ series }) => countWhere(series, test)));
  const outcomes = scores.flatMap(required);
  return {
    ledgers: scores.length,
    precision: ofGroups(({ isRight }) => isRight),
    recall: ofSeries(({ isFound }) => isFound),
    exactPrecision: ofGroups(({ isExact }) => isExact),
    exactRecall: ofSeries(({ isExact }) => isExact),
    memberPrecision: figureOf(
      scores.map(({ groups }) =>
        sumOf(
          groups,
          (one) => one.membersRight,
          (one) => one.members,
        ),
      ),
    ),
    memberRecall: figureOf(
      scores.map((score) =>
        sumOf(
          required(score),
          (one) => one.membersFound,
          (one) => one.members,
        ),
      ),
    ),
    nextDays: quantilesOf(outcomes.map(({ nextDays }) => nextDays)),
    nextAmountError: quantilesOf(outcomes.map(({ nextAmountError }) => nextAmountError)),
    dateHeld: ofSeries(({ isNextDateHeld }) => isNextDateHeld),
    amountHeld: ofSeries(({ isNextAmountHeld }) => isNextAmountHeld),
    varyingAmountHeld: ofSeries(({ isVaryingAmountHeld }) => isVaryingAmountHeld),
    activity: ofSeries(({ isActivityRight }) => isActivityRight),
    incomePrecision: figureOf(scores.map(({ income }) => income)),
    incomeType: ofAll(({ isIncomeTypeRight }) => isIncomeTypeRight),
    incomeFrequency: ofAll(({ isFrequencyRight }) => isFrequencyRight),
  };
}

/** A summary of each case, in alphabetical order; cases of habits have wrong groups only. The incomes of optional series count in `summarize` alone. */
export function summarizeCases(scores: readonly LedgerScore[]): readonly CaseSummary[] {
  const series = Map.groupBy(scores.flatMap(required), (one) => one.case);
  const groups = Map.groupBy(
    scores.flatMap((score) => score.groups),
    (one) => one.case,
  );
  const names = [...new Set([...series.keys(), ...groups.keys()])].sort();
  return names.map((name) => {
    const of = series.get(name) ?? [];
    const reported = groups.get(name) ?? [];
    return {
      case: name,
      precision: caseFigure(countWhere(reported, ({ isRight }) => isRight)),
      recall: caseFigure(countWhere(of, ({ isFound }) => isFound)),
      exactRecall: caseFigure(countWhere(of, ({ isExact }) => isExact)),
      nextDays: quantilesOf(of.map(({ nextDays }) => nextDays)),
      nextAmountError: quantilesOf(of.map(({ nextAmountError }) => nextAmountError)),
      wrongGroups: reported.filter(({ isRight }) => !isRight).length,
    };
  });
}
