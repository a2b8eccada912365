import fc from "fast-check";
import { expect, it } from "vitest";
import { readKnowledge } from "../../../test/eval/knowledge.ts";
import { FEATURE_BUCKETS, putWordBuckets, WORD_BUCKETS_MAX } from "../text/features.ts";
import { createWordModel } from "./word-model.ts";

const knowledge = readKnowledge();
const { categories } = knowledge.lexicon;

const likeliest = (shares: readonly number[]): string =>
  categories[shares.indexOf(Math.max(...shares))] ?? "";

it.each([
  ["pizza kitchen", "food and drink"],
  ["dental clinic", "medical bill"],
  ["auto insurance", "insurance"],
  ["hair salon", "self care"],
])("%s sounds like %s", (words, category) => {
  expect(likeliest(createWordModel(knowledge)(words.split(" "), true))).toBe(category);
});

it("the shares of a direction add up to 1, and those of the other direction are 0", () => {
  const soundOf = createWordModel(knowledge);
  const word = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), fc.boolean(), (words, isOutgoing) => {
      const shares = soundOf(words, isOutgoing);
      const sum = shares.reduce((total, share) => total + share, 0);
      expect(sum).toBeCloseTo(1, 9);
      if (isOutgoing)
        expect(shares.slice(knowledge.outgoingCategories).every((share) => share === 0)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

it("what was asked before does not change an answer, also when more words were than are kept", () => {
  const fresh = createWordModel(knowledge);
  const used = createWordModel(knowledge);
  for (let index = 0; index < 6_000; index++) used([`word${String(index)}`], true);
  for (const words of [["pizza"], ["word17", "pizza"], ["word5999"]])
    expect(used(words, true)).toEqual(fresh(words, true));
});

it("a word has a place for each of its buckets, however long it is", () => {
  const counts = Array.from({ length: 64 }, (_, length) => {
    const buckets = new Uint16Array(2 * WORD_BUCKETS_MAX);
    return putWordBuckets("x".repeat(length), buckets);
  });
  expect(Math.max(...counts)).toBeLessThanOrEqual(WORD_BUCKETS_MAX);
  expect(FEATURE_BUCKETS - 1).toBeLessThanOrEqual(0xffff);
});
