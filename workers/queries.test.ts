import { expect, test } from "vitest";
import type { CorrectedFields, CorrectedLine } from "../src/model/report.ts";
import { createExaminer } from "./recogniser/recogniser.ts";
import { sampleKnowledge } from "../test/support/knowledge-sample.ts";
import { createQueryAnswers } from "./queries.ts";
import type { RecogniserInput } from "../src/model/transaction.ts";

const knowledge = await sampleKnowledge();
const answer = createQueryAnswers(knowledge, createExaminer(knowledge, null), null);

const line: RecogniserInput = {
  description: "BIRCHWOOD DENTAL 4412 AUSTIN TX",
  amount: 5,
  entryType: "outgoing",
  currency: "USD",
  accountType: "consumer",
  rawAddress: null,
  country: null,
};

function corrected(fields: CorrectedFields) {
  const asked = { line, corrected: fields, facts: null, features: [], mapping: null, wordOf: null };
  const text = answer({ kind: "correct", ...asked });
  const done = JSON.parse(text ?? "null") as CorrectedLine;
  return done.ok ? done.facts.entities?.counterparty : null;
}

test("a corrected merchant is whom the operator names, not who would be recognised in these words", () => {
  expect(
    answer({ kind: "resolve", name: "Netflix Books", website: null, location: null }),
  ).toContain("netflix.com");
  expect(corrected({ merchant: "Netflix Books" })).toMatchObject({
    name: "Netflix Books",
    website: null,
  });
  expect(corrected({ merchant: "Netflx" })).toMatchObject({ name: "Netflx", website: null });
  expect(corrected({ merchant: "NETFLIX" })).toMatchObject({
    name: "Netflix",
    website: "netflix.com",
  });
});
