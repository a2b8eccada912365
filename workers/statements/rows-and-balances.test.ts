// Where the balances of rows and of the account stand, and what is a row.
import { expect, it } from "vitest";
import { readStatementText as read } from "../../test/support/read-statement-text.ts";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

it("takes a balance at the end of the last line of a row for that of the row", () => {
  const words = wordsOfText(`
Harbour Business Checking          Account number: 8801191190
Beginning balance on 9/1              $1,000.00
Ending balance on 9/30                  $880.00
Statement period 09/01/2026 to 09/30/2026
Date    Number    Description                                    Credits      Debits     balance
9/6               Purchase authorized on 09/04 Office San Jose                  50.00
9/6               Purchase authorized on 09/04 Fuel San Jose                    20.00
                  CA S38625374 Card 5512                                                  930.00
9/12    2110      Check                                                         50.00     880.00
`);
  const rows = understandStatement(words).accounts.flatMap(({ transactions }) => transactions);
  expect(rows.map(({ amount, balance }) => [amount, balance])).toEqual([
    ["50.00", null],
    ["20.00", "930.00"],
    ["50.00", "880.00"],
  ]);
});

it("leaves out rows without money, such as the kinds of interest that were not charged", () => {
  const { rows, verdicts } = read(`
Harbour Card     December 20, 2025 - January 19, 2026     Account number 4400 6612 0098 7714
Previous Balance     $100.00
New Balance          $111.88
Date        Description                                   Amount
Interest Charged
01/19       INTEREST CHARGED ON PURCHASES                  11.88
01/19       INTEREST CHARGED ON CASH ADVANCES               0.00
`);
  expect(rows).toEqual(["2026-01-19 -11.88"]);
  expect(verdicts).toEqual(["reconciled"]);
});
