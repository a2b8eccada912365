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
