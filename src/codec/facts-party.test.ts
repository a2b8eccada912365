import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { confidenceOfFacts, labelOfFacts, merchantOfFacts } from "./facts-party.ts";

const entity = (name: string | null): object => ({ id: "1", name, website: null, mccs: [] });
const factsOf = (name: string | null, general: string | null, type = "organization"): object => ({
  entities: {
    counterparty: { type, ...entity(name), parent: entity("The parent") },
    intermediaries: [{ ...entity("Between"), parent: null }],
  },
  categories: { general, accounting: null },
  location: { raw_address: '"categories":{"general":"wrong"', structured: null },
});

describe("facts read out of their text", () => {
  it("are those that parsing it gives, whatever the texts contain", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (name, general) => {
        const facts = JSON.stringify(factsOf(name, general));
        expect([merchantOfFacts(facts), labelOfFacts(facts)]).toEqual([name, general]);
      }),
    );
  });

  it("are those of texts that quote the names of properties", () => {
    for (const text of ['","name":"x', '\\"', "\\\\", '"categories":{"general":"y"', "é\u2028"]) {
      const facts = JSON.stringify(factsOf(text, text));
      expect([merchantOfFacts(facts), labelOfFacts(facts)]).toEqual([text, text]);
    }
  });

  it("are found in any order of the properties", () => {
    const { entities, categories } = factsOf("A", "b") as Record<string, object>;
    const counterparty = { ...entity("A"), type: "organization" };
    const swapped = JSON.stringify({
      categories: { accounting: null, ...categories },
      entities: { ...entities, counterparty },
    });
    expect([merchantOfFacts(swapped), labelOfFacts(swapped)]).toEqual(["A", "b"]);
  });

  it("have the confidence of the category, whatever the texts contain; null where none is decided", () => {
    for (const confidence of [0, 0.000_000_4, 0.57, 1]) {
      const facts = JSON.stringify({ ...factsOf('"confidence":0.3', "b"), confidence });
      expect(confidenceOfFacts(facts)).toBe(confidence);
    }
    expect(
      confidenceOfFacts(JSON.stringify({ ...factsOf("a", null), confidence: null })),
    ).toBeNull();
    expect(confidenceOfFacts(JSON.stringify(factsOf("a", "b")))).toBeNull();
  });

  it("are null where nothing is known, and a person is not a merchant", () => {
    expect(merchantOfFacts(JSON.stringify(factsOf("Ann", "b", "person")))).toBeNull();
    expect(merchantOfFacts(JSON.stringify(factsOf(null, null)))).toBeNull();
    expect(labelOfFacts(JSON.stringify(factsOf(null, null)))).toBeNull();
    const nothing = '{"entities":null,"categories":null,"location":null}';
    expect([merchantOfFacts(nothing), labelOfFacts(nothing)]).toEqual([null, null]);
    expect([merchantOfFacts("{}"), labelOfFacts("{}")]).toEqual([null, null]);
    const without = '{"entities":{"counterparty":null,"intermediaries":[]},"categories":null}';
    expect(merchantOfFacts(without)).toBeNull();
  });
});
