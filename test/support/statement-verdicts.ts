// Whether the verdict of a read statement is one that its true numbers allow.
import type { StatementAccount, StatementTransaction } from "../../src/model/bank-statement.ts";

/** In minor units, debits below zero. */
export interface TrueNumbers {
  /** null: the truth has none. */
  readonly opening: number | null;
  readonly closing: number | null;
  readonly rows: readonly { readonly units: number; readonly balance: number | null }[];
}

const HUNDRED = 100;
const units = (decimal: string): number => Math.round(Number(decimal) * HUNDRED);

const isReconciled = ({ verdict }: StatementAccount): boolean => verdict.startsWith("reconciled");

/**
 * What is wrong with what the verdicts of a document claim; empty: nothing. Of each account that is called reconciled, with or
 * without repairs, its numbers; and accounts that were lost.
 */
export const wrongVerdicts = (
  truth: readonly TrueNumbers[],
  accounts: readonly StatementAccount[],
): string[] => [...wrongClaims(truth, accounts), ...lostAccounts(truth, accounts)];

/** The accounts that were not read at all in a document all of whose others are called reconciled: no verdict shows their loss. */
export function lostAccounts(
  truth: readonly TrueNumbers[],
  accounts: readonly StatementAccount[],
): string[] {
  if (accounts.length === 0 || !accounts.every(isReconciled)) return [];
  const read = new Set(
    accounts.flatMap((account) => {
      const wrong = truth.map((one) => differences(one, account).length);
      return truth.filter((_, at) => wrong[at] === Math.min(...wrong));
    }),
  );
  return truth
    .filter((one) => !read.has(one))
    .map(({ rows }) => `lost account with ${String(rows.length)} rows`);
}

/** Of each account that is called reconciled, what is wrong with its numbers. */
export function wrongClaims(
  truth: readonly TrueNumbers[],
  accounts: readonly StatementAccount[],
): string[] {
  return accounts.flatMap((account) => {
    if (!isReconciled(account)) return [];
    const wrong = truth.map((one) =>
      differences(one, account).filter((text) => !isBeyondUnproven(text, account)),
    );
    if (wrong.some((differing) => differing.length === 0)) return [];
    const nearest = wrong.reduce(
      (a, b) => (b.length < a.length ? b : a),
      wrong[0] ?? ["no account"],
    );
    return isNamed(nearest, account) ? [] : [`${account.verdict}: ${nearest.join(", ")}`];
  });
}

/** What the verdict does not claim: amounts up to the first balance, and rows behind the last one, where `unproven` names that end. */
function isBeyondUnproven(text: string, account: StatementAccount): boolean {
  const { unproven } = account;
  if (unproven.includes("opening_balance"))
    if (text.startsWith("opening_balance") || isUpToFirstBalance(text, account)) return true;
  return unproven.includes("closing_balance") && /^(?:missing|closing_balance)/u.test(text);
}

function isUpToFirstBalance(text: string, { transactions }: StatementAccount): boolean {
  const row = /^row (\d+) /u.exec(text)?.[1];
  if (row === undefined) return false;
  const hasBalance = ({ balance }: StatementTransaction): boolean => balance !== null;
  const [top, bottom] = [transactions[0]?.date ?? "", transactions.at(-1)?.date ?? ""];
  return top > bottom
    ? Number(row) - 1 >= transactions.findLastIndex(hasBalance)
    : Number(row) - 1 <= transactions.findIndex(hasBalance);
}

/** With repairs, a wrong number is not a wrong verdict where it is among them. */
const isNamed = (differing: readonly string[], { verdict, repairs }: StatementAccount): boolean =>
  verdict === "reconciled_with_repairs" &&
  differing.every((text) =>
    repairs.some(
      ({ row, field }) => text.startsWith(`row ${String(row)} `) || text.startsWith(field),
    ),
  );

function differences(truth: TrueNumbers, account: StatementAccount): string[] {
  const { transactions, opening, closing } = account;
  const left = [...truth.rows];
  // Rows of sections, and the newest first, may be in another order.
  const wrong = transactions.flatMap((row, index) => {
    const read = units(row.amount) * (row.direction === "debit" ? -1 : 1);
    const balance = row.balance === null ? null : units(row.balance);
    const at = left.findIndex(
      (one) =>
        one.units === read && (balance === null || one.balance === null || one.balance === balance),
    );
    if (at >= 0) left.splice(at, 1);
    return at >= 0 ? [] : [`row ${String(index + 1)} ${String(read)}, ${String(balance)}`];
  });
  const end = (name: string, read: string | null, right: number | null): string[] =>
    read === null || right === null || units(read) === right
      ? []
      : [`${name} ${read} for ${String(right)}`];
  return [
    ...wrong,
    ...left.slice(wrong.length).map((row) => `missing ${String(row.units)}`),
    ...end("opening_balance", opening, truth.opening),
    ...end("closing_balance", closing, truth.closing),
  ];
}
