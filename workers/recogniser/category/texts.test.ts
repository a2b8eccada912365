import { expect, test } from "vitest";
import { readCategoriser } from "../../knowledge/builder/ranker-file.ts";
import { PARTY_TRAITS, PLACE_TRAITS, SOURCES } from "./categoriser.ts";
import { contributionText } from "./texts.ts";

test("every weight of the committed model has a text", () => {
  for (const name of Object.keys(readCategoriser().weights)) {
    const text = contributionText(name);
    expect(text).toMatch(/^[a-z]/u);
    expect(text, name).not.toContain("undefined");
    expect(text === "the amount", name).toBe(name.startsWith("amount:"));
  }
});

test("every source has a text of its own", () => {
  const texts = SOURCES.map((source) => contributionText(`source:${source}`));
  expect(texts).not.toContain(undefined);
  expect(new Set(texts).size).toBe(SOURCES.length);
});

test("every trait of a place and of a counterparty has a text of its own", () => {
  const names = [
    ...PLACE_TRAITS.map((trait) => `c:${trait}:fuel`),
    "c:s:fuel",
    ...PARTY_TRAITS.map((trait) => `k:${trait}:fuel`),
  ];
  const texts = names.map(contributionText);
  expect(texts.join()).not.toContain("undefined");
  expect(new Set(texts).size).toBe(names.length);
});

test("how usual a category is differs with and without a source that names one", () => {
  const texts = ["b:fuel", "b:sourced:fuel", "b:unsourced:fuel"].map(contributionText);
  expect(new Set(texts).size).toBe(texts.length);
});

test("the text does not depend on the category", () => {
  expect(contributionText("k:known:books, newsletters, newspapers")).toBe(
    contributionText("k:known:fuel"),
  );
});
