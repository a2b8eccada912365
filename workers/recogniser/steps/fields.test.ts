import { expect, test } from "vitest";
import type { Line, Span } from "../line.ts";
import { tokenise, written } from "../text/tokenise.ts";
import { companyField, dashedField, idField } from "./fields.ts";

const lineOf = (text: string): Line => ({ text, tokens: tokenise(text) });
const textOf = (line: Line, span: Span | null): string | null =>
  span === null ? null : written(line.text, line.tokens, span.from, span.to);

test.each([
  ["UPI-MEERA NAIR-MEERAN@OKBANK-ABCD0001234", "MEERA NAIR"],
  ["UPI/402912345678/CORNER KETTLE/kettle@ybl/FOOD", "CORNER KETTLE"],
  ["UPI/DR/402912345678/CORNER KETTLE/ABCD", "CORNER KETTLE"],
  ["NEFT CR-ABCD0001234-KETTLE WORKS LTD-SALARY MAY", "KETTLE WORKS LTD"],
  ["IMPS-412345678901-MEERA NAIR-ABCD", "MEERA NAIR"],
  ["TO TRANSFER-UPI/DR/402912345678/CORNER KETTLE/ABCD", "CORNER KETTLE"],
  ["SEPA Overboeking IBAN: NL00ABCD0123456789 Naam: J KETTLE Omschrijving: huur", "J KETTLE"],
  ["PRZELEW ODBIORCA: KETTLE SP. Z O.O. TYTUŁEM: FAKTURA", "KETTLE SP. Z O.O"],
  ["Begünstigter: Kettle GmbH IBAN DE00", "Kettle GmbH"],
  ["/TRTP/SEPA OVERBOEKING/IBAN/NL00ABCD01/NAME/J KETTLE/REMI/huur", "J KETTLE"],
  ["VIR SEPA RECU /DE KETTLE SARL /MOTIF SALAIRE", "KETTLE SARL"],
  ["CORNER /NAME KETTLE", null],
  ["UPI PAYMENT", null],
  ["CORNER-KETTLE-UPI", null],
])("the name in the dashed fields of %j is %j", (text, name) => {
  const line = lineOf(text);
  expect(textOf(line, dashedField(line))).toBe(name);
});

test.each([
  ["COPPER KETTLE WO PAYROLL 120723", "COPPER KETTLE WO"],
  ["COPPER KETTLE WO ELEC BILL PPD ID: 8810209921", "COPPER KETTLE WO"],
  ["KETTLE LOFTS     WEB PMTS   9L2KQ8 WEB ID: 9000251873", "KETTLE LOFTS"],
  // What stands behind 16 letters is a word of the name as often as not.
  ["COPPER KETTLE WO AND SONS", null],
  ["COPPER KETTLE WORKS PAYROLL 120723", null],
  ["KETTLE LOFTS     SPRINGFIELD", null],
])("the company of 16 letters in %j is %j", (text, name) => {
  expect(textOf(lineOf(text), companyField(lineOf(text)))).toBe(name);
});

test("an ID field names somebody only when it holds words", () => {
  const id = (text: string): string | null => textOf(lineOf(text), idField(lineOf(text)));
  expect(id("PAYPAL DES:INST XFER ID:UBER INDN:JANE DOE CO ID:PAYPALSI77 WEB")).toBe("UBER");
  expect(id("PAYPAL DES:INST XFER ID:12345 INDN:JANE DOE")).toBeNull();
  expect(id("PAYPAL DES:INST XFER CO ID:PAYPALSI77")).toBeNull();
});
