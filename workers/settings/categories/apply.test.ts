import { describe, expect, it } from "vitest";
import type { CategoryMapping } from "../../../src/model/category-set.ts";
import { mapCategory } from "./apply.ts";

const mapping: CategoryMapping = {
  incoming: { refund: "Back" },
  outgoing: { groceries: "Food", pets: null, refund: "Given back" },
};

describe("mapCategory", () => {
  it("tells the entry of the set, by the direction of the money, and leaves accounting alone", () => {
    const categories = { general: "refund", accounting: "revenue" } as const;
    expect(mapCategory(categories, mapping, "incoming")).toEqual({
      ...categories,
      general: "Back",
    });
    expect(mapCategory(categories, mapping, "outgoing")).toEqual({
      ...categories,
      general: "Given back",
    });
  });

  it.each(["pets", "clothing"])(
    "tells %s, for which the set has nothing, as not enough information",
    (general) => {
      expect(mapCategory({ general, accounting: null }, mapping, "outgoing")).toEqual({
        general: "not enough information",
        accounting: null,
      });
    },
  );

  it("leaves what is a word of the set already, and null", () => {
    for (const general of ["Treats", "constructor", "__proto__", null]) {
      const categories = { general, accounting: null };
      expect(mapCategory(categories, mapping, "outgoing")).toEqual(categories);
    }
  });
});
