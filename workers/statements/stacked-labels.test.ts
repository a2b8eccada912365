// The balances of a summary box whose labels go over two lines above their values.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const endsWith = (box: string): unknown => {
  const text = `Example Bank
Account number 40001234
Statement period 1 February 2026 to 28 February 2026

${box}

Deposits and other additions
Date        Amount    Description
2026-02-01    12.00   Salary
Checks and other deductions
Date        Amount    Description
2026-02-03    50.00   Rent
`;
  const [account] = understandStatement(wordsOfText(text)).accounts;
  return [account?.verdict, account?.opening, account?.closing];
};

it("are the opening and the closing one, by the whole label above each value", () => {
  expect(
    endsWith(`      Beginning       Deposits and       Checks and other      Ending
       balance      other additions          deductions      balance
        100.00                12.00               50.00        62.00`),
  ).toEqual(["reconciled", "100.00", "62.00"]);
});

it("are also those next to counts, which a line between labels and values names", () => {
  const box = (
    between: string,
    values: string,
  ): string => `      Beginning       Deposits and       Checks and other      Ending
       balance      other additions          deductions      balance
${between}
${values}`;
  const counts = "                      No.                   No.";
  const values = "        100.00        1   12.00             1   50.00      62.00";
  expect(endsWith(box(counts, values))).toEqual(["reconciled", "100.00", "62.00"]);
  expect(endsWith(box("                      Page 1                of 2", values))).toEqual([
    ...["not_checkable", null, null],
  ]);
  expect(endsWith(box(counts, values.replace("  1   50", "12345  50")))).toEqual([
    ...["not_checkable", null, null],
  ]);
});

it("are also those next to a total whose label is known by its upper line", () => {
  expect(
    endsWith(`    Balance last     Total deposits     Total checks and     Balance this
       statement        and credits               debits        statement
          100.00              12.00                50.00            62.00`),
  ).toEqual(["reconciled", "100.00", "62.00"]);
});

it("are not those of other labels with the same words", () => {
  expect(
    endsWith(`      Average         Deposits and       Checks and other      Lowest
       balance      other additions          deductions      balance
        100.00                12.00               50.00        62.00`),
  ).toEqual(["not_checkable", null, null]);
});

it("are not those of values that stand apart from the labels", () => {
  expect(
    endsWith(`      Beginning       Deposits and       Checks and other      Ending
       balance      other additions          deductions      balance



        100.00                12.00               50.00        62.00`),
  ).toEqual(["not_checkable", null, null]);
});
