// Boxes and lines that put several labels and values, or a heading and notes, next to each other.
import { expect, it } from "vitest";
import { readStatementText as read } from "../../test/support/read-statement-text.ts";

const ROWS = `
DATE & TIME     TRANSACTION DETAILS        AMOUNT     AVAILABLE BALANCE
1 Apr 2026      Shop                      - 20.00                 80.00
2 Apr 2026      Salary                   + 400.00                480.00
`;

it("takes the value behind its label for the opening balance, where other labels with values follow closely", () => {
  const { ends, verdicts } = read(`
Wallet Passbook      Account number 40001234
Opening Balance 100.00 Money Paid 20.00 Money Received 400.00 Closing Balance 480.00
${ROWS}`);
  expect(ends).toEqual(["100.00", "480.00"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("takes no average next to the opening balance for it, reads a joined period, and checks below their count as debits", () => {
  const { rows, ends, verdicts } = read(`
Harbour Bank       Account number 435-1187741       Statement Period:  Aug 09 2026-Sep 08 2026
Beginning Balance            1,000.00 Average Collected Balance              871.20
Deposits                       600.00
Checks Paid                    300.00
Ending Balance               1,300.00

Deposits
POSTING DATE    DESCRIPTION                                      AMOUNT
08/13           PAYROLL                                          600.00
                Subtotal:                                        600.00

Checks Paid   No. Checks: 2   *Indicates break in serial sequence or check listed below
DATE       SERIAL NO.        AMOUNT        DATE       SERIAL NO.        AMOUNT
08/14      1201              100.00        08/19      1202              200.00
                                                      Subtotal:         300.00
`);
  expect(rows).toEqual(["2026-08-13 600.00", "2026-08-14 -100.00", "2026-08-19 -200.00"]);
  expect(ends).toEqual(["1000.00", "1300.00"]);
  expect(verdicts).toEqual(["reconciled"]);
});
