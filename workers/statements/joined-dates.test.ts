// A month and a day that text recognition reads as one number are a date in a column of such dates, and nowhere else.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";
import type { PageWord } from "./words.ts";

const TEXT = `Example Bank
Account number 40001234
Statement period 1 October 2026 to 31 October 2026
Opening balance 1000.00
Details              Amount     Date     Balance
Shop                 -10.00     10 05     990.00
Rent                -125.00     10 08     865.00
Refund                25.50     10 09     890.50
Shop                 -20.00     10 09     870.50
Power                -70.00     10 12     800.50
Card 1013            -15.50     10 16     785.00
Water                -60.50     10 27     724.50
Closing balance 724.50
`;

const read = (text: string, source: "ocr" | "text") => {
  const words = wordsOfText(text).map((word) => ({ ...word, source }));
  const [account] = understandStatement(words).accounts;
  return account?.transactions.map(({ date, amount, description }) =>
    [date, amount, description].join(" "),
  );
};

/** Two digits in the place of the space, as wide as before. */
const joined = (text: string): PageWord[] =>
  wordsOfText(text).flatMap((word, at, all): PageWord[] => {
    const [before, next] = [all[at - 1], all[at + 1]];
    if (word.text === "12" && before?.text === "10") return [];
    return word.text === "10" && next?.text === "12"
      ? [{ ...word, text: "1012", right: next.right }]
      : [word];
  });

it("is the date that it was before it was joined", () => {
  const words = joined(TEXT).map((word): PageWord => ({ ...word, source: "ocr" }));
  const [account] = understandStatement(words).accounts;
  const row = account?.transactions[4];
  expect([row?.date, row?.amount, account?.verdict]).toEqual(["2026-10-12", "70.00", "reconciled"]);
  expect(read(TEXT, "ocr")?.[5]).toBe("2026-10-16 15.50 Card 1013");
});

it("stays a number in a text layer, where spaces are not lost", () => {
  const words = joined(TEXT).map((word): PageWord => ({ ...word, source: "text" }));
  expect(understandStatement(words).accounts[0]?.transactions[4]?.date).not.toBe("2026-10-12");
});
