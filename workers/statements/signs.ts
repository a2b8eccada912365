// Which column is which, and which sign an amount has: every reading that the page allows is followed through the balance
// chain, and the one with the most exact equations is taken. Of equal ones the first is taken, which is the printed one.
import { type ChainRow, type ClosingBalances, followRows, type Sign, turnChain } from "./chain.ts";
import type { AccountReading, AccountRows } from "./account-reading.ts";
import type { StatementColumn } from "./lexicon.ts";
import { isRowOfBalance, withLostAmounts } from "./lost-amounts.ts";
import { withLostMinus } from "./lost-minus.ts";
import type { Money } from "./money.ts";
import { repairChain } from "./repairs.ts";
import { type PrintedSigns, printedSigns, signOfRow } from "./row-signs.ts";
import type { TableRow } from "./rows.ts";

interface Hypothesis {
  readonly roles: (row: TableRow, at: number) => StatementColumn | null;
  readonly isNewestFirst: boolean;
  readonly opening: number | null;
  readonly sense: -1 | 1;
  /** -1: a plus is a charge to a card. */
  readonly plus: -1 | 1;
}

/** What columns without a header may be, from left to right. */
const LAYOUTS: readonly (readonly (readonly StatementColumn[])[])[] = [
  [],
  [["amount"]],
  [
    ["amount", "balance"],
    ["debit", "credit"],
    ["credit", "debit"],
    ["balance", "amount"],
    ["reference", "amount"],
    ["amount", "reference"],
  ],
  [
    ["debit", "credit", "balance"],
    ["credit", "debit", "balance"],
    ["reference", "amount", "balance"],
    ["amount", "reference", "balance"],
    ["amount", "balance", "reference"],
  ],
];
const LINK = 10;
const BREAK = -10;
const FLIP = -6;
const COMPLETE = 1;
const UNUSUAL = -2;
const OPENINGS_MAX = 4;

/** How much of a reading the balances prove; one that finds no amount in a row is worse than one that does. */
export const exactness = ({ chain, rows }: AccountReading): number =>
  chain.links * LINK +
  chain.breaks.length * BREAK +
  chain.flipped.length * FLIP +
  rows.length * LINK;

/** The best reading of the rows of an account. */
export function chooseReading(account: AccountRows): AccountReading {
  let best: AccountReading | null = null;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const hypothesis of hypothesesOf(account)) {
    const reading = follow(account, hypothesis);
    const { links, breaks, flipped, isComplete } = reading.chain;
    const isUsual = account.isCard || (hypothesis.plus === 1 && hypothesis.sense === 1);
    const score = exactness(reading) + (isComplete ? COMPLETE : 0) + (isUsual ? 0 : UNUSUAL);
    if (score > bestScore) [best, bestScore] = [reading, score];
    const isExact = isUsual && links > 0 && breaks.length + flipped.length === 0 && isComplete;
    // The first of equal readings is taken, so none behind an exact one matters; of two columns without names, the other
    // order is a loan.
    if (isExact && reading.rows.length === account.rows.length && !hasBetter(account, links)) break;
  }
  if (best === null) throw new Error("There is always a first hypothesis.");
  return withLostMinus(repaired(withLostAmounts(account, best)));
}

/** Whether another reading could explain more balances: only where this one leaves columns of numbers out. */
const hasBetter = ({ rows }: AccountRows, links: number): boolean =>
  rows.some(({ cells }) => cells.size > 1) && links < rows.length;

function hypothesesOf(account: AccountRows): Hypothesis[] {
  const { rows, isCard, isDeposit } = account;
  const orders = isDescending(rows) ? [true, false] : [false, true];
  const starts = startsOf(account);
  const others = isDeposit ? DEPOSIT_SENSES : ACCOUNT_SENSES;
  const senses = isCard ? cardSenses(account) : others;
  return rolesOf(account).flatMap(({ roles, isTurned }) =>
    orders.flatMap((isNewestFirst) =>
      starts.flatMap((opening) =>
        senses
          .filter(([sense]) => !isTurned || sense === 1)
          .map(([sense, plus]) => ({ roles, isNewestFirst, opening, sense, plus })),
      ),
    ),
  );
}

/** A weak opening balance is not taken where fewer balances follow with it. */
const startsOf = ({ openings, weakOpenings }: AccountRows): readonly (number | null)[] =>
  openings.length > 0
    ? [...new Set(openings)].slice(0, OPENINGS_MAX)
    : [...[...new Set(weakOpenings)].slice(0, OPENINGS_MAX - 1), null];

/** Behind the usual one, for statements of cards and loans whose words do not say so. */
const ACCOUNT_SENSES: readonly (readonly [sense: -1 | 1, plus: -1 | 1])[] = [
  [1, 1],
  [-1, -1],
  [-1, 1],
];
/** With a balance that is owed, credits with a minus next to debits without a sign would be the opposite, and add up. */
const DEPOSIT_SENSES: typeof ACCOUNT_SENSES = [
  [1, 1],
  [1, -1],
];

/**
 * Statements of cards print what is owed, and mostly charges without a sign; some print charges below zero. Most rows are
 * charges, so where most amounts have a minus it is theirs; what is owed has none in either case, so balances above zero say
 * what the balance is.
 */
function cardSenses({
  rows,
  openings,
  closings,
}: AccountRows): (readonly [sense: -1 | 1, plus: -1 | 1])[] {
  const cells = rows.flatMap((row) => [...row.cells.values()]);
  const negative = cells.filter(({ sign }) => sign < 0).length;
  const owed = [...openings, ...closings].filter((units) => units > 0).length;
  // One on each side of zero is a card that was paid more than was owed, or charged anew: what is owed is still above zero.
  const isOwed = owed > 0 && owed * 2 >= openings.length + closings.length;
  const inverted = [-1, -1] as const;
  if (negative * 2 <= cells.length) return [inverted, [1, 1], [-1, 1], [1, -1]];
  return isOwed ? [[-1, 1], inverted, [1, 1], [1, -1]] : [[1, 1], [-1, 1], inverted];
}

function isDescending(rows: readonly TableRow[]): boolean {
  const days = rows.flatMap(({ date }) =>
    date === null ? [] : [(date.year ?? 0) * 400 + date.month * 32 + date.day],
  );
  let falls = 0;
  let rises = 0;
  days.forEach((day, index) => {
    const before = days[index - 1] ?? day;
    if (day < before) falls += 1;
    if (day > before) rises += 1;
  });
  return falls > rises;
}

const SWAPPED: Partial<Record<StatementColumn, StatementColumn>> = {
  debit: "credit",
  credit: "debit",
};

interface RoleChoice {
  readonly roles: Hypothesis["roles"];
  /**
   * Whether debits and credits stand in the other order. With a balance that is owed, the numbers would be those of the usual order
   * and balance, and all directions the wrong ones: a stray mark in one amount could choose it.
   */
  readonly isTurned: boolean;
}

function rolesOf({ rows, isCard }: AccountRows): RoleChoice[] {
  const printed = (row: TableRow, at: number): StatementColumn | null =>
    row.columns[at]?.role ?? null;
  const swapped = (row: TableRow, at: number): StatementColumn | null => {
    const role = printed(row, at);
    return role === null ? null : (SWAPPED[role] ?? role);
  };
  const asPrinted = { roles: printed, isTurned: false };
  // On a card, the balance that is not owed gives the same numbers as the other order.
  const named = isCard ? [asPrinted] : [asPrinted, { roles: swapped, isTurned: true }];
  const isNamed = rows.every((row) => row.columns.every(({ role }) => role !== null));
  if (isNamed) return [asPrinted, ...balanceNamedAmount(rows)];
  const count = Math.max(...rows.map((row) => row.columns.length));
  const layouts = LAYOUTS[count] ?? LAYOUTS.at(-1) ?? [];
  const skipped = count - (layouts[0]?.length ?? 0);
  // Next to a heading that was lost, the other one may have been taken for that of both columns; where both are there, they name theirs.
  const isOneNamed = rows.some(({ columns }) => {
    const named = new Set(
      columns.map(({ role }) => role).filter((role) => role !== null && role in SWAPPED),
    );
    return named.size === 1;
  });
  return [
    ...(haveNamedAmounts(rows) ? [asPrinted] : []),
    ...(isOneNamed ? named : [asPrinted]).flatMap(({ roles, isTurned }) =>
      layouts.map(
        (layout): RoleChoice => ({
          roles: (row, at) => roles(row, at) ?? layout[at - skipped] ?? "reference",
          isTurned: isTurned || (!isCard && layout[0] === "credit"),
        }),
      ),
    ),
    ...balanceNamedAmount(rows),
  ];
}

/** With headings for all amounts, what stands in a column without one is not an amount, such as a number in a text. */
const haveNamedAmounts = (rows: readonly TableRow[]): boolean =>
  rows.every(({ columns }) => {
    const roles = columns.map(({ role }) => role);
    return roles.includes("amount") || (roles.includes("debit") && roles.includes("credit"));
  });

/** "Deposits, Withdrawals, Amount": next to both, a column that is named amount may be the balance. */
function balanceNamedAmount(rows: readonly TableRow[]): RoleChoice[] {
  const isAmbiguous = rows.some(({ columns }) => {
    const roles = columns.map(({ role }) => role);
    return roles.includes("debit") && roles.includes("credit") && roles.includes("amount");
  });
  if (!isAmbiguous) return [];
  const roles = (row: TableRow, at: number): StatementColumn => {
    const role = row.columns[at]?.role ?? "reference";
    return role === "amount" ? "balance" : role;
  };
  return [{ roles, isTurned: false }];
}

function follow(account: AccountRows, hypothesis: Hypothesis): AccountReading {
  const signs = printedSigns(account.rows, hypothesis.roles);
  const read = account.rows.map((row) => readRow(row, hypothesis, signs, account.isCard));
  const kept = read.flatMap((values, index) => {
    const row = account.rows[index];
    return values.money === null || row === undefined ? [] : [{ row, values, money: values.money }];
  });
  const chainRows = kept.map(
    ({ row, values, money }, index): ChainRow => ({
      page: row.page,
      row: index + 1,
      units: money.units,
      sign: values.sign,
      isSignWeak: values.isSignWeak,
      balance: values.balance,
    }),
  );
  const { isNewestFirst, sense } = hypothesis;
  const first = firstBalance(account, read, isNewestFirst);
  const opening = hypothesis.opening ?? (first.isLost ? null : first.balance);
  const closings = closingsOf(account, read, isNewestFirst);
  const followed = followRows(chainRows, { isNewestFirst, opening, closings, sense });
  // Without an opening balance, no equation would miss a first row that has lost its amount.
  const isWhole = opening !== null || !first.isLost;
  const chain = { ...followed, isComplete: followed.isComplete && isWhole };
  return {
    rows: kept.map(({ row }) => row),
    chainRows,
    cells: kept.map(({ values, money }) => ({ amount: money, balance: values.balanceCell })),
    chain,
    sense,
    isNewestFirst,
    givenOpening: opening,
    givenClosings: closings,
    repairs: [],
  };
}

/**
 * The first row where it has a balance without an amount, such as one carried over; the last one where the newest is first. `isLost`:
 * a recognised row with a date and a text has lost its amount, so its balance is behind it and not before it.
 */
function firstBalance(
  { rows }: AccountRows,
  read: readonly RowValues[],
  isNewestFirst: boolean,
): { readonly balance: number | null; readonly isLost: boolean } {
  const at = isNewestFirst ? read.length - 1 : 0;
  const [row, values] = [rows[at], read[at]];
  if (row === undefined || values?.money !== null) return { balance: null, isLost: false };
  return { balance: values.balance, isLost: isRowOfBalance(row, values.balanceCell) };
}

/**
 * What is printed, and the balance of a recognised row behind all others whose amount was lost: without it the rows before would
 * be reconciled, and the row would be missing without a word.
 */
function closingsOf(
  account: AccountRows,
  read: readonly RowValues[],
  isNewestFirst: boolean,
): ClosingBalances {
  const { rows, closings, weakClosings } = account;
  const at = isNewestFirst ? 0 : rows.length - 1;
  const { money = null, balance = null, balanceCell = null } = read[at] ?? {};
  const row = rows[at];
  const isLost = money === null && row !== undefined && isRowOfBalance(row, balanceCell);
  return { closings: isLost && balance !== null ? [...closings, balance] : closings, weakClosings };
}

/** With values of text recognition repaired where only so the balances are exact. */
function repaired(reading: AccountReading): AccountReading {
  const { chain, chainRows, cells, sense, isNewestFirst, givenOpening, givenClosings } = reading;
  if (chain.breaks.length === 0) return reading;
  const inOrder = <T>(values: readonly T[]): readonly T[] =>
    isNewestFirst ? values.toReversed() : values;
  const result = repairChain({
    ...{ sense, opening: givenOpening, closings: givenClosings },
    rows: inOrder(chainRows),
    cells: inOrder(cells),
    chain: isNewestFirst ? turnChain(chain) : chain,
  });
  if (result.repairs.length === 0) return reading;
  const last = chainRows.length - 1;
  return {
    ...reading,
    chainRows: inOrder(result.rows),
    chain: isNewestFirst ? turnChain(result.chain) : result.chain,
    repairs: [
      ...reading.repairs,
      ...result.repairs.map((repair) => ({
        ...repair,
        index: isNewestFirst ? last - repair.index : repair.index,
      })),
    ],
  };
}

interface RowValues {
  readonly money: Money | null;
  readonly sign: Sign;
  readonly isSignWeak: boolean;
  readonly balance: number | null;
  readonly balanceCell: Money | null;
}

function readRow(
  row: TableRow,
  hypothesis: Hypothesis,
  signs: PrintedSigns,
  isCard: boolean,
): RowValues {
  const { money, role, balanceCell } = cellsByRole(row, hypothesis);
  const balance = balanceCell === null ? null : balanceOf(balanceCell, isCard);
  const balances = { balance, balanceCell };
  if (money === null) return { money, sign: 0, isSignWeak: false, ...balances };
  if (role === "amount")
    return {
      money,
      ...balances,
      ...signOfRow(row, money, { ...signs, plus: hypothesis.plus, isCard }),
    };
  // A credit with a minus is a reversal; in a column of debits the minus is only a habit.
  const isReversal = role === "credit" && money.sign < 0;
  const sign = role === "credit" && !isReversal ? 1 : -1;
  return { money, sign, isSignWeak: false, ...balances };
}

function cellsByRole(
  row: TableRow,
  hypothesis: Hypothesis,
): { money: Money | null; role: StatementColumn | null; balanceCell: Money | null } {
  let money: Money | null = null;
  let role: StatementColumn | null = null;
  let balanceCell: Money | null = null;
  let fee: Money | null = null;
  for (const [at, cell] of row.cells) {
    const cellRole = hypothesis.roles(row, at);
    if (cellRole === "balance") balanceCell = cell;
    else if (cellRole === "fee") fee = cell;
    else if (cellRole === "debit" || cellRole === "credit" || cellRole === "amount") {
      if (money !== null && (cell.units === 0 || money.units > 0)) continue;
      [money, role] = [cell, cellRole];
    }
  }
  // A fee next to an amount is a note; alone in a row with a balance it is the transaction.
  return money === null && fee !== null && balanceCell !== null
    ? { money: fee, role: "debit", balanceCell }
    : { money, role, balanceCell };
}

/** On a card, CR behind the balance is what the bank owes. */
function balanceOf({ units, sign, isSignWord }: Money, isCard: boolean): number {
  const isNegative = isCard && isSignWord ? sign > 0 : sign < 0;
  return isNegative ? -units : units;
}
