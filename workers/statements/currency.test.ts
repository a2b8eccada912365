// A lone "$" is the dollar of the country whose marks the statement prints, and no currency where it prints none.
import { expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { understandStatement } from "./understand.ts";

const currencyOf = (line: string, sign: string): string | null => {
  const text = `
Statement period 01 January 2025 to 31 January 2025
${line}
Date        Description                          Paid out      Paid in
13/01/2025  Air New Zealand, Singapore           ${sign}145.50
14/01/2025  Salary                                             ${sign}900.00
`;
  return understandStatement(wordsOfText(text)).accounts[0]?.currency ?? null;
};

it.each([
  ["US", "Springfield IL 62704", "USD"],
  ["Canadian", "Toronto ON M5V 2T6", "CAD"],
  ["Australian", "Sydney NSW 2000", "AUD"],
  ["Australian", "Level 3, Melbourne 3000, Australia", "AUD"],
  ["New Zealand", "Auckland 1010 New Zealand", "NZD"],
  ["Singaporean", "12 Marina Boulevard Singapore 018982", "SGD"],
  ["Hong Kong", "1 Queen's Road Central, Hong Kong", "HKD"],
  ["Mexican", "CLABE 032180000118359719", "MXN"],
])("the %s address %s makes $ %s", (_country, line, currency) => {
  expect(currencyOf(line, "$")).toBe(currency);
});

it("stays open without a mark of a country, which a place in a row is not", () => {
  expect(currencyOf("", "$")).toBeNull();
});

it("follows no mark of a dollar where amounts have another sign", () => {
  expect(currencyOf("Sydney NSW 2000", "€")).toBe("EUR");
  expect(currencyOf("Sydney NSW 2000", "")).toBeNull();
});

it("is that of most amounts, not that of a single one in a description", () => {
  expect(currencyOf("Toronto ON M5J 1B7\nHotel €120.00", "$")).toBe("CAD");
});
