import fc from "fast-check";
import { expect, test } from "vitest";
import { tokenise } from "../recogniser/text/tokenise.ts";
import { firstPattern, indexPatterns, matchPatterns } from "./patterns.ts";

const row = (direction: number, ...parts: string[]) => ({
  direction,
  parts: parts.map((part) => part.split(" ")),
  category: 0,
  business: -1,
});
const index = indexPatterns([
  row(1, "overdraft fee"),
  row(2, "transfer", "savings"),
  row(0, "fee"),
]);

const matches = (text: string, direction: number): number[] => {
  const tokens = tokenise(text);
  return matchPatterns(index, tokens, 0, tokens.length, direction).map((match) => match.index);
};

test("words of a part are adjacent, parts may lie apart, order counts", () => {
  expect(matches("DAILY OVERDRAFT FEE", 1)).toEqual([0]);
  expect(matches("OVERDRAFT ITEM FEE", 1)).toEqual([]);
  expect(matches("TRANSFER 12 TO MY SAVINGS", 1)).toEqual([1]);
  expect(matches("SAVINGS TRANSFER", 1)).toEqual([]);
});

test("a row only counts in its direction", () => {
  expect(matches("OVERDRAFT FEE", 0)).toEqual([2]);
});

test("the first pattern is the one of all that match that stands first in the tables", () => {
  const words = fc.constantFrom("OVERDRAFT", "FEE", "TRANSFER", "SAVINGS", "OF", "12");
  fc.assert(
    fc.property(fc.array(words, { maxLength: 8 }), fc.constantFrom(0, 1), (line, direction) => {
      const text = line.join(" ");
      const all = matches(text, direction);
      const first = firstPattern(index, tokenise(text), direction);
      expect(first?.index ?? Infinity).toBe(Math.min(...all));
    }),
  );
});
