// Which rows of a statement that was read have a balance that does not follow from the one before it. Neither the sense of the
// account nor the order of its rows has to be known: the amount is the difference of two balances in all of them.
import type { StatementTransaction } from "../model/bank-statement.ts";

/** Of rows with a balance: with fewer, a row without one lost nothing. */
const BALANCE_SHARE_MIN = 0.7;

export interface BalanceSteps {
  /** Rows whose amount is the step between two balances. */
  readonly fitting: number;
  /** Indexes of rows whose balance is another step away from that of the row before. */
  readonly broken: readonly number[];
  /** Indexes of rows without a balance, where nearly all others have one. */
  readonly withoutBalance: readonly number[];
}

/** As the balances show it, or the dates where the balances fit both; null: neither shows it. */
export function orderOfRows(rows: readonly StatementTransaction[]): "oldest" | "newest" | null {
  const [oldest = 0, newest = 0] = [0, -1].map((owner) => stepsOf(rows, owner).fitting);
  if (oldest !== newest) return newest > oldest ? "newest" : "oldest";
  const [first, last] = [rows[0]?.date, rows.at(-1)?.date];
  if (first == null || last == null || first === last) return null;
  return first > last ? "newest" : "oldest";
}

export function balanceSteps(rows: readonly StatementTransaction[]): BalanceSteps {
  const byOrder = [0, -1].map((owner) => stepsOf(rows, owner));
  const [oldest, newest] = byOrder;
  const steps = (newest?.fitting ?? 0) > (oldest?.fitting ?? 0) ? newest : oldest;
  const without = [...rows.keys()].filter((at) => rows[at]?.balance == null);
  const isEveryPrinted = 1 - without.length / rows.length >= BALANCE_SHARE_MIN;
  return {
    fitting: steps?.fitting ?? 0,
    broken: steps?.broken ?? [],
    withoutBalance: isEveryPrinted ? without : [],
  };
}

/** @param owner 0: a step has the amount of the row that it leads to; -1: of the one before, as the newest row comes first */
function stepsOf(
  rows: readonly StatementTransaction[],
  owner: number,
): Pick<BalanceSteps, "fitting" | "broken"> {
  const broken: number[] = [];
  let fitting = 0;
  for (const [at, { balance }] of rows.entries()) {
    const before = rows[at - 1]?.balance ?? null;
    const amount = rows[at + owner]?.amount;
    if (balance == null || before === null || amount === undefined) continue;
    if (Math.abs(toCents(balance) - toCents(before)) === Math.abs(toCents(amount))) fitting += 1;
    else broken.push(at);
  }
  return { fitting, broken };
}

/** Of decimals: three digits too, as all values of an account have the same. */
const toCents = (decimal: string): number => Number(decimal.replace(".", ""));
