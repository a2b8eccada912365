// Trains the model of categories: multinomial logistic regression over hashed words and pieces of words, by stochastic
// gradient descent. The samples come from the tables and packages, in a fixed order: the same inputs give the same bytes.
import { featuresOf, FEATURE_BUCKETS } from "../../recogniser/text/features.ts";
import type { CategoryModel } from "../knowledge.ts";

export interface TrainingSample {
  /** Folded words. */
  readonly words: readonly string[];
  readonly isOutgoing: boolean;
  /** Index of a category. */
  readonly category: number;
  /** Its weight relative to the others. */
  readonly weight: number;
}

const EPOCHS = 4;
const RATE_FIRST = 0.9;
const RATE_LAST = 0.1;
/** Rounding to eight bits: larger weights are cut off. */
const WEIGHT_MAX = 12;

interface Prepared {
  readonly buckets: readonly number[];
  readonly category: number;
  readonly weight: number;
}

/** Categories with many samples must not drown those with few; the square root is the usual compromise. */
function balanced(samples: readonly TrainingSample[], categories: number): Prepared[] {
  const totals = new Float64Array(categories);
  for (const { category, weight } of samples) totals[category] = (totals[category] ?? 0) + weight;
  const mean = samples.reduce((sum, { weight }) => sum + weight, 0) / categories;
  return samples.map(({ words, isOutgoing, category, weight }) => ({
    buckets: featuresOf(words, isOutgoing),
    category,
    weight: weight * Math.min(4, Math.sqrt(mean / Math.max(1, totals[category] ?? 1))),
  }));
}

/** A fixed order that looks like none: numbers of a linear congruential generator (Numerical Recipes). */
function shuffle(all: Prepared[], seed: number): void {
  let state = seed;
  for (let last = all.length - 1; last > 0; last--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = state % (last + 1);
    const kept = all[last];
    const moved = all[other];
    if (kept === undefined || moved === undefined) continue;
    all[last] = moved;
    all[other] = kept;
  }
}

/** Probabilities of the categories, in place of their scores. */
function toProbabilities(scores: Float64Array): void {
  let most = -Infinity;
  for (const score of scores) if (score > most) most = score;
  let sum = 0;
  for (let at = 0; at < scores.length; at++) {
    const share = Math.exp((scores[at] ?? 0) - most);
    scores[at] = share;
    sum += share;
  }
  for (let at = 0; at < scores.length; at++) scores[at] = (scores[at] ?? 0) / sum;
}

export function trainModel(samples: readonly TrainingSample[], categories: number): CategoryModel {
  const prepared = balanced(samples, categories);
  const weights = new Float32Array(FEATURE_BUCKETS * categories);
  const scores = new Float64Array(categories);
  const steps = EPOCHS * prepared.length;
  let step = 0;
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(prepared, epoch + 1);
    for (const sample of prepared) {
      const rate = RATE_FIRST + ((RATE_LAST - RATE_FIRST) * step) / steps;
      step++;
      learnWeights(sample, rate, weights, scores);
    }
  }
  return quantised(weights);
}

function learnWeights(
  sample: Prepared,
  rate: number,
  weights: Float32Array,
  scores: Float64Array,
): void {
  const { buckets, category, weight } = sample;
  const share = 1 / Math.sqrt(buckets.length);
  scores.fill(0);
  for (const bucket of buckets) {
    const row = bucket * scores.length;
    for (let at = 0; at < scores.length; at++)
      scores[at] = (scores[at] ?? 0) + (weights[row + at] ?? 0);
  }
  for (let at = 0; at < scores.length; at++) scores[at] = (scores[at] ?? 0) * share;
  toProbabilities(scores);
  scores[category] = (scores[category] ?? 0) - 1;
  const size = rate * weight * share;
  for (const bucket of buckets) {
    const row = bucket * scores.length;
    for (let at = 0; at < scores.length; at++)
      weights[row + at] = (weights[row + at] ?? 0) - size * (scores[at] ?? 0);
  }
}

function quantised(weights: Float32Array): CategoryModel {
  let most = 0;
  for (const weight of weights) most = Math.max(most, Math.abs(weight));
  const scale = Math.min(most, WEIGHT_MAX) / 127;
  const rounded = Int8Array.from(weights, (weight) =>
    Math.max(-127, Math.min(127, Math.round(weight / scale))),
  );
  return { weights: rounded, scale };
}
