// Lists whose rows stand below the day they are of.
import { expect, it } from "vitest";
import { readStatementText as read } from "../../test/support/read-statement-text.ts";

it("reads rows below the headings of their days, of which a list without a header has one for each day", () => {
  const { rows, verdicts } = read(`
Harbour App          Transaction list
1 September 2026 to 30 September 2026
Zoe Papadakis        Spending  633-123 447188204
Wed 30 September 2026
       Transport NSW                             -$9.83
       Visa Sydney
Mon 28 September 2026
       Transport NSW                            -$16.05
       Grocer                                   -$58.34
       Visa Marrickville
Fri 25 September 2026
       Salary                                +$3,011.20
`);
  expect(rows).toEqual([
    "2026-09-30 -9.83",
    "2026-09-28 -16.05",
    "2026-09-28 -58.34",
    "2026-09-25 3011.20",
  ]);
  expect(verdicts).toEqual(["not_checkable"]);
});

it("takes no amount in a letter, which has one day, for a row", () => {
  const { rows } = read(`
Harbour Bank         Elm Street 4
30 September 2026
Your new card has a limit of                  $5,000.00
We charge for it each year                       $20.00
`);
  expect(rows).toEqual([]);
});

it("reads rows below the totals of their days, which have the day and the sign of all of them", () => {
  const text = `
Banco Roxo      Conta 1234567-8      01 DE OUTUBRO DE 2026 a 31 DE OUTUBRO DE 2026      VALORES EM R$
Saldo inicial                                                1.210,33
Saldo final do período                                       6.548,69
Movimentações
01 OUT 2026      Total de saídas                           - 154,17
                 Compra no débito PAO                        154,17
05 OUT 2026      Total de entradas                       + 5.532,96
                 Transferência Recebida ESTUDIO            5.500,00
                 Transferência recebida pelo Pix              32,96
                 Total de saídas                            - 20,37
                 Pagamento de boleto                          20,37
07 OUT 2026      Total de saídas                            - 20,06
                 Pagamento de boleto                          10,06
                 Pagamento de boleto                          10,00
`;
  const { rows, verdicts } = read(text);
  expect(rows).toEqual([
    "2026-10-01 -154.17",
    "2026-10-05 5500.00",
    "2026-10-05 32.96",
    "2026-10-05 -20.37",
    "2026-10-07 -10.06",
    "2026-10-07 -10.00",
  ]);
  expect(verdicts).toEqual(["reconciled"]);
  // The rows of a day may stand on the next page, below what each page begins with, and a hyphen in place of a minus.
  const head = "01 DE OUTUBRO DE 2026 a 31 DE OUTUBRO DE 2026      VALORES EM R$\n";
  const divided = text.replace(/(?<=05 OUT.*\n)/u, `\f${head}`).replaceAll(" - ", " \u2010 ");
  expect(read(divided)).toMatchObject({ rows, verdicts });
  // Of a row that was lost the total of its day tells, and the balances.
  const lost = text.replace(/.*Pix .*\n/u, "");
  expect(read(lost).verdicts).toEqual(["not_reconciled"]);
});
