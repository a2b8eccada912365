// Amounts among the words of a line.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { makeLine } from "./lines.ts";
import { findMoney } from "./money.ts";

const moneyIn = (text: string) =>
  findMoney(makeLine(wordsOfText(text)), { decimalMark: ",", scale: 2 }).map(
    ({ units, sign, isSignWord }) => ({ units, sign, isSignWord }),
  );

it.each([
  ["9,54Af", -1],
  ["9,54Bij", 1],
  ["9,54S", -1],
  ["9,54H", 1],
] as const)("letters at the end of a number are its direction: %s", (text, sign) => {
  expect(moneyIn(`Shop  ${text}`)).toEqual([{ units: 954, sign, isSignWord: true }]);
});

it("asterisks that fill the place before an amount are passed over, and those of a masked number are not", () => {
  expect(moneyIn("Card ****1234  *******250,00")).toEqual([
    { units: 25_000, sign: 0, isSignWord: false },
  ]);
});

it("a currency with a sign behind it is of the number before it, also in wide type", () => {
  const words = wordsOfText("1.239,21  EUR-").map((word, at) =>
    at === 0 ? word : { ...word, left: word.left - 2, right: word.right - 2 },
  );
  expect(findMoney(makeLine(words), { decimalMark: ",", scale: 2 })).toMatchObject([
    { units: 123_921, sign: -1, currency: "EUR" },
  ]);
});

it("a word behind a number is not", () => {
  expect(moneyIn("9,54 Afschrijving")).toEqual([{ units: 954, sign: 0, isSignWord: false }]);
});

it.each([
  ["5,5", 550],
  ["5.5", 550],
  ["1.234,5", 123_450],
  ["1,234.5", 123_450],
])("one digit behind the mark is tenths, whichever mark it is: %s", (text, units) => {
  expect(moneyIn(`Shop  ${text}`)).toEqual([{ units, sign: 0, isSignWord: false }]);
});

it("one decimal alone is not certainly money, and a rate is not money", () => {
  const format = { decimalMark: ".", scale: 2 } as const;
  expect(findMoney(makeLine(wordsOfText("Shop  5.5")), format)).toMatchObject([
    { isCertain: false },
  ]);
  expect(moneyIn("Interest  5.5%")).toEqual([]);
});

it("a number has either spaces or other marks between its thousands: two numbers are not joined", () => {
  const unitsIn = (text: string) =>
    findMoney(makeLine(wordsOfText(text)), { decimalMark: ".", scale: 2 }).map(
      ({ units }) => units,
    );
  expect(unitsIn("Mobile top up -21.62 890.36")).toEqual([2162, 89_036]);
  expect(unitsIn("Transfer 1,694.07 12,584.43")).toEqual([169_407, 1_258_443]);
  expect(unitsIn("Transfer 1 234 567.89")).toEqual([123_456_789]);
  expect(unitsIn("Transfer 12,34,567.89")).toEqual([123_456_789]);
});
