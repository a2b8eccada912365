// Headings of sections as they are set off from what stands around them.
import { expect, it } from "vitest";
import { readStatementText as read } from "../../test/support/read-statement-text.ts";

it("reads headings between dashes, which give the rows below them their direction", () => {
  const { rows } = read(`
PRAIRIE BANK        ACCOUNT NUMBER XXXX4419        STATEMENT PERIOD 03/01/26 TO 03/31/26
- - - - - - - - - - DEPOSITS AND OTHER CREDITS - - - - - - - - - - - -
DATE         AMOUNT     DESCRIPTION
03/06        210.00     FEED & SEED PAYROLL
- - - - - - - - - - OTHER DEBITS - - - - - - - - - - - -
DATE         AMOUNT     DESCRIPTION
03/09         60.00     GROCER ATLANTIC IA
`);
  expect(rows).toEqual(["2026-03-06 210.00", "2026-03-09 -60.00"]);
});

it("takes the first section below a header of two lines for its heading", () => {
  const { rows, verdicts } = read(`
Harbour Card     December 20, 2025 - January 19, 2026     Account number 4400 6612 0098 7714
Previous Balance     $100.00
New Balance           $64.10
Transaction   Posting    Description                              Reference   Account      Amount
Date          Date                                                Number      Number
                         Payments and Other Credits
01/10         01/11      PAYMENT - THANK YOU                      8585        7714        -100.00
                         Purchases and Adjustments
12/20         12/21      GROCER 4238 CLERMONT FL                  5376        7714          64.10
`);
  expect(rows).toEqual(["2026-01-10 100.00", "2025-12-20 -64.10"]);
  expect(verdicts).toEqual(["reconciled"]);
});

const NUMBERED = `
Harbour Checking                                                  Account:-------0417
Statement Activity                        Beginning Balance                    642.18
                                          Ending Balance                     1,217.18
Other Credits (+)                                                 Account:-------0417
Date         Amount     Description
12/19        690.00     PAYROLL
Other Debits (-)                                                  Account:-------0417
Date         Amount     Description
01/05        100.00     GROCER DUBLIN OH
01/14         15.00     ACCOUNT FEE: OVERDRAFT
Statement Period from 12/13/25 to 01/14/26    Page 1 of 2
Service Charge Detail
Date         Service Charge (-)     Waives and Discounts (+)     Description
01/14        15.00                                               ACCOUNT FEE: OVERDRAFT
`;

it("reads headings with a sign and the number of the account, and no fee again that a list of them repeats", () => {
  const { rows, verdicts } = read(NUMBERED);
  expect(rows).toEqual(["2025-12-19 690.00", "2026-01-05 -100.00", "2026-01-14 -15.00"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("begins no statement with the first period at the foot of a page, where the days of all rows are in it", () => {
  expect(read(NUMBERED).ends).toEqual(["642.18", "1217.18"]);
});

it("finds headings whose words have commas between them, whether they are printed or not", () => {
  const { rows } = read(`
Harbour Bank      Statement Period: 03/01/2026 - 03/31/2026      Account Number: 7283004419
Other withdrawals, debits and service charges
DATE         DESCRIPTION                    AMOUNT
03/06        GROCER ATLANTIC IA              10.00
03/09        SERVICE CHARGES                  5.00
Deposits, credits and interest
DATE         DESCRIPTION                    AMOUNT
03/10        DEPOSIT                        198.00
03/31        INTEREST PAYMENT                 2.00
`);
  expect(rows).toEqual([
    "2026-03-06 -10.00",
    "2026-03-09 -5.00",
    "2026-03-10 198.00",
    "2026-03-31 2.00",
  ]);
});

it("counts no check of a summary next to whose heading brackets tell where its checks are listed too", () => {
  const { rows } = read(`
Harbour Bank      Account number: 4827193350      October 1, 2026 - October 31, 2026
Date    Number   Description                   Credits       Debits
10/1             Mobile Deposit                 411.77
10/2    2051     Check                                       161.48
10/3    2052     Check                                        29.65
Summary of checks written (checks listed are also displayed in the preceding Transaction history)
Number    Date         Amount
2051      10/2         161.48
2052      10/3          29.65
`);
  expect(rows).toEqual(["2026-10-01 411.77", "2026-10-02 -161.48", "2026-10-03 -29.65"]);
});
