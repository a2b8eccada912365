import { expect, test } from "vitest";
import { readAmounts, readCurrencyUnits } from "./amount-tables.ts";
import { createProblems } from "./rows.ts";
import { categoryNumber } from "./small-tables.ts";

function faultsOf(read: typeof readAmounts | typeof readCurrencyUnits, text: string) {
  const problems = createProblems();
  read({ name: "x.txt", text }, problems);
  return problems.list();
}

test("nine of ten payments lie between the two amounts of a row", () => {
  const { amountMeans, amountDeviations } = readAmounts(
    { name: "amounts.txt", text: "fuel | 10 | 90" },
    createProblems(),
  );
  const fuel = categoryNumber("fuel");
  expect(Math.exp(amountMeans[fuel] ?? 0)).toBeCloseTo(30, 6);
  expect(Math.exp((amountMeans[fuel] ?? 0) + 1.645 * (amountDeviations[fuel] ?? 0))).toBeCloseTo(
    90,
    6,
  );
  expect(amountDeviations[categoryNumber("groceries")]).toBe(0);
});

test("invalid, reversed and repeated amounts are faults", () => {
  expect(faultsOf(readAmounts, "fuel | 0 | 90")).toEqual(['x.txt:1: "0" is not a number above 0.']);
  expect(faultsOf(readAmounts, "fuel | 90 | 10")).toEqual([
    "x.txt:1: The second amount is not above the first.",
  ]);
  expect(faultsOf(readAmounts, "fuel | 1 | 10\nfuel | 1 | 20")).toEqual([
    "x.txt:2: The category has a row already.",
  ]);
  expect(faultsOf(readAmounts, "petrol | 1 | 10")[0]).toContain("Unknown consumer category");
});

test("units have a currency, are above 0 and appear once", () => {
  expect(faultsOf(readCurrencyUnits, "USD | 1\nEUR | 0.75")).toEqual([]);
  expect(faultsOf(readCurrencyUnits, "Euro | 1")).toEqual([
    'x.txt:1: "Euro" is not a currency code.',
  ]);
  expect(faultsOf(readCurrencyUnits, "EUR | cheap")).toEqual([
    'x.txt:1: "cheap" is not a number above 0.',
  ]);
  expect(faultsOf(readCurrencyUnits, "EUR | 1\nEUR | 2")).toEqual([
    "x.txt:2: The currency has a row already.",
  ]);
});
