import { type DecimalMark, parseAmount } from "../values/amount.ts";
import { isDate } from "../values/calendar-date.ts";
import type { CurrencyReader } from "../values/currency.ts";
import { directionOf } from "../values/direction.ts";
import { statusOf } from "../values/status.ts";
import { type DecimalGuess, guessDecimals } from "./decimals.ts";

/** Statistics of one column of the sample. Shares are of the filled cells, 0 to 1. */
export interface Profile {
  readonly index: number;
  readonly values: readonly string[];
  readonly filled: number;
  readonly dateShare: number;
  readonly amountShare: number;
  /** Of the filled cells, those with a fraction or a sign: money, rather than a number of a cheque or an account. */
  readonly moneyShare: number;
  readonly mark: DecimalMark;
  readonly decimals: DecimalGuess;
  readonly negatives: number;
  readonly positives: number;
  readonly directionShare: number;
  readonly currencyShare: number;
  readonly statusShare: number;
  /** Letters per filled cell, times the share of different values: high for descriptions, low for categories. */
  readonly wordiness: number;
}

/** @param mark the decimal mark where it is given, null: guessed */
export function profileColumns(
  width: number,
  rows: readonly (readonly string[])[],
  currencies: CurrencyReader,
  mark: DecimalMark | null,
): Profile[] {
  const columns = Array.from({ length: width }, (_, index) =>
    rows.map((row) => (row[index] ?? "").trim()),
  );
  const decimals = guessDecimals(
    columns.map((values) => values.filter((value) => !isDate(value))),
    mark,
  );
  return decimals.map((guess, index) =>
    profileColumn(index, columns[index] ?? [], guess, currencies),
  );
}

function profileColumn(
  index: number,
  values: string[],
  decimals: DecimalGuess,
  currencies: CurrencyReader,
): Profile {
  const cells = values.filter((value) => value !== "");
  const { mark } = decimals;
  const amounts = cells.map((cell) => parseAmount(cell, mark));
  const share = (count: number): number => (cells.length === 0 ? 0 : count / cells.length);
  const letters = cells.reduce((sum, cell) => sum + cell.replaceAll(/[^\p{L}]/gu, "").length, 0);
  return {
    index,
    values,
    filled: cells.length,
    dateShare: share(cells.filter(isDate).length),
    amountShare: share(amounts.filter((amount) => amount !== null).length),
    moneyShare: share(cells.filter((cell, at) => isMoney(cell, amounts[at]?.value)).length),
    mark,
    decimals,
    negatives: amounts.filter((amount) => (amount?.value ?? 0) < 0).length,
    positives: amounts.filter((amount) => (amount?.value ?? 0) > 0).length,
    directionShare: share(cells.filter((cell) => directionOf(cell) !== null).length),
    currencyShare: share(cells.filter((cell) => currencies.code(cell) !== null).length),
    statusShare: share(cells.filter((cell) => statusOf(cell) !== null).length),
    wordiness: share(letters) * share(new Set(cells).size),
  };
}

function isMoney(cell: string, value: number | undefined): boolean {
  return value !== undefined && !isDate(cell) && (/[.,]\d{1,4}\D*$/u.test(cell) || value < 0);
}
