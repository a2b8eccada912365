// How good answers are, with intervals: whole merchants are drawn again and again (percentile bootstrap; Efron 1979), because the lines
// of a merchant are right or wrong together.
import type { TrainingItem } from "../../src/model/custom-model.ts";
import { labelsIn } from "../../src/model/labels.ts";
import { createRandom } from "../../test/support/random.ts";

/** Percent. Macro-F1 is the mean over all labels of the test and of the answers. */
export interface Score {
  readonly accuracy: number;
  readonly macroF1: number;
}

/** A score with its intervals of 95 %, and what another one's accuracy is above it. */
export interface ScoredAnswers extends Score {
  readonly accuracyRange: Range;
  readonly macroF1Range: Range;
  readonly accuracyBehind: Range;
}

type Range = readonly [low: number, high: number];

const RESAMPLES = 200;
const SEED = 20_261_126;

/** Places of labels in lists of counts. */
interface LabelledAnswers {
  readonly count: number;
  /** Of each line: the labels that it has, those that were answered, and whether they are the same. */
  readonly wanted: readonly (readonly number[])[];
  readonly answered: readonly (readonly number[])[];
  readonly isRight: readonly boolean[];
}

function placesOf(answers: readonly string[], test: readonly TrainingItem[]): LabelledAnswers {
  const placeOf = new Map<string, number>();
  const places = (text: string): readonly number[] =>
    labelsIn(text).map((label) => {
      const place = placeOf.get(label) ?? placeOf.size;
      placeOf.set(label, place);
      return place;
    });
  const wanted = test.map(({ label }) => places(label));
  const answered = answers.map(places);
  const isRight = answers.map((answer, at) => answer === test[at]?.label);
  return { count: placeOf.size, wanted, answered, isRight };
}

/** @param weightOf how often a line counts */
function weighted(
  { count, wanted, answered, isRight }: LabelledAnswers,
  weightOf: (line: number) => number,
): Score {
  const [all, both] = [new Float64Array(count), new Float64Array(count)];
  let [right, lines] = [0, 0];
  for (let line = 0; line < wanted.length; line++) {
    const weight = weightOf(line);
    if (weight === 0) continue;
    lines += weight;
    if (isRight[line] === true) right += weight;
    const own = wanted[line] ?? [];
    for (const label of own) all[label] = (all[label] ?? 0) + weight;
    for (const label of answered[line] ?? []) {
      all[label] = (all[label] ?? 0) + weight;
      if (own.includes(label)) both[label] = (both[label] ?? 0) + weight;
    }
  }
  let [sum, labels] = [0, 0];
  all.forEach((items, label) => {
    if (items === 0) return;
    sum += (2 * (both[label] ?? 0)) / items;
    labels += 1;
  });
  return { accuracy: (100 * right) / lines, macroF1: (100 * sum) / labels };
}

/** @param answers labels as one text, of each item */
export const scoreOf = (answers: readonly string[], test: readonly TrainingItem[]): Score =>
  weighted(placesOf(answers, test), () => 1);

function rangeOf(values: readonly number[]): Range {
  const sorted = values.toSorted((a, b) => a - b);
  const tail = Math.round(0.025 * sorted.length);
  return [sorted[tail] ?? 0, sorted[sorted.length - 1 - tail] ?? 0];
}

/**
 * Scores of several answers about the same items, by their names; all are measured on the same draws.
 * @param best the name of those whose accuracy the others are compared with
 */
export function scoresOf(
  answersBy: ReadonlyMap<string, readonly string[]>,
  test: readonly TrainingItem[],
  best: string,
): ReadonlyMap<string, ScoredAnswers> {
  const groupOf = new Map<string, number>();
  const groups = test.map(({ description }) => {
    const group = groupOf.get(description) ?? groupOf.size;
    groupOf.set(description, group);
    return group;
  });
  const placed = [...answersBy].map(([name, answers]) => [name, placesOf(answers, test)] as const);
  const random = createRandom(SEED);
  const draws = Array.from({ length: RESAMPLES }, () => {
    const weights = new Uint16Array(groupOf.size);
    for (let drawn = 0; drawn < weights.length; drawn++) {
      const group = Math.floor(random.next() * weights.length);
      weights[group] = (weights[group] ?? 0) + 1;
    }
    return new Map(
      placed.map(([name, one]) => [name, weighted(one, (line) => weights[groups[line] ?? 0] ?? 0)]),
    );
  });
  const drawn = (name: string, field: keyof Score): number[] =>
    draws.map((scores) => scores.get(name)?.[field] ?? 0);
  const ofBest = drawn(best, "accuracy");
  return new Map(
    placed.map(([name, one]) => {
      const accuracies = drawn(name, "accuracy");
      return [
        name,
        {
          ...weighted(one, () => 1),
          accuracyRange: rangeOf(accuracies),
          macroF1Range: rangeOf(drawn(name, "macroF1")),
          accuracyBehind: rangeOf(accuracies.map((accuracy, at) => (ofBest[at] ?? 0) - accuracy)),
        },
      ];
    }),
  );
}
