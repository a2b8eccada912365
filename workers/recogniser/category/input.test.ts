import { expect, test } from "vitest";
import type { RecogniserInput } from "../../../src/model/transaction.ts";
import { sampleKnowledge } from "../../../test/support/knowledge-sample.ts";
import { paidLine } from "../../../test/support/recogniser-input.ts";
import { LABEL, type Label } from "../parse/labels.ts";
import { createReading, type Party, type Reading } from "../read.ts";
import { CATEGORY_SETS, type CategoryInput } from "./categoriser.ts";
import { createCategoryInput } from "./input.ts";

const knowledge = await sampleKnowledge();
const read = createReading(knowledge);
const inputOf = createCategoryInput(knowledge);
const ACCOUNTS = ["consumer", "business"] as const;
const DIRECTIONS = ["outgoing", "incoming"] as const;
const FLOOR = 0.003;

const readingOf = (description: string, over: Partial<RecogniserInput> = {}): Reading =>
  read(paidLine(description, { country: "US", ...over }));
const paid = (reading: Reading): CategoryInput => inputOf(reading, "consumer", "outgoing");
const namedOf = (reading: Reading): unknown => Object.fromEntries(paid(reading).sources);

const span = { from: 0, to: 1 };
const person: Party = {
  ...{ kind: "named", type: "person", name: "John", website: null, span, lastWord: null },
};

test("sources name their categories: wording, merchant, codes, words, a person", () => {
  expect(namedOf(readingOf("OVERDRAFT FEE"))).toEqual({
    internal: "non-sufficient funds / overdraft fee",
  });
  const salary = readingOf("PAYROLL", { entryType: "incoming" });
  expect([...inputOf(salary, "consumer", "incoming").sources]).toEqual([["wording", "paycheck"]]);
  expect(namedOf(readingOf("WENDYS 1234 AUSTIN TX"))).toEqual({
    merchant: "food and drink",
    mccs: "food and drink",
  });
  expect(namedOf(readingOf("BIRCHWOOD DENTAL GROUP PORTLAND OR"))).toEqual({
    words: "medical bill",
  });
  expect(namedOf({ ...readingOf("QWERTZ"), party: person })).toEqual({
    person: "peer to peer transfer",
  });
  const through = { ...readingOf("QWERTZ"), throughCategory: 0 };
  expect(namedOf(through)).toEqual({ through: knowledge.lexicon.categories[0] });
  expect(namedOf(readingOf("QWERTZ"))).toEqual({});
});

test("a curated merchant and a brand are different sources", () => {
  const curated = readingOf("TESCO STORES 6440", { currency: "GBP", country: "GB" });
  expect(namedOf(curated)).toEqual({ merchant: "groceries" });
  const ranked = curated.ranked.map((one) => ({
    ...one,
    candidate: { ...one.candidate, class: "brand" as const },
  }));
  expect(namedOf({ ...curated, ranked })).toEqual({ brand: "groceries" });
});

test("every source names a category of the account's set and direction", () => {
  const reading = readingOf("QWERTZ");
  const parties = Array.from(
    knowledge.merchants.category,
    (_, merchant): Party => ({ kind: "merchant", merchant, span }),
  );
  const readings = [
    ...[...parties, person].map((party) => ({ ...reading, party })),
    ...knowledge.lexicon.categories.map((_, throughCategory) => ({ ...reading, throughCategory })),
  ];
  for (const accountType of ACCOUNTS)
    for (const entryType of DIRECTIONS) {
      const direction = entryType === "outgoing" ? 1 : 0;
      const hints = { ...reading.hints, direction } as const;
      const named = readings.flatMap((one) => [
        ...inputOf({ ...one, hints }, accountType, entryType).sources.values(),
      ]);
      expect(named.length).toBeGreaterThan(0);
      expect(CATEGORY_SETS[accountType][entryType]).toEqual(expect.arrayContaining(named));
    }
});

/** Probabilities by the words, in the order of the account's set. */
function sharesOf(
  reading: Reading,
  accountType: "consumer" | "business" = "consumer",
  entryType: "incoming" | "outgoing" = "outgoing",
): readonly number[] {
  const { byWords } = inputOf(reading, accountType, entryType);
  expect(byWords).toHaveLength(CATEGORY_SETS[accountType][entryType].length);
  return Array.from(byWords, (logarithm) => Math.exp(logarithm) - FLOOR);
}

const sumOf = (shares: readonly number[]): number => shares.reduce((sum, share) => sum + share, 0);

test("the words give each category of the account's set a probability", () => {
  const reading = readingOf("BIRCHWOOD DENTAL GROUP PORTLAND OR");
  const tolerance = 1e-9;
  for (const accountType of ACCOUNTS)
    for (const entryType of DIRECTIONS) {
      const shares = sharesOf(reading, accountType, entryType);
      for (const share of shares) expect(share).toBeGreaterThanOrEqual(-tolerance);
      expect(sumOf(shares)).toBeGreaterThan(0);
      expect(sumOf(shares)).toBeLessThanOrEqual(1 + tolerance);
    }
});

test("probabilities of what a consumer pays for sum to 1", () => {
  expect(sumOf(sharesOf(readingOf("BIRCHWOOD DENTAL GROUP")))).toBeCloseTo(1, 3);
});

test("the words of a name point to its category", () => {
  const shares = sharesOf(readingOf("BIRCHWOOD DENTAL GROUP PORTLAND OR"));
  const best = shares.indexOf(Math.max(...shares));
  expect(CATEGORY_SETS.consumer.outgoing[best]).toBe("medical bill");
});

test("numbers and abbreviations do not change what the words point to", () => {
  const sharesOfWords = (text: string): readonly number[] =>
    sharesOf({ ...readingOf(text), party: { kind: "none" } });
  const dental = sharesOfWords("BIRCHWOOD DENTAL");
  expect(sharesOfWords("BIRCHWOOD DENTAL 1234 5678")).toEqual(dental);
  expect(sharesOfWords("BIRCHWOOD DNTL")).toEqual(dental);
  expect(sharesOfWords("BIRCHWOOD ROASTERS")).not.toEqual(dental);
});

test("a line without words has finite evidence", () => {
  const { byWords, byAmount } = paid(readingOf(""));
  expect([byWords, byAmount].every((list) => Array.from(list).every(Number.isFinite))).toBe(true);
});

const AMOUNT_MIN = -4;
const AMOUNT_MAX = 2;
const sizeFor = ({ byAmount }: CategoryInput, category: string): number =>
  byAmount[CATEGORY_SETS.consumer.outgoing.indexOf(category)] ?? NaN;

test("an amount is likelier for a category in which it is usual", () => {
  const large = paid(readingOf("SHELL", { amount: 1_500 }));
  expect(sizeFor(large, "mortgage")).toBeGreaterThan(sizeFor(large, "fuel"));
  const small = paid(readingOf("SHELL", { amount: 40 }));
  expect(sizeFor(small, "fuel")).toBeGreaterThan(sizeFor(small, "mortgage"));
});

test("the evidence of an amount is bounded", () => {
  for (const amount of [0.01, 1, 40, 1e6, Number.MAX_VALUE]) {
    const { byAmount } = paid(readingOf("SHELL", { amount }));
    expect(Math.min(...Array.from(byAmount))).toBeGreaterThanOrEqual(AMOUNT_MIN);
    expect(Math.max(...Array.from(byAmount))).toBeLessThanOrEqual(AMOUNT_MAX);
  }
});

test("the amount is evidence for consumers only, and only where there is one", () => {
  const isSilent = ({ byAmount }: CategoryInput): boolean =>
    Array.from(byAmount).every((one) => one === 0);
  const reading = readingOf("SHELL", { amount: 40 });
  expect(isSilent(paid(reading))).toBe(false);
  expect(isSilent(paid(readingOf("SHELL", { amount: 0 })))).toBe(true);
  expect(isSilent(inputOf(reading, "business", "outgoing"))).toBe(true);
});

test("the place is a city, else a phone number, else a web address, else none", () => {
  const reading = readingOf("TESCO STORES 6440");
  const placeOf = (...labels: Label[]): string => {
    const tagging = { ...reading.tagging, labels: labels.map((one) => LABEL[one]) };
    return paid({ ...reading, tagging }).place;
  };
  expect(placeOf("web", "phone", "city")).toBe("city");
  expect(placeOf("web", "phone", "name")).toBe("phone");
  expect(placeOf("name", "web", "name")).toBe("web");
  expect(placeOf("name", "state", "name")).toBe("noplace");
});

test("the counterparty is a known merchant, a person, an unknown name or missing", () => {
  const reading = readingOf("TESCO STORES 6440");
  const traitOf = (party: Party): string => paid({ ...reading, party }).party;
  expect(traitOf({ kind: "merchant", merchant: 0, span })).toBe("known");
  expect(traitOf({ ...person, type: "organization" })).toBe("unknown");
  expect(traitOf(person)).toBe("person");
  expect(traitOf({ kind: "none" })).toBe("none");
});
