import { expect, test } from "vitest";
import { sampleKnowledge, sampleSent } from "../support/knowledge-sample.ts";
import type { Case } from "./cases.ts";
import { majorityCategory, simpleOutcome } from "./simple.ts";

const knowledge = await sampleKnowledge();

function lineOf(description: string, category: string): Case {
  const label = { merchants: null, websites: null, categories: [category], cities: null, kind: "" };
  const item = { ...sampleSent, description, currency: "GBP", rawAddress: null, country: "GB" };
  return { item, label };
}

test("the longest known name in the line is named, with its website and category", () => {
  const outcome = simpleOutcome(lineOf("TESCO STORES 6440 LONDON", ""), "pets", knowledge);
  expect(outcome).toMatchObject({ website: "tesco.com", category: "groceries" });
});

test("a line without a known name has the majority's category", () => {
  const cases = [lineOf("QWERTZ", "pets"), lineOf("ZXCVB", "fuel"), lineOf("XXYY", "pets")];
  const majority = majorityCategory(cases);
  const outcome = simpleOutcome(lineOf("QWERTZUIOP", ""), majority, knowledge);
  expect(outcome).toMatchObject({ merchant: "", website: "", category: "pets" });
});
