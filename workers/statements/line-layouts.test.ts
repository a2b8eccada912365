// What a line of a table is, where its parts stand otherwise than in most tables: each layout with the rows and balances that it prints.
import { expect, it } from "vitest";
import { dayAndAmount, readTextAccounts } from "../../test/support/read-statement-text.ts";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const read = (text: string) =>
  readTextAccounts(text, (row) => `${dayAndAmount(row)} ${row.balance ?? "-"}`);

it("a day that begins the text of a row is not the day of the row", () => {
  const [account] = read(`Example Bank
Account number 40001234
1 February 2026 to 28 February 2026
Date       Details                      Paid out    Paid in    Balance
1 Feb      BALANCE FROM LAST STATEMENT                           100.00
10 Feb     SHOP                             5.00                  95.00
12 Feb     CASH MACHINE
           09FEB26                         20.00                  75.00
           11FEB26 SHOP                     5.00                  70.00
27 Feb     SALARY                                     30.00      100.00
`);
  expect(account?.rows).toEqual([
    "2026-02-10 -5.00 95.00",
    "2026-02-12 -20.00 75.00",
    "2026-02-12 -5.00 70.00",
    "2026-02-27 30.00 100.00",
  ]);
  expect(account?.ends).toBe("100.00 100.00 reconciled");
});

it("a month and a day in the first column are a date below its heading", () => {
  const [account] = read(`Banque Exemple
Compte 40001234
Période du 2026-09-01 au 2026-09-30
DATE     DESCRIPTION                     DÉBIT      CRÉDIT     DATE      SOLDE
M J                                                            M J
         SOLDE PRÉCÉDENT                                       09 01    812,40
09 04    ACHAT INTERAC                   68,42
09 04    FACTURE                         92,10                 09 04    651,88
09 05    SALAIRE                                     100,00    09 05    751,88
`);
  expect(account?.rows).toEqual([
    "2026-09-04 -68.42 -",
    "2026-09-04 -92.10 651.88",
    "2026-09-05 100.00 751.88",
  ]);
});

it("marks of the balance below a heading of their own are not debits", () => {
  const [account] = read(`Example Bank
Account Number : 15440100217733
Statement of Account for the period 01-APR-2026 to 30-JUN-2026
Date         Value Date   Particulars      Tran  Cheque    Withdrawals   Deposits     Balance       DR /
                                           Type  Details                                            CR
Opening Balance                                                                         1,18,441.20 CR
03-APR-2026  03-APR-2026  UPI/KSEB         TFR                1,366.13                  1,17,075.07 CR
06-APR-2026  06-APR-2026  NEFT/SALARY      NFT                           82,450.00      1,99,525.07 CR
09-APR-2026  09-APR-2026  NACH/SIP         TFR                5,000.00                  1,94,525.07 CR
`);
  expect(account?.rows).toEqual([
    "2026-04-03 -1366.13 117075.07",
    "2026-04-06 82450.00 199525.07",
    "2026-04-09 -5000.00 194525.07",
  ]);
});

it("a balance is named behind its amount too, where texts stand right of the amounts", () => {
  const text = (word: string): string => `BANCA ESEMPIO        ESTRATTO CONTO
CONTO CORRENTE N. 417447718
DATA CONT.  VALUTA      DARE         AVERE       DESCRIZIONE DELLE OPERAZIONI
31/03/26                             100,00      SALDO INIZIALE A VOSTRO CREDITO
02/04/26    02/04/26    96,33                    ADDEBITO DIRETTO
15/04/26    12/04/26    59,80                    PAGAMENTO POS
22/04/26    19/04/26    20,00                    PAGAMENTO POS
30/04/26                76,13                    SALDO FINALE A VOSTRO ${word}
`;
  const rows = ["2026-04-02 -96.33 -", "2026-04-15 -59.80 -", "2026-04-22 -20.00 -"];
  expect(read(text("DEBITO"))).toEqual([{ ends: "100.00 -76.13 reconciled", rows }]);
  expect(read(text("CREDITO"))[0]?.ends).toMatch(/not_reconciled/u);
});

it("a balance with its day in Spanish is the closing one, also left of a box of other values", () => {
  const [account] = read(`Banco Ejemplo      ESTADO DE CUENTA AL 31 DE MAYO DE 2026
Cuenta 40001234
Saldo Anterior                      200.00       Retiros en efectivo            30.00
SALDO AL 31 DE MAYO DE 2026         175.00       Comisiones cobradas            15.00
FECHA    CONCEPTO                                RETIROS     DEPOSITOS      SALDO
02 MAY   COMPRA                                    30.00                    170.00
03 MAY   PAGO RECIBIDO                                           20.00      190.00
04 MAY   COMISION                                  15.00                    175.00
`);
  expect(account).toEqual({
    ends: "200.00 175.00 reconciled",
    rows: ["2026-05-02 -30.00 170.00", "2026-05-03 20.00 190.00", "2026-05-04 -15.00 175.00"],
  });
});

it("an account that begins at its opening balance has the heading above it: charges of a card are debits", () => {
  const accounts = read(`Example Credit Union
Member Number XXXXX2291     OCT 01 2026 THRU OCT 31 2026
70 SHARE DRAFT CHECKING
Date     Transaction Description              Amount       New Balance
Oct 01   Previous Balance                                       906.15
Oct 05   Withdrawal Debit Card                 14.19-           891.96
Oct 31   New Balance                                            891.96
02 PLATINUM VISA XXXX-5518     Credit limit 5,000.00     Available 4,077.00
Date     Transaction Description              Amount           Balance
Oct 01   Previous Balance                                       402.18
Oct 03   Advance HOME DEPOT                   141.09            543.27
Oct 12   Payment Transfer From Share           60.00-           483.27
Oct 31   New Balance                                            483.27
`);
  expect(accounts.map(({ rows }) => rows)).toEqual([
    ["2026-10-05 -14.19 891.96"],
    ["2026-10-03 -141.09 543.27", "2026-10-12 60.00 483.27"],
  ]);
  expect(accounts.map(({ ends }) => ends)).toEqual([
    "906.15 891.96 reconciled",
    "402.18 483.27 reconciled",
  ]);
});

it("a balance marked O/D is below zero", () => {
  const [account] = read(`Example Bank p.l.c.
Account no. 40117725
Month ended 29 March 2026
Date        Details                    Debit      Credit      Balance
1 March     Balance forward                                   318.40 O/D
1 March     DD Electricity             82.00                  400.40 O/D
7 March     Lodgement                             741.51      341.11
29 March    Bank fees                  20.00                  321.11
`);
  expect(account).toEqual({
    ends: "-318.40 321.11 reconciled",
    rows: ["2026-03-01 -82.00 -400.40", "2026-03-07 741.51 341.11", "2026-03-29 -20.00 321.11"],
  });
});

it("a balance in a line of its own below each amount is that of the row", () => {
  const [account] = read(`Wattle
Everyday Account     Account 4410 29931
Transactions from 1 Apr 2026 to 30 Jun 2026
Saturday 20 June 2026
BPAY 419473510                              -$178.00
                                         Bal $100.12
PAYMENT FROM R NGUYEN                        +$64.74
                                         Bal $278.12
Thursday 18 June 2026
BENEFIT 493628119                            +$69.59
                                         Bal $213.38
Tuesday 16 June 2026
GROCER                                       -$64.00
                                         Bal $143.79
`);
  expect(account?.rows).toEqual([
    "2026-06-20 -178.00 100.12",
    "2026-06-20 64.74 278.12",
    "2026-06-18 69.59 213.38",
    "2026-06-16 -64.00 143.79",
  ]);
  expect(account?.ends).toMatch(/ reconciled$/u);
});

it("checks with their day behind the amount are read from both halves of a list", () => {
  const accounts = read(`Example Bank
Account number 1850447718
January 1, 2026 to January 31, 2026
Beginning balance 9000.00
Ending balance 2244.27
Checks paid this statement period
Check number   Amount ($)   Date paid   Check number   Amount ($)   Date paid
#10442            -812.40   Jan 02      #10448            -660.31   Jan 13
#10443          -2,350.00   Jan 06      #10449          -1,475.00   Jan 21
#10444            -119.95   Jan 07      *#10452           -337.86   Jan 28
#10447          -1,000.21   Jan 13
`);
  expect(accounts[0]?.rows.map((row) => row.replace(/ -$/u, "")).toSorted()).toEqual([
    "2026-01-02 -812.40",
    "2026-01-06 -2350.00",
    "2026-01-07 -119.95",
    "2026-01-13 -1000.21",
    "2026-01-13 -660.31",
    "2026-01-21 -1475.00",
    "2026-01-28 -337.86",
  ]);
  expect(accounts[0]?.ends).toBe("9000.00 2244.27 reconciled");
});

it("values of a summary are below their labels also behind a line of days and numbers", () => {
  const [account] = read(`Prairie Bank
Account 00447190
11/01/26 through 11/30/26
Beginning balance     Deposits and credits     Checks and debits     Ending balance
11/01/26              2 items                  1 items               11/30/26
100.00                50.00                    20.00                 130.00
Date       Description                     Debits      Credits
11/02      DEPOSIT                                       25.00
11/03      SHOP                             20.00
11/30      DEPOSIT                                       25.00
Average ledger balance   31,480.22         Earnings allowance   8.38
`);
  expect(account).toEqual({
    ends: "100.00 130.00 reconciled",
    rows: ["2026-11-02 25.00 -", "2026-11-03 -20.00 -", "2026-11-30 25.00 -"],
  });
});

it("the totals below a closing balance and the year of its day are not its value", () => {
  const [account] = read(`Example Company
For the period 1 January 2026 to 31 January 2026
Date       Description            Received      Spent      Balance
           Opening Balance                                  100.00
2 Jan      Sale                      50.00                  150.00
2026
30 Jan     School fees                           20.00      130.00
2026
31 Jan     Closing Balance
2026
                                     50.00       20.00
           Total
`);
  expect(account?.rows).toEqual(["2026-01-02 50.00 150.00", "2026-01-30 -20.00 130.00"]);
  expect(account?.ends).toMatch(/^100\.00 130\.00 reconciled$/u);
});

it("a heading with the number of its rows is that of a section", () => {
  const [account] = read(`Example Bank
Account Number 40004417
This Statement: March 31, 2026   Last Statement: February 28, 2026
2 DEPOSITS/CREDITS
Date        Amount       Description
03/03        20.00       SQUARE INC
03/04        15.00       DEPOSIT
1 CHARGES/DEBITS
Date        Amount       Description
03/05        10.00       SHOP
`);
  expect(account?.rows).toEqual([
    "2026-03-03 20.00 -",
    "2026-03-04 15.00 -",
    "2026-03-05 -10.00 -",
  ]);
});

it("rows below the name of the next holder of a card are not of the section above its total", () => {
  const [account] = read(`Example Trust     World Card
Statement date October 14, 2026     Account 5191 2300 0000 4087
Credit limit     $8,000.00
Payments and credits
TRANS DATE    POST DATE    DESCRIPTION                     AMOUNT (CAD)
Sep 23        Sep 23       PAYMENT RECEIVED                    100.00 CR
Total payments and credits                                     100.00 CR
ELODIE EXAMPLE 5191 23XX XXXX 4087   Purchases and returns
TRANS DATE    POST DATE    DESCRIPTION                     AMOUNT (CAD)
Sep 25        Sep 26       GROCER                              120.50
Oct 02        Oct 04       RETURN                               10.00 CR
`);
  expect(account?.rows).toEqual([
    "2026-09-23 100.00 -",
    "2026-09-25 -120.50 -",
    "2026-10-02 10.00 -",
  ]);
});

it("a note between the heading of a section and its table does not end that section", () => {
  const [account] = read(`Example Bank
Account Number 40004417
March 1, 2026 to March 31, 2026
Withdrawals
Date        Description          Amount
03/05       SHOP                  10.00
Total withdrawals                 10.00
Deposits
All amounts are in US dollars
Date        Description          Amount
03/03       SQUARE INC            20.00
03/06       SQUARE INC            12.00
`);
  expect(account?.rows).toEqual([
    "2026-03-05 -10.00 -",
    "2026-03-03 20.00 -",
    "2026-03-06 12.00 -",
  ]);
});

it("the amount of a card is that in its currency, and not the foreign one left of it", () => {
  const [account] = read(`Example Card
Account 5191 2300 0000 4087      Credit limit 6,000.00
Transactions
Posting date    Description                     Foreign amount     Amount in SGD
01 Aug 2026     Previous balance                                         200.00
02 Aug 2026     Fair Plaza                                                64.35
06 Aug 2026     Payment received, thank you                             +200.00
14 Aug 2026     Lawson Tokyo                         JPY 1,048             9.12
15 Aug 2026     Suica Tokyo                          JPY 3,000            26.10
Total outstanding balance (SGD)                                           99.57
`);
  expect(account?.rows).toEqual([
    "2026-08-02 -64.35 -",
    "2026-08-06 200.00 -",
    "2026-08-14 -9.12 -",
    "2026-08-15 -26.10 -",
  ]);
});

it("an IBAN behind its label has all of its groups", () => {
  const [account] = understandStatement(
    wordsOfText(`Banque Exemple RELEVÉ DE COMPTE AU 30/11/2026
IBAN FR76 1010 7001 1800 4471 8220 417
Date     Libellé de l'opération        Valeur     Débit      Crédit
         ANCIEN SOLDE AU 31/10/2026                          100,00
03.11    VIREMENT                      03.11                  50,00
         NOUVEAU SOLDE AU 30/11/2026                         150,00
`),
  ).accounts;
  expect(account?.number).toBe("FR76 1010 7001 1800 4471 8220 417");
  expect(account?.verdict).toBe("reconciled");
});

it("payments to a line of credit are credits, though its column is the only one that has a direction", () => {
  const [account] = read(`Example Savings
Personal Line of Credit
Account 100044718      Credit limit $10,000.00      Minimum payment $154.09
Statement for March 1 to March 31, 2026
Date     Description                 Payments ($)    Advances ($)    Amount owing ($)
Mar 1    Opening amount owing                                              4,718.02
Mar 7    Payment from Chequing             200.00                          4,518.02
Mar 12   Payment from Chequing             100.00                          4,418.02
Mar 31   Closing amount owing                                              4,418.02
`);
  expect(account).toEqual({
    ends: "4718.02 4418.02 reconciled",
    rows: ["2026-03-07 200.00 4518.02", "2026-03-12 100.00 4418.02"],
  });
});

it("signs of amounts decide below a heading such as Transactions, also where one sign is lost", () => {
  const [account] = read(`Example Business Checking Statement
Jun 1, 2026 - Jun 30, 2026
Beginning balance $100.00
Ending balance $650.00
Transactions
DATE            DESCRIPTION                     AMOUNT
Jun 2, 2026     TRANSFER                      +$200.00
Jun 3, 2026     SHOP                           -$50.00
Jun 11, 2026    Check Deposit                  $500.00
Jun 12, 2026    SHOP                          -$120.00
Jun 13, 2026    Refund                         +$20.00
`);
  expect(account).toEqual({
    ends: "100.00 650.00 reconciled",
    rows: [
      "2026-06-02 200.00 -",
      "2026-06-03 -50.00 -",
      "2026-06-11 500.00 -",
      "2026-06-12 -120.00 -",
      "2026-06-13 20.00 -",
    ],
  });
});

it("an amount in another currency and its rate, below a row that was recognised, are not a row", () => {
  const words = wordsOfText(`Example Card
Account 5191 2300 0000 4087      Credit limit 6,000.00
Previous balance                                          200.00
New balance                                               265.86
Date         Description                                  Amount
02 Aug 2026  Waitrose York                                 46.61
03 Aug 2026  Hotel Arts Barcelona                         105.25
120.00 EURO @ 1.1402
06 Aug 2026  PAYMENT - THANK YOU                          200.00 CR
07 Aug 2026  Hotel Arts Barcelona                          14.00
16.00 EURO @ 1.1429
08 Aug 2026  Hotel Arts Barcelona                         100.00
114.00 EURO @ 1.1400
`).map((word) => ({ ...word, source: "ocr" as const }));
  const [account] = understandStatement(words).accounts;
  expect(account?.transactions.map(({ amount }) => amount)).toEqual(
    "46.61 105.25 200.00 14.00 100.00".split(" "),
  );
  expect(account?.verdict).toBe("reconciled");
});
