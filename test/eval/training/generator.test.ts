import { expect, test } from "vitest";
import { createGenerator, type GeneratedLine } from "../../../bench/training/generator.ts";
import type { Material } from "../../../bench/training/names.ts";
import { PART_KINDS, type PartKind } from "../../../src/model/explanation.ts";
import { LABEL_COUNT } from "../../../workers/recogniser/parse/labels.ts";
import { normaliseText } from "../../../workers/recogniser/text/normalise.ts";
import { sampleKnowledge } from "../../support/knowledge-sample.ts";
import { sampleMaterial } from "./material.ts";

const knowledge = await sampleKnowledge();
const LINES = 1_500;

function generatedLines(
  seed: number,
  count: number,
  material: Material = sampleMaterial,
): readonly GeneratedLine[] {
  const generate = createGenerator(material, knowledge, seed);
  return Array.from({ length: count }, () => generate());
}

const lines = generatedLines(1, LINES);

/** All labels of the tokens with these folded texts. */
function labelsOfWords(
  all: readonly GeneratedLine[],
  ...words: readonly string[]
): ReadonlySet<PartKind | undefined> {
  const wanted = new Set(words);
  return new Set(
    all.flatMap(({ line, labels }) =>
      line.tokens.flatMap(({ text }, at) =>
        wanted.has(text) ? [PART_KINDS[labels[at] ?? -1]] : [],
      ),
    ),
  );
}

test("the same seed gives the same lines, another seed gives others", () => {
  expect(generatedLines(7, 50)).toEqual(generatedLines(7, 50));
  const texts = (seed: number): string[] => generatedLines(seed, 50).map(({ line }) => line.text);
  expect(texts(8)).not.toEqual(texts(7));
});

test("lines of one generator differ", () => {
  expect(new Set(lines.map(({ line }) => line.text)).size).toBeGreaterThan(0.8 * LINES);
});

test("every token has a label, and lies inside a text that is already clean", () => {
  for (const { line, labels } of lines) {
    expect(labels).toHaveLength(line.tokens.length);
    expect(line.tokens.length).toBeGreaterThan(0);
    for (const label of labels) expect(label).toBeLessThan(LABEL_COUNT);
    expect(normaliseText(line.text)).toBe(line.text);
    for (const { start, end } of line.tokens) expect(line.text.slice(start, end)).not.toBe("");
  }
});

test("every kind of part occurs", () => {
  const seen = new Set(lines.flatMap(({ labels }) => [...labels]));
  expect([...seen].map((label) => PART_KINDS[label]).toSorted()).toEqual(
    [...PART_KINDS].toSorted(),
  );
});

test("labels are those of the pieces that the words come from", () => {
  // A bank that sends a wire is a field.
  expect(labelsOfWords(lines, "zorbal", "quimper")).toEqual(new Set(["name", "field"]));
  expect(labelsOfWords(lines, "grubville", "tinytown", "kleinstadt")).toEqual(new Set(["city"]));
  expect(labelsOfWords(lines, "overdraft")).toEqual(new Set(["purpose"]));
  // An address for payments in India is a reference.
  expect(labelsOfWords(lines, "brunhild")).toEqual(new Set(["person", "field", "reference"]));
});

test("of wages the word is the purpose, the month a date, and the employer the name", () => {
  const many = generatedLines(9, 4 * LINES);
  expect(labelsOfWords(many, "gehalt", "nomina", "salaris")).toEqual(new Set(["purpose"]));
  expect(labelsOfWords(many, "octubre", "dezember", "juillet")).toEqual(new Set(["date"]));
  const ofWages = many.filter(({ line }) => line.tokens.some(({ text }) => text === "nomina"));
  expect(labelsOfWords(ofWages, "zorbal", "joppel")).toEqual(new Set(["name"]));
});

test("who is paid by an Indian transfer is distinguished from bank and reference", () => {
  const many = generatedLines(10, 4 * LINES);
  const ofUpi = many.filter(({ line }) => line.tokens.some(({ text }) => text === "upi"));
  expect(ofUpi.length).toBeGreaterThan(20);
  expect(labelsOfWords(ofUpi, "wembleton")).toEqual(new Set(["person"]));
  expect(labelsOfWords(ofUpi, "hdfc", "sbin")).toEqual(new Set(["field"]));
});

test("a word of one letter has the label of its piece", () => {
  const single = { ...sampleMaterial, businesses: ["Zorbal ж"] };
  expect(labelsOfWords(generatedLines(2, LINES, single), "ж")).toEqual(new Set(["name", "field"]));
});

test("labels fit where a name begins with spaces, and where a sign in it is dropped", () => {
  const CITIES = ["grubville", "tinytown", "kleinstadt"];
  const spaced = { ...sampleMaterial, businesses: [`${" ".repeat(12)}Zorbal`] };
  expect(labelsOfWords(generatedLines(2, LINES, spaced), ...CITIES)).toEqual(new Set(["city"]));
  const unclean = { ...sampleMaterial, businesses: [`${"\u200b".repeat(12)}Zorbal`] };
  expect(labelsOfWords(generatedLines(2, LINES, unclean), ...CITIES)).toEqual(new Set(["city"]));
});
