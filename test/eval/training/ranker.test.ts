import { expect, test } from "vitest";
import { answerOf } from "../../../bench/training/ranker.ts";
import type { Candidate } from "../../../workers/recogniser/rank/candidate.ts";
import { createEvidence } from "../../../workers/recogniser/rank/evidence.ts";
import { tokenise } from "../../../workers/recogniser/text/tokenise.ts";

const text = "BLUEKETTLE BLUEKETTLE.COM";
const line = { text, tokens: tokenise(text) };

const candidateOf = (over: Partial<Candidate>): Candidate => ({
  ...{ class: "name", span: { from: 0, to: 1 }, merchant: -1, lastWord: null },
  evidence: createEvidence(),
  ...over,
});

/** The likeliest of the candidates, where each is as likely as its share. */
function answerAmong(...given: readonly (readonly [share: number, candidate: Candidate])[]) {
  const named = given.map(([, candidate]) => ({ candidate, isName: true, isRight: true }));
  const choices = given.map((_, at) => ({ evidence: [[String(at), 1] as const], right: true }));
  const weights = new Map(given.map(([share], at) => [String(at), Math.log(share)]));
  return answerOf({ line, named, choices, weight: 1 }, weights);
}

const address = candidateOf({
  class: "address",
  span: { from: 1, to: 3 },
  address: { label: "bluekettle", domain: "bluekettle.com" },
});

test("curves are fitted to the probability of a name in all its candidates, as it is calibrated", () => {
  const none = candidateOf({ class: "none", span: { from: 0, to: 0 } });
  const answer = answerAmong([0.3, none], [0.5, candidateOf({})], [0.2, address]);
  expect(answer.candidate.class).toBe("name");
  expect(answer.probability).toBeCloseTo(0.7, 10);
});

test("of a merchant the probability is that of its candidate alone", () => {
  const merchant = candidateOf({ class: "curated", merchant: 7 });
  const answer = answerAmong([0.2, candidateOf({})], [0.6, merchant], [0.2, address]);
  expect(answer.candidate.merchant).toBe(7);
  expect(answer.probability).toBeCloseTo(0.6, 10);
});
