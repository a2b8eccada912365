import { expect, it } from "vitest";
import { readDescribedAccounts as read } from "../../test/support/read-statement-text.ts";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

it("the line that a fax printed at the top of each page is not a row, though a number of it stands below the amounts", () => {
  const banner = "04/15/2026  10:42 FROM: COPY 207  555  0148    TO:18665550199   P.01/02";
  const accounts = read(`
${banner}
Example Bank   Account number 4357720164   Mar 09 2026-Apr 08 2026
Beginning Balance   1,000.00
Ending Balance        955.00
Deposits
Date        Description              Amount
03/22       Salary                   100.00
Checks Paid
Date        Serial no.    Amount     Date     Serial no.     Amount
03/12       2071           25.00     03/28    2075            40.00
\f${banner}
How to balance your account
\f${banner}
Withdrawals
Date        Description              Amount
04/01       Rent                      80.00
`);
  expect(accounts).toEqual([
    {
      ends: "1000.00 955.00 reconciled",
      rows: [
        "2026-03-22 100.00 Salary",
        "2026-03-12 -25.00 Check 2071",
        "2026-03-28 -40.00 Check 2075",
        "2026-04-01 -80.00 Rent",
      ],
    },
  ]);
});

it("a row with a time, a payee and a fraction is not the line of a fax", () => {
  const [account] = read(`
Example Bank   Account number 4357720164   Mar 09 2026-Apr 08 2026
Date        Description                              Amount
03/22       10:42 TRANSFER FROM SAVINGS P 1/2        -100.00
03/25       Shop                                      -25.00
`);
  expect(account?.rows).toEqual([
    "2026-03-22 -100.00 10:42 TRANSFER FROM SAVINGS P 1/2",
    "2026-03-25 -25.00 Shop",
  ]);
});

it("the head of a page with a time, a period and the page is not the line of a fax", () => {
  const [account] = understandStatement(
    wordsOfText(`
Account number 4357720164   Mar 09 2026 to Apr 08 2026   Printed 10:42   Page 1 of 2
Date        Description              Amount
03/25       Shop                     -25.00
`),
  ).accounts;
  expect(account).toMatchObject({
    number: "4357720164",
    period: { start: "2026-03-09", end: "2026-04-08" },
  });
});
