// Rates in lines with amounts: of a tier of interest, whose amount is a limit, or at the end of the text of a transaction.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const amountsWith = (line: string): unknown => {
  const text = `Example Bank
Account number 40001234
Opening balance 100.00
Date        Amount    Balance    Description
2026-02-01    12.00    112.00    Salary
${line}
2026-02-03   -50.00     74.00    Rent
`;
  const [account] = understandStatement(wordsOfText(text)).accounts;
  return account?.transactions.map(({ amount }) => amount);
};

it("a transaction whose text stands behind its amounts and ends in a rate is a row", () => {
  const line = "2026-02-02    12.00    124.00    CASHBACK 5%";
  expect(amountsWith(line)).toEqual(["12.00", "12.00", "50.00"]);
});

it("a tier of an interest rate is not a row, whatever stands behind its limit", () => {
  const rows = ["12.00", "50.00"];
  expect(amountsWith("2026-02-02  Less than 10,000.00   0.50%")).toEqual(rows);
  expect(amountsWith("2026-02-02  10,000.00 and over    0.50%")).toEqual(rows);
  expect(amountsWith("2026-02-02  From 10,000.00 at 0.50%")).toEqual(rows);
});
