import { describe, expect, test } from "vitest";
import { createCrfLearner } from "../../../bench/training/crf.ts";
import type { LearnedWeights, Learner, Sample } from "../../../bench/training/learner.ts";
import { createPerceptronLearner } from "../../../bench/training/perceptron.ts";
import { LABEL, LABEL_COUNT, type Label } from "../../../workers/recogniser/parse/labels.ts";

/** Features of the tokens of the tiny language below, by what they stand for. */
const ROW = { brand: 11, place: 222, either: 3_333, rare: 44_444 } as const;
type Word = keyof typeof ROW;

const LABELS = ["name", "city", "store", "reference"] as const satisfies readonly Label[];

const featuresOfWords = (words: readonly Word[]): Uint16Array[] =>
  words.map((word) => Uint16Array.of(0, ROW[word]));
const bitsOf = (labels: readonly Label[]): number =>
  labels.reduce((bits, label) => bits | (1 << LABEL[label]), 0);
const sampleOf = (words: readonly Word[], allowed: readonly (readonly Label[])[]): Sample => ({
  features: featuresOfWords(words),
  allowed: Uint32Array.from(allowed, bitsOf),
});

/** `either` is a store behind a brand, and a reference in front of anything. */
const SAMPLES: readonly Sample[] = [
  sampleOf(["brand", "place"], [["name"], ["city"]]),
  sampleOf(["brand", "either", "place"], [["name"], ["store"], ["city"]]),
  sampleOf(["either", "brand", "place"], [["reference"], ["name"], ["city"]]),
  sampleOf(["either", "brand"], [["reference"], ["name"]]),
];

function learned(learner: Learner, samples = SAMPLES, epochs = 20): LearnedWeights {
  for (let epoch = 0; epoch < epochs; epoch++) for (const sample of samples) learner.learn(sample);
  return learner.finish();
}

/** The best sequence of the labels in use, by the score of every one. */
function bestLabels({ weights, transitions }: LearnedWeights, words: readonly Word[]): Label[] {
  const features = featuresOfWords(words);
  let best: Label[] = [];
  let most = -Infinity;
  for (let number = 0; number < LABELS.length ** words.length; number++) {
    const labels = words.map(
      (_, at) => LABELS[Math.floor(number / LABELS.length ** at) % LABELS.length] ?? "name",
    );
    const score = labels.reduce((sum, label, at) => {
      const before = labels[at - 1];
      const from = before === undefined ? LABEL_COUNT : LABEL[before];
      const rows = Array.from(features[at] ?? []);
      const own = rows.reduce(
        (all, row) => all + (weights[row * LABEL_COUNT + LABEL[label]] ?? 0),
        0,
      );
      return sum + own + (transitions[from * LABEL_COUNT + LABEL[label]] ?? 0);
    }, 0);
    if (score <= most) continue;
    most = score;
    best = labels;
  }
  return best;
}

const bytesOf = (values: Float32Array): Buffer =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength);
const areSame = (one: LearnedWeights, other: LearnedWeights): boolean =>
  bytesOf(one.weights).equals(bytesOf(other.weights)) &&
  bytesOf(one.transitions).equals(bytesOf(other.transitions));

describe.each([
  ["conditional random field", createCrfLearner],
  ["averaged perceptron", createPerceptronLearner],
])("%s", (_, create) => {
  const result = learned(create());

  test("learns which label a word has, also in a new order", () => {
    expect(bestLabels(result, ["brand", "place"])).toEqual(["name", "city"]);
    expect(bestLabels(result, ["place"])).toEqual(["city"]);
  });

  test("learns from the label in front where the word has several", () => {
    expect(bestLabels(result, ["brand", "either"])).toEqual(["name", "store"]);
    expect(bestLabels(result, ["either", "brand"])).toEqual(["reference", "name"]);
  });

  test("the same samples in the same order give the same weights", () => {
    expect(areSame(learned(create()), result)).toBe(true);
    expect(areSame(learned(create(), [...SAMPLES].reverse()), result)).toBe(false);
  });

  test("weights are finite, and 0 for features that were not met", () => {
    expect(result.transitions.every(Number.isFinite)).toBe(true);
    expect(result.weights.every(Number.isFinite)).toBe(true);
    const first = ROW.rare * LABEL_COUNT;
    expect(result.weights.slice(first, first + LABEL_COUNT)).toEqual(new Float32Array(LABEL_COUNT));
  });

  test("a token of which only some labels are possible gets one of them", () => {
    const partly = sampleOf(["rare", "place"], [["store", "reference"], ["city"]]);
    const weights = learned(create(), [...SAMPLES, partly]);
    expect(["store", "reference"]).toContain(bestLabels(weights, ["rare", "place"])[0]);
  });

  test("a line without tokens changes nothing", () => {
    const empty: Sample = { features: [], allowed: new Uint32Array(0) };
    const learner = create();
    learner.learn(empty);
    expect(learner.finish().weights.every((weight) => weight === 0)).toBe(true);
  });
});

test("the conditional random field skips a line that allows a token no label", () => {
  const impossible = sampleOf(["brand", "place"], [["name"], []]);
  expect(
    areSame(learned(createCrfLearner(), [impossible, ...SAMPLES]), learned(createCrfLearner())),
  ).toBe(true);
});
