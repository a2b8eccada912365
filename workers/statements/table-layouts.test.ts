// Tables whose columns, headings and days are printed in the ways of some countries and cards.
import { expect, it } from "vitest";
import { readStatementText as read } from "../../test/support/read-statement-text.ts";

it("finds whole pesos below a heading of cheques and charges, next to that of the numbers of documents", () => {
  const { rows, verdicts } = read(`
Banco del Puerto     Cuenta corriente N° 0-000-44-18820-7     Desde 01/09/2026 hasta 30/09/2026
FECHA   SUCURSAL      DESCRIPCION             N° DOCTO    CHEQUES/CARGOS     ABONOS        SALDO
                      SALDO INICIAL                                                      800.000
03/09   Casa Matriz   Transf a Juan Perez     0000000             36.900                 763.100
04/09   Providencia   Compra Almacen          0004418             39.900                 723.200
13/09   Casa Matriz   Transf de Camila        0026508                        74.800      798.000
`);
  expect(rows).toEqual(["2026-09-03 -36900.00", "2026-09-04 -39900.00", "2026-09-13 74800.00"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("takes a heading of a section with the count and the sum of its rows for a heading, and not for a row", () => {
  const { rows, verdicts } = read(`
Harbour Bank      Statement Period: 2/13/2026 - 3/12/2026      Account Number: 7283004419
02/13    Beginning Balance       $2,104.50
03/12    Ending Balance          $4,250.48
Withdrawals / Debits                                            2 items totaling $172.44
Date        Amount     Description
02/13        91.45     GROCER TULSA OK
02/14        89.99     CABLE PAYMENT
Deposits / Credits                                              1 items totaling $2,318.42
Date        Amount     Description
02/15     2,318.42     PAYROLL
`);
  expect(rows).toEqual(["2026-02-13 -91.45", "2026-02-14 -89.99", "2026-02-15 2318.42"]);
  expect(verdicts).toEqual(["not_reconciled"]);
});

it('takes the first section below a header for its heading, and no number of a shop below "or Credit" for an amount', () => {
  const { rows, verdicts } = read(`
Harbour Card Statement      Account Number: 7981 92XX XXXX 4417      Payment Due Date 09/12/2026
Previous Balance      $451.20
New Balance           $453.26
Tran Date   Post Date   Reference Number     Description of Transaction or Credit              Amount
                                             Payments
08/05       08/05       P9342300HL0000Q      ONLINE PYMT-THANK YOU ATLANTA                    -$100.00
                                             Purchases and Other Debits
07/23       07/23       P9342300HL0000Q      STORES.COM 800-445-6937 NC                         $61.26
07/24       07/24       P9342400HL0911Q      STORES 106048 MASON OH                             $40.80
`);
  expect(rows).toEqual(["2026-08-05 100.00", "2026-07-23 -61.26", "2026-07-24 -40.80"]);
  expect(verdicts).toEqual(["reconciled"]);
});

/** A list without balances. */
const activityOf = (title: string, payment: string): string => `
Harbour     ${title} Apr 12 - May 11, 2026
Transaction     Posted         Description                     Money-Back       Amount
date            date                                          Rewards ($)          ($)
12-Apr-2026     13-Apr-2026    PAYMENT - THANK YOU                             ${payment}
13-Apr-2026     14-Apr-2026    MUSIC P44188 STOCKHOLM                0.25        12.99
20-Apr-2026     21-Apr-2026    GROCER 44 TORONTO ON                  2.77       138.65
`;

it("reads the purchases of a card without balances as debits where payments to it have a minus", () => {
  const { rows, verdicts } = read(activityOf("Credit Card activity", "-400.00"));
  expect(rows).toEqual(["2026-04-12 400.00", "2026-04-13 -12.99", "2026-04-20 -138.65"]);
  expect(verdicts).toEqual(["not_checkable"]);
});

it("reads the amounts of an account that pays a card by their signs", () => {
  const { rows } = read(activityOf("Chequing account activity", "-400.00"));
  expect(rows).toEqual(["2026-04-12 -400.00", "2026-04-13 12.99", "2026-04-20 138.65"]);
});

it("takes the day of rows from the heading of each day, next to dates of their value without a year", () => {
  const { rows, verdicts } = read(`
Hafenbank                                          Kontoauszug vom 30.09.2026
Kontowährung Euro      IBAN DE44 5004 0000 0441 8820 00
Angaben zu den Umsätzen             Valuta      zu Ihren Lasten      zu Ihren Gunsten
Alter Kontostand vom 31.08.2026                                              1.340,70
Buchungsdatum: 03.09.2026
M. BERG MIETANTEIL                  01.09               450,00-
Ueberweisung
Buchungsdatum: 10.09.2026
GA NR0000182 KOELN                  10.09                93,10-
K. SOMMER RUECKZAHLUNG              11.09                                      131,05
Gutschrift
Angaben zu den Umsätzen             Valuta      zu Ihren Lasten      zu Ihren Gunsten
Buchungsdatum: 30.09.2026
MARKT KOELN                         30.09                33,39-
Neuer Kontostand vom 30.09.2026                                                895,26
`);
  expect(rows).toEqual([
    "2026-09-03 -450.00",
    "2026-09-10 -93.10",
    "2026-09-10 131.05",
    "2026-09-30 -33.39",
  ]);
  expect(verdicts).toEqual(["reconciled"]);
});

it.each([
  ["F. Operación  F. Valor    Movimiento", ["Debe", "Haber", "Saldo"]],
  ["交易日                    交易说明", ["借方", "贷方", "结余"]],
])(
  "reads rows without a date and a balance of their own, and no total, below %s",
  (names, amounts) => {
    const total = amounts[2] === "结余" ? "合计" : "Total";
    const { rows, verdicts } = read(`
Banco del Puerto     ES91 2100 0418 4502 0005 1332
${names.padEnd(44)}${amounts.map((name) => name.padEnd(12)).join("")}
                          Saldo inicial                                   812.40
01/11/2026    01/11/2026  Transferencia      379.21                       433.19
04/11/2026    04/11/2026  Remesa                         3,694.79
                          Remesa de García               3,894.63
                          Remesa                           170.23       8,192.84
                          ${total.padEnd(15)}    379.21      7,759.65
                          Saldo final                                   8,192.84
`);
    expect(rows).toEqual([
      "2026-11-01 -379.21",
      "2026-11-04 3694.79",
      "2026-11-04 3894.63",
      "2026-11-04 170.23",
    ]);
    expect(verdicts).toEqual(["reconciled"]);
  },
);

it("a check without a date, of which nothing but its type and number is printed, is a row of the day above", () => {
  const { rows, verdicts } = read(`
Harbour Building Society        Account no: 30417729       1 April 2026 to 30 April 2026
Date        Type   Details                          Paid out    Paid in     Balance
31 Mar 26          OPENING BALANCE                                           500.00
24 Apr 26   CHG    Purchase fee                         1.10
            CHQ    100418                             250.00                 248.90
28 Apr 26   FPO    Joiners deposit for gate            40.00                 208.90
`);
  expect(rows).toEqual(["2026-04-24 -1.10", "2026-04-24 -250.00", "2026-04-28 -40.00"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("checks below a heading with a note behind a star are debits", () => {
  const { rows } = read(`
Example Bank       Account Number 40001234
April 1, 2026 to April 30, 2026
DEPOSITS AND OTHER CREDITS
Date    Description                               Amount
04/02   Deposit                                   200.00
CHECKS IN NUMBER ORDER * indicates a gap in check sequence R indicates returned
Check #    Date     Amount     Check #    Date     Amount
10418      04/25    100.00     10421*     04/30    250.00
`);
  expect(rows).toEqual(["2026-04-02 200.00", "2026-04-25 -100.00", "2026-04-30 -250.00"]);
});

it("of a header of two lines, the upper one may have the heading of the amounts, with another word behind it", () => {
  const { rows, verdicts } = read(`
Przykladowy Bank      2024-03-01 do 2024-03-31
Saldo poczatkowe 1 000,00
Data operacji   Identyfikator   Typ operacji                    Kwota wlasna   Saldo po operacji
Data waluty                     Opis operacji                            PLN                 PLN
2024-03-12      8631988426      PLATNOSC KARTA                       -299,00              701,00
2024-03-10                      Kraj: POLSKA
                                Adres: MEDIA
2024-03-14      3805786365      POLECENIE                            -201,00              500,00
2024-03-14                      Nazwa: ENEA
2024-03-18      4088154687      PLATNOSC KARTA                       -100,00              400,00
2024-03-15                      Kraj: CZECHY
                                Adres: ALBERT
                                Kwota oryg.: 278,00 CZK
`);
  expect(rows).toEqual(["2024-03-12 -299.00", "2024-03-14 -201.00", "2024-03-18 -100.00"]);
  expect(verdicts).toEqual(["reconciled"]);
});
