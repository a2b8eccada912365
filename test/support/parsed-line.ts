// Parsed lines with given labels: no trained model decides the tests of candidates.
import { allFlagsOf } from "../../workers/knowledge/knowledge.ts";
import { hintsOf, type Sent } from "../../workers/recogniser/hints.ts";
import { LABEL, LABEL_COUNT, type Label } from "../../workers/recogniser/parse/labels.ts";
import type { Candidate } from "../../workers/recogniser/rank/candidate.ts";
import { candidatesOf } from "../../workers/recogniser/rank/candidates.ts";
import { AT, type Evidence } from "../../workers/recogniser/rank/evidence.ts";
import type { ParsedLine } from "../../workers/recogniser/rank/line-view.ts";
import { tokenise } from "../../workers/recogniser/text/tokenise.ts";
import { sampleKnowledge, sampleSent } from "./knowledge-sample.ts";

const knowledge = await sampleKnowledge();
const IN_US = { ...sampleSent, currency: "USD", country: "US" } as const;
/** Probability of a label that was given. */
export const CERTAIN = 0.97;

/** A parsed line whose tokens have the given labels, each with the same high probability. */
export function parsedAs(
  text: string,
  labels: readonly Label[],
  over: Partial<Sent> = {},
): ParsedLine {
  const tokens = tokenise(text);
  if (tokens.length !== labels.length)
    throw new Error(`${text} has ${String(tokens.length)} tokens.`);
  const marginals = new Array<number>(tokens.length * LABEL_COUNT).fill(
    (1 - CERTAIN) / (LABEL_COUNT - 1) / 4,
  );
  labels.forEach((label, at) => (marginals[at * LABEL_COUNT + LABEL[label]] = CERTAIN));
  return {
    line: { text, tokens },
    hints: hintsOf({ ...IN_US, ...over }, knowledge),
    tagging: {
      labels: labels.map((label) => LABEL[label]),
      marginals,
      flags: tokens.map(({ text: word }) => allFlagsOf(knowledge, word)),
    },
    wording: null,
    internal: false,
  };
}

export const names = (count: number): Label[] => Array.from({ length: count }, () => "name");
export const US_PLACE = ["city", "state"] as const;

export const websiteOf = ({ merchant }: Candidate): string | null =>
  merchant < 0 ? null : knowledge.text(knowledge.merchants.website[merchant] ?? 0);

export const wordsOf = ({ line }: ParsedLine, { span }: Candidate): string =>
  line.tokens
    .slice(span.from, span.to)
    .map(({ text }) => text)
    .join(" ");

/** The candidate that is the merchant of a website. */
export function merchantOf(parsed: ParsedLine, website: string): Candidate | undefined {
  return candidatesOf(parsed, knowledge).find((one) => websiteOf(one) === website);
}

export const measured = (candidate: Candidate | undefined, name: Evidence): number | undefined =>
  candidate?.evidence[AT[name]];
