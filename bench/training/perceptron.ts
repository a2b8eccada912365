// Trains a structured averaged perceptron (Collins 2002), which the conditional random field is compared with. Where a label
// is not known, the best allowed sequence is taken for the truth.
import { FEATURE_BITS } from "../../workers/recogniser/parse/attributes.ts";
import { LABEL_COUNT } from "../../workers/recogniser/parse/labels.ts";
import type { Learner, Sample } from "./learner.ts";

const START = LABEL_COUNT;
const NEVER = -1e30;

export function createPerceptronLearner(): Learner {
  const weights = new Float32Array(LABEL_COUNT << FEATURE_BITS);
  const weightSums = new Float32Array(weights.length);
  const transitions = new Float32Array((LABEL_COUNT + 1) * LABEL_COUNT);
  const transitionSums = new Float32Array(transitions.length);
  let steps = 1;

  /** The best sequence among the allowed ones (Viterbi 1967). */
  function decode(features: readonly Uint16Array[], allowed: Uint32Array | null): Uint8Array {
    const count = features.length;
    const best = new Float64Array(count * LABEL_COUNT);
    const from = new Uint8Array(count * LABEL_COUNT);
    features.forEach((rows, token) => {
      for (let label = 0; label < LABEL_COUNT; label++) {
        const at = token * LABEL_COUNT + label;
        if (allowed !== null && (((allowed[token] ?? 0) >> label) & 1) === 0) {
          best[at] = NEVER;
          continue;
        }
        let score = token === 0 ? (transitions[START * LABEL_COUNT + label] ?? 0) : -Infinity;
        for (let other = 0; token > 0 && other < LABEL_COUNT; other++) {
          const through =
            (best[(token - 1) * LABEL_COUNT + other] ?? 0) +
            (transitions[other * LABEL_COUNT + label] ?? 0);
          if (through <= score) continue;
          score = through;
          from[at] = other;
        }
        for (const row of rows) score += weights[row * LABEL_COUNT + label] ?? 0;
        best[at] = score;
      }
    });
    const labels = new Uint8Array(count);
    const last = best.subarray((count - 1) * LABEL_COUNT);
    let label = last.indexOf(Math.max(...last));
    for (let token = count - 1; token >= 0; token--) {
      labels[token] = label;
      label = from[token * LABEL_COUNT + label] ?? 0;
    }
    return labels;
  }

  function add(values: Float32Array, sums: Float32Array, at: number, change: number): void {
    values[at] = (values[at] ?? 0) + change;
    sums[at] = (sums[at] ?? 0) + change * steps;
  }

  function learn({ features, allowed }: Sample): void {
    const found = decode(features, null);
    const right = decode(features, allowed);
    steps += 1;
    features.forEach((rows, token) => {
      const [wrong, truth] = [found[token] ?? 0, right[token] ?? 0];
      const [before, after] = [found[token - 1] ?? START, right[token - 1] ?? START];
      if (wrong !== truth)
        for (const row of rows) {
          add(weights, weightSums, row * LABEL_COUNT + truth, 1);
          add(weights, weightSums, row * LABEL_COUNT + wrong, -1);
        }
      if (wrong === truth && before === after) return;
      add(transitions, transitionSums, after * LABEL_COUNT + truth, 1);
      add(transitions, transitionSums, before * LABEL_COUNT + wrong, -1);
    });
  }

  const averaged = (values: Float32Array, sums: Float32Array): Float32Array =>
    values.map((value, at) => value - (sums[at] ?? 0) / steps);

  return {
    learn,
    finish: () => ({
      weights: averaged(weights, weightSums),
      transitions: averaged(transitions, transitionSums),
    }),
  };
}
