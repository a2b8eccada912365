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
