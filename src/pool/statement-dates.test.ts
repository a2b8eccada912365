// Which dates of a recognised statement are looked at again, and when another reading of them is taken.
import { expect, it } from "vitest";
import type { PrintedValue, StatementResult } from "../model/bank-statement.ts";
import { datesOutOfOrder, hasBetterDates, lostDates } from "./statement-dates.ts";

const value = (left: number, top: number): PrintedValue => ({
  ...{ page: 1, box: [left, top, left + 40, top + 10], text: "", confidence: 0.9, source: "ocr" },
});

/** Rows of 20 points; null: no date was found, and the row has that of the row before. */
function statementOf(dates: readonly (string | null)[], amount = "1.00"): StatementResult {
  let before: string | null = null;
  const transactions = dates.map((date, at) => {
    before = date ?? before;
    // The page is skewed: dates stand 3 points higher than the texts of their rows.
    const printed = date === null ? null : value(40, at * 20);
    const evidence = { date: printed, description: [value(120, at * 20 + 3)] };
    return { date: before, amount, direction: "debit", balance: null, row: at + 1, evidence };
  });
  const period = { start: "2025-07-01", end: "2025-07-31" };
  const account = { verdict: "reconciled", period, transactions };
  return { accounts: [account] } as unknown as StatementResult;
}

/** With other evidence of one row. */
function withRow(result: StatementResult, at: number, changed: object): StatementResult {
  if ("fault" in result) return result;
  const accounts = result.accounts.map((account) => ({
    ...account,
    transactions: account.transactions.map((row, index) =>
      index === at ? { ...row, evidence: { ...row.evidence, ...changed } } : row,
    ),
  }));
  return { ...result, accounts };
}

const day = (number: number): string => `2025-07-${String(number).padStart(2, "0")}`;
const days = (...numbers: readonly (number | null)[]): StatementResult =>
  statementOf(numbers.map((number) => (number === null ? null : day(number))));

it("a lost date is looked for in the column of the dates, at the height of its row", () => {
  expect(lostDates(days(1, 2, null, 4))).toEqual([{ page: 1, box: [40, 40, 80, 50] }]);
});

it("no date is looked for where most rows have none, or where all have one", () => {
  expect(lostDates(days(1, null, null, 4))).toEqual([]);
  expect(lostDates(days(1, null, null, 4, 4))).toHaveLength(2);
  expect(lostDates(days(1, 2, 3))).toEqual([]);
});

it("dates around a break of the order are looked at again, and those outside of the period", () => {
  const tops = (result: StatementResult) => datesOutOfOrder(result).map(({ box }) => box[1] / 20);
  expect(tops(days(1, 2, 8, 4, 5, 6, 7))).toEqual([2, 3]);
  expect(tops(days(7, 6, 5, 8, 3, 2, 1))).toEqual([2, 3]);
  expect(tops(statementOf([day(1), "2025-01-02", day(3)]))).toContain(1);
  expect(tops(days(1, 2, 2, 3))).toEqual([]);
});

it("a date that breaks the order is looked at as wide as those below and above it", () => {
  const torn = { ...value(60, 40), box: [60, 40, 80, 50] as const };
  const result = withRow(days(1, 2, 8, 4, 5), 2, { date: torn });
  expect(datesOutOfOrder(result).map(({ box }) => box)).toContainEqual([40, 40, 80, 50]);
});

it("where the second date of a row was taken, that which breaks the order is looked for in front", () => {
  const result = withRow(days(1, 2, 8, 4, 5), 2, { date: value(120, 40) });
  expect(datesOutOfOrder(result).map(({ box }) => box)).toContainEqual([40, 40, 80, 50]);
});

it("a date is looked for where a text stands in its place, at the height of the amount", () => {
  const blank = days(1, null, null, null, 5);
  expect(lostDates(blank)).toEqual([]);
  const description = [{ ...value(45, 30), box: [45, 30, 160, 60] as const }];
  const amounts = [0, 1, 2, 3, 4].reduce(
    (result, at) => withRow(result, at, { amount: value(300, at * 20 + 2) }),
    blank,
  );
  expect(lostDates(withRow(amounts, 2, { description }))).toEqual([
    { page: 1, box: [40, 40, 80, 50] },
  ]);
});

it("a document without an order of dates has none that break it", () => {
  expect(datesOutOfOrder(days(5, 2, 8, 1, 7, 3, 9, 2))).toEqual([]);
});

it("another reading is taken when fewer dates are out of order, or a lost one was found", () => {
  expect(hasBetterDates(days(1, 2, 3, 4), days(1, 2, 8, 4))).toBe(true);
  expect(hasBetterDates(days(1, 2, 3), days(1, null, 3))).toBe(true);
  expect(hasBetterDates(days(5, 2, 8, 4, 9), days(5, 2, null, 4, 9))).toBe(true);
});

it("no other reading is taken", () => {
  expect(hasBetterDates(days(1, 2, 3, 5), days(1, 2, 3, 4))).toBe(false);
  expect(hasBetterDates(days(1, 9, 3), days(1, null, 3))).toBe(false);
  expect(hasBetterDates(days(1, null, 3), days(1, 2, 3))).toBe(false);
  expect(hasBetterDates(statementOf([day(1), day(2)], "2.00"), days(1, null))).toBe(false);
  expect(hasBetterDates({ fault: "no_transactions" }, days(1, null))).toBe(false);
});
