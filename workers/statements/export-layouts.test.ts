// Layouts of exports, wallets, core banking systems and card statements that are not those of most banks.
import { expect, it } from "vitest";
import { readStatementText as read } from "../../test/support/read-statement-text.ts";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

it("reads columns of money in and out whose headings have no space", () => {
  const { rows, verdicts } = read(`
Harbour Bank      Account 61880271      Statement date 2 October 2024
Date      Description                    Moneyout    Moneyin    Balance
2 Sep     OPENING BALANCE                                        870.02
4 Sep     CARD SUBSCRIPTION MUSIC           10.99                859.03
5 Sep     WAGES                                       100.00     959.03
`);
  expect(rows).toEqual(["2024-09-04 -10.99", "2024-09-05 100.00"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("finds the balance of a day behind the number of its statement", () => {
  const { rows, verdicts } = read(`
Kontoauszug 6/2026 vom 03.06.2026      IBAN DE18 1203 0000 0000 4471 88
Bu.Tag    Wert      Wir haben für Sie gebucht      Belastung in EUR     Gutschrift in EUR
Kontostand Nr. 5/2026 am 03.05.2026                                         2.211,08
04.05.    04.05.    Kartenzahlung                          13,33
05.05.    05.05.    Gehalt                                                  1.000,00
Kontostand Nr. 6/2026 am 03.06.2026                                         3.197,75
`);
  expect(rows).toEqual(["2026-05-04 -13.33", "2026-05-05 1000.00"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("leaves out the rows without a date of a summary in front of the tables", () => {
  const { rows, verdicts } = read(`
PESA STATEMENT       Statement Period: 01 Mar 2024 - 31 Mar 2024
TRANSACTION TYPE                         PAID IN       PAID OUT
Send Money:                                 0.00         590.61
Received Money:                         2,250.66           0.00
Receipt No    Completion Time        Details              Transaction Status    Paid in     Withdrawn    Balance
SWPSFCJMCB    2024-03-01 14:09:20    Rent                 Completed                           -590.61    409.39
SGF8Q7U5TV    2024-03-02 20:41:42    Refund               Completed             2,250.66               2,660.05
`);
  expect(rows).toEqual(["2024-03-01 -590.61", "2024-03-02 2250.66"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("takes what a card prints once, next to its due date, for no row", () => {
  const { rows } = read(`
Merlin Bank Statement of Card Account
Statement Date      Credit Limit      Minimum Payment      Payment Due Date
14 Jan 2024         $8,000.00         $50.00               08 Feb 2024
Trans Date     Description of Transaction              Amount (SGD)
               PREVIOUS BALANCE                            1,204.66
14 DEC         COFFEE SINGAPORE SG                           154.60
15 DEC         PAYMENT - THANK YOU                         1,204.66 CR
`);
  expect(rows).toEqual(["2023-12-14 -154.60", "2023-12-15 1204.66"]);
});

it("reads balances behind an asterisk, which a passbook prints against additions", () => {
  const { rows, verdicts } = read(`
SAVINGS PASSBOOK      COASTAL SAVINGS BANK      No. 7781-2
LN   DATE       CODE    WITHDRAWAL     DEPOSIT     BALANCE
     04SEP23    B/F                                *610.00
01   08SEP23    CW           13.76                 *596.24
02   23SEP23    CD                      175.20     *771.44
`);
  expect(rows).toEqual(["2023-09-08 -13.76", "2023-09-23 175.20"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("reads days whose year of two digits stands first, where years in full show it", () => {
  const { rows } = read(`
SZÁMLAKIVONAT      Számlaszám: 11773016-04471882      Időszak: 2026.05.01 - 2026.05.31
DATE        VALUE DATE    DESCRIPTION               AMOUNT      BALANCE
                          OPENING BALANCE                       412.880
26.05.03    26.05.03      TRANSFER                 -12.317      400.563
26.05.05    26.05.05      TRANSFER                  -9.773      390.790
26.05.12    26.05.12      WAGES                     12.000      402.790
`);
  expect(rows.map((row) => row.slice(0, 10))).toEqual(["2026-05-03", "2026-05-05", "2026-05-12"]);
});

it("reads days that Chinese descriptions follow without a space", () => {
  const { rows } = read(`
华夏示例银行   账户交易明细     账号:6222 0000 0000 0188     起始日期:2024-01-01 截止日期:2024-01-31
交易日期  摘要                  交易金额     账户余额
20240102水电费代扣               -318.47     7,702.03
20240108利息                      402.65     8,104.68
20240113ATM取款                   -44.12     8,060.56
`);
  expect(rows).toEqual(["2024-01-02 -318.47", "2024-01-08 402.65", "2024-01-13 -44.12"]);
});

it("takes no reference that begins like a day for one, and leaves the time with its day", () => {
  const text = `
Harbour Bank      Account number 40001234
Date                    Description     Amount      Balance
                        Opening balance             100.00
2026-01-05T09:33:11Z    Coffee          -3.00        97.00
                        20240113ABC12
2026-01-06T10:00:00Z    Lunch           -7.00        90.00
`;
  expect(read(text).rows).toEqual(["2026-01-05 -3.00", "2026-01-06 -7.00"]);
  const [account] = understandStatement(wordsOfText(text)).accounts;
  expect(account?.transactions.map(({ description }) => description)).toEqual([
    "Coffee 20240113ABC12",
    "Lunch",
  ]);
});

it("finds the day below its heading behind columns that are not known", () => {
  const { rows, verdicts } = read(`
Evergreen Trust Bank      Account: 0000 7781      Period: 2023-11-01 to 2023-11-30
Opening balance 5,230.10
#    Txn ID        Date          Type      Description          Amount (USD)    Balance (USD)
1    UVC1VLQQG4    2023-11-02    DEBIT     Market                      49.75         5,180.35
2    4XA0C70H8X    2023-11-03    CREDIT    Refund                     100.00         5,280.35
`);
  expect(rows).toEqual(["2023-11-02 -49.75", "2023-11-03 100.00"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("keeps the first of two days where only the heading of the second one is known", () => {
  const { rows } = read(`
Musterbank      Kontoauszug Nr. 5/2024      IBAN DE02 1203 0000 0000 2020 51
Erfasst    Wert      Vorgang               Soll EUR     Haben EUR
Alter Kontostand vom 30.04.2024                          1.890,33 H
06.05.     08.05.    Lastschrift              17,57
07.05.     09.05.    Überweisung             105,23
Neuer Kontostand vom 31.05.2024                          1.767,53 H
`);
  expect(rows).toEqual(["2024-05-06 -17.57", "2024-05-07 -105.23"]);
});

it("takes the year that is printed with the day of the value for the day of the booking", () => {
  const { rows } = read(`
MODEL BANK      Account 0000 23442
Balance at Period Start 990.10
Booking Date    Value Date    Description              Debit       Credit    Closing Balance
02.05.          02.05.24      Dividend                              36.20           1,026.30
31.12.          01.01.24      Fee                    -26.30                         1,000.00
`);
  expect(rows).toEqual(["2024-05-02 36.20", "2023-12-31 -26.30"]);
});

it("reads years of two digits behind a space where days alone stand above them in their cells", () => {
  const { rows } = read(`
MODEL BANK      Account 0000 23442
Balance at Period Start 990.10
Date         Reference       Description              Debit       Credit    Balance
02 MAY
02 MAY 24    FT24861859J9    Dividend                              36.20    1,026.30
04 MAY
04 MAY 24    FT24370372HK    Restaurant             -26.30                  1,000.00
`);
  expect(rows).toEqual(["2024-05-02 36.20", "2024-05-04 -26.30"]);
});

it("takes amounts without a sign for credits in a list without balances where most have a minus", () => {
  const { rows, verdicts } = read(`
Transactions      Customer ID 41209933      Jun 1, 2024 - Jun 30, 2024
Date             Description            Amount      Currency    Status
30 Jun, 2024     Ride                  -369.71      USD         Completed
30 Jun, 2024     Interest earned         55.15      USD         Completed
20 Jun, 2024     Electricity            -51.37      USD         Completed
`);
  expect(rows).toEqual(["2024-06-30 -369.71", "2024-06-30 55.15", "2024-06-20 -51.37"]);
  expect(verdicts).toEqual(["not_checkable"]);
});

it("reads directions from a column of income and expense", () => {
  const { rows } = read(`
Transaction Flow Certificate      Account: 138 0000 0000      Currency: CNY
Time                   Type        Description        Income/Expense      Amount
2024-09-27 10:47:03    Transfer    Mobile deposit     Income             3256.23
2024-09-26 14:05:26    Shopping    Coffee             Expense             291.21
`);
  expect(rows).toEqual(["2024-09-27 3256.23", "2024-09-26 -291.21"]);
});

it("reads several accounts whose rows have their days below their amounts, one of them with the number below its label", () => {
  const account = (currency: string, number: string, total: string) => `
${currency} statement
1 May 2026 - 31 May 2026
Account Holder        ${number.startsWith("BE") ? "IBAN" : "Account number"}
Lotte Vermeersch      ${number}
Description                        Incoming   Outgoing     Amount
Sent money to Jonas Maes                        -75.00     ${total}
30 May 2026 Reference: party
Received money from Studio Halm      100.00                175.00
2 May 2026 Reference: RE 41
`;
  const text = [
    account("EUR", "BE41 9670 0441 2210", "100.00"),
    account("USD", "8310 4471 90", "100.00"),
  ].join("");
  const { rows, verdicts } = read(`Harbour Pay\n${text}`);
  expect(verdicts).toEqual(["reconciled", "reconciled"]);
  expect(rows).toEqual([
    ...["2026-05-30 -75.00", "2026-05-02 100.00"],
    ...["2026-05-30 -75.00", "2026-05-02 100.00"],
  ]);
});
