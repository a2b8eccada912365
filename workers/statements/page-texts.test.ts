// What stands on the pages of a statement next to its rows takes no part in them: sentences, rates, page numbers, branch numbers,
// boxes of other values; and what is printed in an unusual place is found.
import { expect, it } from "vitest";
import { readStatementText as read } from "../../test/support/read-statement-text.ts";

it("takes years from dates, not from the number of a branch", () => {
  const { rows } = read(`
Harbour Building Society      Sort code 07-02-46     Account no 31233210
Statement date: 03 November 2026
Start balance                            440.90
End balance                              388.88

Date      Description                          Out        In    Balance
04 Oct    Direct debit water                 21.00                419.90
05 Oct    Card payment                       31.02                388.88
`);
  expect(rows).toEqual(["2026-10-04 -21.00", "2026-10-05 -31.02"]);
});

it("takes no rows from sentences on later pages, though two of their amounts cancel each other out", () => {
  const { rows, verdicts } = read(`
Harbour Bank      Statement 1 October 2026 to 31 October 2026     Account number 31233210

Date      Description                                                             Out        In    Balance
01 Oct    Opening balance                                                                           440.90
04 Oct    Direct debit water                                                    21.00                419.90
05 Oct    Card payment                                                          31.02                388.88
31 Oct    Closing balance                                                                           388.88
\f
Important information about the account and about each unrecognised transaction or credit
Sending money abroad costs, whatever the country and the sum may be, a charge of 20.00 which is taken
at once. A cap on the charges of a month applies to all of them, and it is at 20.00 for each account.
`);
  expect(rows).toEqual(["2026-10-04 -21.00", "2026-10-05 -31.02"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("takes no rows from page numbers that end where the amounts and balances do", () => {
  const { rows, verdicts } = read(`
Harbour Bank      Statement 1 October 2026 to 31 October 2026     Account number 31233210
Ending balance   1,400.00
DATE         TYPE          DESCRIPTION                         AMOUNT     BALANCE
Oct 1, 2026  Deposit       Salary                              500.00    1,500.00
Oct 4, 2026  Card          Grocer                              -20.00    1,480.00
Oct 6, 2026  Card          Tailor                              -80.00    1,400.00

                                                         Page       1  of       3
`);
  expect(rows).toEqual(["2026-10-01 500.00", "2026-10-04 -20.00", "2026-10-06 -80.00"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("takes no rows from tiers of interest rates", () => {
  const { rows, verdicts } = read(`
Harbour Bank      Statement 1 October 2026 to 31 October 2026     Account number 31233210
Date      Transaction                               Debit      Credit       Balance
01 Oct    Opening balance                                                 $1,000.00
04 Oct    Grocer                                    20.00                   $980.00
31 Oct    Closing balance                                                   $980.00
Credit interest rate summary
31 Oct    Less than $10,000.00  0.00%         $10,000.00 and over  0.05%
31 Oct    Up to                              $10,000.00                       0.00%
`);
  expect(rows).toEqual(["2026-10-04 -20.00"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("takes a balance from its own box, and not from the one next to it", () => {
  const { ends, verdicts } = read(`
Harbour Card Statement   Account number 4147 2000 0000 8812    Payment due date 11/11/26
Opening/Closing Date 09/15/26 - 10/14/26
Previous Balance           $100.00      Previous points balance        42,118
New Balance                $130.00      Total points available for redemption    45,331

Date       Description                                    Amount
PURCHASES
09/20      GROCER                                          30.00
`);
  expect(ends).toEqual(["100.00", "130.00"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("finds a balance below a label with its day, and one that a word puts below zero", () => {
  const dated = read(`
Hafenbank      Kontoauszug vom 01.10.2026 bis 31.10.2026     Kontonummer 1234567
                                                 Alter Saldo per 30.09.2026
                                                    EUR              - 330,55

Buchung     Vorgang                               Soll              Haben
02.10.2026  Kartenzahlung                      - 20,00
05.10.2026  Gehalt                                               + 900,00

                                                 Neuer Saldo per 31.10.2026
                                                    EUR              + 549,45
`);
  expect(dated.ends).toEqual(["-330.55", "549.45"]);
  expect(dated.verdicts).toEqual(["reconciled"]);
  const overdrawn = read(`
BANQUE DU PORT    Compte n° 12345678901    du 22/09/2026 au 21/10/2026
Date     Libellé                                     Débit            Crédit
         Ancien solde débiteur au 21.09.2026        150,22
25.09    Carte boulangerie                           20,00
29.09    Virement salaire                                           900,00
         Nouveau solde créditeur au 21.10.2026                      729,78
`);
  expect(overdrawn.ends).toEqual(["-150.22", "729.78"]);
  expect(overdrawn.verdicts).toEqual(["reconciled"]);
});

it("finds the heading of a section in front of a sentence about it", () => {
  const { rows } = read(`
Harbour Bank    Account number 5512 3321    For the period 10/01/2026 to 10/31/2026
Balance summary

Deposits and Other Additions      There were 2 Deposits and Other Additions totaling $630.00.
Date          Amount     Description
10/05         600.00     Payroll
10/09          30.00     Mobile deposit
Checks and Other Deductions       There were 2 Checks and Other Deductions totaling $61.00.
Date          Amount     Description
10/07          41.00     Grocer
10/08          20.00     Tailor
`);
  expect(rows).toEqual([
    "2026-10-05 600.00",
    "2026-10-09 30.00",
    "2026-10-07 -41.00",
    "2026-10-08 -20.00",
  ]);
});

it("finds the date of a row in the line below its amount", () => {
  const { rows, verdicts } = read(`
Harbour Pay    EUR statement    Account number 5512 3321
1 October 2026 - 31 October 2026
Description                                            Incoming      Outgoing       Amount
Card transaction of 18.44 EUR at a grocer                              -18.44       631.56
31 October 2026   Card ending in 4471   Transaction: CARD-1348967606
Received money from a customer                           150.00                     650.00
28 October 2026   Transaction: TRANSFER-1112407915
Sent money to a landlord                                              -400.00       500.00
27 October 2026   Transaction: TRANSFER-1112407916
`);
  expect(rows).toEqual(["2026-10-31 -18.44", "2026-10-28 150.00", "2026-10-27 -400.00"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("reads directions of a card from its signs where the heading above them is that of other rows", () => {
  const { rows, verdicts } = read(`
Harbour Card Statement   Account number 4147 2000 0000 8812    Payment due date 11/11/26
Opening/Closing Date 09/15/26 - 10/14/26
Previous Balance           $100.00
New Balance                $130.00

Date       Description                                    Amount
PAYMENTS AND OTHER CREDITS
09/20      Payment thank you                             -100.00
SPENDING OF THE MONTH
09/21      GROCER                                          30.00
09/25      TAILOR                                         100.00
`);
  expect(rows).toEqual(["2026-09-20 100.00", "2026-09-21 -30.00", "2026-09-25 -100.00"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("takes no account from the number of a counterparty behind the day of value of a row", () => {
  const { rows, ends, verdicts } = read(`
Harbour Bank      Rekeningafschrift 01-03-2026 t/m 31-03-2026     Rekeningnummer NL71 HARB 0441 8820 71
Vorig saldo         1.450,12
Nieuw saldo         1.379,53

Boekdatum     Omschrijving                                   Bedrag af      Bedrag bij
07-03         SEPA Incasso                                       70,36
(08-03)       Naam: KAARTWINKEL
07-03         SEPA Betaling                                     126,60
(07-03)       IBAN: NL12INGB0004418820
              Naam: boekwinkel
09-03         SEPA Overboeking                                                  126,37
(09-03)       IBAN: NL12INGB0004418820
`);
  expect(rows).toEqual(["2026-03-07 -70.36", "2026-03-07 -126.60", "2026-03-09 126.37"]);
  expect(ends).toEqual(["1450.12", "1379.53"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("takes no row from the amount in another currency below that of its row", () => {
  const { rows, verdicts } = read(`
Harbour Pay    EUR statement    Account number 5512 3321
Opening balance        €100.00     Closing balance        €67.50
Date           Description                           Money out     Money in     Balance
Oct 1, 2026    Taxi                                     €12.40                   €87.60
               To: Taxi, London                         £10.70
Oct 3, 2026    Grocer                                   €20.10                   €67.50
`);
  expect(rows).toEqual(["2026-10-01 -12.40", "2026-10-03 -20.10"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("reads directions from their column, though codes stand in another one", () => {
  const { rows } = read(`
Havenbank      Afschrift      Rekeningnummer 12345678      Periode 01-10-2026 t/m 31-10-2026

Datum         Omschrijving                    Code     Af / Bij       Bedrag (EUR)
02-10-2026    Bakker                          BA       Af                    20,00
05-10-2026    Salaris                         VZ       Bij                  600,00
09-10-2026    Kleermaker                      BA       Af                    50,00
`);
  expect(rows).toEqual(["2026-10-02 -20.00", "2026-10-05 600.00", "2026-10-09 -50.00"]);
});

it("reads rows whose dates stand right of their texts, in which numbers of other accounts and kinds of rows stand", () => {
  const { rows, verdicts } = read(`
Kontoauszug      01.10.2026 bis 31.10.2026
Beschreibung                      Verbuchungsdatum            Betrag
Laden am Eck                        04.10.2026                 -4,83€
Greta Lindholm                      06.10.2026                +62,53€
Gutschriften
IBAN: DE75500105175571935063
Wertstellung 06.10.2026
Jonas Wedekind                      09.10.2026               -610,00€
Lastschriften
IBAN: DE21100110012975051914
Wertstellung 09.10.2026

Dein alter Kontostand                                        +810,22€
Dein neuer Kontostand                                        +257,92€
IBAN: DE42100110012612345678
`);
  expect(rows).toEqual(["2026-10-04 -4.83", "2026-10-06 62.53", "2026-10-09 -610.00"]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("reads directions from the signs below a heading of debits with both, where the balances follow only then", () => {
  const { rows, verdicts } = read(`
Checking statement    Account number 5512 3321
Beginning balance on October 1, 2026       $612.44
Ending balance on October 31, 2026         $1,126.67

Transactions
TRANSACTION DATE    DESCRIPTION                TYPE           AMOUNT
10/4/2026           Coffee                     Purchase       -$14.03
10/6/2026           From savings               Transfer        $42.90
10/7/2026           Wages                      Deposit        $500.00
10/8/2026           Grocer                     Purchase       -$14.64
`);
  expect(rows).toEqual([
    "2026-10-04 -14.03",
    "2026-10-06 42.90",
    "2026-10-07 500.00",
    "2026-10-08 -14.64",
  ]);
  expect(verdicts).toEqual(["reconciled"]);
});

it("finds balances in dated rows behind codes, which stand below the amounts too", () => {
  const textWith = (last: string): string => `
Banco do Porto    Extrato de conta corrente    Conta 44188-2    01/07/2026 a 31/07/2026
Data          Origem   Lote     Histórico                     Valor R$          Saldo
30/06/2026    0000     00000    000 Saldo Anterior          2.104,88 C     2.104,88 C
01/07/2026    0000     14397    144 Pagamento                  68,20 D     2.036,68 C
04/07/2026    0000     14397    821 Recebido                  456,72 C
04/07/2026    0000     14397    821 Recebido                   53,13 C     2.546,53 C
${last}
`;
  const right = read(
    textWith(
      "31/07/2026    0000     00000    999 S A L D O               2.546,53 C     2.546,53 C",
    ),
  );
  expect(right.rows).toEqual(["2026-07-01 -68.20", "2026-07-04 456.72", "2026-07-04 53.13"]);
  expect(right.ends).toEqual(["2104.88", "2546.53"]);
  expect(right.verdicts).toEqual(["reconciled"]);
  const wrong = read(
    textWith(
      "31/07/2026    0000     00000    999 S A L D O               2.646,53 C     2.646,53 C",
    ),
  );
  expect(wrong.verdicts).toEqual(["not_reconciled"]);
});
