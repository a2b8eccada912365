// What a line of a table is, where its parts stand otherwise than in most tables: each layout with the rows and balances that it prints.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const read = (text: string) =>
  understandStatement(wordsOfText(text)).accounts.map((account) => ({
    ends: `${account.opening ?? "-"} ${account.closing ?? "-"} ${account.verdict}`,
    rows: account.transactions.map(({ date, amount, direction, balance }) =>
      [date, direction === "debit" ? `-${amount}` : amount, balance ?? "-"].join(" "),
    ),
  }));

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
