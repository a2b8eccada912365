// The bytes of a labelling model. Little-endian: a magic number, the length of the head, the head as JSON in UTF-8, then the
// sections that it announces, each at a multiple of four bytes. A thread reads them in place, over memory that all share.
import { MODEL_BYTES_MAX } from "../../src/model/custom-model.ts";
import type { LogisticRegression } from "./softmax.ts";

/** A model as a thread uses it: views of its bytes. */
export interface OpenedModel {
  readonly labels: readonly string[];
  readonly temperature: number;
  /** First row whose hash has these upper bits, for each value of them; one more entry than values. */
  readonly index: Uint32Array;
  /**
   * Rows of features in ascending order of their hashes, one after the other in memory, so that a row is one cache line: hash,
   * first weight, and the bits of the 32-bit float that the weights are multiplied by. One more row than there are.
   */
  readonly rows: Uint32Array;
  /** The same memory. */
  readonly scales: Float32Array;
  /** Class and weight, see `packWeight`; weights that are 0 are left out. */
  readonly weights: Uint16Array;
  /** Descriptions of labels that were seen once: pairs of hashes, see `descriptionKey`, with the label. */
  readonly memory: readonly (readonly [first: number, second: number, label: number])[];
}

interface ModelHead {
  readonly labels: OpenedModel["labels"];
  readonly temperature: number;
  readonly memory: OpenedModel["memory"];
  readonly rowCount: number;
  readonly weightCount: number;
}

const MAGIC = 0x31_4d_4c_4c;
const HEAD_FROM = 8;
export const INDEX_BITS = 16;
/** Words of a row, see `OpenedModel.rows`. */
export const ROW = { hash: 0, start: 1, scale: 2, length: 3 } as const;
const ROW_BYTES = 4 * ROW.length;
/** A weight has six bits and its class the other ten: eight bits for each answer no line better, and take more memory. */
export const WEIGHT_BITS = 6;
export const WEIGHT_ZERO = 1 << (WEIGHT_BITS - 1);
const WEIGHT_MAX = WEIGHT_ZERO - 1;
const WEIGHT_BYTES = 2;
const packWeight = (one: number, weight: number): number =>
  (one << WEIGHT_BITS) | (weight + WEIGHT_ZERO);

const aligned = (bytes: number): number => Math.ceil(bytes / 4) * 4;

interface Sections {
  readonly index: number;
  readonly rows: number;
  readonly weights: number;
  readonly end: number;
}

/** Where each section begins. */
function sectionsOf(headBytes: number, rowCount: number, weightCount: number): Sections {
  const index = aligned(HEAD_FROM + headBytes);
  const rows = index + 4 * ((1 << INDEX_BITS) + 1);
  const weights = rows + ROW_BYTES * (rowCount + 1);
  return { index, rows, weights, end: weights + aligned(WEIGHT_BYTES * weightCount) };
}

/**
 * The least size of a weight that is kept, so that the weights fit into the bytes that are left. A weight counts by what it
 * does to a score, so by the size of its row's values too.
 */
function leastKept(weights: Float32Array, bytesLeft: number): number {
  const countMax = Math.floor(bytesLeft / WEIGHT_BYTES);
  // Sizes by their logarithm, 64 buckets for each doubling: no sorting of millions.
  const counts = new Uint32Array(64 * 64);
  const bucketOf = (size: number): number =>
    Math.max(0, Math.min(counts.length - 1, Math.floor((Math.log2(size) + 32) * 64)));
  for (const weight of weights) {
    if (weight === 0) continue;
    const bucket = bucketOf(Math.abs(weight));
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  let kept = 0;
  for (let bucket = counts.length - 1; bucket >= 0; bucket--) {
    kept += counts[bucket] ?? 0;
    if (kept > countMax) return 2 ** ((bucket + 1) / 64 - 32);
  }
  return 0;
}

/** Smaller weights than this changed no share of right answers in `npm run bench:models`, and are half of all. */
const LEAST_WEIGHT = 0.1;

/**
 * Writes a model: weights of few bits, the smallest left out as far as its size demands.
 * @param hashes of the rows of the regression
 */
export function writeModel(
  regression: LogisticRegression,
  hashes: Uint32Array,
  head: Pick<ModelHead, "labels" | "temperature" | "memory">,
): Uint8Array {
  const { weights, classCount, rowCount } = regression;
  const order = Uint32Array.from(hashes.keys()).sort((a, b) => (hashes[a] ?? 0) - (hashes[b] ?? 0));
  const headRoom = Buffer.byteLength(JSON.stringify({ ...head, rowCount, weightCount: 1e9 }));
  const fixed = sectionsOf(headRoom, rowCount, 0).end + 8;
  const least = Math.max(LEAST_WEIGHT, leastKept(weights, MODEL_BYTES_MAX - fixed));
  const isKept = (weight: number): boolean => Math.abs(weight) >= least;
  let weightCount = 0;
  for (const weight of weights) if (isKept(weight)) weightCount += 1;
  const headBytes = Buffer.from(JSON.stringify({ ...head, rowCount, weightCount }));
  const sections = sectionsOf(headBytes.length, rowCount, weightCount);
  const bytes = new Uint8Array(sections.end);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, headBytes.length, true);
  bytes.set(headBytes, HEAD_FROM);
  const opened = viewsOf(bytes, sections, { ...head, rowCount, weightCount });
  let at = 0;
  order.forEach((row, place) => {
    const own = weights.subarray(row * classCount, (row + 1) * classCount);
    const most = own.reduce((size, weight) => Math.max(size, Math.abs(weight)), 0);
    const scale = most / WEIGHT_MAX;
    const base = place * ROW.length;
    opened.rows[base + ROW.hash] = hashes[row] ?? 0;
    opened.rows[base + ROW.start] = at;
    opened.scales[base + ROW.scale] = scale;
    own.forEach((weight, one) => {
      if (!isKept(weight)) return;
      opened.weights[at] = packWeight(one, Math.round(weight / scale));
      at += 1;
    });
  });
  opened.rows[rowCount * ROW.length + ROW.start] = at;
  fillIndex(opened.index, hashes);
  return bytes;
}

function fillIndex(index: Uint32Array, hashes: Uint32Array): void {
  for (const hash of hashes) {
    const bucket = (hash >>> (32 - INDEX_BITS)) + 1;
    index[bucket] = (index[bucket] ?? 0) + 1;
  }
  for (let bucket = 1; bucket < index.length; bucket++)
    index[bucket] = (index[bucket] ?? 0) + (index[bucket - 1] ?? 0);
}

/** Rows that a model has room for, with some weights of each. */
export const ROWS_MAX = Math.floor(MODEL_BYTES_MAX / 2 / ROW_BYTES);

function viewsOf(bytes: Uint8Array, sections: Sections, head: ModelHead): OpenedModel {
  const { buffer, byteOffset } = bytes;
  const { rowCount, weightCount } = head;
  const from = (offset: number): number => byteOffset + offset;
  return {
    labels: head.labels,
    temperature: head.temperature,
    memory: head.memory,
    index: new Uint32Array(buffer, from(sections.index), (1 << INDEX_BITS) + 1),
    rows: new Uint32Array(buffer, from(sections.rows), ROW.length * (rowCount + 1)),
    scales: new Float32Array(buffer, from(sections.rows), ROW.length * (rowCount + 1)),
    weights: new Uint16Array(buffer, from(sections.weights), weightCount),
  };
}

/**
 * Opens a model without copying it.
 * @param bytes of `writeModel`, at a multiple of four in their memory
 * @throws Error when they are not a model, or not all of it
 */
export function openModel(bytes: Uint8Array): OpenedModel {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < HEAD_FROM || view.getUint32(0, true) !== MAGIC)
    throw new Error("These bytes are not a labelling model");
  const headBytes = view.getUint32(4, true);
  // The decoder does not accept shared memory.
  const text = new TextDecoder().decode(bytes.slice(HEAD_FROM, HEAD_FROM + headBytes));
  const head = JSON.parse(text) as ModelHead;
  const sections = sectionsOf(headBytes, head.rowCount, head.weightCount);
  if (sections.end !== bytes.byteLength) throw new Error("The labelling model is cut off");
  return viewsOf(bytes, sections, head);
}
