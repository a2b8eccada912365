import { expect, it } from "vitest";
import { MODEL_LABELS_MAX, type TrainingItem } from "../../src/model/custom-model.ts";
import { labelText } from "../../src/model/labels.ts";
import { classesOf, NO_CLASS } from "./label-classes.ts";

const item = (...labels: string[]): TrainingItem => ({
  ...{ description: "A", label: labelText(labels), amount: 1, entryType: "outgoing" },
  ...{ currency: "GBP", accountHolderType: "business", country: null, mcc: null },
});

it("the same labels in any order are one class, whatever the order of the items", () => {
  const items = [item("b", "a"), item("a"), item("a", "b", "a")];
  const { texts, classes } = classesOf(items);
  expect(texts).toEqual(["a", "a || b"]);
  expect([...classes]).toEqual([1, 0, 1]);
  expect(classesOf(items.toReversed()).texts).toEqual(texts);
});

it("a set that is too rare for a class counts as its largest part that has one", () => {
  const frequent = Array.from({ length: MODEL_LABELS_MAX - 3 }, (_, at) => item(`f${String(at)}`));
  const kept = [...frequent, item("a"), item("a", "b"), item("b", "c")];
  const rare = [item("a", "b", "d"), item("a", "x"), item("x", "y"), item("b", "x")];
  const { texts, classes } = classesOf([...kept, ...kept, ...rare]);
  expect(texts).toHaveLength(MODEL_LABELS_MAX);
  const found = [...classes.subarray(-rare.length)];
  expect(found.map((one) => texts[one])).toEqual(["a || b", "a", undefined, undefined]);
  expect(found[2]).toBe(NO_CLASS);
});
