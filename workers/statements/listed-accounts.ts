// A table of the accounts of a document gives each its number and its balances. An account in it without transactions may stand in no
// other place.
import type { StatementAccount } from "../../src/model/bank-statement.ts";
import { type AccountKind, findAccountKind } from "./account-kind.ts";
import { isSameNumber } from "./account-number.ts";
import type { PageLine } from "./layout.ts";
import { isDated } from "./rows.ts";

/** Digits, or what stands for hidden ones. */
const NUMBER = /^(?=(?:\D*\d){4})[\dX*x-]{6,}$/u;
/** The opening balance, what entered, what left, and the closing balance. */
const AMOUNTS_MIN = 4;

interface ListedAccount {
  readonly number: string;
  readonly line: PageLine;
  readonly above: PageLine | undefined;
  /** Decimal text, in the order of the columns, of which the first one is the opening balance. */
  readonly amounts: readonly string[];
}

/** Of the table that has all accounts with transactions, each with its balances and the sums of its rows. */
interface AccountTable {
  readonly rows: readonly ListedAccount[];
  /** Which amount is the closing balance. */
  readonly closing: number;
}

/**
 * With the accounts without transactions of a table that proves its columns: all accounts that have transactions are in it with their
 * balances and sums. An account whose number was not found has that of its row. They are in the order of the table, those that it lacks
 * last.
 * @param decimal of an amount in minor units
 */
export function withListedAccounts(
  accounts: readonly StatementAccount[],
  lines: readonly PageLine[],
  decimal: (units: number) => string,
): StatementAccount[] {
  const active = accounts.filter(({ transactions }) => transactions.length > 0);
  const [first] = active;
  const table = first === undefined ? null : findTable(active, listedAccounts(lines, decimal));
  if (first === undefined || table === null) return [...accounts];
  const numbered = accounts.map((account) => withNumber(account, table));
  const { zero, rows, closing } = { ...table, zero: decimal(0) };
  const isIdle = ({ amounts }: ListedAccount): boolean =>
    amounts[0] === amounts[closing] && amounts.slice(1, closing).every((one) => one === zero);
  const isKnown = ({ number }: ListedAccount): boolean =>
    numbered.some((account) => account.number !== null && isSameNumber(account.number, number));
  const idle = rows.filter((row) => isIdle(row) && !isKnown(row));
  if (idle.length === 0) return numbered;
  const placeOf = ({ number }: StatementAccount): number => {
    const at = rows.findIndex((row) => number !== null && isSameNumber(row.number, number));
    return at < 0 ? rows.length : at;
  };
  const all = [...numbered, ...idle.map((row) => toAccount(row, first, zero))];
  return all.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function listedAccounts(
  lines: readonly PageLine[],
  decimal: (units: number) => string,
): ListedAccount[] {
  return lines.flatMap((line, at) => {
    const money = line.money.filter(({ isCertain }) => isCertain);
    const before = line.words.slice(0, money[0]?.from ?? 0);
    const number = before.findLast(({ text }) => NUMBER.test(text))?.text ?? null;
    if (money.length < AMOUNTS_MIN || isDated(line) || number === null) return [];
    const amounts = money.map(({ units }) => decimal(units));
    return [{ number, line, above: lines[at - 1], amounts }];
  });
}

function findTable(
  active: readonly StatementAccount[],
  listed: readonly ListedAccount[],
): AccountTable | null {
  const tables = Map.groupBy(listed, ({ line, amounts }) => [line.page, amounts.length].join(" "));
  for (const rows of tables.values())
    for (let closing = AMOUNTS_MIN - 1; closing < (rows[0]?.amounts.length ?? 0); closing += 1)
      if (active.every((account) => rowsOf(account, { rows, closing }).length === 1))
        return { rows, closing };
  return null;
}

/** Equal balances alone prove no column: between them stand the sums of the rows. */
function rowsOf(account: StatementAccount, { rows, closing }: AccountTable): ListedAccount[] {
  const sums = [account.totalIncoming, account.totalOutgoing];
  return rows.filter(({ amounts }) => {
    const between = amounts.slice(1, closing).map((amount) => amount.replace("-", ""));
    const hasEnds = amounts[0] === account.opening && amounts[closing] === account.closing;
    return hasEnds && sums.every((sum) => between.includes(sum));
  });
}

function withNumber(account: StatementAccount, table: AccountTable): StatementAccount {
  if (account.number !== null || account.transactions.length === 0) return account;
  const [row] = rowsOf(account, table);
  if (row === undefined) return account;
  const kind = kindOf(row);
  return { ...account, ...(kind.type === null ? {} : kind), number: row.number };
}

/** Of the name in the row or right above it. */
function kindOf({ number, line, above }: ListedAccount): AccountKind {
  const isName = above?.page === line.page && above.money.length === 0;
  return findAccountKind(isName ? [above, line] : [line], number);
}

function toAccount(
  row: ListedAccount,
  { currency, period }: StatementAccount,
  zero: string,
): StatementAccount {
  const balance = row.amounts[0] ?? zero;
  return {
    ...{ number: row.number, ...kindOf(row), currency, period },
    ...{ opening: balance, isOpeningCalculated: false, closing: balance },
    ...{ sum: zero, totalIncoming: zero, totalOutgoing: zero },
    ...{ verdict: "reconciled", unproven: [], firstBreak: null, repairs: [], transactions: [] },
  };
}
