// The balance chain of an account: each printed balance is the one before it and the transactions between them. Where
// nothing printed gives the direction of a transaction, the chain does: dynamic programming over the possible sums.
import { followSums, possibleSums, type SignedUnits } from "./possible-sums.ts";

export type Sign = -1 | 0 | 1;

export interface ChainRow {
  readonly page: number;
  /** From 1. */
  readonly row: number;
  /** Minor units, never negative. */
  readonly units: number;
  /** 1: money enters the account; 0: nothing printed decides. */
  readonly sign: Sign;
  /** Whether the sign comes from a heading above the rows, which is weaker than a column or a printed sign. */
  readonly isSignWeak: boolean;
  /** Minor units; null: none is printed. */
  readonly balance: number | null;
}

export interface ChainBreak {
  readonly page: number;
  readonly row: number | null;
  /** Printed balance less the calculated one, in minor units. */
  readonly difference: number;
}

export interface ClosingBalances {
  readonly closings: readonly number[];
  readonly weakClosings?: readonly number[];
}

export interface ChainResult {
  /** As the rows; never 0: without evidence a row is a debit. */
  readonly signs: readonly (-1 | 1)[];
  /** Indexes of rows whose printed sign contradicts the balances around them. */
  readonly flipped: readonly number[];
  /** Equations that are exact. */
  readonly links: number;
  readonly breaks: readonly ChainBreak[];
  /** Whether all transactions are between known balances, in exactly one way. */
  readonly isComplete: boolean;
  readonly opening: number | null;
  readonly closing: number | null;
}

/**
 * So many times more sums must be possible than choices of signs: else a wrong amount would often find signs that hide it.
 */
const CHANCE = 500;

/**
 * Follows the chain through the rows, from the oldest to the newest.
 * @param opening null: not printed, and taken from the first balance
 * @param closings each printed value that may be the closing balance, and those that are it only if the rows lead to them
 * @param sense 1: credits raise the balance; -1: the balance is what is owed, so debits raise it
 */
export function followChain(
  rows: readonly ChainRow[],
  opening: number | null,
  { closings, weakClosings = [] }: ClosingBalances,
  sense: -1 | 1,
): ChainResult {
  const walk = createWalk(rows, sense);
  let start = opening;
  let last = opening;
  let pending: number[] = [];
  for (const [index, row] of rows.entries()) {
    pending.push(index);
    if (row.balance === null) continue;
    if (last === null) start = walk.derive(pending, row.balance);
    else walk.link(last, pending, row.balance);
    last = row.balance;
    pending = [];
  }
  const isLast = (value: number): boolean => value === last;
  const printed = [...closings.filter(isLast), ...closings.slice(-1)][0] ?? null;
  if (pending.length > 0) {
    const fitting = closingsOf({ closings, weakClosings }).find(
      (value) => last !== null && walk.fits(last, pending, value),
    );
    // Rows stand behind the last balance, so a weak one that equals it is of another day.
    const target = fitting ?? printed;
    if (last === null || target === null) walk.leave(pending);
    else walk.link(last, pending, target);
    return { ...walk.result(), opening: start, closing: target };
  }
  const closing = printed ?? weakClosings.find(isLast) ?? null;
  if (closing !== null && last !== null) walk.compare(last, closing);
  return { ...walk.result(), opening: start, closing: closing ?? last };
}

/** What is carried forward does not close an account that prints its closing balance. */
const closingsOf = ({ closings, weakClosings = [] }: ClosingBalances): readonly number[] =>
  closings.length > 0 ? closings : weakClosings;

export interface RowsOrder {
  readonly isNewestFirst: boolean;
  readonly opening: number | null;
  readonly closings: ClosingBalances;
  readonly sense: -1 | 1;
}

/** The chain of rows in the order of the document, whichever that is. */
export function followRows(
  rows: readonly ChainRow[],
  { isNewestFirst, opening, closings, sense }: RowsOrder,
): ChainResult {
  if (!isNewestFirst) return followChain(rows, opening, closings, sense);
  return turnChain(followChain(rows.toReversed(), opening, closings, sense));
}

/** The results of rows in the opposite order. */
export const turnChain = (chain: ChainResult): ChainResult => ({
  ...chain,
  signs: chain.signs.toReversed(),
  flipped: chain.flipped.map((index) => chain.signs.length - 1 - index),
});

interface Walk {
  /** The balance before the first rows. */
  derive(pending: readonly number[], target: number): number | null;
  link(before: number, pending: readonly number[], target: number): void;
  fits(before: number, pending: readonly number[], target: number): boolean;
  /** Rows without a balance behind them. */
  leave(pending: readonly number[]): void;
  compare(last: number, closing: number): void;
  result(): Omit<ChainResult, "opening" | "closing">;
}

function createWalk(rows: readonly ChainRow[], sense: -1 | 1): Walk {
  const signs: (-1 | 1)[] = rows.map(({ sign }) => (sign === 0 ? -1 : sign));
  const flipped: number[] = [];
  const breaks: ChainBreak[] = [];
  let links = 0;
  let isComplete = true;
  const row = (index: number): ChainRow => rows[index] ?? NO_ROW;
  const sumOf = (pending: readonly number[]): number =>
    pending.reduce((sum, index) => sum + (signs[index] ?? -1) * row(index).units, 0);
  const assign = (pending: readonly number[], chosen: readonly (-1 | 1)[]): void => {
    pending.forEach((index, at) => (signs[index] = chosen[at] ?? -1));
  };
  const solve = (before: number, pending: readonly number[], target: number): SolvedSigns =>
    solveSigns(pending.map(row), (target - before) * sense);
  const fail = (index: number | undefined, difference: number): void => {
    breaks.push({
      page: row(index ?? -1).page,
      row: index === undefined ? null : row(index).row,
      difference,
    });
  };
  return {
    derive: (pending, target) => {
      const isKnown = pending.every((index) => row(index).sign !== 0);
      // One amount is taken back from the first balance; among several, a missing row would not be seen.
      isComplete &&= isKnown && pending.length === 1;
      return isKnown ? target - sense * sumOf(pending) : null;
    },
    fits: (before, pending, target) => isSolution(solve(before, pending, target)),
    link: (before, pending, target) => {
      const solution = solve(before, pending, target);
      if (solution === "undecided") {
        isComplete = false;
        return;
      }
      if (solution === null) {
        fail(pending.at(-1), target - before - sense * sumOf(pending));
        return;
      }
      links += 1;
      isComplete &&= solution.isOnly;
      assign(pending, solution.signs);
      for (const [at, index] of pending.entries()) {
        const { sign } = row(index);
        if (sign !== 0 && sign !== solution.signs[at]) flipped.push(index);
      }
    },
    leave: (pending) => {
      isComplete &&= pending.length === 0;
    },
    compare: (last, closing) => {
      if (last === closing) links += 1;
      else fail(rows.length > 0 ? rows.length - 1 : undefined, closing - last);
    },
    result: () => ({ signs, flipped, links, breaks, isComplete }),
  };
}

const NO_ROW: ChainRow = { page: 1, row: 0, units: 0, sign: 0, isSignWeak: false, balance: null };

interface Solution {
  readonly signs: readonly (-1 | 1)[];
  /** Whether no other choice of signs has the same sum, and chance could hardly make one. */
  readonly isOnly: boolean;
}

/** Null: no signs have the sum. `undecided`: so many sums are possible that it was not searched for. */
type SolvedSigns = Solution | null | "undecided";

const isSolution = (solved: SolvedSigns): solved is Solution =>
  solved !== null && solved !== "undecided";

/** Signs of rows so that they sum to `difference`; what is printed first, then without headings, then one row turned. */
function solveSigns(rows: readonly ChainRow[], difference: number): SolvedSigns {
  const printed = chooseSigns(rows, difference, ({ sign }) => sign);
  if (printed !== null) return printed;
  const isWeak = rows.some(({ sign, isSignWeak }) => sign !== 0 && isSignWeak);
  const free = isWeak
    ? chooseSigns(rows, difference, ({ sign, isSignWeak }) => (isSignWeak ? 0 : sign))
    : null;
  if (isSolution(free) && free.isOnly) return free;
  const [only] = rows;
  if (rows.length !== 1 || only === undefined || only.units !== Math.abs(difference)) return null;
  return { signs: [difference < 0 ? -1 : 1], isOnly: true };
}

function chooseSigns(
  rows: readonly ChainRow[],
  difference: number,
  signOf: (row: ChainRow) => Sign,
): SolvedSigns {
  const amounts = rows.map((row): SignedUnits => [row.units, signOf(row)]);
  const possible = possibleSums(amounts);
  if (possible === "undecided") return "undecided";
  if (!possible.has(difference)) return null;
  const steps = followSums(amounts);
  const signs: (-1 | 1)[] = [];
  let at = difference;
  for (const step of steps.toReversed()) {
    const path = step.get(at);
    if (path === undefined) return null;
    signs.unshift(path.sign);
    at = path.before;
  }
  const open = amounts.filter(([, sign]) => sign === 0).length;
  const total = rows.reduce((sum, { units }) => sum + units, 0);
  const isChance = open > 1 && 2 ** open * CHANCE > total;
  return { signs, isOnly: steps.at(-1)?.get(difference)?.ways !== 2 && !isChance };
}
