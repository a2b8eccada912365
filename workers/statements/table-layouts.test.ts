// Tables whose columns, headings and days are printed in the ways of some countries and cards.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

interface ReadText {
  readonly rows: readonly string[];
  readonly ends: readonly (string | null)[];
  readonly verdicts: readonly string[];
}

function read(text: string): ReadText {
  const { accounts } = understandStatement(wordsOfText(text));
  return {
    rows: accounts.flatMap(({ transactions }) =>
      transactions.map(({ date, direction, amount }) =>
        [date, `${direction === "debit" ? "-" : ""}${amount}`].join(" "),
      ),
    ),
    ends: accounts.flatMap(({ opening, closing }) => [opening, closing]),
    verdicts: accounts.map(({ verdict }) => verdict),
  };
}

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
