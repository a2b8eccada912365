import { expect, test } from "vitest";
import { sampleKnowledge } from "../../../test/support/knowledge-sample.ts";
import { type CategoryEvidence, decideCategories } from "./category.ts";

const knowledge = await sampleKnowledge();
const index = (name: string): number => knowledge.lexicon.categories.indexOf(name);
const row = (name: string, business = -1) => ({ category: index(name), business });
const nothing: CategoryEvidence = {
  wording: null,
  service: -1,
  merchant: -1,
  mccs: [],
  nameWords: null,
  guess: null,
  through: -1,
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

test("a transfer to somebody who is paid for something is what is paid for; to who keeps accounts it is a transfer", () => {
  const transfer = { wording: row("inter account transfer") };
  expect(consumer({ ...transfer, merchant: index("utilities") })).toBe("utilities");
  expect(consumer({ ...transfer, merchant: index("loan repayment") })).toBe(
    "inter account transfer",
  );
  expect(consumer({ ...transfer, merchant: index("bank fee") })).toBe("inter account transfer");
  expect(
    consumer({ ...transfer, merchant: index("government"), service: index("utilities") }),
  ).toBe("utilities");
  expect(consumer(transfer)).toBe("inter account transfer");
  // Money that comes may be sent by anybody; what is moved from a broker is no mere transfer either way.
  expect(consumer({ ...transfer, merchant: index("utilities") }, 0)).toBe("inter account transfer");
  expect(consumer({ ...transfer, merchant: index("investment") }, 0)).toBe("investment");
});

test("a company pays people for work, unless the bank's words say what it is", () => {
  const business = (wording: CategoryEvidence["wording"], direction: 0 | 1): string | null =>
    decideCategories({ ...nothing, wording, personal: true }, direction, "business", knowledge)
      .general;
  const draw = knowledge.lexicon.businessCategories.indexOf("owner draw");
  expect(business(row("peer to peer transfer"), 1)).toBe("contractors");
  expect(business(row("inter account transfer"), 1)).toBe("contractors");
  expect(business(row("intra account transfer", draw), 1)).toBe("owner draw");
  expect(business(row("peer to peer transfer"), 0)).not.toBe("contractors");
});

test("money that arrives never gets a category of spending", () => {
  expect(consumer({ merchant: index("clothing") }, 0)).toBe("refund");
  expect(consumer({ merchant: index("bank fee") }, 0)).toBe("reversal / adjustment");
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

test("money from a shop is a refund; from lenders, agencies and platforms it is not", () => {
  expect(consumer({ merchant: index("groceries") }, 0)).toBe("refund");
  expect(consumer({ merchant: index("loan repayment") }, 0)).toBe("loans");
  expect(consumer({ merchant: index("buy now, pay later") }, 0)).toBe("not enough information");
  const ride = index("ridesharing and taxis");
  expect(consumer({ merchant: ride, platform: true }, 0)).toBe("rideshare and delivery income");
  expect(consumer({ merchant: ride }, 0)).toBe("refund");
  expect(consumer({ merchant: ride, platform: true }, 1)).toBe("ridesharing and taxis");
});

test("on a company's account a code that agrees with the merchant's category is more exact than the category", () => {
  const business = (evidence: Partial<CategoryEvidence>): string | null =>
    decideCategories({ ...nothing, ...evidence }, 1, "business", knowledge).general;
  const food = index("food and drink");
  expect(business({ merchant: food, mccs: [5814] })).toBe("meals and entertainment");
  expect(business({ merchant: food, mccs: [] })).toBe("not enough information");
  expect(business({ merchant: index("fuel"), mccs: [5814] })).toBe("fuel");
});

test("somebody unknown is of the trade of those who are paid through such a service", () => {
  expect(consumer({ through: index("ecommerce purchase") })).toBe("ecommerce purchase");
  expect(consumer({ through: index("food and drink") })).toBe("food and drink");
});
