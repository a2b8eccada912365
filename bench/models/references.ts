// What labelling models are compared with.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { TrainingItem } from "../../src/model/custom-model.ts";

const SCRIPT = join(import.meta.dirname, "reference.py");
const ANSWER_BYTES_MAX = 1 << 28;

/**
 * The most frequent label of each key; of a key that was not seen, the most frequent of all.
 * @param train keys with labels
 */
export function majorityLabels(
  train: readonly (readonly [key: string, label: string])[],
  keys: readonly string[],
): readonly string[] {
  const all = new Map<string, number>();
  const ofKeys = new Map<string, Map<string, number>>();
  for (const [key, label] of train) {
    const own = ofKeys.get(key) ?? new Map<string, number>();
    ofKeys.set(key, own.set(label, (own.get(label) ?? 0) + 1));
    all.set(label, (all.get(label) ?? 0) + 1);
  }
  const mostOf = (counts: ReadonlyMap<string, number>): string =>
    [...counts].reduce<readonly [string, number]>(
      (most, one) => (one[1] > most[1] ? one : most),
      ["", 0],
    )[0];
  const most = new Map([...ofKeys].map(([key, counts]) => [key, mostOf(counts)]));
  const other = mostOf(all);
  return keys.map((key) => most.get(key) ?? other);
}

export interface ScikitRun {
  readonly analyzer: "word" | "char_wb";
  /** The first so many training lines. */
  readonly size: number;
}

export interface ScikitAnswer {
  readonly labels: readonly string[];
  /** Processor time. */
  readonly seconds: number;
}

/** Whether this Python has scikit-learn, which only this comparison uses (`pip install scikit-learn` in an environment). */
export const hasScikit = (python: string): boolean =>
  spawnSync(python, ["-c", "import sklearn"]).status === 0;

/** @throws Error with what Python wrote when it failed */
export function scikitLabels(
  python: string,
  train: readonly TrainingItem[],
  test: readonly TrainingItem[],
  runs: readonly ScikitRun[],
): readonly ScikitAnswer[] {
  const task = {
    train: train.map(({ description, label }) => [description, label]),
    test: test.map(({ description }) => description),
    runs,
  };
  const done = spawnSync(python, [SCRIPT], {
    input: JSON.stringify(task),
    encoding: "utf8",
    maxBuffer: ANSWER_BYTES_MAX,
  });
  if (done.status !== 0) throw new Error(`scikit-learn failed: ${done.stderr}`);
  return JSON.parse(done.stdout) as readonly ScikitAnswer[];
}
