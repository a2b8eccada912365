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
  by: "alias whole",
  because: "its checked name is the whole name",
  confidence: 0.987,
  found: { text: "TESCO", start: 0, end: 5 },
};
const candidate: ExplainedCandidate = {
  text: "TESCO",
  start: 0,
  end: 5,
  name: "Tesco",
  website: "tesco.com",
  source: "hand",
  length: 5,
  stands: "whole",
  trades: "here",
  areas: ["CZ", "GB", "HU", "IE", "SK"],
  verdict: "chosen",
  because: "its checked name is the whole name",
};
const explanation: Explanation = {
  text: "TESCO 6440",
  direction: "outgoing",
  countries: ["GB"],
  decision: {
    counterparty,
    intermediaries: [],
    categories: { general: "groceries", accounting: null },
    category_by: "merchant",
    location: null,
  },
  parts: [
    { kind: "name", text: "TESCO", start: 0, end: 5, means: "Tesco" },
    { kind: "store number", text: "6440", start: 6, end: 10, means: "6440" },
  ],
  wording: null,
  candidates: [candidate],
  candidates_left_out: 2,
  category_evidence: [
    {
      source: "merchant",
      from: "Tesco",
      category: "groceries",
      probability: null,
      decided: true,
    },
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

it("the decision comes first, then the parts, the candidates and the evidence", async () => {
  const { code, out } = await run(explanation);
  expect(code).toBe(0);
  expect(out).toBe(`TESCO 6440
6.50 GBP, outgoing, consumer account, account in GB

Decision
  counterparty  Tesco (tesco.com), an organization
  because       its checked name is the whole name [alias whole]
  confidence    0.99
  found in      "TESCO"
  category      groceries, by the merchant
  location      none

Parts (characters, what, as written, read as)
  0-5   name          TESCO  Tesco
  6-10  store number  6440

Candidates (* chosen, + believed, - refused)
  *  Tesco (tesco.com)  "TESCO"  curated  whole  here (CZ GB HU IE …)
     its checked name is the whole name
     and 2 more

Evidence for the category (* decided)
  *  the merchant  Tesco  groceries
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
        parts: [{ kind: "name", text: one, start: 0, end: one.length, means: other }],
        candidates: [{ ...candidate, text: one, name: other, website: other }],
      };
      for (const line of explanationLines(wild, "1.00 USD")) {
        expect(Array.from(line).length).toBeLessThanOrEqual(100);
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }
    }),
  );
});
