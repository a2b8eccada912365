// A verdict that is never wrong: a summary that the rows contradict is not left unchecked because its last balance is called current.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

/** @param summary lines between the period and the rows, which add up to purchases of 60.00 */
function verdictWith(summary: string): unknown {
  const text = `
Deltabank N.V.
Statement of credit card
Account 1111222233
Statement period 01/03/2025 to 31/03/2025
${summary}
Date        Description                    Amount
08/03/2025  Book shop                      20.00
09/03/2025  Train                          40.00
`;
  const { accounts } = understandStatement(wordsOfText(text));
  return accounts.map(({ verdict, closing }) => [verdict, closing]);
}

it.each([
  [
    "the rows lead to it",
    "Payments 0.00\nPurchases 60.00\nCurrent balance 160.00",
    "reconciled",
    "160.00",
  ],
  [
    "the summary alone leads to it",
    "Payments 0.00\nPurchases 70.00\nCurrent balance 170.00",
    "not_reconciled",
    "170.00",
  ],
  [
    "payments are taken off",
    "Payments 30.00\nPurchases 80.00\nCurrent balance 150.00",
    "not_reconciled",
    "150.00",
  ],
  [
    "neither leads to it",
    "Payments 0.00\nPurchases 70.00\nCurrent balance 175.00",
    "not_checkable",
    null,
  ],
  [
    "it is of a day",
    "Purchases 70.00\n02/04/2025 Book shop 1.00\nCurrent balance 169.00",
    "not_checkable",
    null,
  ],
  [
    "there are more amounts than are added up",
    `${"Fees 1.00\n".repeat(7)}Current balance 107.00`,
    "not_checkable",
    null,
  ],
])("a current balance behind the previous one: %s", (_name, summary, verdict, closing) => {
  expect(verdictWith(`Previous balance 100.00\n${summary}`)).toEqual([[verdict, closing]]);
});

it("a current balance in front of the previous one is of another day", () => {
  expect(verdictWith("Current balance 170.00\nPrevious balance 100.00\nPurchases 70.00")).toEqual([
    ["not_checkable", null],
  ]);
});
