// The trained tagger as it is committed, see bench/training/tagger.ts: the scale, the transitions, the weights.
import { readFileSync } from "node:fs";
import { FEATURE_BITS } from "../../recogniser/parse/attributes.ts";
import { LABEL_COUNT } from "../../recogniser/parse/labels.ts";
import type { TaggerModel } from "../knowledge.ts";
import { packWeights } from "../packed-weights.ts";

const TRANSITIONS = (LABEL_COUNT + 1) * LABEL_COUNT;
const WEIGHTS = LABEL_COUNT << FEATURE_BITS;
const FLOAT_BYTES = 4;
const WEIGHTS_OFFSET = FLOAT_BYTES * (1 + TRANSITIONS);

/** @throws Error when the file is of other labels or features than the program's */
export function readTagger(file: string): TaggerModel {
  const bytes = readFileSync(file);
  if (bytes.length !== WEIGHTS_OFFSET + WEIGHTS)
    throw new Error(`${file} is not a tagger of this version: train it again.`);
  const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  return taggerModel({
    scale: new Float32Array(copy, 0, 1)[0] ?? 0,
    transitions: new Float32Array(copy, FLOAT_BYTES, TRANSITIONS),
    weights: new Int8Array(copy, WEIGHTS_OFFSET, WEIGHTS),
  });
}

/** A trained tagger as the knowledge holds it. */
export const taggerModel = ({ scale, transitions, weights }: TrainedTagger): TaggerModel => ({
  scale,
  transitions,
  weights: packWeights(weights, LABEL_COUNT),
});

/** A tagger as training left it. */
export interface TrainedTagger extends Omit<TaggerModel, "weights"> {
  readonly weights: Int8Array;
}

export function writeTagger({ scale, transitions, weights }: TrainedTagger): Uint8Array {
  const bytes = new Uint8Array(WEIGHTS_OFFSET + WEIGHTS);
  new Float32Array(bytes.buffer, 0, 1 + TRANSITIONS).set([scale, ...transitions]);
  new Int8Array(bytes.buffer, WEIGHTS_OFFSET).set(weights);
  return bytes;
}
