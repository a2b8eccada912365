import { expect, it } from "vitest";
import { ownCategories } from "../model/categories.ts";
import type { CategoryMapping, StoredCategorySet } from "../model/category-set.ts";
import { mappingsOf } from "./category-mappings.ts";

/** A mapping of a set that maps everything to one word, except the categories that are newer than the mapping. */
function mappingTo(word: string, younger: readonly string[] = []): CategoryMapping {
  const mapped = (categories: ReadonlySet<string>) =>
    Object.fromEntries(
      [...categories].filter((one) => !younger.includes(one)).map((one) => [one, word]),
    );
  return { incoming: mapped(ownCategories.incoming), outgoing: mapped(ownCategories.outgoing) };
}

const setOf = (id: string, mapping: CategoryMapping): StoredCategorySet => ({
  org: "o",
  id,
  incoming: ["Old"],
  outgoing: ["Old", "New"],
  mapping,
});

/** Sets of one organization in this test; the thread always finds `New` nearest. */
function setUp(sets: readonly StoredCategorySet[], made: CategoryMapping | null) {
  const stored = new Map(sets.map((set) => [set.id, set]));
  let mapped = 0;
  const ports = {
    setsOf: () => Promise.resolve([...stored.values()]),
    mapCategories: () => {
      mapped += 1;
      return Promise.resolve(made);
    },
    keepMapping: (set: StoredCategorySet) => {
      stored.set(set.id, set);
      return Promise.resolve();
    },
  };
  return { read: () => mappingsOf(ports, "o"), mappedTimes: () => mapped };
}

it("a category that is younger than a set gets its word when the set is read, once, and the others keep theirs", async () => {
  const sets = [setOf("old", mappingTo("Old", ["pets", "refund"])), setOf("whole", mappingTo("W"))];
  const { read, mappedTimes } = setUp(sets, mappingTo("New"));
  const { old, whole } = await read();
  expect(old?.outgoing).toEqual({ ...mappingTo("Old").outgoing, pets: "New", refund: "New" });
  expect(old?.incoming).toEqual({ ...mappingTo("Old").incoming, refund: "New" });
  expect(whole).toEqual(mappingTo("W"));
  expect(await read()).toEqual({ old, whole });
  expect(mappedTimes()).toBe(1);
});

it("when the thread fails on the names, the set stays unchanged", async () => {
  const before = mappingTo("Old", ["pets"]);
  const { read } = setUp([setOf("old", before)], null);
  expect(await read()).toEqual({ old: before });
});

it("an organization without sets has no mappings", async () => {
  const { read, mappedTimes } = setUp([], mappingTo("New"));
  expect(await read()).toEqual({});
  expect(mappedTimes()).toBe(0);
});
