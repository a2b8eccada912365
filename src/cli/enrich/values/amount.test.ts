import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decimalEvidence, parseAmount } from "./amount.ts";

const GROUPED: readonly (readonly [string, string, "." | ","])[] = [
  ["", ".", "."],
  ["", ",", ","],
  [",", ".", "."],
  [".", ",", ","],
  [" ", ",", ","],
  ["\u00a0", ",", ","],
  ["\u202f", ",", ","],
  ["'", ".", "."],
  ["’", ".", "."],
];

describe("parseAmount", () => {
  test.each([
    ["1,234.56", ".", 1234.56],
    ["1.234,56", ",", 1234.56],
    ["1 234,56 €", ",", 1234.56],
    ["CHF 1'234.56", ".", 1234.56],
    ["1,23,456.78", ".", 123456.78],
    ["1.234", ",", 1234],
    ["1,234", ".", 1234],
    ["12,34", ".", 12.34],
    ["(12.34)", ".", -12.34],
    ["$(12.34)", ".", -12.34],
    ["12.34-", ".", -12.34],
    ["−12.34", ".", -12.34],
    ["-$12.34", ".", -12.34],
    ["$-12.34", ".", -12.34],
    ["€ -12,34", ",", -12.34],
    ["12,34 EUR", ",", 12.34],
    ["R$ 1.234,56", ",", 1234.56],
    ["+.50", ".", 0.5],
    ["-0.00", ".", 0],
  ] as const)("%s under %s", (text, mark, value) => {
    expect(parseAmount(text, mark)?.value).toBe(value);
  });

  test("CR and DR behind the number are reported", () => {
    expect(parseAmount("1,234.50Cr", ".")).toEqual({
      value: 1234.5,
      size: "1234.50",
      marker: "credit",
    });
    expect(parseAmount("12,00 S", ",")).toEqual({ value: 12, size: "12.00", marker: "debit" });
    expect(parseAmount("12.00 USD DR", ".")).toEqual({ value: 12, size: "12.00", marker: "debit" });
  });

  test.each([
    "",
    "abc",
    "12/05/2024",
    "1234 5678 9012 3456",
    "01442 840200",
    "1,2,3",
    "1.2.3",
    "(12",
    "N/A",
    "12:30",
  ])("%s is not an amount", (text) => {
    expect(parseAmount(text, ".")).toBeNull();
  });

  test("what any bank prints is read back to the cent", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }),
        fc.constantFrom(...GROUPED),
        fc.constantFrom("before", "after", "brackets"),
        (minor, [group, point, mark], style) => {
          const digits = String(Math.abs(minor)).padStart(3, "0");
          const units = digits.slice(0, -2).replaceAll(/\B(?=(\d{3})+$)/gu, group);
          const plain = `${units}${point}${digits.slice(-2)}`;
          const negative = { before: `-${plain}`, after: `${plain}-`, brackets: `(${plain})` }[
            style
          ];
          const parsed = parseAmount(minor < 0 ? negative : plain, mark);
          expect(parsed?.value).toBe(minor / 100);
          expect(decimalEvidence(plain)).toBe(mark);
        },
      ),
    );
  });

  test("never throws and never returns NaN", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.constantFrom(".", ","), (text, mark) => {
        decimalEvidence(text);
        const parsed = parseAmount(text, mark);
        expect(parsed === null || Number.isFinite(parsed.value)).toBe(true);
      }),
    );
  });
});
