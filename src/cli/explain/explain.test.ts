import fc from "fast-check";
import { expect, it } from "vitest";
import { captureStream } from "../../../test/support/capture.ts";
import type {
  ExplainedCandidate,
  ExplainedCounterparty,
  Explanation,
} from "../../model/explanation.ts";
import { explainLine, type ExplainOptions } from "./explain.ts";
import { explanationLines } from "./report.ts";

const counterparty: ExplainedCounterparty = {
  type: "organization",
  name: "Tesco",
  website: "tesco.com",
  kind: "curated",
  confidence: 0.987,
  found: { text: "TESCO", start: 0, end: 5 },
  website_because: "that of the merchant in the tables",
};
const candidate: ExplainedCandidate = {
  text: "TESCO",
  start: 0,
  end: 5,
  name: "Tesco",
  website: "tesco.com",
  kind: "curated",
  score: 2.25,
  probability: 0.954,
  chosen: true,
  evidence: [
    { because: "covers all of the name it stands in", weight: 1.5 },
    { because: "the name is one word when written normally", weight: -0.25 },
  ],
};
const noCounterparty: ExplainedCandidate = {
  text: "",
  start: 0,
  end: 0,
  name: null,
  website: null,
  kind: "none",
  score: -0.8,
  probability: 0.046,
  chosen: false,
  evidence: [],
};
const explanation: Explanation = {
  text: "TESCO 6440",
  direction: "outgoing",
  countries: ["GB"],
  decision: {
    counterparty,
    intermediaries: [],
    categories: { general: "groceries", accounting: null },
    category_probability: 0.97,
    location: null,
  },
  parts: [
    { kind: "name", text: "TESCO", start: 0, end: 5, probability: 0.99 },
    { kind: "store", text: "6440", start: 6, end: 10, probability: 0.9 },
  ],
  wording: null,
  candidates: [candidate, noCounterparty],
  candidates_left_out: 2,
  categories: [
    {
      category: "groceries",
      score: 5.5,
      chosen: true,
      evidence: [{ because: "the curated merchant's category", weight: 4 }],
    },
    { category: "fuel", score: 1.25, chosen: false, evidence: [] },
  ],
  facts: { entities: null, categories: null, location: null },
};

const options: ExplainOptions = {
  description: "TESCO 6440",
  amount: 6.5,
  entryType: "outgoing",
  currency: "GBP",
  country: null,
  accountType: "consumer",
  isJson: false,
};

async function run(answer: Explanation | null, over: Partial<ExplainOptions> = {}) {
  const stdout = captureStream();
  const stderr = captureStream();
  const asked: unknown[] = [];
  const code = await explainLine(
    { ...options, ...over },
    {
      explain: (item) => {
        asked.push(item);
        return Promise.resolve(answer === null ? null : JSON.stringify(answer));
      },
      stdout: stdout.stream,
      stderr: stderr.stream,
    },
  );
  return { code, out: stdout.take(), err: stderr.take(), asked };
}

it("the decision comes first, then the parts, the candidates and the categories", async () => {
  const { code, out } = await run(explanation);
  expect(code).toBe(0);
  expect(out).toBe(`TESCO 6440
6.50 GBP, outgoing, consumer account, account in GB

Decision
  counterparty  Tesco (tesco.com), an organization
  known as      curated
  confidence    0.99
  found in      "TESCO"
  website       that of the merchant in the tables
  category      groceries (0.97)
  location      none

Parts (characters, what, as written, probability)
  0-5   name   TESCO  0.99
  6-10  store  6440   0.90

Candidates (* chosen) with their probability and what weighs on them
  *  Tesco (tesco.com)  "TESCO"  curated  0.95
     +1.50  covers all of the name it stands in
     -0.25  the name is one word when written normally
  -  no counterparty                      0.05
     and 2 more

Categories (* chosen) with their score and what weighs on them
  *  groceries  5.50
     +4.00  the curated merchant's category
  -  fuel       1.25
`);
});

it("--json prints the explanation and nothing else", async () => {
  const { out } = await run(explanation, { isJson: true });
  expect(JSON.parse(out)).toEqual(explanation);
});

it("a line the recogniser fails on is reported, with exit code 1", async () => {
  expect(await run(null)).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("fails") as string,
  });
});

it("no line is wider than a terminal or moves its cursor, whatever the bank wrote", () => {
  const text = fc.string({ unit: "binary", minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const wild: Explanation = {
        ...explanation,
        text: one,
        decision: { ...explanation.decision, counterparty: { ...counterparty, name: other } },
        parts: [{ kind: "name", text: one, start: 0, end: one.length, probability: 1 }],
        candidates: [{ ...candidate, text: one, name: other, website: other }],
      };
      for (const line of explanationLines(wild, "1.00 USD")) {
        expect(Array.from(line).length).toBeLessThanOrEqual(100);
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }
    }),
  );
});
