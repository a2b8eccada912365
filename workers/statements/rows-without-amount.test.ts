// Dated rows whose amount was lost or read in part: their amount is looked for below the other ones.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { placesOfLostAmounts } from "./rows-without-amount.ts";
import type { PageWord } from "./words.ts";

const TABLE = `Date        Description          Withdrawals   Deposits
2026-03-01  Shop                       10.71
2026-03-02  Rent                      125.00
2026-03-02  Refund                                 25.50
2026-03-03  Shop                       20.00
            REF 80655755
2026-03-03  Salary                               1025.50
2026-03-04  Refund                                 15.50
2026-03-04  Water                      60.50
`;

const recognised = (text: string): PageWord[] =>
  wordsOfText(text).map((word) => ({ ...word, source: "ocr" }));
const numberIn = (text: string): PageWord | undefined =>
  recognised(TABLE).find((word) => word.text === text);

it.each([
  ["10.71", "10"],
  ["20.00", "2"],
  ["125.00", ""],
])("an amount of %s that was read as %j is looked for in each column", (amount, read) => {
  const number = numberIn(amount);
  const places = placesOfLostAmounts(recognised(TABLE.replace(amount, read.padEnd(amount.length))));
  expect(places).toHaveLength(2);
  for (const [, top, , bottom] of places)
    expect([top, bottom]).toEqual([number?.top, number?.bottom]);
  const [withdrawals] = places;
  expect(withdrawals?.[0]).toBeLessThanOrEqual(number?.left ?? 0);
  expect(withdrawals?.[2]).toBe(number?.right);
});

it("a word with noise above it does not make the place higher", () => {
  const words = recognised(TABLE.replace("10.71", "10   ")).map((word) =>
    word.text === "Shop" ? { ...word, top: word.top - 6 } : word,
  );
  const [place] = placesOfLostAmounts(words);
  expect(place?.[1]).toBe(numberIn("10.71")?.top);
});

it.each([
  ["rows that have one", recognised(TABLE)],
  ["a text layer", wordsOfText(TABLE.replace("10.71", "10   "))],
  [
    "rows whose amount is in their last line",
    recognised(TABLE.replace(" 20.00", "").replace("REF 80655755", "REF 80655755           20.00")),
  ],
])("nothing is looked for in %s", (_, words) => {
  expect(placesOfLostAmounts(words)).toEqual([]);
});
