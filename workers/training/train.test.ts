import { describe, expect, it } from "vitest";
import { MODEL_BYTES_MAX, type TrainingItem } from "../../src/model/custom-model.ts";
import type { Facts } from "../../src/model/facts.ts";
import { labelText } from "../../src/model/labels.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";
import { normaliseText } from "../recogniser/text/normalise.ts";
import { tokenise } from "../recogniser/text/tokenise.ts";
import { createLabeller } from "./classifier.ts";
import { qualityOf } from "./quality.ts";
import { createFeatureReader } from "./line-features.ts";
import { openModel } from "./model-bytes.ts";
import { type ExamineLine, recogniserInputOf, trainModel } from "./train.ts";

const NO_FACTS: Facts = { entities: null, categories: null, location: null };

/** Finds the words and nothing else: what is learned here is learned from the words. */
const examine: ExamineLine = ({ description }) => {
  const text = normaliseText(description);
  return { reading: { line: { text, tokens: tokenise(text) } }, facts: NO_FACTS };
};

const item = (
  description: string,
  label: string,
  over: Partial<TrainingItem> = {},
): TrainingItem => ({
  ...{ description, label, amount: 12.5, entryType: "outgoing", currency: "GBP" },
  ...{ accountHolderType: "business", country: null, mcc: null },
  ...over,
});

/** So many of each, with another amount each time. */
const times = (count: number, description: string, label: string): TrainingItem[] =>
  Array.from({ length: count }, (_, at) => item(description, label, { amount: 5 + at }));

const SHOPS = [
  ...times(20, "SHELL PETROL KINGS ROAD", "fuel"),
  ...times(20, "ESSO PETROL HIGH STREET", "fuel"),
  ...times(20, "RYMAN STATIONERS LEEDS", "paper"),
  ...times(20, "OFFICE STATIONERS YORK", "paper"),
];

const options = { threshold: 0.2, progress: () => undefined };
const train = (items: readonly TrainingItem[]) => trainModel(items, examine, options);

function labelOf(bytes: Uint8Array, asked: TrainingItem | RecogniserInput) {
  const input = "label" in asked ? recogniserInputOf(asked) : asked;
  const { reading, facts } = examine(input);
  return createLabeller(bytes, createFeatureReader())(input, reading.line, facts);
}

describe("labelling models", () => {
  it("a merchant that was never seen is labelled by its words", () => {
    const { bytes } = train(SHOPS);
    expect(labelOf(bytes, item("JET PETROL WALSALL", "")).label).toBe("fuel");
    expect(labelOf(bytes, item("ACME STATIONERS DERBY", "")).label).toBe("paper");
  });

  it("the same items give the same bytes and the same quality", () => {
    const [one, other] = [train(SHOPS), train([...SHOPS])];
    expect(Buffer.compare(one.bytes, other.bytes)).toBe(0);
    expect(one.quality).toEqual(other.quality);
  });

  it("a label that was seen once is answered for its description", () => {
    const rare = item("BIRMINGHAM AIRPORT PARKING 7", "parking");
    const { bytes } = train([...SHOPS, rare]);
    const again = labelOf(bytes, { ...recogniserInputOf(rare), amount: 99 });
    expect(again.label).toBe("parking");
  });

  it("a description that has a second label is not remembered for the one seen once", () => {
    const { bytes } = train([...SHOPS, item("SHELL PETROL KINGS ROAD", "mistake")]);
    expect(labelOf(bytes, item("SHELL PETROL KINGS ROAD", "")).label).toBe("fuel");
  });

  it("amount and direction decide where the words are the same", () => {
    const { bytes } = train([
      ...Array.from({ length: 30 }, (_, at) => item("AMAZON", "small", { amount: 1 + at / 10 })),
      ...Array.from({ length: 30 }, (_, at) => item("AMAZON", "large", { amount: 900 + at })),
      ...Array.from({ length: 30 }, (_, at) =>
        item("AMAZON", "refund", { amount: 1 + 30 * at, entryType: "incoming" }),
      ),
    ]);
    expect(labelOf(bytes, item("AMAZON", "", { amount: 2 })).label).toBe("small");
    expect(labelOf(bytes, item("AMAZON", "", { amount: 930 })).label).toBe("large");
    const refund = item("AMAZON", "", { amount: 30, entryType: "incoming" });
    expect(labelOf(bytes, refund).label).toBe("refund");
  });

  it("the quality is measured on items that were held out, label by label", () => {
    const noise = Array.from({ length: 40 }, (_, at) =>
      item(`MARKET STALL ${at % 2 === 0 ? "A" : "B"}`, at % 4 < 2 ? "left" : "right"),
    );
    const { quality } = train([...SHOPS, ...noise]);
    expect(quality).toMatchObject({ items: 120, heldOut: 24 });
    expect(quality.labels.map(({ items }) => items)).toEqual([40, 40, 20, 20]);
    expect(quality.labels.find(({ label }) => label === "fuel")?.recall).toBe(1);
    const mistaken = quality.confusions.flatMap(({ label, answer }) => [label, answer]);
    expect(mistaken).not.toContain("fuel");
    const wrong = quality.confusions.reduce((sum, { items }) => sum + items, 0);
    expect(quality.accuracy).toBeCloseTo(1 - wrong / 24);
  });

  it("several labels of an item are answered together, and measured label by label", () => {
    const both = labelText(["travel", "fuel"]);
    const { bytes, quality } = train([...SHOPS, ...times(20, "BP MOTORWAY SERVICES", both)]);
    expect(labelOf(bytes, item("BP MOTORWAY LEEDS", "")).label).toBe("fuel || travel");
    expect(labelOf(bytes, item("SHELL PETROL KINGS ROAD", "")).label).toBe("fuel");
    expect(quality).toMatchObject({ items: 100, accuracy: 1, macroF1: 1, confusions: [] });
    expect(quality.labels).toMatchObject([
      { label: "fuel", items: 60, recall: 1 },
      { label: "paper", items: 40, recall: 1 },
      { label: "travel", items: 20, recall: 1 },
    ]);
  });

  it("an answer with one of two labels is wrong as a whole, and right about that label", () => {
    const answers = [
      { right: "a || b", answer: "a", probability: 0.9 },
      { right: "a", answer: "a", probability: 0.1 },
    ];
    const { accuracy, accuracyOfAnswered, macroF1, labels, confusions } = qualityOf(
      ["a || b", "a"],
      answers,
      0.5,
    );
    expect([accuracy, accuracyOfAnswered, macroF1]).toEqual([0.5, 0, 0.5]);
    expect(labels).toEqual([
      { label: "a", items: 2, heldOut: 2, precision: 1, recall: 1 },
      { label: "b", items: 1, heldOut: 1, precision: null, recall: 0 },
    ]);
    expect(confusions).toEqual([{ label: "a || b", answer: "a", items: 1 }]);
  });

  it("items of more sets than a model has answers for are learned by a part of their labels", () => {
    const words = Array.from({ length: 1_400 }, (_, at) => `tag${String(at % 700)}`);
    const tagged = words.map((word, at) =>
      item(`SHOP ${word}`, labelText([word, at < 700 ? "odd" : "even"])),
    );
    const { bytes, quality } = train([...tagged, ...times(40, "SHELL PETROL", "fuel")]);
    expect(quality.labels).toHaveLength(703);
    expect(openModel(bytes).labels).toHaveLength(1_000);
    expect(labelOf(bytes, item("SHELL PETROL", "")).label).toBe("fuel");
  });

  it("a probability is the share of right answers", () => {
    // Nine of ten are one label, and nothing shows which: a model that is sure of itself is wrong.
    const items = Array.from({ length: 1_000 }, (_, at) =>
      item("MARKET STALL", at % 10 === 0 ? "rare" : "usual"),
    );
    const { bytes } = train(items);
    const { label, probability } = labelOf(bytes, item("MARKET STALL", ""));
    expect(label).toBe("usual");
    expect(probability).toBeGreaterThan(0.8);
    expect(probability).toBeLessThan(0.97);
  });

  it("a model of a few items is not certain, however many of those held out it has right", () => {
    const few = SHOPS.filter((_, at) => at % 10 === 0);
    const { bytes, quality } = train(few);
    expect(quality).toMatchObject({ items: 8, heldOut: 1, accuracy: 1 });
    expect(labelOf(bytes, item("SHELL PETROL KINGS ROAD", "")).probability).toBeLessThan(0.99);
  });

  it("a model of many labels and words is not larger than it may be", () => {
    const items = Array.from({ length: 4_000 }, (_, at) =>
      item(`SHOP ${at.toString(36)}X OF ${(at * 7919).toString(36)}Y`, `label ${String(at % 900)}`),
    );
    const { bytes, quality } = train(items);
    expect(bytes.length).toBeLessThanOrEqual(MODEL_BYTES_MAX);
    expect(quality.labels).toHaveLength(900);
  });

  it("progress grows to the end", () => {
    const shares: number[] = [];
    trainModel(SHOPS, examine, { threshold: 0, progress: (share) => shares.push(share) });
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares[0]).toBe(0);
    expect(shares.at(-1)).toBeLessThanOrEqual(1);
  });

  it("bytes of something else, or a part of a model, are refused", () => {
    const { bytes } = train(SHOPS);
    expect(() => openModel(new Uint8Array(100))).toThrow("not a labelling model");
    expect(() => openModel(bytes.slice(0, -4))).toThrow("cut off");
  });
});
