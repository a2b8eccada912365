// Columns, codes, marks and second values that are printed in ways of their own, each with the rows and balances that it prints.
import { describe, expect, it } from "vitest";
import {
  readDescribedAccounts as read,
  readTextAccounts,
} from "../../test/support/read-statement-text.ts";

describe("amounts of another column, where these lead from balance to balance:", () => {
  it("the principal of a loan, next to a payment and its interest, which lowers what is owed", () => {
    const [account] = readTextAccounts(`Example Credit Union
LOAN 01 - NEW AUTO
Date    Description             Amount   Interest   Principal     Balance
03/01   Beginning Balance                                        1,000.00
03/17   Payment by transfer      90.00      10.00      80.00-      920.00
03/31   Payment by check         50.00       5.00      45.00-      875.00
03/31   Ending Balance                                             875.00
March 1, 2026 to March 31, 2026
`);
    expect(account).toEqual({
      ends: "1000.00 875.00 reconciled",
      rows: ["2026-03-17 80.00", "2026-03-31 45.00"],
    });
  });

  it("what is left of a payment behind its fee", () => {
    const [account] = readTextAccounts(`Example Wallet
1 March 2026 to 31 March 2026
                         Available   Withheld
Beginning balance           100.00       0.00
Ending balance              118.00       0.00
Date        Description       Amount    Fees     Total
2026-03-01  Payment one        10.00   -1.00      9.00
2026-03-02  Payment two        20.00   -2.00     18.00
2026-03-03  Hosting            -9.00    0.00     -9.00
`);
    expect(account).toEqual({
      ends: "100.00 118.00 reconciled",
      rows: ["2026-03-01 9.00", "2026-03-02 18.00", "2026-03-03 -9.00"],
    });
  });
});

it("a table of what the rows did to another fund is left out, and the first of two opening balances may be that of the period", () => {
  const [account] = readTextAccounts(`Example Brokerage
Account number 40001234
March 1, 2026 to March 31, 2026
                            This period   Year to date
Beginning balance              100.00          71.50
Ending balance                 125.00
Deposits
Date    Description                  Amount
03/10   Payroll                       40.00
Withdrawals
Date    Description                  Amount
03/05   Rent                         -15.00
Fund activity
Date    Description          Amount      Balance
03/05   You sold              15.00        85.00
03/10   You bought           -40.00       125.00
`);
  expect(account).toEqual({
    ends: "100.00 125.00 reconciled",
    rows: ["2026-03-10 40.00", "2026-03-05 -15.00"],
  });
});

it("rows below headings without a header count next to a list that has one", () => {
  const [account] = readTextAccounts(`Example Bank
Account number 40001234
March 1, 2026 to March 31, 2026
Beginning balance   100.00
Ending balance       75.00
DEPOSITS AND CREDITS
03/10  Payroll                        40.00
WITHDRAWALS
03/05  Rent                           15.00
03/07  Shop                           30.00
CHECKS
Date    Check No.   Amount     Date    Check No.   Amount
03/18   2207         12.50     03/19   2209          7.50
DAILY BALANCE SUMMARY
Date    Balance     Date    Balance
03/05     85.00     03/10    95.00
03/18     82.50     03/19    75.00
`);
  expect(account?.ends).toBe("100.00 75.00 reconciled");
  expect(account?.rows).toHaveLength(5);
});

it("notes right of a statement, each with its mark, are not read where the balances prove the rows without them", () => {
  const [account] = read(`
Example Bank                                            A  Statement information
Account Number: 40001234                                   The date of the statement
March 1, 2026 to March 31, 2026                            and your account number.
Beginning Balance              $100.00                  B  Account summary
Ending Balance                 $209.45                     What came in and went out.
Deposits and Credits  C
                                                        C  Deposits and credits
Date      Description               Amount                 All money added.
March 09  Payroll                   $20.00                 Example: on March 09
March 12  Mobile Deposit             $4.45                 a payroll of $20.00 was
March 13  Deposit                  $140.00                 deposited.
Withdrawals and Debits  D
Date      Description               Amount              D  Withdrawals and debits
March 14  Fuel                      $40.00                 Card purchases and fees.
                                                           Keep your receipts:
                                                           a purchase of
March 15  Shop                      $10.00                 $25.00 on March 3 may
                                                           be posted late.
March 16  Fee                        $5.00
`);
  expect(account).toEqual({
    ends: "100.00 209.45 reconciled",
    rows: [
      "2026-03-09 20.00 Payroll",
      "2026-03-12 4.45 Mobile Deposit",
      "2026-03-13 140.00 Deposit",
      "2026-03-14 -40.00 Fuel",
      "2026-03-15 -10.00 Shop",
      "2026-03-16 -5.00 Fee",
    ],
  });
});

it("dots lead from heading to heading, and labels of balances go on behind a day", () => {
  const [account] = read(`EXAMPLE STATE BANK
ACCOUNT: 30415528
LAST STATEMENT  03/31/26   BALANCE      100.00
THIS STATEMENT  04/30/26   BALANCE      135.00
- - - - - DEPOSITS AND OTHER CREDITS - - - - -
DATE.....DESCRIPTION...................AMOUNT
04/02    REGULAR DEPOSIT                50.00
- - - - - CHECKS - - - - -
CHECK #..DATE.....AMOUNT
5510     04/01     15.00
`);
  expect(account).toEqual({
    ends: "100.00 135.00 reconciled",
    rows: ["2026-04-02 50.00 REGULAR DEPOSIT", "2026-04-01 -15.00 Check 5510"],
  });
});

it("a minus between the numbers of a date is a dash of it", () => {
  const [account] = read(`Voorbeeld Bank
Rekeningnummer 40001234
Periode 28\u221202\u22122026 t/m 28\u221203\u22122026
Beginsaldo 100,00    Eindsaldo 90,00
Datum   Omschrijving             Bedrag af   Bedrag bij
01\u221203   WINKEL                       20,00
03\u221203   J P JANSEN                                10,00
`);
  expect(account).toEqual({
    ends: "100.00 90.00 reconciled",
    rows: ["2026-03-01 -20.00 WINKEL", "2026-03-03 10.00 J P JANSEN"],
  });
});

it("a code without digits stands before a date as those with digits do", () => {
  const [account] = read(`Example Money
1 March 2026 to 31 March 2026
Receipt No.   Completion    Details       Paid In   Withdrawn    Balance
              Time
TB4REM31TA    2026-03-02    Shop                       -20.00     80.00
TCXVCVMMMH    2026-03-05    Charge                      -5.00     75.00
TAH9HP9PQA    2026-03-06    Payroll         40.00                115.00
`);
  expect(account?.rows).toEqual([
    expect.stringContaining("2026-03-02 -20.00"),
    expect.stringContaining("2026-03-05 -5.00"),
    expect.stringContaining("2026-03-06 40.00"),
  ]);
});

it("amounts in a currency without a minor unit are money with spaces between their groups", () => {
  const [account] = read(`Exemple Monnaie
Relevé de compte
Devise : Franc CFA (XOF)
Solde au 01/02/2026   386 316
Date         Opération            Débit (FCFA)   Crédit (FCFA)   Solde (FCFA)
01/02/2026   Retrait agent              45 000                        341 316
01/02/2026   Transfert reçu                             24 000        365 316
02/02/2026   Retrait agent              60 000                        305 316
`);
  expect(account?.rows).toEqual([
    "2026-02-01 -45000.00 Retrait agent",
    "2026-02-01 24000.00 Transfert reçu",
    "2026-02-02 -60000.00 Retrait agent",
  ]);
});

it("an amount in reais has its column, and limits behind the rows are not rows", () => {
  const [account] = read(`Banco Exemplo
Conta: 51.220-8
Período: 01/03/2026 a 31/03/2026
Data     Histórico             Docto.      Valor R$        Saldo R$
28/02    SALDO ANTERIOR                                    100,00 C
03/03    COMPRA CARTAO         854534       20,00 D
         PIX RECEBIDO          740738       50,00 C
         SALDO DO DIA                                      130,00 C
\fData     Histórico             Docto.      Valor R$        Saldo R$
04/03    PIX RECEBIDO          188601       10,00 C
         PIX ENVIADO           188603       40,00 D
         SALDO DO DIA                                      100,00 C
Total de créditos  60,00 C        Total de débitos  60,00 D
Limite cheque especial  2.000,00    Saldo disponível + limite  2.100,00
`);
  expect(account?.ends).toBe("100.00 100.00 reconciled");
  expect(account?.rows.map((row) => row.slice(0, 16))).toEqual([
    "2026-03-03 -20.0",
    "2026-03-03 50.00",
    "2026-03-04 10.00",
    "2026-03-04 -40.0",
  ]);
});

it("the number of a creditor is not that of an account, and the balance of an undated row is carried to the next page", () => {
  const accounts = readTextAccounts(`Example Bank
Account Number 11844-073
Authorised limit 1,000.00
Date         Details              Debit     Credit     Balance
21 Feb 2026  BALANCE FORWARD                            100.00
27 Feb 2026  SHOP                 20.00
28 Feb 2026  EXAMPLE DAC
             IE2502258378968                 50.00
             FUEL                 30.00                 100.00
\fExample Bank
Account Number 11844-073
Authorised limit 1,000.00
Date         Details              Debit     Credit     Balance
28 Feb 2026  BALANCE FORWARD                            100.00
1 Mar 2026   SHOP                 15.00                  85.00
`);
  expect(accounts).toHaveLength(1);
  expect(accounts[0]?.rows).toHaveLength(4);
});

it("times with a point are not money next to amounts with commas, and words of columns behind a reference are not a header", () => {
  const [account] = read(`Banco Esempio
Estratto conto dal 01/01/2026 al 31/01/2026
Data       Data       Addebiti   Accrediti  Descrizione operazioni
Contabile  Valuta
01/01/26   01/01/26                 100,00  SALDO INIZIALE
02/01/26   02/01/26      10,00              PAGAMENTO POS 01/01/2026 05.28 CONAD
06/01/26   05/01/26      20,00              BONIFICO A FAVORE DI COND. VIA VERDI
                                            UNR2PTT5FPUQ7CU7 CAUSALE SALDO FATT. 089
08/01/26   08/01/26                   5,00  POSTAGIRO DA ROSSI
31/01/26   31/01/26                  75,00  SALDO FINALE
PROSPETTO PER IL CALCOLO DELLE COMPETENZE (SCALARE)
Data valuta   Saldo per valuta   Giorni   Numeri creditori
01/01/26                100,00        1        100
02/01/26                 90,00        3        270
`);
  expect(account?.ends).toBe("100.00 75.00 reconciled");
  expect(account?.rows.map((row) => row.split(" ")[1])).toEqual(["-10.00", "-20.00", "5.00"]);
});

it("advances and repayments are the debits and credits of a line of credit", () => {
  const [account] = readTextAccounts(`Caisse Exemple
Relevé de compte du 1 février au 28 février 2026
MC1 MARGE DE CRÉDIT
Date     Code  Description                Frais    Avance   Rembours.      Solde
               Solde reporté                                            2 144,00
11 FÉV   AVA   Avance de fonds                     500,00               2 644,00
25 FÉV   RMC   Remboursement                                  800,00    1 844,00
28 FÉV   INT   Intérêt                              17,33               1 861,33
`);
  expect(account?.rows).toEqual(["2026-02-11 -500.00", "2026-02-25 800.00", "2026-02-28 -17.33"]);
});

describe("where the balances prove it,", () => {
  const HEAD = `Example Bank
Account number 40001234
March 1, 2026 to March 31, 2026
`;

  it("the detail of service charges is a list of rows that the page has nowhere else", () => {
    const [account] = readTextAccounts(`${HEAD}Beginning balance   100.00
Ending balance       97.50
Other Credits (+)
Date    Amount   Description
03/10    50.00   PAYROLL
Other Debits (-)
Date    Amount   Description
03/05    25.00   SHOP
Service Charge Detail
03/16    12.50   CASH DEPOSIT PROCESSING
03/17    15.00   WIRE INCOMING FEE
`);
    expect(account).toEqual({
      ends: "100.00 97.50 reconciled",
      rows: ["2026-03-10 50.00", "2026-03-05 -25.00", "2026-03-16 -12.50", "2026-03-17 -15.00"],
    });
  });

  it("a list that has the day and amount of each of its rows again is left out", () => {
    const [account] = readTextAccounts(`${HEAD}Date    Transaction Detail       Amount     Balance
03/01   Beginning Balance                    100.00
03/05   POS Debit SHOP            20.00-      80.00
03/06   Check 1021                30.00-      50.00
03/07   Transfer                  10.00-      40.00
03/31   Ending Balance                        40.00
Items Paid
Date    Item           Amount
03/05   POS             20.00
03/06   Check 1021      30.00
03/07   Transfer        10.00
`);
    expect(account).toEqual({
      ends: "100.00 40.00 reconciled",
      rows: ["2026-03-05 -20.00", "2026-03-06 -30.00", "2026-03-07 -10.00"],
    });
  });

  it("the balance of each day below its rows is not one of them", () => {
    const [account] = readTextAccounts(`OP Esimerkki      TILIOTE
Tili FI21 5723 0220 4417 73         1.3.2026 - 31.3.2026
Alkusaldo 28.2.2026                              100,00+
Arvopv  Selite / Saaja                        Määrä EUR
KIRJAUSPÄIVÄ 03.03.26
0103    PKORTTIMAKSU                              10,00-
        SALDO                                     90,00+
KIRJAUSPÄIVÄ 04.03.26
0403    TILISIIRTO                                 5,00-
0403    PALKKA                                    25,00+
        SALDO                                    110,00+
Panot yhteensä                                    25,00+
Otot yhteensä                                     15,00-
Loppusaldo 31.3.2026                             110,00+
`);
    expect(account).toEqual({
      ends: "100.00 110.00 reconciled",
      rows: ["2026-03-03 -10.00", "2026-03-04 -5.00", "2026-03-04 25.00"],
    });
  });
});

it("the heading of a section in the line of a header is not the column of amounts, and of amounts without headings the last counts", () => {
  const [account] = readTextAccounts(`Example Bank
Business Checking 359681047722            Beginning balance 3-31-26     $100.00
                                          Ending balance 4-30-26         $98.00
Additions
Deposits   Date   Serial #   Source
4-1        Deposit Branch 0417                                           $30.00
4-3        Direct Deposit Intuit                                          10.00
Subtractions
Paper Checks
Check     Date    Amount     Check     Date     Amount
4106      4-2     $10.00     4110      4-9        2.00
Withdrawals   Date   Serial #   Location
4-1        POS MAC Napa Auto                                             $15.00
Fees and charges
Date       Service                 Quantity      Unit
4-30-26    Items Deposited               44      0.25                   -$11.00
4-30-26    Wire Transfer                  1      4.00                     -4.00
`);
  expect(account?.ends).toBe("100.00 98.00 reconciled");
  expect(account?.rows.map((row) => row.split(" ")[1])).toEqual([
    ...["30.00", "10.00", "-10.00", "-2.00", "-15.00", "-11.00", "-4.00"],
  ]);
});

it("the balance of the last month on a card is not a purchase", () => {
  const [account] = readTextAccounts(`Example Bank
Credit card statement
Statement date 12-01-2026
Transaction date   Description              Amount (SGD)
                   Last month's balance           100.00
15/12              SHOP                            20.00
27/12              PAYMENT BY INTERNET           (100.00)
                   Total balance                   20.00
Points   Previous balance 0.00
`);
  expect(account?.rows).toEqual(["2025-12-15 -20.00", "2025-12-27 100.00"]);
});

it("the amount in a text next to a balance is not that balance", () => {
  const [account] = readTextAccounts(`Example Bank
Account number 40001234
Beginning balance on April 1, 2026   $100.00     Set up a transfer of $25 or
Ending balance on April 30, 2026      $80.00     more into your savings
Date      Description               Amount
04/05/26  SHOP                      -20.00
`);
  expect(account).toEqual({ ends: "100.00 80.00 reconciled", rows: ["2026-04-05 -20.00"] });
});
