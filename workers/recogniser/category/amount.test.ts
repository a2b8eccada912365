import { expect, test } from "vitest";
import { sampleKnowledge } from "../../../test/support/knowledge-sample.ts";
import { areUnusualAlike, isUnusual, likelihoodOf, NO_SIZE, sizeOf, unitsOf } from "./amount.ts";

const knowledge = await sampleKnowledge();
const { lexicon } = knowledge;
const indexOf = (name: string): number => lexicon.categories.indexOf(name);
const fuel = indexOf("fuel");
const mortgage = indexOf("mortgage");
const dollars = (amount: number): number => sizeOf(amount, unitsOf("USD", knowledge), true);

test("an amount has a size in what it buys, whatever its currency", () => {
  expect(sizeOf(2500, unitsOf("INR", knowledge), true)).toBeCloseTo(dollars(100), 10);
});

test("nothing paid, an unknown currency and a company's payment say nothing", () => {
  expect(dollars(0)).toBe(NO_SIZE);
  expect(dollars(-5)).toBe(NO_SIZE);
  expect(sizeOf(10, unitsOf("XAU", knowledge), true)).toBe(NO_SIZE);
  expect(sizeOf(10, unitsOf("USD", knowledge), false)).toBe(NO_SIZE);
  expect(isUnusual(NO_SIZE, fuel, knowledge)).toBe(false);
});

test("the least and the largest amounts have a size, and no category is sure of them for its width", () => {
  for (const amount of [Number.MIN_VALUE, Number.MAX_VALUE])
    for (const currency of ["USD", "INR"]) {
      const size = sizeOf(amount, unitsOf(currency, knowledge), true);
      expect(size).toSatisfy(Number.isFinite);
      const apart = likelihoodOf(size, fuel, knowledge) - likelihoodOf(size, mortgage, knowledge);
      expect(Math.abs(apart)).toBeLessThan(1);
    }
});

test("only what is rarely paid is unusual, and nothing where no row has the usual amounts", () => {
  for (const amount of [8, 45, 110, 300])
    expect(isUnusual(dollars(amount), fuel, knowledge)).toBe(false);
  for (const amount of [0.01, 9_000])
    expect(isUnusual(dollars(amount), fuel, knowledge)).toBe(true);
  expect(isUnusual(dollars(1e9), indexOf("pets"), knowledge)).toBe(false);
  expect(isUnusual(dollars(1e9), -1, knowledge)).toBe(false);
});

test("a payment is likelier of the category whose payments are of its size", () => {
  const isFuel = (amount: number): boolean =>
    likelihoodOf(dollars(amount), fuel, knowledge) >
    likelihoodOf(dollars(amount), mortgage, knowledge);
  expect([30, 60, 1200, 2500].map(isFuel)).toEqual([true, true, false, false]);
});

test("sizes are unusual alike for some categories if they are for each of them", () => {
  const unusual = (amount: number, category: number): boolean =>
    isUnusual(dollars(amount), category, knowledge);
  const alike = (one: number, other: number, categories: readonly number[]): boolean =>
    areUnusualAlike(dollars(one), dollars(other), categories, knowledge);
  expect([unusual(110, fuel), unusual(9_000, fuel), unusual(9_000, mortgage)]).toEqual([
    false,
    true,
    false,
  ]);
  expect(alike(110, 9_000, [mortgage, fuel])).toBe(false);
  expect(alike(8_000, 9_000, [mortgage, fuel])).toBe(true);
  expect(alike(2_500, 9_000, [mortgage])).toBe(true);
  expect(areUnusualAlike(NO_SIZE, dollars(9_000), [fuel], knowledge)).toBe(false);
});
