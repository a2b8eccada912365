// The figures by which the recogniser is judged: how they count, and how certain they are.
import { describe, expect, it } from "vitest";
import {
  calibrationErrorByChance,
  calibrationErrorOf,
  calibrationOf,
  FIGURES,
  groupOf,
  intervalOf,
  isPersonFound,
  isTakenForPerson,
  isWebsiteRight,
  type Outcome,
  ratioOf,
} from "./measure.ts";

const outcome = (merchant: string, right: readonly string[], description = "LINE"): Outcome => ({
  one: {
    item: {
      description,
      amount: 1,
      entryType: "outgoing",
      currency: "USD",
      accountType: "consumer",
      rawAddress: null,
      country: null,
    },
    label: { merchants: right, websites: null, categories: null, cities: null, kind: "" },
  },
  merchant,
  website: "",
  category: "",
  city: "",
  by: null,
  confidence: merchant === "" ? 0 : 0.9,
  categoryConfidence: 0,
  isPerson: false,
});

describe("a person", () => {
  const called = (kind: string, isPerson: boolean, merchant = "Imani Brooks"): Outcome => {
    const { one, ...rest } = outcome(merchant, [merchant]);
    return { ...rest, isPerson, one: { ...one, label: { ...one.label, kind } } };
  };

  it("counts where a counterparty is named and the sort of the line is known", () => {
    expect(isPersonFound(called("person", true))).toBe(true);
    expect(isPersonFound(called("person", false))).toBe(false);
    expect(isPersonFound(called("person", false, ""))).toBeNull();
    expect(isPersonFound(called("chain", false))).toBeNull();
    expect(isTakenForPerson(called("chain", true))).toBe(true);
    expect(isTakenForPerson(called("person", true))).toBeNull();
    expect(isTakenForPerson(called("", true))).toBeNull();
  });
});

describe("a name", () => {
  it.each([
    ["McDonald's", "MCDONALDS", true],
    ["The Olive Garden", "Olive Garden", true],
    ["Bed Bath & Beyond", "Bed Bath and Beyond", true],
    ["Shell", "Shell Recharge", false],
  ])("is right when it reads the same: %s, %s", (found, label, right) => {
    expect(FIGURES.merchant(outcome(found, [label]))).toBe(right);
  });

  it.each([
    ["Culver's of Omaha", "Culver's", true],
    ["Culver's", "Culver's of Omaha", true],
    ["BP", "BP Connect", false],
    ["Costco", "Target", false],
  ])("is forgiven words that are missing or too many: %s, %s", (found, label, forgiven) => {
    expect(FIGURES.forgiven(outcome(found, [label]))).toBe(forgiven);
  });

  it("where none is expected counts for precision, and is not expected for recall", () => {
    const invented = outcome("Acme", [""]);
    expect(FIGURES.precision(invented)).toBe(false);
    expect(FIGURES.recall(invented)).toBeNull();
    expect(FIGURES.merchant(outcome("", [""]))).toBe(true);
    expect(FIGURES.precision(outcome("", [""]))).toBeNull();
  });
});

describe("an interval", () => {
  const shares = (right: number, of: number): Outcome[] =>
    Array.from({ length: of }, (_, at) =>
      outcome(at < right ? `n${String(at)}` : "x", [`n${String(at)}`]),
    );

  it("holds the figure, and is narrower with more merchants", () => {
    const few = intervalOf(shares(30, 40), FIGURES.merchant);
    const many = intervalOf(shares(300, 400), FIGURES.merchant);
    for (const interval of [few, many]) {
      expect(interval?.low).toBeLessThan(75);
      expect(interval?.high).toBeGreaterThan(75);
    }
    const width = (one: typeof few): number => (one?.high ?? 0) - (one?.low ?? 0);
    expect(width(many)).toBeLessThan(width(few) / 2);
  });

  it("is as wide for a hundred lines of a merchant as for one", () => {
    const once = shares(30, 40);
    const often = once.flatMap((one) => Array.from({ length: 100 }, () => one));
    expect(intervalOf(often, FIGURES.merchant)).toEqual(intervalOf(once, FIGURES.merchant));
  });

  it("is missing where no line counts", () => {
    expect(intervalOf([outcome("a", ["a"])], FIGURES.website)).toBeNull();
    expect(ratioOf([outcome("a", ["a"])], FIGURES.website)).toBeNull();
  });
});

it("lines without a name are grouped when they differ in digits only", () => {
  const groups = ["CHECK 1042", "CHECK 1043", "DEPOSIT 1"].map((text) =>
    groupOf(outcome("", [""], text).one),
  );
  expect(groups[0]).toBe(groups[1]);
  expect(groups[0]).not.toBe(groups[2]);
});

describe("calibration", () => {
  it("compares the stated confidence with the truth, bin by bin", () => {
    const answers = [
      ...Array.from({ length: 10 }, (_, at) => ({ confidence: 0.95, right: at < 9 })),
      ...Array.from({ length: 10 }, (_, at) => ({ confidence: 0.55, right: at < 2 })),
    ];
    const bins = calibrationOf(answers);
    expect(bins).toEqual([
      { count: 10, stated: expect.closeTo(0.55) as number, correct: 0.2 },
      { count: 10, stated: expect.closeTo(0.95) as number, correct: 0.9 },
    ]);
    expect(calibrationErrorOf(bins)).toBeCloseTo((0.35 + 0.05) / 2);
  });

  it("has a bin for certainty", () => {
    expect(calibrationOf([{ confidence: 1, right: true }])).toEqual([
      { count: 1, stated: 1, correct: 1 },
    ]);
    expect(calibrationErrorOf([])).toBe(0);
  });

  it("differs from the truth by chance, the more the fewer the answers are", () => {
    const answersAt = (confidence: number, count: number) =>
      Array.from({ length: count }, () => ({ confidence, right: true }));
    // Of n answers of probability p the share of right ones is away from p by sqrt(2 p (1 - p) / (pi n)) on average.
    const expected = Math.sqrt((2 * 0.75 * 0.25) / (Math.PI * 400));
    const byChance = calibrationErrorByChance(answersAt(0.75, 400));
    expect(byChance).toBeGreaterThan(0.9 * expected);
    expect(byChance).toBeLessThan(1.1 * expected);
    expect(calibrationErrorByChance(answersAt(0.75, 100))).toBeGreaterThan(1.5 * byChance);
    expect(calibrationErrorByChance(answersAt(1, 100))).toBe(0);
    expect(calibrationErrorByChance([])).toBe(0);
  });
});

it("a website is right with and without www, as `gov.uk` is both a suffix and a website", () => {
  const found = outcome("DVSA", ["DVSA"]);
  const one = { ...found.one, label: { ...found.one.label, websites: ["gov.uk"] } };
  expect(isWebsiteRight({ ...found, one, website: "www.gov.uk" })).toBe(true);
  expect(isWebsiteRight({ ...found, one, website: "service.gov.uk" })).toBe(false);
  expect(isWebsiteRight({ ...found, website: "www.gov.uk" })).toBeNull();
});
