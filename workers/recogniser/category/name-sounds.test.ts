import { expect, it } from "vitest";
import { readKnowledge } from "../../../test/eval/knowledge.ts";
import { CATEGORY_SETS } from "./categoriser.ts";
import { createNameSounds } from "./name-sounds.ts";

const knowledge = readKnowledge();

const ASKED = [
  [["pizza", "kitchen"], "consumer", "outgoing"],
  [["pizza", "kitchen"], "business", "outgoing"],
  [["pizza", "kitchen"], "consumer", "incoming"],
  [["pizzakitchen"], "consumer", "outgoing"],
  [[], "business", "incoming"],
] as const;

it("what was asked before does not change an answer, also when more names were than are kept", () => {
  const used = createNameSounds(knowledge);
  const fresh = () => createNameSounds(knowledge);
  for (let index = 0; index < 3_000; index++)
    used([`name${String(index)}`, "shop"], "consumer", "outgoing");
  for (const [words, accountType, entryType] of [...ASKED, ...ASKED])
    expect(used(words, accountType, entryType)).toEqual(fresh()(words, accountType, entryType));
});

it("every category of the account's set has a logarithm", () => {
  const soundOf = createNameSounds(knowledge);
  for (const [words, accountType, entryType] of ASKED) {
    const { byWords } = soundOf(words, accountType, entryType);
    expect(byWords).toHaveLength(CATEGORY_SETS[accountType][entryType].length);
    expect(byWords.every((one) => one <= 0.01)).toBe(true);
  }
});
