// Which parts of a recognised statement are worth another look: those where its balances do not follow.
import type { PrintedValue, StatementAccount, StatementResult } from "../model/bank-statement.ts";

/** Pages that are recognised a second time: a statement that is wrong on more was not understood at all. */
const PAGES_AGAIN_MAX = 12;
/** Rows before and after a break whose numbers are recognised again. */
const ROWS_AROUND = 1;

const addsUp = ({ verdict }: StatementAccount): boolean => verdict.startsWith("reconciled");

/** @param recognised pages whose words were recognised, from 1 */
export function pagesToReadAgain(
  result: StatementResult,
  recognised: readonly number[],
): readonly number[] {
  if ("fault" in result)
    return result.fault === "no_transactions" ? recognised.slice(0, PAGES_AGAIN_MAX) : [];
  const wrong = result.accounts.filter(({ verdict }) => verdict === "not_reconciled");
  const pages = new Set(
    wrong.flatMap(({ transactions, firstBreak }) => [
      ...transactions.map(({ page }) => page),
      ...(firstBreak === null ? [] : [firstBreak.page]),
    ]),
  );
  return recognised.filter((page) => pages.has(page)).slice(0, PAGES_AGAIN_MAX);
}

/** The recognised numbers of the rows around the first break of each account. */
export function numbersToReread(result: StatementResult): PrintedValue[] {
  if ("fault" in result) return [];
  return result.accounts.flatMap(({ firstBreak, transactions }) => {
    const row = firstBreak?.row ?? null;
    if (row === null) return [];
    return transactions
      .filter((transaction) => Math.abs(transaction.row - row) <= ROWS_AROUND)
      .flatMap(({ evidence: { amount, balance } }) => [amount, balance])
      .filter((value): value is PrintedValue => value?.source === "ocr");
  });
}

/** In heights of a number: between the rows before and after a lost one there is at least so much paper. */
const LOST_ROW_GAP_MIN = 1;

/**
 * The place of an amount that was not found at all: half-way between the row of a break and the one before it, in the column
 * of the amounts.
 */
export function lostNumbers(result: StatementResult): Pick<PrintedValue, "page" | "box">[] {
  if ("fault" in result) return [];
  return result.accounts.flatMap(({ firstBreak, transactions }) => {
    const at = transactions.findIndex(({ row }) => row === firstBreak?.row);
    const [before, after] = [transactions[at - 1], transactions[at]].map((transaction) =>
      transaction === undefined ? null : transaction.evidence.amount,
    );
    if (before?.source !== "ocr" || after?.source !== "ocr" || before.page !== after.page)
      return [];
    const [, top, , bottom] = before.box;
    const [, nextTop, , nextBottom] = after.box;
    if (nextTop - bottom < (bottom - top) * LOST_ROW_GAP_MIN) return [];
    const column = transactions.flatMap(({ evidence: { amount } }) =>
      amount?.page === after.page ? [amount.box] : [],
    );
    const left = Math.min(...column.map((box) => box[0]));
    const right = Math.max(...column.map((box) => box[2]));
    const box = [left, (top + nextTop) / 2, right, (bottom + nextBottom) / 2] as const;
    return [{ page: after.page, box }];
  });
}

/** Whether a statement adds up better: fewer accounts that do not, then more that do, then a later first break. */
export function isBetter(next: StatementResult, before: StatementResult): boolean {
  if ("fault" in next) return false;
  if ("fault" in before) return true;
  const [a, b] = [measure(next), measure(before)];
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}

/** Larger is better, the first difference decides. */
function measure({ accounts }: { readonly accounts: readonly StatementAccount[] }): number[] {
  const broken = accounts.filter(({ verdict }) => verdict === "not_reconciled").length;
  const reconciled = accounts.filter(addsUp).length;
  const firstBreak = accounts.reduce(
    (sum, { firstBreak: at, transactions }) => sum + (at?.row ?? transactions.length),
    0,
  );
  return [-broken, reconciled, firstBreak];
}
