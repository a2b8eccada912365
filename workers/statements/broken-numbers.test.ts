// A word in a column of amounts that is not an amount: where it is read again, and what of it is taken.
import { expect, it } from "vitest";
import type { Box } from "./affine.ts";
import { brokenNumbers, withWholeNumber } from "./broken-numbers.ts";
import type { RecognisedWord } from "./text-recognition.ts";

const [HEIGHT, PITCH, RIGHT] = [20, 10, 600] as const;

/** A word that ends at a place of its line. */
const wordAt = (text: string, line: number, right: number = RIGHT): RecognisedWord => ({
  ...{ text, confidence: 0.9 },
  box: [right - text.length * PITCH, line * 30, right, line * 30 + HEIGHT],
});

const COLUMN = ["12.50", "1,204.00", "-9.10", "88.00"].map((text, line) => wordAt(text, line));
const brokenOf = (...words: readonly RecognisedWord[]) => brokenNumbers([...COLUMN, ...words]);
const line = (text: string, confidence = 0.8) => ({ text, confidence });

it("a number without its last digits, in parts or with a letter, is broken", () => {
  expect(brokenOf(wordAt("70", 4)).map(({ words }) => words.map(({ text }) => text))).toEqual([
    ["70"],
  ]);
  const torn = brokenOf(wordAt("a7", 4), wordAt("502", 4, 570), wordAt("POWER", 4, 400));
  expect(torn.map(({ words }) => words.map(({ text }) => text))).toEqual([["502", "a7"]]);
});

it("it is read as wide as the amounts around it, without the words next to it", () => {
  const [alone] = brokenOf(wordAt("70", 4));
  expect(alone?.box).toEqual([520, 120, 600, 140]);
  const [near] = brokenOf(wordAt("70", 4), wordAt("London", 4, 540));
  expect(near?.box).toEqual([540, 120, 600, 140]);
});

it.each([
  ["in another column", [wordAt("70", 4, 400)]],
  ["far below the column", [wordAt("70", 40)]],
  ["with a word behind it", [wordAt("70", 4), wordAt("REF", 4, 640)]],
  ["without a digit", [wordAt("GBP", 4)]],
])("a word %s is not broken", (_, words) => {
  expect(brokenOf(...words)).toEqual([]);
});

it("two amounts do not make a column", () => {
  expect(brokenNumbers([...COLUMN.slice(0, 2), wordAt("70", 4)])).toEqual([]);
});

it("a page has no more broken numbers than are read in a short time", () => {
  const words = Array.from({ length: 30 }, (_, at) => wordAt("70", 4 + at / 2));
  expect(brokenOf(...words).length).toBe(12);
});

const taken = (text: string, confidence?: number): readonly string[] => {
  const words = [...COLUMN, wordAt("a7", 4), wordAt("502", 4, 570)];
  const [broken] = brokenNumbers(words);
  if (broken === undefined) throw new Error("It is broken.");
  return withWholeNumber(words, broken, line(text, confidence))
    .slice(COLUMN.length)
    .map((word) => word.text);
};

it("an amount with the digits that were read before takes their place", () => {
  expect(taken("-502.47")).toEqual(["-502.47"]);
  expect(taken("- 502.47")).toEqual(["-502.47"]);
});

it.each(["503.47", "502", "502.4", "Total", ""])("%j does not", (text) => {
  expect(taken(text)).toEqual(["a7", "502"]);
});

it("an amount that is not sure does not", () => {
  expect(taken("-502.47", 0.6)).toEqual(["a7", "502"]);
});

it("the amount is as wide as its characters, and ends where the column does", () => {
  const words = [...COLUMN, wordAt("70", 4)];
  const [broken] = brokenNumbers(words);
  const box: Box | undefined = broken && withWholeNumber(words, broken, line("13.70")).at(-1)?.box;
  expect(box).toEqual([550, 120, 600, 140]);
});
