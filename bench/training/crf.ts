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

  /** What the transitions are worth as factors. */
  const factors = new Float64Array(transitions.length).fill(1);

  function scoresOf(features: readonly Uint16Array[]): Float64Array {
    const scores = new Float64Array(features.length * LABEL_COUNT);
    let base = 0;
    for (const rows of features) {
      for (const row of rows) {
        const from = row * LABEL_COUNT;
        for (let label = 0; label < LABEL_COUNT; label++)
          scores[base + label] = (scores[base + label] ?? 0) + (weights[from + label] ?? 0);
      }
      base += LABEL_COUNT;
    }
    return scores;
  }

  /** What the scores are worth as factors, the largest of a token 1. */
  function emissionsOf(scores: Float64Array): Float64Array {
    const emissions = new Float64Array(scores.length);
    for (let base = 0; base < scores.length; base += LABEL_COUNT) {
      let most = -Infinity;
      for (let label = 0; label < LABEL_COUNT; label++)
        most = Math.max(most, scores[base + label] ?? 0);
      for (let label = 0; label < LABEL_COUNT; label++)
        emissions[base + label] = Math.exp((scores[base + label] ?? 0) - most);
    }
    return emissions;
  }

  /** The same, 0 for labels that are not allowed. */
  const allowedOf = (emissions: Float64Array, allowed: Uint32Array): Float64Array =>
    emissions.map((value, at) => {
      const label = at % LABEL_COUNT;
      return (((allowed[(at - label) / LABEL_COUNT] ?? ~0) >> label) & 1) === 1 ? value : 0;
    });

  /** Sum over the labels in front of a label. */
  function sumBefore(forward: Float64Array, base: number, label: number) {
    let value = 0;
    for (let other = 0; other < LABEL_COUNT; other++)
      value += (forward[base + other] ?? 0) * (factors[other * LABEL_COUNT + label] ?? 0);
    return value;
  }

  function forwardOf(emissions: Float64Array) {
    const forward = new Float64Array(emissions.length);
    const sums = new Float64Array(emissions.length / LABEL_COUNT);
    for (let base = 0; base < emissions.length; base += LABEL_COUNT) {
      let sum = 0;
      for (let label = 0; label < LABEL_COUNT; label++) {
        const before =
          base === 0
            ? (factors[START * LABEL_COUNT + label] ?? 0)
            : sumBefore(forward, base - LABEL_COUNT, label);
        forward[base + label] = before * (emissions[base + label] ?? 0);
        sum += forward[base + label] ?? 0;
      }
      sums[base / LABEL_COUNT] = sum;
      for (let label = 0; label < LABEL_COUNT; label++)
        forward[base + label] = (forward[base + label] ?? 0) / sum;
    }
    return { forward, sums };
  }

  function backwardOf(emissions: Float64Array, sums: Float64Array) {
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
  function pass(emissions: Float64Array): Pass {
    const { forward, sums } = forwardOf(emissions);
    const backward = backwardOf(emissions, sums);
    const marginals = forward.map((value, at) => value * (backward[at] ?? 0));
    const pairs = new Float64Array(transitions.length);
    for (let label = 0; label < LABEL_COUNT; label++)
      pairs[START * LABEL_COUNT + label] = marginals[label] ?? 0;
    const here = new Float64Array(LABEL_COUNT);
    for (let base = LABEL_COUNT; base < emissions.length; base += LABEL_COUNT) {
      const sum = sums[base / LABEL_COUNT] ?? 1;
      for (let label = 0; label < LABEL_COUNT; label++)
        here[label] = (emissions[base + label] ?? 0) * (backward[base + label] ?? 0);
      for (let other = 0; other < LABEL_COUNT; other++) {
        const before = forward[base - LABEL_COUNT + other] ?? 0;
        // Most labels are as good as impossible; what would be added for them is 0.
        if (before === 0) continue;
        for (let label = 0; label < LABEL_COUNT; label++) {
          const pair = other * LABEL_COUNT + label;
          pairs[pair] =
            (pairs[pair] ?? 0) + (before * (factors[pair] ?? 0) * (here[label] ?? 0)) / sum;
        }
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
    factors[at] = Math.exp(transitions[at] ?? 0);
    transitionLags[at] = (transitionLags[at] ?? 0) - change * lines * lines;
  }

  function learn({ features, allowed }: Sample): void {
    const emissions = emissionsOf(scoresOf(features));
    const free = pass(emissions);
    const bound = pass(allowedOf(emissions, allowed));
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
