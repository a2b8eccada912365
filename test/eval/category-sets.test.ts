// What the mapping of category sets has reached on sets as customers have them may not be lost again.
import { expect, it, test } from "vitest";
import { ownCategories } from "../../src/model/categories.ts";
import { mapCategories } from "../../workers/settings/categories/map.ts";
import { judge, readLabelledSets } from "./category-sets.ts";
import { readKnowledge } from "./knowledge.ts";

const knowledge = readKnowledge();

/** Percent of the expectations. A wrong word is worse than none, so there may be fewer of those. */
test.each([
  ["development.txt", { sets: 11, right: 99.5, wrong: 0.5 }],
  ["holdout.txt", { sets: 12, right: 99, wrong: 0.8 }],
  ["unseen.txt", { sets: 16, right: 98.5, wrong: 0.8 }],
])("the sets in %s reach their share of correct entries and few wrong ones", (file, reached) => {
  const sets = readLabelledSets(file);
  expect(sets).toHaveLength(reached.sets);
  const outcomes = sets.map((one) => judge(one, mapCategories(one.set, knowledge)));
  const sumOf = (kind: "right" | "missed" | "wrong"): number =>
    outcomes.reduce((sum, outcome) => sum + outcome[kind], 0);
  const all = sumOf("right") + sumOf("missed") + sumOf("wrong");
  const faults = outcomes.flatMap((outcome) => outcome.faults).join("\n");
  expect((100 * sumOf("right")) / all, faults).toBeGreaterThanOrEqual(reached.right);
  expect((100 * sumOf("wrong")) / all, faults).toBeLessThanOrEqual(reached.wrong);
});

it.each(["development.txt", "holdout.txt", "unseen.txt"])(
  "the labels of %s speak of our categories, each once, and of words of their set",
  (file) => {
    const odd = readLabelledSets(file).flatMap(({ name, set, expected }) => {
      const keys = expected.map(({ direction, category }) => `${direction} ${category}`);
      return expected.flatMap(({ direction, category, right }, at) => {
        const isNew = keys.indexOf(`${direction} ${category}`) === at;
        const isOurs = ownCategories[direction].has(category);
        const areThere = right.every((word) => word === null || set[direction].includes(word));
        return isNew && isOurs && areThere ? [] : [`${name}: ${direction} ${category}`];
      });
    });
    expect(odd).toEqual([]);
  },
);

it("an unlisted entry maps by the model, unless two entries fit or one is near", () => {
  const mapped = (...outgoing: string[]) =>
    mapCategories({ incoming: outgoing, outgoing }, knowledge).outgoing["sport and fitness"];
  expect(mapped("Pilates studio")).toBe("Pilates studio");
  expect(mapped("Pilates studio", "Gymnastics")).toBeNull();
  expect(mapped("Pilates studio", "Health")).toBe("Health");
  const { incoming } = mapCategories({ incoming: ["Pilates studio"], outgoing: [] }, knowledge);
  expect(new Set(Object.values(incoming))).toEqual(new Set([null]));
});
