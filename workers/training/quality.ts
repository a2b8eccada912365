// How a model did on the items that were held out. Answers are right or wrong as a whole; what is counted of a label counts the
// items that have it, alone or with others.
import type { Confusion, LabelQuality, ModelQuality } from "../../src/model/custom-model.ts";
import { labelsIn } from "../../src/model/labels.ts";

/** The answer about one held-out item. `right` and `answer` are its labels as one text. */
export interface HeldOutAnswer {
  readonly right: string;
  readonly answer: string;
  /** Calibrated. */
  readonly probability: number;
}

/** Mistakes that are listed. */
const CONFUSIONS_MAX = 100;

const shareOf = (part: number, all: number): number | null => (all === 0 ? null : part / all);

/** How many items have each text. */
export function countTexts(texts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

type TextCounts = ReadonlyMap<string, number>;

/** How many items have each label, of those that have each text. */
function countLabels(texts: TextCounts): TextCounts {
  const counts = new Map<string, number>();
  for (const [text, items] of texts)
    for (const label of labelsIn(text)) counts.set(label, (counts.get(label) ?? 0) + items);
  return counts;
}

/** The labels that were answered and are right. */
const sharedLabels = ({ right, answer }: HeldOutAnswer): readonly string[] => {
  const wanted = new Set(labelsIn(right));
  return labelsIn(answer).filter((label) => wanted.has(label));
};

function confusionsOf(answers: readonly HeldOutAnswer[]): Confusion[] {
  const counts = new Map<string, { label: string; answer: string; items: number }>();
  for (const { right, answer } of answers) {
    if (right === answer) continue;
    const key = JSON.stringify([right, answer]);
    const known = counts.get(key) ?? { label: right, answer, items: 0 };
    known.items += 1;
    counts.set(key, known);
  }
  return [...counts]
    .sort(([a, one], [b, other]) => other.items - one.items || (a < b ? -1 : 1))
    .slice(0, CONFUSIONS_MAX)
    .map(([, confusion]) => confusion);
}

/** Mean of the F1 of all labels that were held out or answered; null without any. */
function macroF1Of(heldOut: TextCounts, answered: TextCounts, both: TextCounts): number | null {
  const labels = new Set([...heldOut.keys(), ...answered.keys()]);
  let sum = 0;
  for (const label of labels) {
    const all = (heldOut.get(label) ?? 0) + (answered.get(label) ?? 0);
    sum += (2 * (both.get(label) ?? 0)) / all;
  }
  return shareOf(sum, labels.size);
}

/**
 * @param texts labels of each item as one text
 * @param threshold probability below which the model does not label
 */
export function qualityOf(
  texts: readonly string[],
  answers: readonly HeldOutAnswer[],
  threshold: number,
): ModelQuality {
  const heldOut = countLabels(countTexts(answers.map(({ right }) => right)));
  const answered = countLabels(countTexts(answers.map(({ answer }) => answer)));
  const both = countTexts(answers.flatMap(sharedLabels));
  const isRight = ({ right, answer }: HeldOutAnswer): boolean => right === answer;
  const sure = answers.filter(({ probability }) => probability >= threshold);
  const ofLabels = [...countLabels(countTexts(texts))].map(
    ([label, items]): LabelQuality => ({
      label,
      items,
      heldOut: heldOut.get(label) ?? 0,
      precision: shareOf(both.get(label) ?? 0, answered.get(label) ?? 0),
      recall: shareOf(both.get(label) ?? 0, heldOut.get(label) ?? 0),
    }),
  );
  return {
    items: texts.length,
    heldOut: answers.length,
    accuracy: shareOf(answers.filter(isRight).length, answers.length),
    macroF1: macroF1Of(heldOut, answered, both),
    answered: shareOf(sure.length, answers.length),
    accuracyOfAnswered: shareOf(sure.filter(isRight).length, sure.length),
    labels: ofLabels.sort((a, b) => b.items - a.items || (a.label < b.label ? -1 : 1)),
    confusions: confusionsOf(answers),
  };
}
