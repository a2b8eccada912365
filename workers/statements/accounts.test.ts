// Numbers that are not those of an account: they stand in the texts of rows.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const text = (number: string) => `
Example Bank
Account number 40001234
Opening balance 1,000.00
Date          Description                       Amount     Balance
Nov 01, 2023  Shop                              -10.00      990.00
Nov 02, 2023  ACME PAYROLL PPD ${number}
              Ref 72167404                      544.93    1,534.93
Closing balance 1,534.93
`;

it("one with the letters of a country that is shorter than any IBAN begins no account", () => {
  const { accounts } = understandStatement(wordsOfText(text("ID9111111103")));
  expect(accounts.map(({ number, verdict }) => [number, verdict])).toEqual([
    ["40001234", "reconciled"],
  ]);
});
