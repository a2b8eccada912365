// An amount that was not read is what its balance differs by from the one before it, unless a row that was not read may stand between.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const HEAD = `Example Bank
Account number 40001234
Closing balance 950.50
Date        Description          Amount    Balance
2026-03-01  Shop                 -10.00     990.00
            reference 11
2026-03-02  Rent                 -20.00     970.00
            reference 12
2026-03-03  Refund                30.00    1000.00
            reference 13
2026-03-04  Shop                 -10.00     990.00
            reference 14
2026-03-05  Short                -20.00     970.00
`;
const BEHIND = `2026-03-06  Water                           960.00
            reference 15
2026-03-07  Rail                  -9.50     950.50
            reference 16
`;

const verdictWith = (between: string): unknown => {
  const words = wordsOfText(HEAD + between + BEHIND).map(
    (word) => ({ ...word, confidence: 0.95, source: "ocr" }) as const,
  );
  return understandStatement(words).accounts.map(({ verdict }) => verdict);
};

it("between a short row and the next one, paper for another row leaves the amount open", () => {
  expect(verdictWith("")).toEqual(["reconciled_with_repairs"]);
  expect(verdictWith("\n")).toEqual(["not_reconciled"]);
});

it("the lines of a lost row, which the row above has then, leave the amount open", () => {
  expect(verdictWith("\n            reference 14\n")).toEqual(["not_reconciled"]);
});
