import fc from "fast-check";
import { expect, test } from "vitest";
import { readRanker } from "../../knowledge/builder/ranker-file.ts";
import {
  AT,
  CANDIDATE_CLASSES,
  type CandidateClass,
  createEvidence,
  EVIDENCE,
  EVIDENCE_NAMES,
  type Evidence,
  type EvidenceVector,
} from "./evidence.ts";
import { CALIBRATED_KINDS, checkRankerModel, createRanker, type RankerModel } from "./ranker.ts";

interface Choice {
  readonly class: CandidateClass;
  readonly evidence: EvidenceVector;
}

const choice = (name: CandidateClass, given: Partial<Record<Evidence, number>> = {}): Choice => {
  const evidence = createEvidence();
  for (const [key, value] of Object.entries(given)) evidence[AT[key as Evidence]] = value;
  return { class: name, evidence };
};

const model: RankerModel = {
  weights: {
    curated: { bias: 2, cutOff: -3, least: 0.5 },
    brand: { bias: 1, abroad: -4 },
    name: { bias: 0.5 },
    person: {},
    address: {},
    none: { internal: 5 },
  },
  calibration: {
    consumer: {
      merchant: [
        [0.2, 0.1],
        [0.6, 0.5],
      ],
      words: [[0, 0.2]],
      address: [[0, 0.3]],
    },
    business: { merchant: [[0, 0.7]], words: [[0, 0.8]], address: [[0, 0.9]] },
  },
};
const ranker = createRanker(model);

test("the candidate with the highest score is first, with the score of its own class", () => {
  const curated = choice("curated", { bias: 1, cutOff: 1, least: 0.8 });
  const brand = choice("brand", { bias: 1 });
  const none = choice("none");
  const ranked = ranker.rank([none, curated, brand]);
  expect(ranked.map(({ candidate }) => candidate)).toEqual([brand, none, curated]);
  expect(ranked.map(({ score }) => score)).toEqual([1, 0, 2 - 3 + 0.4]);
});

test("evidence that the class has no weight for does not change the score", () => {
  const [first] = ranker.rank([choice("name", { bias: 1, abroad: 1, internal: 1 })]);
  expect(first?.score).toBe(0.5);
});

test("a candidate alone has the probability 1", () => {
  expect(ranker.rank([choice("none")])).toMatchObject([{ probability: 1 }]);
});

test("a difference of scores is the logarithm of the ratio of probabilities", () => {
  const ranked = ranker.rank([choice("curated", { bias: 1 }), choice("name", { bias: 1 })]);
  const [first = 0, second = 0] = ranked.map(({ probability }) => probability);
  expect(Math.log(first / second)).toBeCloseTo(1.5, 10);
});

test("of equal candidates the first given is first", () => {
  const same = Array.from({ length: 20 }, () => choice("person", { bias: 1 }));
  const ranked = ranker.rank(same);
  expect(ranked.every(({ candidate }, at) => candidate === same[at])).toBe(true);
});

test("ranking leaves the given list as it is", () => {
  const given = [choice("none"), choice("curated", { bias: 1 })];
  const before = [...given];
  ranker.rank(given);
  expect(given).toEqual(before);
});

const anyChoice = fc
  .tuple(
    fc.constantFrom(...CANDIDATE_CLASSES),
    fc.array(
      fc.tuple(fc.constantFrom(...EVIDENCE_NAMES), fc.double({ min: -50, max: 50, noNaN: true })),
      {
        maxLength: 8,
      },
    ),
  )
  .map(([name, given]) => choice(name, Object.fromEntries(given)));
const committed = createRanker(readRanker());

test("probabilities of a line sum to 1 and fall in the order of the list", () => {
  fc.assert(
    fc.property(fc.array(anyChoice, { minLength: 1, maxLength: 12 }), (choices) => {
      const ranked = committed.rank(choices);
      expect(ranked).toHaveLength(choices.length);
      expect(ranked.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 10);
      const shares = ranked.map(({ probability }) => probability);
      expect(shares).toEqual([...shares].sort((a, b) => b - a));
    }),
  );
});

test("contributions add up to the score, the largest first, without zeros", () => {
  fc.assert(
    fc.property(anyChoice, (one) => {
      const [ranked] = committed.rank([one]);
      const weights = committed.contributions(one).map(([, weight]) => weight);
      expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(ranked?.score ?? NaN, 6);
      const sizes = weights.map(Math.abs);
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
      expect(sizes.every((size) => size > 0)).toBe(true);
    }),
  );
});

test("contributions name the evidence that they come from", () => {
  const given = choice("curated", { bias: 1, cutOff: 1, abroad: 1 });
  expect(ranker.contributions(given)).toEqual([
    ["cutOff", -3],
    ["bias", 2],
  ]);
});

test("a probability is calibrated by the curve of the sort of name and of account", () => {
  expect(ranker.calibrate(0.4, "curated", "consumer")).toBeCloseTo(0.3, 10);
  expect(ranker.calibrate(0.99, "brand", "consumer")).toBe(0.5);
  const { calibrate } = ranker;
  const shares = (["person", "address"] as const).flatMap((name) =>
    (["consumer", "business"] as const).map((account) => calibrate(0.5, name, account)),
  );
  expect(shares).toEqual([0.2, 0.8, 0.3, 0.9]);
  expect(calibrate(0.4, "name", null)).toBe(calibrate(0.4, "name", "consumer"));
});

const CURVES = (["consumer", "business"] as const).flatMap((account) =>
  CALIBRATED_KINDS.map((kind) => [account, kind] as const),
);

test.each(CURVES)(
  "the committed curve of %s accounts, %s, states no certainty, ascending",
  (account, kind) => {
    const calibration = readRanker().calibration[account][kind];
    expect(calibration.length).toBeGreaterThan(1);
    for (const column of [0, 1] as const) {
      const values = calibration.map((point) => point[column]);
      expect(values).toEqual([...values].sort((a, b) => a - b));
    }
    expect(calibration.every(([, correct]) => correct > 0 && correct < 1)).toBe(true);
  },
);

test("a model is refused when a class is missing or unknown, or evidence is unknown", () => {
  expect(checkRankerModel(model)).toBe(model);
  const { curated, brand, name, address, none } = model.weights;
  const incomplete = { curated, brand, name, address, none };
  const withWeights = (weights: object): RankerModel => ({ ...model, weights }) as RankerModel;
  expect(() => checkRankerModel(withWeights(incomplete))).toThrow(/person/u);
  expect(() => checkRankerModel(withWeights({ ...model.weights, robot: {} }))).toThrow(/robot/u);
  expect(() =>
    checkRankerModel(withWeights({ ...model.weights, name: { bias: 1, colour: 2 } })),
  ).toThrow(/colour/u);
});

test("each piece of evidence has a place of its own and a text of its own", () => {
  expect(createEvidence()).toHaveLength(EVIDENCE_NAMES.length);
  expect(new Set(Object.values(EVIDENCE)).size).toBe(EVIDENCE_NAMES.length);
  expect(EVIDENCE_NAMES.map((name) => AT[name])).toEqual(EVIDENCE_NAMES.map((_, at) => at));
});
