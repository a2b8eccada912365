import { expect, test } from "vitest";
import { sampleKnowledge } from "../knowledge/builder/sample.ts";
import { type CategoryEvidence, decideCategories } from "./category.ts";

const knowledge = await sampleKnowledge();
const index = (name: string): number => knowledge.lexicon.categories.indexOf(name);
const row = (name: string, business = -1) => ({ category: index(name), business });
const nothing: CategoryEvidence = {
  wording: null,
  merchant: -1,
  mccs: [],
  nameWords: null,
  personal: false,
  platform: false,
};

const consumer = (evidence: Partial<CategoryEvidence>, direction: 0 | 1 = 1): string | null =>
  decideCategories({ ...nothing, ...evidence }, direction, "consumer", knowledge).general;

test("wording goes before the merchant, the merchant before its codes, codes before words", () => {
  expect(consumer({ wording: row("bank fee"), merchant: index("fuel") })).toBe("bank fee");
  expect(consumer({ merchant: index("fuel"), mccs: [5814] })).toBe("fuel");
  expect(consumer({ mccs: [9999, 5814], nameWords: row("groceries") })).toBe("food and drink");
  expect(consumer({ nameWords: row("groceries") })).toBe("groceries");
  expect(consumer({})).toBe("not enough information");
});

test("a person behind a mere transfer makes it one between people", () => {
  expect(consumer({ wording: row("inter account transfer"), personal: true })).toBe(
    "peer to peer transfer",
  );
  expect(consumer({ wording: row("rent and property management fee"), personal: true })).toBe(
    "rent and property management fee",
  );
});

test("money that arrives never gets a category of spending", () => {
  expect(consumer({ merchant: index("clothing") }, 0)).toBe("refund");
  expect(consumer({ merchant: index("ridesharing and taxis") }, 0)).toBe(
    "rideshare and delivery income",
  );
  expect(consumer({ nameWords: row("groceries") }, 0)).toBe("not enough information");
});

test("business accounts get their own set and an accounting category", () => {
  const evidence = { ...nothing, merchant: index("media") };
  expect(decideCategories(evidence, 1, "business", knowledge)).toEqual({
    general: "subscriptions",
    accounting: "operational expenses",
  });
  const unmapped = { ...nothing, merchant: index("pets") };
  expect(decideCategories(unmapped, 1, "business", knowledge)).toEqual({
    general: "not enough information",
    accounting: null,
  });
});
