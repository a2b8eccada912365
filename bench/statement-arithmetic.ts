// Whether what is called reconciled has the true numbers, whatever its dates and texts are.
import type { StatementAccount } from "../src/model/bank-statement.ts";
import { matchRows, rowOf } from "./statement-scores.ts";
import { type TrueAccount, type TrueRow, trueVerdict } from "./statement-truth.ts";

/** Whether amounts, directions and balances of all accounts are those of the truth. */
export const isArithmeticRight = (
  truth: readonly TrueAccount[],
  read: readonly StatementAccount[],
): boolean =>
  truth.length === read.length &&
  read.every((account, at) => {
    const right = truth[at];
    return right !== undefined && isArithmeticOf(right, account);
  });

/**
 * Whether any account is called reconciled that has not the numbers of an account that is reconciled in the truth; or all of them
 * are, and they are not those of the truth: another was lost.
 */
export function isAnyWronglyReconciled(
  truth: readonly TrueAccount[],
  read: readonly StatementAccount[],
): boolean {
  const claimed = read.filter(({ verdict }) => verdict.startsWith("reconciled"));
  const allowed = truth.filter((account) => trueVerdict(account) === "reconciled");
  const isWrong = (account: StatementAccount): boolean =>
    !allowed.some((right) => isArithmeticOf(right, account));
  if (claimed.some(isWrong)) return true;
  const isAll = claimed.length > 0 && claimed.length === read.length;
  return isAll && !(isArithmeticRight(truth, read) && allowed.length === truth.length);
}

/** A date is in no balance, and a balance that was not read is not a wrong one. */
function isArithmeticOf({ rows }: TrueAccount, { transactions }: StatementAccount): boolean {
  const given = transactions.map(rowOf);
  const amounts = (all: readonly TrueRow[]): string =>
    all
      .map((row) => row.units)
      .sort((a, b) => a - b)
      .join(" ");
  const withBalance = given.filter(({ balance }) => balance !== null);
  const { found } = matchRows(rows.map(arithmeticKey), withBalance.map(arithmeticKey));
  return amounts(rows) === amounts(given) && found === withBalance.length;
}

const arithmeticKey = ({ units, balance }: TrueRow): string => [units, balance].join(" ");
