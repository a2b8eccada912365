import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Answer,
  calibrate,
  type Decision,
  type LogitOptions,
  probabilities,
  trainLogit,
} from "../../../bench/training/logit.ts";

const OPTIONS: LogitOptions = { epochs: 40, rate: 0.2, pull: 0, start: () => 0 };

const decisionOf = (right: string, wrong: readonly string[], weight = 1): Decision => ({
  weight,
  choices: [
    {
      evidence: [
        ["bias", 1],
        [right, 1],
      ],
      right: true,
    },
    ...wrong.map((name) => ({
      evidence: [
        ["bias", 1],
        [name, 1],
      ] as const,
      right: false,
    })),
  ],
});

const DECISIONS: readonly Decision[] = [
  decisionOf("whole name", ["beginning", "none"]),
  decisionOf("whole name", ["beginning"]),
  decisionOf("beginning", ["none"]),
];

test("the right choice of every separable decision becomes the likeliest", () => {
  const weights = trainLogit(DECISIONS, OPTIONS);
  for (const decision of DECISIONS) {
    const [right = 0, ...wrong] = probabilities(decision, weights);
    expect(right).toBeGreaterThan(0.7);
    for (const one of wrong) expect(one).toBeLessThan(0.3);
  }
  expect(weights.get("whole name")).toBeGreaterThan(weights.get("beginning") ?? Infinity);
  expect(weights.get("beginning")).toBeGreaterThan(weights.get("none") ?? Infinity);
});

test("what all choices have alike keeps its weight", () => {
  expect(trainLogit(DECISIONS, OPTIONS).get("bias")).toBeCloseTo(0, 10);
});

test("the same decisions give the same weights, and are left as they are", () => {
  const given = [...DECISIONS];
  const weights = trainLogit(given, OPTIONS);
  expect([...trainLogit(given, OPTIONS)]).toEqual([...weights]);
  expect(given).toEqual(DECISIONS);
});

test("decisions without a right choice, and of weight 0, teach nothing", () => {
  const wrong: Decision = { weight: 1, choices: [{ evidence: [["none", 5]], right: false }] };
  expect(trainLogit([wrong], OPTIONS).size).toBe(0);
  const weightless = decisionOf("none", ["whole name"], 0);
  expect([...trainLogit([weightless], OPTIONS).values()]).toEqual([0, 0, 0]);
});

test("a weight begins at its start, and is pulled towards 0", () => {
  const start = (name: string): number => (name === "bias" ? 3 : 0);
  expect(trainLogit(DECISIONS, { ...OPTIONS, start }).get("bias")).toBeCloseTo(3, 10);
  const free = trainLogit(DECISIONS, OPTIONS).get("whole name") ?? 0;
  const pulled = trainLogit(DECISIONS, { ...OPTIONS, pull: 0.1 }).get("whole name") ?? 0;
  expect(pulled).toBeGreaterThan(0);
  expect(pulled).toBeLessThan(free);
});

test("several right choices become likely together, and what all have alike keeps its weight", () => {
  const choice = (name: string, right: boolean): Decision["choices"][number] => ({
    evidence: [
      ["bias", 1],
      [name, 1],
    ],
    right,
  });
  const several: Decision = {
    weight: 1,
    choices: [choice("whole name", true), choice("beginning", true), choice("none", false)],
  };
  const weights = trainLogit([several], OPTIONS);
  const [first = 0, second = 0, wrong = 1] = probabilities(several, weights);
  expect(first + second).toBeGreaterThan(0.9);
  expect(wrong).toBeLessThan(0.1);
  expect(weights.get("bias")).toBeCloseTo(0, 10);
});

test("probabilities of a decision sum to 1, also with extreme weights", () => {
  const weights = new Map([
    ["whole name", 2_000],
    ["none", -2_000],
  ]);
  for (const decision of DECISIONS) {
    const sum = probabilities(decision, weights).reduce((all, share) => all + share, 0);
    expect(sum).toBeCloseTo(1, 10);
  }
});

/** Answers of one probability, so many of them right. */
const answersAt = (probability: number, right: number, count: number): Answer[] =>
  Array.from({ length: count }, (_, at) => ({ probability, right: at < right }));

test("the curve has the share of right answers at each probability, by the rule of succession", () => {
  expect(calibrate([...answersAt(0.8, 89, 98), ...answersAt(0.2, 9, 98)])).toEqual([
    [0.2, 0.1],
    [0.8, 0.9],
  ]);
});

test("the order of answers of one probability does not matter", () => {
  const answers = [...answersAt(0.8, 90, 100), ...answersAt(0.2, 10, 100)];
  expect(calibrate([...answers].reverse())).toEqual(calibrate(answers));
});

test("where more is stated and less is right, both are one point", () => {
  expect(calibrate([...answersAt(0.4, 60, 99), ...answersAt(0.6, 20, 99)])).toEqual([[0.5, 0.405]]);
});

test("few answers are one point with those above them, the last ones with those below", () => {
  expect(calibrate([...answersAt(0.1, 0, 14), ...answersAt(0.8, 28, 28)])).toEqual([
    [0.5667, 0.6591],
  ]);
  expect(calibrate([...answersAt(0.2, 3, 28), ...answersAt(0.9, 14, 14)])).toEqual([
    [0.4333, 0.4091],
  ]);
  expect(calibrate(answersAt(0.4, 2, 2))).toEqual([[0.4, 0.75]]);
  expect(calibrate([])).toEqual([]);
});

test("answers that were all right or all wrong state no certainty, and the more the nearer to it", () => {
  expect(calibrate([...answersAt(0, 0, 98), ...answersAt(1, 998, 998)])).toEqual([
    [0, 0.01],
    [1, 0.999],
  ]);
});

test("the curve never falls, whatever the answers are", () => {
  const answer = fc.record({
    probability: fc.integer({ min: 0, max: 20 }).map((one) => one / 20),
    right: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 200 }), (answers) => {
      const curve = calibrate(answers);
      for (const column of [0, 1] as const) {
        const values = curve.map((point) => point[column]);
        expect(values).toEqual([...values].sort((a, b) => a - b));
        expect(values.every((value) => value >= 0 && value <= 1)).toBe(true);
      }
      expect(curve.every(([, correct]) => correct > 0 && correct < 1)).toBe(true);
      expect(new Set(curve.map(([stated]) => stated)).size).toBe(curve.length);
    }),
  );
});
