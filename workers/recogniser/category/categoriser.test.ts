import fc from "fast-check";
import { expect, test } from "vitest";
import { readCategoriser } from "../../knowledge/builder/ranker-file.ts";
import {
  CATEGORY_SETS,
  type CategoryInput,
  categoryEvidence,
  createCategoriser,
  PARTY_TRAITS,
  PLACE_TRAITS,
  SOURCES,
  type CategorySource,
} from "./categoriser.ts";

const ACCOUNTS = ["consumer", "business"] as const;
const DIRECTIONS = ["incoming", "outgoing"] as const;
const KINDS = ACCOUNTS.flatMap((accountType) =>
  DIRECTIONS.map((entryType) => ({ accountType, entryType })),
);
const setOf = ({ accountType, entryType }: (typeof KINDS)[number]): readonly string[] =>
  CATEGORY_SETS[accountType][entryType];

const model = readCategoriser();
const NO_CURVES = { consumer: [], business: [] } as const;
const committed = createCategoriser(model);

const OUTGOING = CATEGORY_SETS.consumer.outgoing;
const plain: CategoryInput = {
  accountType: "consumer",
  entryType: "outgoing",
  place: "noplace",
  party: "unknown",
  sources: new Map(),
  trades: [],
  confidence: 0,
  byWords: new Float64Array(OUTGOING.length),
  byAmount: new Float64Array(OUTGOING.length),
};
/** A number for one of the categories that a consumer pays for, 0 for the others. */
const onlyFor = (category: string, value: number): Float64Array =>
  Float64Array.from(OUTGOING, (one) => (one === category ? value : 0));
const namedBy = (source: CategorySource, category: string): CategoryInput["sources"] =>
  new Map([[source, category]]);

const anyInput: fc.Arbitrary<CategoryInput> = fc.constantFrom(...KINDS).chain((kind) => {
  const set = setOf(kind);
  const values = (min: number, max: number): fc.Arbitrary<Float64Array> =>
    fc
      .array(fc.double({ min, max, noNaN: true }), {
        minLength: set.length,
        maxLength: set.length,
      })
      .map((all) => Float64Array.from(all));
  return fc.record({
    accountType: fc.constant(kind.accountType),
    entryType: fc.constant(kind.entryType),
    place: fc.constantFrom(...PLACE_TRAITS),
    party: fc.constantFrom(...PARTY_TRAITS),
    sources: fc
      .array(fc.tuple(fc.constantFrom(...SOURCES), fc.constantFrom(...set, "unknown")), {
        maxLength: 3,
      })
      .map((all) => new Map(all)),
    trades: fc.array(
      fc.tuple(fc.constantFrom(...OUTGOING, "unknown"), fc.double({ min: 0, max: 1, noNaN: true })),
      { maxLength: 3 },
    ),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    byWords: values(-6, 0),
    byAmount: values(-4, 2),
  });
});

test("it always answers the best category of the account's set, with a probability", () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const { category, probability, scores } = committed.categorise(input);
      const set = setOf(input);
      expect(scores).toHaveLength(set.length);
      expect(category).toBe(set[scores.indexOf(Math.max(...scores))]);
      expect(probability).toBeGreaterThanOrEqual(0);
      expect(probability).toBeLessThanOrEqual(1);
    }),
  );
});

test("contributions of every category add up to its score, the largest first", () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      committed.categorise(input).scores.forEach((score, at) => {
        const weights = committed.contributions(input, at).map(({ weight }) => weight);
        expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(score, 8);
        const ordered = weights.map(Math.abs);
        expect(ordered).toEqual([...ordered].sort((a, b) => b - a));
        expect(weights).not.toContain(0);
      });
    }),
    { numRuns: 30 },
  );
});

test("an answer does not depend on the lines before it", () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      expect(committed.categorise(input)).toEqual(createCategoriser(model).categorise(input));
    }),
    { numRuns: 30 },
  );
});

test("evidence counts by the weight of its name", () => {
  const small = createCategoriser({
    weights: {
      "b:fuel": 1,
      "b:sourced:fuel": 2,
      "b:unsourced:fuel": 4,
      "c:city:fuel": 8,
      "c:s:fuel": 16,
      "k:known:fuel": 32,
      "source:merchant": 64,
      "conf:merchant": 128,
      "t:pets:fuel": 4_096,
      "amount:sourced": 256,
      "amount:unsourced": 512,
      "lp:unsourced": 1_024,
      "lp:unknown": 2_048,
    },
    calibration: NO_CURVES,
  });
  const scoreOf = (over: Partial<CategoryInput>): number | undefined =>
    small.categorise({ ...plain, ...over }).scores[OUTGOING.indexOf("fuel")];
  expect(scoreOf({})).toBe(1 + 4);
  expect(scoreOf({ place: "city", party: "known" })).toBe(1 + 4 + 8 + 32);
  const sources = namedBy("merchant", "fuel");
  expect(scoreOf({ sources, confidence: 0.5, place: "city" })).toBe(1 + 2 + 16 + 64 + 64);
  expect(scoreOf({ sources: namedBy("merchant", "groceries"), place: "city" })).toBe(1 + 2 + 16);
  expect(scoreOf({ byAmount: onlyFor("fuel", 1.5) })).toBe(5 + 1.5 * 512);
  expect(scoreOf({ byAmount: onlyFor("groceries", 1.5) })).toBe(5);
  expect(
    scoreOf({
      trades: [
        ["pets", 0.5],
        ["fuel", 1],
      ],
    }),
  ).toBe(5 + 0.5 * 4_096);
  expect(scoreOf({ byWords: onlyFor("fuel", -2) })).toBe(5 - 2 * (1_024 + 2_048));
});

test("the stated probability is that of the account's curve at the share of the best category", () => {
  const count = OUTGOING.length;
  const even = createCategoriser({ weights: {}, calibration: NO_CURVES });
  expect(even.categorise(plain).probability).toBeCloseTo(1 / count, 10);
  const curveTo = (most: number) =>
    [
      [0.5, 0.4],
      [1, most],
    ] as const;
  const sure = createCategoriser({
    weights: { "source:wording": 50 },
    calibration: { consumer: curveTo(0.8), business: curveTo(0.7) },
  });
  const input = { ...plain, sources: namedBy("wording", "fuel") };
  expect(sure.categorise(input)).toMatchObject({ category: "fuel" });
  expect(sure.categorise(input).probability).toBeCloseTo(0.8, 6);
  const ofCompany = sure.categorise({ ...input, accountType: "business" });
  expect(ofCompany.probability).toBeCloseTo(0.7, 6);
});

test.each(ACCOUNTS)(
  "the committed curve of %s accounts states no certainty, ascending",
  (account) => {
    const curve = model.calibration[account];
    expect(curve.length).toBeGreaterThan(1);
    for (const column of [0, 1] as const) {
      const values = curve.map((point) => point[column]);
      expect(values).toEqual([...values].sort((a, b) => a - b));
    }
    expect(curve.every(([, correct]) => correct > 0 && correct < 1)).toBe(true);
  },
);

test("what a source that is usually right names is the answer of the committed model", () => {
  for (const [source, name, party] of [
    ["wording", "bank fee", "none"],
    ["merchant", "groceries", "known"],
    ["person", "peer to peer transfer", "person"],
  ] as const) {
    const sources = namedBy(source, name);
    const byWords = Float64Array.from(OUTGOING, (one) => (one === name ? -0.7 : -5));
    const input = { ...plain, sources, party, byWords, confidence: 0.95 };
    expect(committed.categorise(input).category).toBe(name);
  }
});

/** Every trade, of a company's account. */
const tradesOf = ({ accountType }: (typeof KINDS)[number]): CategoryInput["trades"] =>
  accountType === "consumer"
    ? []
    : [...CATEGORY_SETS.consumer.outgoing, ...CATEGORY_SETS.consumer.incoming].map(
        (trade) => [trade, 1] as const,
      );

/** Every name of a weight that a line of this account and direction can have. */
function possibleNames(kind: (typeof KINDS)[number]): string[] {
  return setOf(kind).flatMap((category, at) => {
    // Each source alone, and with each of those that tell how far it can be believed.
    const pairs = SOURCES.flatMap((source) =>
      SOURCES.map((other) => new Map([source, other].map((one) => [one, category]))),
    );
    const inputs = PLACE_TRAITS.flatMap((place) =>
      PARTY_TRAITS.flatMap((party) => [
        { ...plain, ...kind, place, party, trades: tradesOf(kind) },
        ...pairs.map((sources) => ({ ...plain, ...kind, place, party, sources })),
      ]),
    );
    return inputs.flatMap((input) => Array.from(categoryEvidence(input, at), ([name]) => name));
  });
}

test("every weight of the committed model is one that a line can have", () => {
  const possible = new Set(KINDS.flatMap(possibleNames));
  expect(Object.keys(model.weights).filter((name) => !possible.has(name))).toEqual([]);
  expect(Object.values(model.weights).every(Number.isFinite)).toBe(true);
});

test("the committed model has weights for every source and every trait", () => {
  const kinds = new Set(Object.keys(model.weights).map((name) => name.split(":", 2).join(":")));
  const wanted = [
    ...SOURCES.map((source) => `source:${source}`),
    ...PARTY_TRAITS.flatMap((trait) => [`k:${trait}`, `lp:${trait}`]),
    ...PLACE_TRAITS.filter((trait) => trait !== "noplace").map((trait) => `c:${trait}`),
  ];
  expect(wanted.filter((kind) => !kinds.has(kind))).toEqual([]);
});
