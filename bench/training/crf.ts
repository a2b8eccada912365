// Trains a linear-chain conditional random field (Lafferty, McCallum and Pereira 2001) by stochastic gradient descent with
// steps of their own for each weight (Adagrad; Duchi, Hazan and Singer 2011). Of a token whose label is not known only the
// labels that it may have are given: the likelihood of all their sequences together grows (Tsuboi et al. 2008). What is learned is the
// mean of the weights after each line, later ones counting more (Lacoste-Julien, Schmidt and Bach 2012): the last ones alone depend on
// which lines happen to come last.
import { FEATURE_BITS } from "../../workers/recogniser/parse/attributes.ts";
import { LABEL_COUNT } from "../../workers/recogniser/parse/labels.ts";
import type { Learner, Sample } from "./learner.ts";

const RATE = 0.1;
/** A gradient smaller than this changes nothing worth the time. */
const GRADIENT_MIN = 1e-4;
const TINY = 1e-6;
const START = LABEL_COUNT;

interface Pass {
  /** Probability of each label for each token, given what is allowed. */
  readonly marginals: Float64Array;
  /** Expected count of each transition. */
  readonly pairs: Float64Array;
}

export function createCrfLearner(): Learner {
  const weights = new Float32Array(LABEL_COUNT << FEATURE_BITS);
  const weightSquares = new Float32Array(weights.length);
  const transitions = new Float32Array((LABEL_COUNT + 1) * LABEL_COUNT);
  const transitionSquares = new Float32Array(transitions.length);
  /** Changes of each weight, each times the square of the number of lines before it: what the mean of the weights lacks. */
  const weightLags = new Float64Array(weights.length);
  const transitionLags = new Float64Array(transitions.length);
  let lines = 0;

  function scoresOf(features: readonly Uint16Array[]): Float64Array {
    const scores = new Float64Array(features.length * LABEL_COUNT);
    features.forEach((rows, token) => {
      for (const row of rows)
        for (let label = 0; label < LABEL_COUNT; label++)
          scores[token * LABEL_COUNT + label] =
            (scores[token * LABEL_COUNT + label] ?? 0) + (weights[row * LABEL_COUNT + label] ?? 0);
    });
    return scores;
  }

  const factorsOf = (): Float64Array => Float64Array.from(transitions, Math.exp);

  /** What the scores are worth as factors, the largest of a token 1; a label that is not allowed 0. */
  function emissionsOf(scores: Float64Array, allowed: Uint32Array | null): Float64Array {
    const emissions = new Float64Array(scores.length);
    for (let base = 0; base < scores.length; base += LABEL_COUNT) {
      const most = Math.max(...scores.subarray(base, base + LABEL_COUNT));
      const mask = allowed?.[base / LABEL_COUNT] ?? ~0;
      for (let label = 0; label < LABEL_COUNT; label++)
        if (((mask >> label) & 1) === 1)
          emissions[base + label] = Math.exp((scores[base + label] ?? 0) - most);
    }
    return emissions;
  }

  /** Sum over the labels in front of a label. */
  function sumBefore(forward: Float64Array, factors: Float64Array, base: number, label: number) {
    let value = 0;
    for (let other = 0; other < LABEL_COUNT; other++)
      value += (forward[base + other] ?? 0) * (factors[other * LABEL_COUNT + label] ?? 0);
    return value;
  }

  function forwardOf(emissions: Float64Array, factors: Float64Array) {
    const forward = new Float64Array(emissions.length);
    const sums = new Float64Array(emissions.length / LABEL_COUNT);
    for (let base = 0; base < emissions.length; base += LABEL_COUNT) {
      let sum = 0;
      for (let label = 0; label < LABEL_COUNT; label++) {
        const before =
          base === 0
            ? (factors[START * LABEL_COUNT + label] ?? 0)
            : sumBefore(forward, factors, base - LABEL_COUNT, label);
        forward[base + label] = before * (emissions[base + label] ?? 0);
        sum += forward[base + label] ?? 0;
      }
      sums[base / LABEL_COUNT] = sum;
      for (let label = 0; label < LABEL_COUNT; label++)
        forward[base + label] = (forward[base + label] ?? 0) / sum;
    }
    return { forward, sums };
  }

  function backwardOf(emissions: Float64Array, factors: Float64Array, sums: Float64Array) {
    const backward = new Float64Array(emissions.length);
    backward.fill(1, emissions.length - LABEL_COUNT);
    for (let base = emissions.length - 2 * LABEL_COUNT; base >= 0; base -= LABEL_COUNT) {
      const next = base + LABEL_COUNT;
      for (let label = 0; label < LABEL_COUNT; label++) {
        let value = 0;
        for (let other = 0; other < LABEL_COUNT; other++)
          value +=
            (factors[label * LABEL_COUNT + other] ?? 0) *
            (emissions[next + other] ?? 0) *
            (backward[next + other] ?? 0);
        backward[base + label] = value / (sums[next / LABEL_COUNT] ?? 1);
      }
    }
    return backward;
  }

  /** Forward-backward (Baum 1972), each token scaled to a sum of 1. */
  function pass(scores: Float64Array, allowed: Uint32Array | null): Pass {
    const factors = factorsOf();
    const emissions = emissionsOf(scores, allowed);
    const { forward, sums } = forwardOf(emissions, factors);
    const backward = backwardOf(emissions, factors, sums);
    const marginals = forward.map((value, at) => value * (backward[at] ?? 0));
    const pairs = new Float64Array(transitions.length);
    for (let label = 0; label < LABEL_COUNT; label++)
      pairs[START * LABEL_COUNT + label] = marginals[label] ?? 0;
    for (let base = LABEL_COUNT; base < scores.length; base += LABEL_COUNT) {
      const sum = sums[base / LABEL_COUNT] ?? 1;
      for (let pair = 0; pair < START * LABEL_COUNT; pair++) {
        const label = pair % LABEL_COUNT;
        const other = (pair - label) / LABEL_COUNT;
        const before = (forward[base - LABEL_COUNT + other] ?? 0) * (factors[pair] ?? 0);
        const here = (emissions[base + label] ?? 0) * (backward[base + label] ?? 0);
        pairs[pair] = (pairs[pair] ?? 0) + (before * here) / sum;
      }
    }
    return { marginals, pairs };
  }

  function stepWeight(at: number, gradient: number): void {
    const square = (weightSquares[at] ?? 0) + gradient * gradient;
    const change = (RATE * gradient) / Math.sqrt(square + TINY);
    weightSquares[at] = square;
    weights[at] = (weights[at] ?? 0) - change;
    weightLags[at] = (weightLags[at] ?? 0) - change * lines * lines;
  }

  function stepTransition(at: number, gradient: number): void {
    const square = (transitionSquares[at] ?? 0) + gradient * gradient;
    const change = (RATE * gradient) / Math.sqrt(square + TINY);
    transitionSquares[at] = square;
    transitions[at] = (transitions[at] ?? 0) - change;
    transitionLags[at] = (transitionLags[at] ?? 0) - change * lines * lines;
  }

  function learn({ features, allowed }: Sample): void {
    const scores = scoresOf(features);
    const free = pass(scores, null);
    const bound = pass(scores, allowed);
    if (Number.isNaN(bound.marginals[0])) return;
    features.forEach((rows, token) => {
      for (let label = 0; label < LABEL_COUNT; label++) {
        const at = token * LABEL_COUNT + label;
        const gradient = (free.marginals[at] ?? 0) - (bound.marginals[at] ?? 0);
        if (Math.abs(gradient) < GRADIENT_MIN) continue;
        for (const row of rows) stepWeight(row * LABEL_COUNT + label, gradient);
      }
    });
    free.pairs.forEach((value, pair) => {
      const gradient = value - (bound.pairs[pair] ?? 0);
      if (Math.abs(gradient) > TINY) stepTransition(pair, gradient);
    });
    lines += 1;
  }

  const meanOf = (last: Float32Array, lags: Float64Array): Float32Array =>
    last.map((value, at) => value - (lags[at] ?? 0) / Math.max(1, lines * lines));

  return {
    learn,
    finish: () => ({
      weights: meanOf(weights, weightLags),
      transitions: meanOf(transitions, transitionLags),
    }),
  };
}
