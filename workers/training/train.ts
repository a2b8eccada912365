// Trains a labelling model: features of all items, a model on four fifths of them by which it is measured and calibrated, then the
// model on all of them. The same items give the same bytes with the same version of Ledgerline.
import { categorisedAs } from "../../src/model/account-holder.ts";
import type { ModelQuality, TrainingItem } from "../../src/model/custom-model.ts";
import type { Facts } from "../../src/model/facts.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";
import type { Line } from "../recogniser/line.ts";
import { createFeatureReader, descriptionKey } from "./line-features.ts";
import { classesOf, NO_CLASS } from "./label-classes.ts";
import { ROWS_MAX, writeModel } from "./model-bytes.ts";
import { type HeldOutAnswer, qualityOf } from "./quality.ts";
import { createSeededRandom } from "./random.ts";
import {
  type FeatureTable,
  scoreInto,
  shuffleItems,
  temperatureOf,
  toProbabilities,
  trainRegression,
} from "./softmax.ts";

/** What training needs of the recogniser. */
export type ExamineLine = (item: RecogniserInput) => {
  readonly reading: { readonly line: Line };
  readonly facts: Facts;
};

export interface TrainedModel {
  /** See `writeModel`. */
  readonly bytes: Uint8Array;
  readonly quality: ModelQuality;
}

export interface TrainingOptions {
  /** Probability below which the model will not label: what it does above is measured too. */
  readonly threshold: number;
  /** Called while it works, with the share that is done. */
  progress(share: number): void;
}

const SEED = 20_261_126;
/** One item of so many is held out. */
const HELD_OUT_EACH = 5;
/** Enough for shares to half a percent; the rest learns. */
const HELD_OUT_MAX = 5_000;
/** Weights of a training: they and what is kept about their steps take 192 MB. */
const WEIGHTS_MAX = 24 * 1024 * 1024;
/** Shares of the time. */
const EXAMINED_SHARE = 0.4;
const MEASURED_SHARE = 0.7;

export const recogniserInputOf = (item: TrainingItem): RecogniserInput => ({
  description: item.description,
  amount: item.amount,
  entryType: item.entryType,
  currency: item.currency,
  accountType: categorisedAs(item.accountHolderType),
  rawAddress: null,
  country: item.country,
  mcc: item.mcc,
});

interface Examined extends FeatureTable {
  /** Of the rows. */
  readonly hashes: Uint32Array;
  /** See `descriptionKey`, two for each item. */
  readonly keys: Uint32Array;
}

interface GrowingTable {
  hashes: Uint32Array;
  values: Float32Array;
  length: number;
}

function append(table: GrowingTable, hashes: Uint32Array, values: Float32Array): void {
  const end = table.length + hashes.length;
  if (end > table.hashes.length) {
    const grown = { hashes: new Uint32Array(2 * end), values: new Float32Array(2 * end) };
    grown.hashes.set(table.hashes);
    grown.values.set(table.values);
    Object.assign(table, grown);
  }
  table.hashes.set(hashes, table.length);
  table.values.set(values, table.length);
  table.length = end;
}

/** The features of all items, with rows for the most frequent of them. */
function examineAll(
  items: readonly TrainingItem[],
  examine: ExamineLine,
  classCount: number,
  progress: (share: number) => void,
): Examined {
  const readFeatures = createFeatureReader();
  const table: GrowingTable = {
    hashes: new Uint32Array(64 * items.length),
    values: new Float32Array(64 * items.length),
    length: 0,
  };
  const starts = new Uint32Array(items.length + 1);
  const keys = new Uint32Array(2 * items.length);
  items.forEach((item, at) => {
    if (at % 256 === 0) progress(at / items.length);
    const input = recogniserInputOf(item);
    const { reading, facts } = examine(input);
    const { hashes, values, count } = readFeatures(input, reading.line, facts);
    append(table, hashes.subarray(0, count), values.subarray(0, count));
    starts[at + 1] = table.length;
    keys.set(descriptionKey(reading.line), 2 * at);
  });
  return { ...withRows(table, starts, classCount), keys };
}

/** Gives each feature a row: all of them, or those that are in the most items. The others are dropped. */
function withRows(
  { hashes, values, length }: GrowingTable,
  starts: Uint32Array,
  classCount: number,
): Omit<Examined, "keys"> {
  const counts = new Map<number, number>();
  for (let at = 0; at < length; at++) {
    const hash = hashes[at] ?? 0;
    counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  const rowsMax = Math.min(ROWS_MAX, Math.floor(WEIGHTS_MAX / classCount));
  const kept = [...counts];
  if (kept.length > rowsMax) kept.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const rowOf = new Map(kept.slice(0, rowsMax).map(([hash], row) => [hash, row]));
  const rows = new Uint32Array(length);
  const rowValues = new Float32Array(length);
  const rowStarts = new Uint32Array(starts.length);
  let end = 0;
  for (let item = 0; item + 1 < starts.length; item++) {
    for (let at = starts[item] ?? 0; at < (starts[item + 1] ?? 0); at++) {
      const row = rowOf.get(hashes[at] ?? 0);
      if (row === undefined) continue;
      rows[end] = row;
      rowValues[end] = values[at] ?? 0;
      end += 1;
    }
    rowStarts[item + 1] = end;
  }
  return {
    starts: rowStarts,
    rows: rows.slice(0, end),
    values: rowValues.slice(0, end),
    hashes: Uint32Array.from(rowOf.keys()),
  };
}

/** Items to measure with, by chance; the first of each label is never one of them, so that every label is learned. */
function splitItems(classes: Uint16Array, random: () => number) {
  const order = Uint32Array.from(classes.keys());
  shuffleItems(order, random);
  const seen = new Set<number>();
  const others = order.filter((item) => {
    const one = classes[item] ?? 0;
    const isFirst = !seen.has(one);
    seen.add(one);
    return !isFirst;
  });
  const heldOut = others.slice(
    0,
    Math.min(HELD_OUT_MAX, Math.floor(classes.length / HELD_OUT_EACH)),
  );
  const held = new Set(heldOut);
  return { heldOut, learned: order.filter((item) => !held.has(item)) };
}

/** Descriptions of labels that were seen once and that have no other label. */
function rememberedLabels(classes: Uint16Array, keys: Uint32Array) {
  const counts = new Map<number, number>();
  const labelsOfKey = new Map<number, Set<number>>();
  classes.forEach((one, item) => {
    counts.set(one, (counts.get(one) ?? 0) + 1);
    const first = keys[2 * item] ?? 0;
    const labels = labelsOfKey.get(first) ?? new Set();
    labelsOfKey.set(first, labels.add(one));
  });
  const memory: [number, number, number][] = [];
  classes.forEach((one, item) => {
    const first = keys[2 * item] ?? 0;
    if (one === NO_CLASS || counts.get(one) !== 1 || labelsOfKey.get(first)?.size !== 1) return;
    memory.push([first, keys[2 * item + 1] ?? 0, one]);
  });
  return memory;
}

/** @param items at least two, with at least two labels */
export function trainModel(
  items: readonly TrainingItem[],
  examine: ExamineLine,
  { threshold, progress }: TrainingOptions,
): TrainedModel {
  const { texts, classes } = classesOf(items);
  const classCount = texts.length;
  const table = examineAll(items, examine, classCount, (share) => {
    progress(EXAMINED_SHARE * share);
  });
  const random = createSeededRandom(SEED);
  const { heldOut, learned } = splitItems(classes, random);
  const task = { table, rowCount: table.hashes.length, classCount, classes, random };
  const hasClass = (item: number): boolean => classes[item] !== NO_CLASS;
  const measured = trainRegression({
    ...task,
    chosen: learned.filter(hasClass),
    progress: (share) => {
      progress(EXAMINED_SHARE + (MEASURED_SHARE - EXAMINED_SHARE) * share);
    },
  });
  const temperature = temperatureOf(measured, table, classes, heldOut.filter(hasClass));
  const scores = new Float64Array(classCount);
  const answers = Array.from(heldOut, (item): HeldOutAnswer => {
    scoreInto(scores, measured, table, item);
    const answer = toProbabilities(scores, temperature);
    const right = items[item]?.label ?? "";
    return { right, answer: texts[answer] ?? "", probability: scores[answer] ?? 0 };
  });
  const final = trainRegression({
    ...task,
    chosen: Uint32Array.from(classes.keys()).filter(hasClass),
    progress: (share) => {
      progress(MEASURED_SHARE + (1 - MEASURED_SHARE) * share);
    },
  });
  const memory = rememberedLabels(classes, table.keys);
  return {
    bytes: writeModel(final, table.hashes, { labels: texts, temperature, memory }),
    quality: qualityOf(
      items.map(({ label }) => label),
      answers,
      threshold,
    ),
  };
}
