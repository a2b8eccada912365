import { expect, it } from "vitest";
import { businessCategories, consumerCategories } from "./categories.ts";
import { categoryGroups } from "./category-groups.ts";

it("each of our categories is in one group of its type of account, and nothing else is", () => {
  for (const [type, { incoming, outgoing }] of [
    ["consumer", consumerCategories],
    ["business", businessCategories],
  ] as const) {
    const grouped = Object.values(categoryGroups[type]).flat().toSorted();
    expect(grouped, type).toEqual([...new Set([...incoming, ...outgoing])].toSorted());
  }
});
