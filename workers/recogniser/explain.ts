// Why a line was recognised as it was, for people who ask. It tells what the steps found; where a step only kept its
// answer, it is asked again. Nothing here decides anything.
import type {
  ExplainedCounterparty,
  ExplainedDecision,
  ExplainedWording,
  Explanation,
} from "../../src/model/explanation.ts";
import { candidatesOf, unpackAreas } from "./explain/candidates.ts";
import { categoryEvidence, decidingSource, patternText } from "./explain/categories.ts";
import { categoryReasonOf } from "./explain/evidence.ts";
import { excerptOf, partsOfLine } from "./explain/parts.ts";
import type { Examination } from "./recogniser.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";

function counterpartyOf({ reading, facts }: Examination): ExplainedCounterparty | null {
  const { line, parties } = reading;
  const { party, confidence } = parties;
  const counterparty = facts.entities?.counterparty ?? null;
  if (party.kind === "none" || counterparty === null) return null;
  const { type, name, website } = counterparty;
  const because = categoryReasonOf(party.by);
  return {
    type,
    name,
    website,
    by: party.by,
    because,
    confidence,
    found: excerptOf(line, party.span),
  };
}

function wordingOf(
  { reading, evidence }: Examination,
  knowledge: Knowledge,
): ExplainedWording | null {
  const { line, wording } = reading;
  // One that stands in the name of a known shop says nothing and is not used.
  if (wording === null || (evidence !== null && evidence.wording === null)) return null;
  return {
    pattern: patternText(wording.row),
    category: knowledge.lexicon.categories[wording.row.category] ?? "",
    ...excerptOf(line, wording),
  };
}

function decisionOf(
  examination: Examination,
  accountType: RecogniserInput["accountType"],
  knowledge: Knowledge,
): ExplainedDecision {
  const { reading, evidence, facts } = examination;
  const { categories } = facts;
  const isDecided = evidence !== null && categories !== null && accountType !== null;
  const { direction } = reading.hints;
  return {
    counterparty: counterpartyOf(examination),
    intermediaries: (facts.entities?.intermediaries ?? []).map(({ name, website }) => ({
      name,
      website,
    })),
    categories,
    category_by: isDecided
      ? decidingSource(evidence, categories, direction, accountType, knowledge)
      : null,
    location: facts.location?.raw_address ?? facts.location?.structured?.state ?? null,
  };
}

/** What a line was taken apart into, who could have been meant, and what decided. */
export function explain(
  examination: Examination,
  accountType: RecogniserInput["accountType"],
  knowledge: Knowledge,
): Explanation {
  const { reading, evidence, facts } = examination;
  const decision = decisionOf(examination, accountType, knowledge);
  const { shown, leftOut } = candidatesOf(reading, facts, knowledge);
  return {
    text: reading.line.text,
    direction: reading.hints.direction === 1 ? "outgoing" : "incoming",
    countries: unpackAreas(reading.hints.countries),
    decision,
    parts: partsOfLine(reading, facts, knowledge),
    wording: wordingOf(examination, knowledge),
    candidates: shown,
    candidates_left_out: leftOut,
    category_evidence:
      evidence === null ? [] : categoryEvidence(evidence, decision.category_by, reading, knowledge),
    facts,
  };
}
