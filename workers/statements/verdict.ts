// The verdict of an account: what its balances and printed totals prove.
import type { AccountEnd, StatementVerdict } from "../../src/model/bank-statement.ts";
import type { AccountReading } from "./account-reading.ts";
import type { AccountPart } from "./accounts.ts";
import type { ChainBreak } from "./chain.ts";
import { summaryTotals } from "./summary-totals.ts";
import { isReadByRecognition, unprovenEnds } from "./unproven.ts";

export interface CheckedReading {
  readonly verdict: StatementVerdict;
  /** Behind those of the chain. */
  readonly breaks: readonly ChainBreak[];
  readonly unproven: readonly AccountEnd[];
  /** By how much the sums of the rows are larger than both printed totals, minor units, where the balances are exact; 0: they are not. */
  readonly aboveTotals: number;
}

type ReadVerdict = Omit<CheckedReading, "unproven" | "aboveTotals">;

/** Sum of the credits (1) or the debits (-1), in minor units. */
export const totalOf = ({ chain, chainRows }: AccountReading, sign: -1 | 1): number =>
  chainRows.reduce((sum, row, at) => sum + (chain.signs[at] === sign ? row.units : 0), 0);

/** Sums of the credits and of the debits, in minor units, without a sign. */
export type RowSums = readonly [credits: number, debits: number];

/** Of the rows of all accounts; null: fewer than two have rows, so that totals are those of the one. */
export function sumsOfAll(readings: readonly AccountReading[]): RowSums | null {
  const active = readings.filter(({ rows }) => rows.length > 0);
  const sum = (sign: -1 | 1): number =>
    active.reduce((total, reading) => total + totalOf(reading, sign), 0);
  return active.length < 2 ? null : [sum(1), sum(-1)];
}

/**
 * What is known of an account as it was read.
 * @param all sums of the rows of all accounts; null: there are no others
 */
export function checkReading(
  part: AccountPart,
  reading: AccountReading,
  all: RowSums | null,
): CheckedReading {
  const { chain } = reading;
  const sums = [totalOf(reading, 1), totalOf(reading, -1)] as const;
  const unproven = unprovenEnds(part, reading, sums);
  const checked = { unproven, aboveTotals: 0 };
  if (chain.breaks.length > 0) return { verdict: "not_reconciled", breaks: [], ...checked };
  const shared = sharedTotals(part, sums, all);
  const missing = shared === null ? missingOf(part, sums) : null;
  const isExact = chain.links > 0 && chain.isComplete;
  const isOpen = shared === "perhaps" || reading.areDirectionsOpen === true;
  if (isExact && isOpen) return { verdict: "not_checkable", breaks: [], ...checked };
  if (!isExact) return { ...verdictOfTotals(part, reading, missing), ...checked };
  const cancelled = shared === null ? cancelledOf(missing, part, sums) : 0;
  return {
    ...verdictOfChain(reading, cancelled),
    ...{ unproven, aboveTotals: Math.max(0, -cancelled) },
  };
}

/**
 * Whether printed totals are those of all accounts together: those above the number of the first one are; elsewhere, an account may lack
 * by chance what the others have.
 */
function sharedTotals(
  { totalCredits, totalDebits, areTotalsAboveNumber, lines }: AccountPart,
  sums: RowSums,
  all: RowSums | null,
): "surely" | "perhaps" | null {
  if (all === null) return null;
  const isPrinted = totalCredits !== null && totalDebits !== null;
  const totals = isPrinted ? [totalCredits, totalDebits] : summaryTotals(lines);
  if (totals === null || isSamePair(totals, sums) || !isSamePair(totals, all)) return null;
  return isPrinted && areTotalsAboveNumber ? "surely" : "perhaps";
}

const ascending = (pair: readonly number[]): number[] => pair.toSorted((a, b) => a - b);

const isSamePair = (one: readonly number[], other: readonly number[]): boolean =>
  ascending(one).join(" ") === ascending(other).join(" ");

/**
 * Exact balances do not show rows that are missing and cancel each other out, but totals that are both larger by the same amount
 * do. Where they are smaller, a reversal may be taken off both, or amounts were recognised wrongly.
 */
function verdictOfChain(reading: AccountReading, cancelled: number): ReadVerdict {
  const { chain, repairs } = reading;
  if (cancelled > 0) return { verdict: "not_reconciled", breaks: [breakAt(reading, cancelled)] };
  if (cancelled < 0 && isReadByRecognition(reading))
    return { verdict: "not_checkable", breaks: [] };
  const isRepaired = chain.flipped.length > 0 || repairs.length > 0;
  return { verdict: isRepaired ? "reconciled_with_repairs" : "reconciled", breaks: [] };
}

/**
 * Without balances of rows, totals never prove that all is right, and alone not that it is wrong: banks count fees and interest apart.
 * They do where they lead from the printed opening to the printed closing balance, so that nothing is counted apart.
 */
function verdictOfTotals(
  part: AccountPart,
  reading: AccountReading,
  missing: MissingTotals | null,
): ReadVerdict {
  const isOpen = reading.chainRows.some(({ sign }) => sign === 0);
  const isContradicted = missing !== null && (missing.credits !== 0 || missing.debits !== 0);
  if (!isContradicted || isOpen || !areTotalsConfirmed(part, reading))
    return { verdict: "not_checkable", breaks: [] };
  return { verdict: "not_reconciled", breaks: [breakAt(reading, differenceOf(missing))] };
}

function areTotalsConfirmed(
  { totalCredits, totalDebits, closings, weakClosings }: AccountPart,
  { givenOpening, sense }: AccountReading,
): boolean {
  if (givenOpening === null || totalCredits === null || totalDebits === null) return false;
  const closing = givenOpening + sense * (totalCredits - totalDebits);
  return [...closings, ...weakClosings].includes(closing);
}

const breakAt = ({ chainRows }: AccountReading, difference: number): ChainBreak => ({
  ...{ page: chainRows.at(-1)?.page ?? 1, row: null, difference },
});

/** What the sum of the rows lacks; where both totals lack the same, which no balance shows, that. */
const differenceOf = ({ credits, debits }: MissingTotals): number =>
  credits === debits ? credits : credits - debits;

interface MissingTotals {
  readonly credits: number;
  readonly debits: number;
}

/** Printed totals less those of the rows; null: they are not printed. */
const missingOf = (
  { totalCredits, totalDebits }: AccountPart,
  [credits, debits]: RowSums,
): MissingTotals | null =>
  totalCredits === null || totalDebits === null
    ? null
    : { credits: totalCredits - credits, debits: totalDebits - debits };

/**
 * By how much both totals are larger than those of the rows; 0: they are the same, are not printed, or differ otherwise. Below
 * zero, a reversal may be taken off one total in the place of being added to the other.
 */
function cancelledOf(missing: MissingTotals | null, { lines }: AccountPart, sums: RowSums): number {
  if (missing !== null) return missing.credits === missing.debits ? missing.credits : 0;
  const totals = summaryTotals(lines);
  if (totals === null) return 0;
  const [least = 0, most = 0] = ascending(totals);
  const [leastRead = 0, mostRead = 0] = ascending(sums);
  return least - leastRead === most - mostRead ? least - leastRead : 0;
}
