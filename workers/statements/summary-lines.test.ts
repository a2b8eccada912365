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

it("takes no average behind another label for the closing balance, and so reads rows without a header next to checks with one", () => {
  const { rows, ends, verdicts } = read(`
River Bank       Account number 0271883917       February 1, 2026 through February 28, 2026
Beginning Balance       $1,000.00      Minimum Daily Balance                  $983.22
Deposits & Credits        $600.00 +    Average Monthly Statement Balance       $1,255
Withdrawals                $60.00 -
Checks                    $240.00 -
Ending Balance          $1,300.00

DEPOSITS & CREDITS
02/03      Deposit - Thank You                                          415.40
02/04      Square Inc SQ250204                                          184.60
                 Total Deposits & Credits                              $600.00

WITHDRAWALS
02/06      Power company                                                 48.50
02/09      Stationer                                                     11.50
                 Total Withdrawals                                      $60.00

CHECKS
DATE       CHECK NO.         AMOUNT        DATE       CHECK NO.         AMOUNT
02/14      1201              100.00        02/19      1202              140.00
`);
  expect(rows).toEqual([
    ...["2026-02-03 415.40", "2026-02-04 184.60", "2026-02-06 -48.50", "2026-02-09 -11.50"],
    ...["2026-02-14 -100.00", "2026-02-19 -140.00"],
  ]);
  expect(ends).toEqual(["1000.00", "1300.00"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("takes no balance of rewards for that of the card, and one that counts as the total for the opening one", () => {
  const { rows, ends, verdicts } = read(`
Maple Card       Card number XXXX XXXX XXXX 3086
Statement period Feb. 12, 2026 - Mar. 11, 2026
Previous total balance, Feb. 11, 2026                 $82.37
Total balance, Mar. 11, 2026                         $141.01
CashBack rewards: Opening balance $61.18   Earned this period $1.41   Closing balance $62.59
TRANS DATE   POSTING DATE   DESCRIPTION                     AMOUNT ($)
Feb. 12      Feb. 13        BOOK SHOP                           118.64
Feb. 13      Feb. 14        TRANSIT                              22.37
Feb. 20      Feb. 21        PAYMENT RECEIVED - THANK YOU         82.37 CR
`);
  expect(rows).toEqual(["2026-02-12 -118.64", "2026-02-13 -22.37", "2026-02-20 82.37"]);
  expect(ends).toEqual(["82.37", "141.01"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("takes no balances of points below their heading for those of the card", () => {
  const text = (heading: string): string => `
Saffron Card     Card number XXXX XXXX XXXX 9018
Statement period 21/05/2026 to 20/06/2026
${heading}
Opening Balance   Earned this month   Closing Balance
3,118.00          534.00              3,652.00
Date         Transaction details          Amount
02/06/2026   BOOK SHOP                    1,499.00
07/06/2026   TRANSIT                        147.00
`;
  expect(read(text("Reward Points Summary")).ends).not.toContain("3118.00");
  expect(read(text("Account Summary")).ends).toEqual(["3118.00", "3652.00"]);
  // Boxes of points next to those of the balances.
  expect(read(text("                                    Points")).ends).toEqual([
    "3118.00",
    "3652.00",
  ]);
  const next = text("                          Your points").replace(
    "Opening Balance   Earned this month",
    "Payments  1.00    Opening Balance  ",
  );
  expect(read(next).ends).toEqual(["534.00", "3652.00"]);
});

it("takes no balances by day of value, by which interest is reckoned, for rows, where a note stands behind their heading", () => {
  const { rows, ends, verdicts } = read(`
Banca Esempio     Conto corrente n. 0012/004471882
DATA       VALUTA        DARE        AVERE     DESCRIZIONE DELLE OPERAZIONI
31/03/26                          2.684,31     SALDO INIZIALE
02/04/26   02/04/26     60,00                  PAGAMENTO
12/04/26   12/04/26                 100,00     BONIFICO
30/04/26                          2.724,31     SALDO FINALE
CONTO SCALARE - ELEMENTI PER IL CONTEGGIO DELLE COMPETENZE AL 30/04/2026
VALUTA     SALDI PER VALUTA     GIORNI     NUMERI CREDITORI
31/03/26        +2.684,31          2             5.368
02/04/26        +2.624,31         10            26.243
12/04/26        +2.724,31         18            49.037
`);
  expect(rows).toEqual(["2026-04-02 -60.00", "2026-04-12 100.00"]);
  expect(ends).toEqual(["2684.31", "2724.31"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("takes the balance behind an average with a value for what its label names", () => {
  const { ends } = read(`
River Bank       Account number 0271883917
Opening balance 100.00
Average 216.40 Closing balance 480.00
${ROWS}`);
  expect(ends).toEqual(["100.00", "480.00"]);
});
