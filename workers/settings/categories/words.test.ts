import { describe, expect, it } from "vitest";
import { businessCategories, consumerCategories } from "../../../src/model/categories.ts";
import { wordsKeyOf, readCategoryEntry } from "./text.ts";
import { openCategoryWords, readCategoryTable } from "./words.ts";

const { incoming, outgoing, narrower } = openCategoryWords();
const consumer = [...readCategoryTable("consumer").keys()];
const business = [...readCategoryTable("business").keys()];
const either = [...readCategoryTable("either").keys()];
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();

describe("the words for our categories", () => {
  it("exist for every category and for nothing else", () => {
    const ofIncoming = [...consumerCategories.incoming, ...businessCategories.incoming];
    const ofOutgoing = [...consumerCategories.outgoing, ...businessCategories.outgoing];
    const table = readCategoryTable("incoming");
    expect(sorted([...table.keys(), ...either])).toEqual(sorted(ofIncoming));
    expect(sorted([...consumer, ...business, ...either])).toEqual(sorted(ofOutgoing));
    expect([...incoming.keys()]).toEqual([...new Set(ofIncoming)]);
    expect([...outgoing.keys()]).toEqual([...new Set(ofOutgoing)]);
  });

  it("stand in one table for each category, so that no list hides another", () => {
    expect([...consumer, ...business]).toHaveLength(new Set([...consumer, ...business]).size);
  });

  it("name existing groups, and every group is named", () => {
    const tables = (["incoming", "consumer", "business", "either"] as const).map(readCategoryTable);
    const entries = tables.flatMap((table) => [...table.values()].flat());
    const named = entries.flatMap((entry) => /^(?:>\s*)?#(.+)$/u.exec(entry)?.[1] ?? []);
    const groups = readCategoryTable("groups");
    expect(sorted(named)).toEqual(sorted(groups.keys()));
    expect([...groups.values()].flat().join("")).not.toMatch(/[#>]/);
  });

  it("all contain a word that can be matched", () => {
    const phrases = [incoming, outgoing].flatMap((words) => [...words.values()].flat());
    const texts = [...phrases, ...narrower].map(({ text }) => text);
    expect(texts.filter((text) => wordsKeyOf(readCategoryEntry(text).all) === "")).toEqual([]);
    expect(texts.filter((text) => /[=#|>]/.test(text))).toEqual([]);
  });
});
