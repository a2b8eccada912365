// Labels transactions by a trained model.
import type { Facts } from "../../src/model/facts.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";
import type { Line } from "../recogniser/line.ts";
import { descriptionKey, type LineFeatures, type ReadFeatures } from "./line-features.ts";
import {
  INDEX_BITS,
  type OpenedModel,
  openModel,
  ROW,
  WEIGHT_BITS,
  WEIGHT_ZERO,
} from "./model-bytes.ts";
import { toProbabilities } from "./softmax.ts";

/** A label with the calibrated probability that it is right, 0 to 1. */
export interface LabelAnswer {
  readonly label: string;
  readonly probability: number;
}

export type Labeller = (item: RecogniserInput, line: Line, facts: Facts) => LabelAnswer;

/** Of a label that was seen once: its description has had no other, which is all that can be learned of it. */
const MEMORY_PROBABILITY = 0.9;

/** Where the row of a feature begins, -1: the model has none. */
function rowOf({ rows, index }: OpenedModel, hash: number): number {
  const bucket = hash >>> (32 - INDEX_BITS);
  const end = (index[bucket + 1] ?? 0) * ROW.length;
  for (let row = (index[bucket] ?? 0) * ROW.length; row < end; row += ROW.length)
    if (rows[row + ROW.hash] === hash) return row;
  return -1;
}

const WEIGHT_MASK = (1 << WEIGHT_BITS) - 1;

function addScores(scores: Float64Array, model: OpenedModel, features: LineFeatures): void {
  const { rows, scales, weights } = model;
  scores.fill(0);
  for (let feature = 0; feature < features.count; feature++) {
    const row = rowOf(model, features.hashes[feature] ?? 0);
    if (row < 0) continue;
    const factor = (features.values[feature] ?? 0) * (scales[row + ROW.scale] ?? 0);
    const end = rows[row + ROW.length + ROW.start] ?? 0;
    for (let at = rows[row + ROW.start] ?? 0; at < end; at++) {
      const packed = weights[at] ?? 0;
      const one = packed >>> WEIGHT_BITS;
      scores[one] = (scores[one] ?? 0) + factor * ((packed & WEIGHT_MASK) - WEIGHT_ZERO);
    }
  }
}

/**
 * Opens a model.
 * @param bytes of `writeModel`, which are read in place
 * @throws Error when they are not a model
 */
export function createLabeller(bytes: Uint8Array, readFeatures: ReadFeatures): Labeller {
  const model = openModel(bytes);
  const { labels, temperature } = model;
  const memory = new Map(model.memory.map(([first, second, label]) => [first, { second, label }]));
  const scores = new Float64Array(labels.length);
  return (item, line, facts) => {
    if (memory.size > 0) {
      const [first, second] = descriptionKey(line);
      const known = memory.get(first);
      if (known?.second === second)
        return { label: labels[known.label] ?? "", probability: MEMORY_PROBABILITY };
    }
    addScores(scores, model, readFeatures(item, line, facts));
    const best = toProbabilities(scores, temperature);
    return { label: labels[best] ?? "", probability: scores[best] ?? 0 };
  };
}
