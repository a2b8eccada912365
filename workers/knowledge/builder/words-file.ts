// The trained model of what words of a name sound like, as it is committed: its scale, then the weights.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FEATURE_BUCKETS } from "../../recogniser/text/features.ts";
import type { CategoryModel } from "../knowledge.ts";
import { packWeights } from "../packed-weights.ts";
import { categoryNames } from "./small-tables.ts";

const FILE = join(import.meta.dirname, "../models/words.bin");
const SCALE_BYTES = 4;

/** @throws Error when the file is of other categories or features than the program's */
export function readWordModel(): CategoryModel {
  const bytes = readFileSync(FILE);
  const size = FEATURE_BUCKETS * categoryNames.length;
  if (bytes.length !== SCALE_BYTES + size)
    throw new Error(`${FILE} is not a model of these categories: train it again.`);
  const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  return {
    scale: new Float32Array(copy, 0, 1)[0] ?? 0,
    weights: packWeights(new Int8Array(copy, SCALE_BYTES, size), categoryNames.length),
  };
}

/** What training left. */
interface TrainedWords {
  readonly scale: number;
  /** As in CategoryModel, one in each number. */
  readonly weights: Int8Array;
}

export function wordModelBytes({ scale, weights }: TrainedWords): Uint8Array {
  const bytes = new Uint8Array(SCALE_BYTES + weights.length);
  new Float32Array(bytes.buffer, 0, 1)[0] = scale;
  new Int8Array(bytes.buffer, SCALE_BYTES).set(weights);
  return bytes;
}
