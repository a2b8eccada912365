// The classes of a model. Several labels of an item are one class ("label powerset"), so that a model answers labels together as its
// items have them. A set that is too rare for a class of its own counts as the largest part of it that has one (pruned sets; Read,
// Pfahringer and Holmes 2008).
import { MODEL_LABELS_MAX, type TrainingItem } from "../../src/model/custom-model.ts";
import { labelsIn } from "../../src/model/labels.ts";
import { countTexts } from "./quality.ts";

export interface LabelClasses {
  /** Labels of each class as one text. */
  readonly texts: readonly string[];
  /** Class of each item; NO_CLASS: no class has a part of its labels. */
  readonly classes: Uint16Array;
}

export const NO_CLASS = 0xff_ff;
/** One for each label where every item has one. */
const CLASSES_MAX = MODEL_LABELS_MAX;

export function classesOf(items: readonly TrainingItem[]): LabelClasses {
  const counts = countTexts(items.map(({ label }) => label));
  const texts = [...counts.keys()];
  if (texts.length > CLASSES_MAX)
    texts.sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || (a < b ? -1 : 1));
  const frequent = texts.slice(0, CLASSES_MAX);
  // In the order of their text: the same items in another order have the same labels at the same places.
  const own = frequent.toSorted();
  const classOf = new Map(own.map((text, one) => [text, one]));
  const partOf = createPartFinder(frequent);
  for (const text of texts.slice(CLASSES_MAX))
    classOf.set(text, classOf.get(partOf(text) ?? "") ?? NO_CLASS);
  const classes = Uint16Array.from(items, ({ label }) => classOf.get(label) ?? NO_CLASS);
  return { texts: own, classes };
}

/** Finds the text with the most of a set's labels and no other; of several, the first. */
function createPartFinder(texts: readonly string[]): (set: string) => string | null {
  const parts = texts.map((text) => ({ text, labels: labelsIn(text) }));
  const byFirst = Map.groupBy(parts, ({ labels }) => labels[0]);
  return (set) => {
    const wanted = new Set(labelsIn(set));
    let [most, found]: [number, string | null] = [0, null];
    for (const first of wanted)
      for (const { text, labels } of byFirst.get(first) ?? []) {
        if (labels.length <= most || !labels.every((label) => wanted.has(label))) continue;
        [most, found] = [labels.length, text];
      }
    return found;
  };
}
