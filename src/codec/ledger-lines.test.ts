import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineWords } from "../../workers/recurrence/names.ts";
import { idNumber, isByMandate, lineKey } from "./ledger-lines.ts";

describe("the number of an id", () => {
  it("is a whole number, and another one for each of a hundred thousand ids that are alike", () => {
    const numbers = Array.from({ length: 100_000 }, (_, at) => idNumber(`t-${String(at)}`));
    expect(numbers.every(Number.isSafeInteger)).toBe(true);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it("is that of the characters in their order", () => {
    const texts = ["", "a", "b", "ab", "ba", "aab", "aba", "\u0000", "\u0000\u0000", "ü", "u"];
    expect(new Set(texts.map(idNumber)).size).toBe(texts.length);
  });
});

describe("the key of a line", () => {
  it.each([
    ["HARBOUR GYM 4711 DDR", "HARBOUR GYM 99812 DDR"],
    ["PAYPAL *A1B2 SHOP", "PAYPAL *X9 SHOP"],
    ["MREF-O'4711 GYM", "MREF-17'X GYM"],
  ])("leaves out the references of %s", (one, other) => {
    expect(lineKey(one)).toBe(lineKey(other));
  });

  it("tells lines apart whose words differ", () => {
    const lines = ["PAYPAL*123 SHOP", "SQ*123 SHOP", "GYM", "GYM CLUB", "CAFÉ 1", "CAFE 1"];
    expect(new Set(lines.map(lineKey)).size).toBe(lines.length);
  });

  it("never joins lines of other words, whatever is in them", () => {
    const part = fc.constantFrom(..."aB9 0'’-*é½ß̈²ﷺ京".split(""), "12", "gym", "ddr");
    const line = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(line, fc.stringMatching(/^\d{1,3}$/u), (text, digits) => {
        const other = text.replaceAll(/\d+/gu, digits);
        expect(lineKey(other)).toBe(lineKey(text));
        expect(lineWords(other)).toEqual(lineWords(text));
      }),
    );
    fc.assert(
      fc.property(line, line, (one, other) => {
        fc.pre(lineKey(one) === lineKey(other));
        expect(lineWords(one)).toEqual(lineWords(other));
      }),
      { numRuns: 300 },
    );
  });
});

it.each([
  ["HARBOUR GYM 4711 DDR", true],
  ["Dauerauftrag Miete", true],
  ["STO 12", true],
  ["ACHESON BOOKS", false],
  ["STORE 44", false],
])("%s is by mandate: %j", (line, expected) => {
  expect(isByMandate(line)).toBe(expected);
});
