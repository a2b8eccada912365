// Of two dates in front of a row, the one below the heading of the dates is its date.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const datesWith = (heading: string): unknown => {
  const text = `Example Bank
Account number 40001234
Opening balance 100.00
${heading}
2026-02-03    2026-02-01    Shop                  -12.00      88.00
2026-02-05    2026-02-04    Rent                  -50.00      38.00
`;
  const [account] = understandStatement(wordsOfText(text)).accounts;
  return account?.transactions.map(({ date }) => date);
};

it("is the second one below 'Transaction date', whatever the first one is called", () => {
  expect(
    datesWith(`Received      Transaction
By us         Date          Details              Amount     Balance`),
  ).toEqual(["2026-02-01", "2026-02-04"]);
});

it("is the first one where both are named, or none is", () => {
  const first = ["2026-02-03", "2026-02-05"];
  expect(datesWith("Date          Value date    Details              Amount     Balance")).toEqual(
    first,
  );
  expect(datesWith("")).toEqual(first);
});

it("has month and day without the mark that text recognition lost between them", () => {
  const text = `Example Card    07/01/2026 to 07/31/2026
DATE     DESCRIPTION              AMOUNT
07/12    Walgreens                 18.06
0714     United 0162418837745     312.60
0299     Petsmart                  54.88
`;
  const rowsFrom = (source: "ocr" | "text"): unknown => {
    const words = wordsOfText(text).map((word) => ({ ...word, source }));
    const [account] = understandStatement(words).accounts;
    return account?.transactions.map(({ date, description }) => `${date ?? ""} ${description}`);
  };
  expect(rowsFrom("ocr")).toEqual([
    "2026-07-12 Walgreens",
    "2026-07-14 United 0162418837745",
    "2026-07-14 0299 Petsmart",
  ]);
  expect(rowsFrom("text")).toEqual([
    "2026-07-12 Walgreens",
    "2026-07-12 0714 United 0162418837745",
    "2026-07-12 0299 Petsmart",
  ]);
});
