import { describe, expect, it } from "vitest";
import { businessCategories, consumerCategories } from "../../../src/model/categories.ts";
import { keyOf, readEntry } from "./text.ts";
import { incomingCategoryWords, narrowerPhrases, outgoingCategoryWords } from "./words.ts";
import { businessWords } from "./words/business.ts";
import { consumerWords } from "./words/consumer.ts";
import { eitherWords } from "./words/either.ts";
import { groups } from "./words/groups.ts";
import { incomingWords } from "./words/incoming.ts";

describe("the words for our categories", () => {
  it("are there for every category, and for nothing else", () => {
    const incoming = [...consumerCategories.incoming, ...businessCategories.incoming];
    const outgoing = [...consumerCategories.outgoing, ...businessCategories.outgoing];
    const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();
    expect(sorted(Object.keys({ ...incomingWords, ...eitherWords }))).toEqual(sorted(incoming));
    const written = { ...consumerWords, ...businessWords, ...eitherWords };
    expect(sorted(Object.keys(written))).toEqual(sorted(outgoing));
    expect([...incomingCategoryWords.keys()]).toEqual([...new Set(incoming)]);
    expect([...outgoingCategoryWords.keys()]).toEqual([...new Set(outgoing)]);
  });

  it("stand once for each category, so that no list is hidden by another of the same name", () => {
    const names = [consumerWords, businessWords].flatMap((words) => Object.keys(words));
    expect(names).toHaveLength(new Set(names).size);
  });

  it("name groups that there are, and every group is named", () => {
    const lists = [incomingWords, consumerWords, businessWords, eitherWords].flatMap((words) =>
      Object.values(words),
    );
    const named = lists.flatMap((list) => [...list.matchAll(/#(\w+)/g)].map((found) => found[1]));
    expect([...new Set(named)].sort()).toEqual(Object.keys(groups).sort());
    expect(Object.values(groups).join("")).not.toMatch(/[#>]/);
  });

  it("say something, all of them", () => {
    const phrases = [incomingCategoryWords, outgoingCategoryWords].flatMap((words) =>
      [...words.values()].flat(),
    );
    const texts = [...phrases, ...narrowerPhrases].map(({ text }) => text);
    expect(texts.filter((text) => keyOf(readEntry(text).all) === "")).toEqual([]);
    expect(texts.filter((text) => /[=#|>]/.test(text))).toEqual([]);
  });
});
