import { expect, test } from "vitest";
import { sampleKnowledge } from "../../../test/support/knowledge-sample.ts";
import type { CategoryEvidence } from "./category.ts";
import { codesOfUnknown, naicsOf } from "./codes.ts";
import type { PartyEvidence } from "./confidence.ts";
import type { Party } from "./party-types.ts";

const knowledge = await sampleKnowledge();
const index = (name: string): number => knowledge.lexicon.categories.indexOf(name);

const shop = (by: PartyEvidence, type: "organization" | "person" = "organization"): Party => ({
  kind: "named",
  type,
  name: "Granite",
  website: null,
  span: { from: 0, to: 1 },
  by,
});

const silent: CategoryEvidence = {
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
const cafe = { category: index("cafes and coffee shops"), business: -1 };

test("the trade is that of the merchant category code, made finer by the category", () => {
  expect(naicsOf(5814, index("food and drink"), knowledge)).toBe("722513");
  expect(naicsOf(5814, cafe.category, knowledge)).toBe("722515");
  expect(naicsOf(5411, cafe.category, knowledge)).toBe("445110");
  expect(naicsOf(0, index("media"), knowledge)).toBe("51");
  expect(naicsOf(9999, -1, knowledge)).toBeNull();
});

test("a shop has the codes of its category where a card was used", () => {
  const evidence = { ...silent, nameWords: cafe };
  for (const by of ["name on card", "name behind processor", "unknown website"] as const)
    expect(codesOfUnknown(shop(by), evidence, 1, knowledge)).toEqual({
      mccs: [5814],
      naics2017: "722515",
    });
  expect(codesOfUnknown(shop("bare name"), evidence, 1, knowledge)).toBeNull();
  expect(codesOfUnknown(shop("name on card", "person"), evidence, 1, knowledge)).toBeNull();
  expect(codesOfUnknown(shop("name on card"), evidence, 0, knowledge)).toBeNull();
  expect(
    codesOfUnknown(shop("name on card"), { ...evidence, wording: cafe }, 1, knowledge),
  ).toBeNull();
});

test("a category that was only guessed gives codes when the guess is nearly certain", () => {
  const guessed = (probability: number) => {
    const guess = { category: cafe.category, probability };
    return codesOfUnknown(shop("name on card"), { ...silent, guess }, 1, knowledge);
  };
  expect(guessed(0.9)).toEqual({ mccs: [5814], naics2017: "722515" });
  expect(guessed(0.6)).toEqual({ mccs: [], naics2017: null });
});
