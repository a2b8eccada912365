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

it("takes no day of a labelled balance, which stands below the dates of the checks before, for that of a row", () => {
  const { ends, verdicts } = read(`
Harbour Combined Statement         Statement period 09/01/2026 to 09/30/2026
Checking
Beginning balance on 9/1              $100.00        Account number: 8801191190
Ending balance on 9/30                 $60.00
Date    Number    Description                                    Credits      Debits     balance
9/6     2110      Check                                                         40.00      60.00
Summary of checks written
Number            Date       Amount
2110              9/6         40.00
Savings
Beginning balance on 9/1              $300.00        Account number: 8801195571
Ending balance on 9/30                $306.31
Date    Number    Description                                    Credits      Debits     balance
9/30              Interest Payment                                  6.31                  306.31
`);
  expect(ends).toEqual(["100.00", "60.00", "300.00", "306.31"]);
  expect(verdicts.at(-1)).toBe("reconciled");
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

it("takes a dated line that names the closing balance and has amounts of both directions for no transaction", () => {
  const { rows, ends, verdicts } = read(`
Seebank        Periode 01.10.2026 - 31.10.2026        IBAN CH71 0070 0110 0044 7188 2
Datum        Buchungstext                  Belastung CHF    Gutschrift CHF      Saldo CHF
01.10.2026   Saldovortrag                                                      12'044.35
01.10.2026   Bezug Bancomat                        52.32
23.10.2026   Gutschrift Lohn                                     6'120.40      18'112.43
31.10.2026   Umsatz / Schlusssaldo                 52.32         6'120.40      18'112.43
`);
  expect(rows).toEqual(["2026-10-01 -52.32", "2026-10-23 6120.40"]);
  expect(ends).toEqual(["12044.35", "18112.43"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("reads the balance from your last statement, the previous one of the account, and one in euros", () => {
  const card = (opening: string, closing: string): string => `
Harbour Card          5 February 2026 to 4 March 2026          Card number 4400 6612 0098 4471
${opening}              £100.00
${closing}              £129.37
Date         Description                          Amount
06 Feb       GROCER LONDON                         29.37
`;
  expect(read(card("Balance from your last statement", "Closing balance")).ends).toEqual([
    "100.00",
    "129.37",
  ]);
  expect(read(card("Previous Account Balance", "New balance")).ends).toEqual(["100.00", "129.37"]);
  const { ends, verdicts } = read(`
Banque du Port       du 05.01.2026 au 04.02.2026       Compte : 188204
DATE     LIBELLE                              DEBIT        CREDIT
         ANCIEN SOLDE                                      640,12
06.01    CB EPICERIE                          76,31
         SOLDE EN EUROS                                    583,81
`);
  expect(ends).toEqual(["640.12", "583.81"]);
  expect(verdicts).toEqual(["not_reconciled"]);
});

it("reads checks whose numbers stand below CHECK#, three in a line", () => {
  const { rows } = read(`
PRAIRIE BANK        ACCOUNT NUMBER XXXX4419        STATEMENT PERIOD 03/01/26 TO 03/31/26
CHECKS PAID
CHECK#  DATE      AMOUNT      CHECK#  DATE      AMOUNT      CHECK#  DATE      AMOUNT
3310    03/03      45.00      3311    03/09     212.50      3312    03/10      30.00
3315    03/18     125.00
`);
  expect(rows).toEqual([
    "2026-03-03 -45.00",
    "2026-03-09 -212.50",
    "2026-03-10 -30.00",
    "2026-03-18 -125.00",
  ]);
});
