import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleKnowledge } from "../../../test/support/knowledge-sample.ts";
import { isUnusual, likelihoodOf, NO_SIZE, sizeClassOf, sizeOf } from "./amount.ts";

const knowledge = await sampleKnowledge();
const { lexicon } = knowledge;
const indexOf = (name: string): number => lexicon.categories.indexOf(name);
const fuel = indexOf("fuel");
const mortgage = indexOf("mortgage");
const dollars = (amount: number): number => sizeOf(amount, "USD", true, knowledge);

test("an amount has a size in what it buys, whatever its currency", () => {
  expect(sizeOf(2500, "INR", true, knowledge)).toBeCloseTo(dollars(100), 10);
});

test("nothing paid, an unknown currency and a company's payment say nothing", () => {
  expect(dollars(0)).toBe(NO_SIZE);
  expect(dollars(-5)).toBe(NO_SIZE);
  expect(sizeOf(10, "XAU", true, knowledge)).toBe(NO_SIZE);
  expect(sizeOf(10, "USD", false, knowledge)).toBe(NO_SIZE);
  expect(isUnusual(NO_SIZE, fuel, knowledge)).toBe(false);
});

test("the least and the largest amounts have a size, and no category is sure of them for its width", () => {
  for (const amount of [Number.MIN_VALUE, Number.MAX_VALUE])
    for (const currency of ["USD", "INR"]) {
      const size = sizeOf(amount, currency, true, knowledge);
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

test("sizes of one class are unusual for the same categories, also at the limits", () => {
  const { least, most } = knowledge.amounts;
  const limits = [...least, ...most].filter(Number.isFinite);
  const near = fc
    .tuple(fc.constantFrom(...limits), fc.constantFrom(-1e-9, 0, 1e-9))
    .map(([limit, apart]) => limit + apart);
  const size = fc.oneof(near, fc.double({ min: -20, max: 20, noNaN: true }), fc.constant(NO_SIZE));
  const unusualFor = (one: number): readonly boolean[] =>
    lexicon.categories.map((_, category) => isUnusual(one, category, knowledge));
  fc.assert(
    fc.property(size, size, (one, other) => {
      const isSame = sizeClassOf(one, knowledge) === sizeClassOf(other, knowledge);
      if (isSame) expect(unusualFor(one)).toEqual(unusualFor(other));
      else expect(one).not.toBe(other);
    }),
    { numRuns: 2_000 },
  );
});
