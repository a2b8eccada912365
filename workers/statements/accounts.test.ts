// Numbers that are not those of another account: they stand in the texts of rows, or lost a group.
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

it("an IBAN that lost its last group on the next page begins no account", () => {
  const page = (iban: string, row: string) => `
Kontonummer 4417 0226
Example Bank            IBAN ${iban}
Date          Description                       Amount     Balance
${row}
`;
  const [first, second] = [
    page(
      "DE27 8609 5604 0044 1702 26",
      "01.11.2023    Miete                             -10,00      990,00",
    ),
    page(
      "DE27 8609 5604 0044 1702",
      "02.11.2023    Lohn                              510,00    1.500,00",
    ),
  ];
  const { accounts } = understandStatement(wordsOfText(`${first}${second}`));
  expect(accounts.map(({ transactions }) => transactions.length)).toEqual([2]);
});
