// How a model did on the items that were held out.
import type { Confusion, LabelQuality, ModelQuality } from "../../src/model/custom-model.ts";

/** The answer about one held-out item. `right` and `answer` are classes. */
export interface HeldOutAnswer {
  readonly right: number;
  readonly answer: number;
  /** Calibrated. */
  readonly probability: number;
}

/** Mistakes that are listed. */
const CONFUSIONS_MAX = 100;

const shareOf = (part: number, all: number): number | null => (all === 0 ? null : part / all);

const countsOf = (classes: readonly number[], length: number): Uint32Array => {
  const counts = new Uint32Array(length);
  for (const one of classes) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
};

function confusionsOf(answers: readonly HeldOutAnswer[], labels: readonly string[]): Confusion[] {
  const counts = new Map<string, { right: number; answer: number; items: number }>();
  for (const { right, answer } of answers) {
    if (right === answer) continue;
    const key = `${String(right)} ${String(answer)}`;
    const known = counts.get(key) ?? { right, answer, items: 0 };
    known.items += 1;
    counts.set(key, known);
  }
  return [...counts.values()]
    .sort((a, b) => b.items - a.items || a.right - b.right || a.answer - b.answer)
    .slice(0, CONFUSIONS_MAX)
    .map(({ right, answer, items }) => ({
      label: labels[right] ?? "",
      answer: labels[answer] ?? "",
      items,
    }));
}

/** Mean of the F1 of all labels that were held out or answered; null without any. */
function macroF1Of(right: Uint32Array, answered: Uint32Array, both: Uint32Array): number | null {
  let [sum, count] = [0, 0];
  right.forEach((items, one) => {
    const all = items + (answered[one] ?? 0);
    if (all === 0) return;
    sum += (2 * (both[one] ?? 0)) / all;
    count += 1;
  });
  return shareOf(sum, count);
}

/**
 * @param classes of all items
 * @param threshold probability below which the model does not label
 */
export function qualityOf(
  labels: readonly string[],
  classes: Uint16Array,
  answers: readonly HeldOutAnswer[],
  threshold: number,
): ModelQuality {
  const { length } = labels;
  const items = countsOf([...classes], length);
  const heldOut = countsOf(
    answers.map(({ right }) => right),
    length,
  );
  const answered = countsOf(
    answers.map(({ answer }) => answer),
    length,
  );
  const correct = answers.filter(({ right, answer }) => right === answer);
  const both = countsOf(
    correct.map(({ right }) => right),
    length,
  );
  const sure = answers.filter(({ probability }) => probability >= threshold);
  const ofLabels = labels.map(
    (label, one): LabelQuality => ({
      label,
      items: items[one] ?? 0,
      heldOut: heldOut[one] ?? 0,
      precision: shareOf(both[one] ?? 0, answered[one] ?? 0),
      recall: shareOf(both[one] ?? 0, heldOut[one] ?? 0),
    }),
  );
  return {
    items: classes.length,
    heldOut: answers.length,
    accuracy: shareOf(correct.length, answers.length),
    macroF1: macroF1Of(heldOut, answered, both),
    answered: shareOf(sure.length, answers.length),
    accuracyOfAnswered: shareOf(
      sure.filter(({ right, answer }) => right === answer).length,
      sure.length,
    ),
    labels: ofLabels.sort((a, b) => b.items - a.items || (a.label < b.label ? -1 : 1)),
    confusions: confusionsOf(answers, labels),
  };
}
