import fc from "fast-check";
import { expect, test } from "vitest";
import type { Explanation } from "../../src/model/explanation.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";
import { readKnowledge } from "../../test/eval/knowledge.ts";
import { sampleKnowledge } from "../../test/support/knowledge-sample.ts";
import { paidLine } from "../../test/support/recogniser-input.ts";
import { explain } from "./explain.ts";
import { createExaminer } from "./recogniser.ts";
import { normaliseText } from "./text/normalise.ts";

const knowledge = readKnowledge();
const examine = createExaminer(knowledge);

const ask = (description: string, over: Partial<RecogniserInput> = {}): Explanation =>
  explain(examine(paidLine(description, over)), knowledge);

const partsOf = ({ parts }: Explanation): readonly string[] =>
  parts.map(({ kind, text }) => `${kind}: ${text}`);

test("a card line is split into wrapping, name, store, place and references", () => {
  const line = "PURCHASE AUTHORIZED ON 01/23 STARBUCKS 33421 AUSTIN TX S123456789012345 CARD 1082";
  expect(partsOf(ask(line))).toEqual(
    expect.arrayContaining(["name: STARBUCKS", "store: 33421", "city: AUSTIN", "state: TX"]),
  );
});

test("fields of an account entry are found by their labels", () => {
  const line = "EXCELSIOR WELDING DES:PAYROLL ID:12345 INDN:DOE,JANE CO ID:1234567890 PPD";
  const parts = partsOf(ask(line, { entryType: "incoming" }));
  expect(parts).toContain("name: EXCELSIOR WELDING");
  expect(parts).toContain("purpose: PAYROLL");
  expect(parts.filter((part) => part.includes("DOE"))).not.toContainEqual(
    expect.stringMatching(/^name/u),
  );
});

test("a probability is stated for each part", () => {
  for (const { probability } of ask("SQ *BLUE BOTTLE 123 OAKLAND CA").parts) {
    expect(probability).toBeGreaterThan(0);
    expect(probability).toBeLessThanOrEqual(1);
  }
});

test("the candidates stand in the order of their scores, the first is chosen, and all have evidence", () => {
  const { candidates, decision } = ask("SQ *BLUE BOTTLE 123 OAKLAND CA");
  const scores = candidates.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(candidates.map(({ chosen }) => chosen)).toEqual(candidates.map((_, at) => at === 0));
  expect(decision.counterparty).toMatchObject({ name: candidates[0]?.name, kind: "curated" });
  for (const { evidence } of candidates) expect(evidence.length).toBeGreaterThan(0);
});

test("that no counterparty is named is a candidate of its own", () => {
  expect(ask("STARBUCKS 123 AUSTIN TX").candidates).toContainEqual(
    expect.objectContaining({ kind: "none", name: null, chosen: false }),
  );
  const fee = ask("OVERDRAFT FEE");
  expect(fee.candidates[0]).toMatchObject({ kind: "none", name: null, chosen: true });
  expect(fee.decision.counterparty).toBeNull();
});

test("intermediaries are part of the decision", () => {
  expect(ask("TST* HILLSIDE GRILL AUSTIN TX").decision.intermediaries).toMatchObject([
    { name: "Toast" },
  ]);
});

test("the pattern that matched is shown as the tables write it", () => {
  const { wording, decision } = ask("MONTHLY SERVICE FEE");
  expect(wording).toMatchObject({ category: "bank fee" });
  expect(wording?.pattern).toMatch(/^[A-Z* ]+$/u);
  expect(decision.categories?.general).toBe("bank fee");
});

test("the best categories are shown with what weighs on them, and how likely the chosen one is", () => {
  const { categories, decision } = ask("STARBUCKS 123 AUSTIN TX");
  expect(categories[0]).toMatchObject({ category: "cafes and coffee shops", chosen: true });
  expect(categories[0]?.evidence.map(({ because }) => because)).toContain(
    "the curated merchant's category",
  );
  expect(categories.slice(1).every(({ chosen }) => !chosen)).toBe(true);
  expect(decision.category_probability).toBeGreaterThan(0.8);
});

test("a website has its reason", () => {
  const reasonOf = (line: string, over: Partial<RecogniserInput> = {}): string | null =>
    ask(line, over).decision.counterparty?.website_because ?? null;
  expect(reasonOf("STARBUCKS 123 AUSTIN TX")).toBe("that of the merchant in the tables");
  expect(reasonOf("WWW.BLUE-KETTLE.CO.UK", { currency: "GBP" })).toBe("stands in the line");
  expect(reasonOf("BIRCHWOOD DENTAL GROUP PORTLAND OR")).toBeNull();
});

test("without an account no category is decided and none is explained", () => {
  const { decision, categories } = ask("NETFLIX.COM", { accountType: null });
  expect(decision).toMatchObject({ categories: null, category_probability: null });
  expect(categories).toEqual([]);
});

test("the facts are those of the transaction", () => {
  const over = { accountType: "business", country: "US" } as const;
  const item = paidLine("TST* HILLSIDE GRILL AUSTIN TX", over);
  expect(ask(item.description, item).facts).toEqual(examine(item).facts);
});

test("a line of many names has a bounded explanation that states how many it leaves out", () => {
  const names = "TESCO SHELL STARBUCKS NETFLIX TARGET WALMART COSTCO KROGER SUBWAY WENDYS";
  const { candidates, candidates_left_out: leftOut } = ask(names);
  expect(candidates.length).toBeLessThanOrEqual(8);
  expect(leftOut).toBeGreaterThan(0);
});

const sample = await sampleKnowledge();
const examineSample = createExaminer(sample);
const words = ["SQ *", "TESCO ", "SHELL ", "DES:", "ID:", "01/23 ", "17 MAY ", "AUSTIN ", "TX "];
const more = [
  "73301 ",
  "LONDON ",
  "N11 3AA ",
  "NETFLIX.COM",
  "855-973-1040 ",
  "ZELLE TO ",
  "é",
  "-",
];
// Short enough for every word to be a token.
const line = fc.oneof(
  fc.string({ unit: "binary", maxLength: 180 }),
  fc.array(fc.constantFrom(...words, ...more), { maxLength: 30 }).map((all) => all.join("")),
);

test("parts stand in order at their offsets and leave out only signs, whatever comes in", () => {
  fc.assert(
    fc.property(
      line,
      fc.constantFrom("incoming", "outgoing"),
      fc.constantFrom("USD", "GBP", "INR"),
      (text, entryType, currency) => {
        const item = paidLine(text, { entryType, currency });
        const explanation = explain(examineSample(item), sample);
        expect(explanation.text).toBe(normaliseText(text));
        let last = 0;
        for (const { start, end, text: written } of explanation.parts) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(explanation.text.slice(start, end)).toBe(written);
          expect(explanation.text.slice(last, start)).not.toMatch(/[a-z0-9]/i);
          last = end;
        }
        expect(explanation.candidates.filter(({ chosen }) => chosen)).toHaveLength(1);
      },
    ),
    { numRuns: 500 },
  );
});
