// Sums next to headings, balances in boxes, and amounts below their texts: each layout with the rows and balances that it prints.
import { expect, it } from "vitest";
import { readDescribedAccounts as read } from "../../test/support/read-statement-text.ts";

it("the sum of the rows next to the heading of their section is not a row, and the heading counts", () => {
  const [account] = read(`Example Bank
Account number 40001234
March 1, 2026 to March 31, 2026
Beginning balance   100.00
Ending balance       85.00
                                 There were 2 Deposits and Other Additions totaling
Deposits and Other Additions     $30.00.
Date     Amount   Description
03/05     10.00   DEPOSIT ONE
03/06     20.00   DEPOSIT TWO
Checks and Substitute Checks     There were 2 checks listed totaling $45.00.
Date   Check   Amount        Date   Check   Amount
       number                       number
03/08  212      15.00        03/09  214      30.00
`);
  expect(account?.ends).toBe("100.00 85.00 reconciled");
  expect(account?.rows.map((row) => row.split(" ").slice(0, 2).join(" "))).toEqual([
    "2026-03-05 10.00",
    "2026-03-06 20.00",
    "2026-03-08 -15.00",
    "2026-03-09 -30.00",
  ]);
});

it("checks side by side are found where their days begin far left of the headings", () => {
  const [account] = read(`
Example Bank     Account: 10271-17621     Statement Dates 4/01/26 thru 4/30/26
Previous Balance     1,000.00
Current Balance        700.00
CHECKS IN NUMBER ORDER
Date    Check No      Amount      Date    Check No      Amount
4/02    5011        100.00      4/10    5017         50.00
4/04    5012         50.00      4/12    5018        100.00
* Denotes missing check numbers
`);
  expect(account?.rows).toEqual([
    "2026-04-02 -100.00 Check 5011",
    "2026-04-10 -50.00 Check 5017",
    "2026-04-04 -50.00 Check 5012",
    "2026-04-12 -100.00 Check 5018",
  ]);
});

it("rows side by side are found below a header of two lines that begins again", () => {
  const [account] = read(`Example Bank
Account number 40001234
March 1, 2026 to March 31, 2026
Beginning balance   100.00
Ending balance       55.00
Checks paid
Date   Check            Reference     Date   Check            Reference
       number  Amount   number               number  Amount   number
03/08  212      15.00   088113470     03/09  214      30.00   086550912
`);
  expect(account?.ends).toBe("100.00 55.00 reconciled");
  expect(account?.rows).toHaveLength(2);
});

it("a closing balance behind the period of the statement is read, and the period is not the day of a row", () => {
  const [account] = read(`Example Bank
Account number 40001234                              Opening balance    100.00
Details of your account                              Paid out            20.00
1 September to 30 September 2025                     Closing balance     80.00
Date        Details                    Paid out      Paid in
2 Sep 2025  SHOP                          20.00
`);
  expect(account).toEqual({
    ends: "100.00 80.00 reconciled",
    rows: ["2025-09-02 -20.00 SHOP"],
  });
});

it("balances with their days stand behind other totals of a box", () => {
  const [account] = read(`Example Bank
Account number 40001234
Money in     £9.00        Balance on 01 March 2026   £100.00
Money out   £20.00        Balance on 31 March 2026    £89.00
Date        Details                    Money out     Money in
02 Mar 26   SHOP                          20.00
05 Mar 26   REFUND                                       9.00
`);
  expect(account?.ends).toBe("100.00 89.00 reconciled");
});

it("payments next to deposits are debits", () => {
  const [account] = read(`Example Bank
Account number 40001234
Date        Payee                      Payment       Deposit     Balance
2-Jan-26    Opening balance                                       100.00
3-Jan-26    SHOP                         20.00                     80.00
4-Jan-26    SHOP TWO                     30.00                     50.00
5-Jan-26    SHOP THREE                   10.00                     40.00
6-Jan-26    REFUND                                     5.00        45.00
`);
  expect(account).toEqual({
    ends: "100.00 45.00 reconciled",
    rows: [
      "2026-01-03 -20.00 SHOP",
      "2026-01-04 -30.00 SHOP TWO",
      "2026-01-05 -10.00 SHOP THREE",
      "2026-01-06 5.00 REFUND",
    ],
  });
});

it("an amount next to a number, below the text of its row, is a row of the day above", () => {
  const [account] = read(`Example Bank
Account number 40001234
1 April 2026 to 30 April 2026
Date        Particulars                   Debits      Credits     Balance
1 Apr 2026  Balance b/f                                             100.00
5 Apr 2026  V2370 04/04 TICKETS
            48772839519...................  10.00
            V8902 04/04 SHOP
            41369437334...................  20.00                    70.00
`);
  expect(account?.ends).toBe("100.00 70.00 reconciled");
  expect(account?.rows.map((row) => row.split(" ").slice(0, 2).join(" "))).toEqual([
    "2026-04-05 -10.00",
    "2026-04-05 -20.00",
  ]);
});

it("lists of checks, deposits and balances by day next to each other are tables of their own", () => {
  const [account] = read(`First Example Bank
Account number 40001234                         Statement date: April 30, 2025
Previous Balance      Total Checks and      Total Deposits and       Current Balance
                      Debits                Credits
  100.00                45.00                 30.00                      85.00
Checks and Debits                 Deposits and Credits            Daily Balance
 Date      No.     Amount          Date        Amount              Date      Amount
Apr. 2     742      15.00         Apr. 3        10.00             Apr. 2      85.00
Apr. 8     743      30.00         Apr. 9        20.00             Apr. 3      95.00
                                                                  Apr. 8      65.00
                                                                  Apr. 9      85.00
`);
  expect(account?.ends).toBe("100.00 85.00 reconciled");
  expect(account?.rows.map((row) => row.split(" ").slice(0, 2).join(" ")).toSorted()).toEqual([
    "2025-04-02 -15.00",
    "2025-04-03 10.00",
    "2025-04-08 -30.00",
    "2025-04-09 20.00",
  ]);
});

it("marks in parentheses behind amounts are their directions", () => {
  const [account] = read(`Example Bank
Account number 40001234
Date        Narration                  Withdrawal (Dr)/       Balance
                                       Deposit (Cr)
            Balance b/f                                       100.00(Cr)
13-07-2026  INTEREST                           10.00(Cr)      110.00(Cr)
23-07-2026  SHOP                              130.00(Dr)       20.00(Dr)
`);
  expect(account?.rows).toEqual(["2026-07-13 10.00 INTEREST", "2026-07-23 -130.00 SHOP"]);
  expect(account?.ends).toBe("100.00 -20.00 reconciled");
});

it("rows that print Pending in the place of their date are not booked", () => {
  const [account] = read(`Example Bank
Account number 40001234
Available balance   84.00                    Current balance   97.00
Date          Description                    Debit     Credit     Balance
Pending       CARD SHOP                     -12.00
Pending       CARD OTHER SHOP                -1.00
Nov 24, 2026  SHOP                          -13.00                  97.00
Nov 23, 2026  REFUND                                    10.00      110.00
Nov 20, 2026  SHOP TWO                      -20.00                 100.00
`);
  expect(account?.rows).toHaveLength(3);
  expect(account?.ends).toMatch(/^120\.00 97\.00 /u);
});

it("the letter of a note stands before the heading of a section, and a sentence with a label is not a balance", () => {
  const [account] = read(`Example Bank
Account number 40001234
Statement Period: 09/08/26 - 10/06/26
Beginning Balance   100.00
Ending Balance       85.00
B DEPOSITS AND OTHER CREDITS
Date     Description          Amount
09/11    PAYROLL               15.00
D WITHDRAWALS AND OTHER DEBITS
Date     Description          Amount
09/11    SHOP                  15.00
09/12    SHOP                  15.00
E. The ending balance shows what was in your account at the close of each day; below a minimum of 500.00 a fee is due.
`);
  expect(account?.ends).toBe("100.00 85.00 reconciled");
  expect(account?.rows).toEqual([
    "2026-09-11 15.00 PAYROLL",
    "2026-09-11 -15.00 SHOP",
    "2026-09-12 -15.00 SHOP",
  ]);
});

it("a day years behind all others is not the year of rows that print none", () => {
  const [account] = read(`Example Bank Home Equity Line of Credit
Closing date 03/15/2024
Account number 40001234
Payment due date 04/10/2024
Draw period end date 08/22/2031
Previous balance 100.00
Trans Date  Post Date  Description              Amount
02/19       02/20      PRINCIPAL ADVANCE         50.00
03/01       03/01      PAYMENT - THANK YOU       20.00 CR
New balance 130.00
`);
  expect(account?.rows.map((row) => row.slice(0, 10))).toEqual(["2024-02-19", "2024-03-01"]);
});

it("a time stamp below a row does not replace the day that stands above all its rows", () => {
  const [account] = read(`Beispielbank
IBAN: DE41 3704 0044 0228 8174 00
Kontoauszug vom 28.06.2026
Angaben zu den Umsätzen                  Valuta      zu Ihren Lasten      zu Ihren Gunsten
Alter Kontostand vom 31.05.2026                                                    100,00
Buchungsdatum: 03.06.2026
TANKSTELLE                               03.06              20,00-
2026-06-01T11:23:43 Debitk.4 2027-12
Buchungsdatum: 05.06.2026
LADEN                                    05.06              30,00-
Neuer Kontostand vom 28.06.2026                                                     50,00
`);
  expect(account?.rows.map((row) => row.slice(0, 17))).toEqual([
    "2026-06-03 -20.00",
    "2026-06-05 -30.00",
  ]);
});

it("cheque/debit and deposit/credit name directions", () => {
  const [account] = read(`Example Bank
Account No. 0247-5214407
OCT 31/23 - NOV 30/23
DESCRIPTION              CHEQUE/DEBIT       DEPOSIT/CREDIT       DATE        BALANCE
BALANCE FORWARD                                                  OCT31        100.00
SHOP                            20.00                            OCT31
CARDS SETTLED                                        20.00       OCT31        100.00
CARDS SETTLED                                        30.00       OCT31
SHOP 228                        30.00                            OCT31        100.00
RENT                            90.00                            NOV01         10.00
`);
  expect(account?.rows).toEqual([
    "2023-10-31 -20.00 SHOP",
    "2023-10-31 20.00 CARDS SETTLED",
    "2023-10-31 30.00 CARDS SETTLED",
    "2023-10-31 -30.00 SHOP 228",
    "2023-11-01 -90.00 RENT",
  ]);
});

it("a schedule of repayments and a register of wages prove nothing, and are not statements", () => {
  expect(
    read(`Loan Amortization Schedule
Lender Example Bank
Loan amount 300.00
NO     PAYMENT DATE   BEGINNING BALANCE   PAYMENT   PRINCIPAL   INTEREST   ENDING BALANCE
1      2/15/2026                 300.00    105.00      100.00       5.00           200.00
2      3/15/2026                 200.00    104.00      100.00       4.00           100.00
`),
  ).toEqual([]);
  expect(
    read(`Payroll Register - Summary by Employee
Example Catering LLC   Pay period 11/01/2026 - 11/14/2026
Check date   Check no.   Employee        Gross      Tax     Net pay
11/20/2026   30412       Adams, K     1,320.00   145.20    1,174.80
11/20/2026   30413       Boone, T     1,303.05   143.34    1,159.71
`),
  ).toEqual([]);
});

it("a balance at the end of the line below its amount is that of the row, and the text in front of it goes on", () => {
  const [account] = read(`nimbus spending account statement
October 1, 2026 – October 31, 2026
Starting balance                                       $100.00
Ending balance                                         $105.00
Friday, October 30
Hooli Inc.                                             +$30.00
Salary ACH                                Balance      $105.00
Thursday, October 29
Sweetgreen                                             -$15.00
Food and drink                            Balance       $75.00
Wednesday, October 28
Cinema                                                 -$10.00
Leisure                                   Balance       $90.00
`);
  expect(account).toEqual({
    ends: "100.00 105.00 reconciled",
    rows: [
      "2026-10-30 30.00 Hooli Inc. Salary ACH",
      "2026-10-29 -15.00 Sweetgreen Food and drink",
      "2026-10-28 -10.00 Cinema Leisure",
    ],
  });
});

it("amounts in texts of a list of an app are not those of rows", () => {
  const [account] = read(`Transactions
Current account
Sat 21 November 2026
Aisha Rahman                                   +£22.51
Sent from a friend pizza £12 each
Fri 20 November 2026
Northgate Studio Ltd                        +£2,240.60
Salary
Deliveroo                                      -£17.65
Eating out
Thu 19 November 2026
Spotify                                        -£11.99
Subscription
Wed 18 November 2026
Tesco                                          -£22.55
Groceries
Tue 17 November 2026
Tailor                                         -£30.10
Mon 16 November 2026
Baker                                           -£3.10
`);
  expect(account?.rows).toEqual([
    "2026-11-21 22.51 Aisha Rahman Sent from a friend pizza £12 each",
    "2026-11-20 2240.60 Northgate Studio Ltd Salary",
    "2026-11-20 -17.65 Deliveroo Eating out",
    "2026-11-19 -11.99 Spotify Subscription",
    "2026-11-18 -22.55 Tesco Groceries",
    "2026-11-17 -30.10 Tailor",
    "2026-11-16 -3.10 Baker",
  ]);
});

it("balances of a month begin and end the rows of a card", () => {
  const [account] = read(`
Example Card      Oct 1, 2025 to Oct 31, 2025
Previous Monthly Balance as of Sep 30, 2025        $1,183.42
Total Balance as of Oct 31, 2025                     $668.54
Credit Limit                                       $9,000.00
Date        Description                   Amount
10/07/2025  ACH Deposit                   -$1,183.42
10/18/2025  Shop at the corner               $668.54
`);
  expect(account?.ends).toBe("1183.42 668.54 reconciled");
});

it("balances by day of value below the rows are not rows", () => {
  const [account] = read(`
Banca Esempio      Estratto conto dal 01/01/2025 al 31/03/2025
SALDO INIZIALE                                                5.117,36
DATA        VALUTA      DESCRIZIONE                USCITE       ENTRATE
02/01/2025  02/01/2025  PAGAMENTO                   10,00
06/02/2025  06/02/2025  STIPENDIO                              2.200,00
TOTALE USCITE/ENTRATE                               10,00      2.200,00
31/03/2025              SALDO FINALE                           7.307,36
ESTRATTO CONTO SCALARE
VALUTA      SALDI PER VALUTA     GIORNI                      NUMERI
31/12/2024          5.117,36          2                   10.234,72
31/03/2025          7.307,36          0                        0,00
`);
  expect(account?.ends).toBe("5117.36 7307.36 reconciled");
  expect(account?.rows).toEqual(["2025-01-02 -10.00 PAGAMENTO", "2025-02-06 2200.00 STIPENDIO"]);
});

it("a heading in the middle right below a row is not a part of it, whatever word of its text stands above", () => {
  const [account] = read(`
Example Bank     Account: 10271-17621     1 January 2026 to 31 January 2026
                    Deposits
Date        Description                  Amount
2026-01-05  Shop in the town              50.00
                    Withdrawals
Date        Description                  Amount
2026-01-06  Rent of the month             40.00
`);
  expect(account?.rows).toEqual([
    "2026-01-05 50.00 Shop in the town",
    "2026-01-06 -40.00 Rent of the month",
  ]);
});
