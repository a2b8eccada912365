// Why a line was recognised as it was, for people who ask: prints the trace of what was computed. Nothing here decides
// anything, and nothing is computed a second time but the words.
import {
  type Excerpt,
  type ExplainedCandidate,
  type ExplainedCategory,
  type ExplainedCounterparty,
  type ExplainedEvidence,
  type ExplainedPart,
  type ExplainedWording,
  type Explanation,
  PART_KINDS,
} from "../../src/model/explanation.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { PatternRow } from "../knowledge/sections.ts";
import { CATEGORY_SETS, type Contribution, createCategoriser } from "./category/categoriser.ts";
import { contributionText } from "./category/texts.ts";
import type { Line, Span } from "./line.ts";
import { LABEL_COUNT } from "./parse/labels.ts";
import { EVIDENCE } from "./rank/evidence.ts";
import { createRanker, type Ranker } from "./rank/ranker.ts";
import { partyOf, type Reading, websiteOfParty } from "./read.ts";
import type { Examination } from "./recogniser.ts";

const CANDIDATES_SHOWN_MAX = 8;
const CATEGORIES_SHOWN_MAX = 3;
const EVIDENCE_SHOWN_MAX = 6;
/** Two decimals: what weighs less is left out. */
const WEIGHT_MIN = 0.005;

const rounded = (value: number): number => Math.round(value * 1e3) / 1e3;

/** Tokens as written. */
function excerptOf({ text, tokens }: Line, { from, to }: Span): Excerpt {
  const start = tokens[from]?.start ?? 0;
  const end = to > from ? (tokens[to - 1]?.end ?? start) : start;
  return { text: text.slice(start, end), start, end };
}

/** Runs of tokens with the same label. */
function partsOf({ line, tagging }: Reading): readonly ExplainedPart[] {
  const { labels, marginals } = tagging;
  const parts: ExplainedPart[] = [];
  for (let from = 0; from < labels.length; ) {
    const label = labels[from] ?? 0;
    let to = from;
    let probability = 1;
    while (to < labels.length && labels[to] === label) {
      probability = Math.min(probability, marginals[to * LABEL_COUNT + label] ?? 0);
      to++;
    }
    const kind = PART_KINDS[label];
    if (kind !== undefined)
      parts.push({ ...excerptOf(line, { from, to }), kind, probability: rounded(probability) });
    from = to;
  }
  return parts;
}

const evidenceOf = (
  contributions: readonly (readonly [because: string, weight: number])[],
): readonly ExplainedEvidence[] =>
  contributions
    .filter(([, weight]) => Math.abs(weight) >= WEIGHT_MIN)
    .slice(0, EVIDENCE_SHOWN_MAX)
    .map(([because, weight]) => ({ because, weight: rounded(weight) }));

function entityOf(
  reading: Reading,
  at: number,
  knowledge: Knowledge,
): { name: string | null; website: string | null } {
  const candidate = reading.ranked[at]?.candidate;
  if (candidate === undefined) return { name: null, website: null };
  const party = partyOf(
    reading.line,
    candidate,
    reading.tagging.flags,
    reading.hints.home,
    knowledge,
  );
  if (party.kind === "none") return { name: null, website: null };
  if (party.kind === "named") return { name: party.name, website: party.website };
  const { name, website } = knowledge.merchants;
  return {
    name: knowledge.text(name[party.merchant] ?? 0),
    website: knowledge.text(website[party.merchant] ?? 0) || null,
  };
}

function explainedCandidates(
  reading: Reading,
  ranker: Ranker,
  knowledge: Knowledge,
): readonly ExplainedCandidate[] {
  return reading.ranked
    .slice(0, CANDIDATES_SHOWN_MAX)
    .map(({ candidate, score, probability }, at) => ({
      ...entityOf(reading, at, knowledge),
      ...excerptOf(reading.line, candidate.span),
      kind: candidate.class,
      score: rounded(score),
      probability: rounded(probability),
      chosen: at === 0,
      evidence: evidenceOf(
        ranker.contributions(candidate).map(([name, weight]) => [EVIDENCE[name], weight] as const),
      ),
    }));
}

/** Where the website of the counterparty is from, in words. */
function websiteReason({ party, hints, ranked }: Reading, knowledge: Knowledge): string | null {
  if (party.kind === "none") return null;
  if (party.kind === "merchant") return "that of the merchant in the tables";
  if (party.website === null) return null;
  if (ranked[0]?.candidate.class === "address") return "stands in the line";
  const site = websiteOfParty(party.name, hints.home, knowledge);
  if (site === null) return null;
  const { domain, tier, variant, kind, probability } = site;
  const share = `right in ${String(Math.round(100 * probability))} % of such names`;
  const list = tier === "core" ? "is a domain in use" : "was a domain in use";
  return `${domain} ${list}; the words of the name ${variant} (${kind}): ${share}`;
}

function counterpartyOf(
  { reading, facts }: Examination,
  knowledge: Knowledge,
): ExplainedCounterparty | null {
  const { party, confidence } = reading;
  const counterparty = facts.entities?.counterparty ?? null;
  const best = reading.ranked[0];
  if (party.kind === "none" || counterparty === null || best === undefined) return null;
  return {
    type: counterparty.type,
    name: counterparty.name,
    website: counterparty.website,
    kind: best.candidate.class,
    confidence: rounded(confidence),
    found: excerptOf(reading.line, party.span),
    website_because: counterparty.website === null ? null : websiteReason(reading, knowledge),
  };
}

/** Words of a pattern as the tables write them: `DIRECT * DEPOSIT`. */
const patternText = ({ parts }: PatternRow): string =>
  parts.map((part) => part.join(" ").toUpperCase()).join(" * ");

function wordingOf({ line, wording }: Reading, knowledge: Knowledge): ExplainedWording | null {
  if (wording === null) return null;
  return {
    pattern: patternText(wording.row),
    category: knowledge.lexicon.categories[wording.row.category] ?? "",
    ...excerptOf(line, wording),
  };
}

function categoriesOf(
  { categoryInput, categorised }: Examination,
  knowledge: Knowledge,
): readonly ExplainedCategory[] {
  if (categorised === null || categoryInput === null) return [];
  const categoriser = createCategoriser(knowledge.lexicon.categoriser);
  const textOf = ({ name, weight }: Contribution) => [contributionText(name), weight] as const;
  const { accountType, entryType } = categoryInput;
  return CATEGORY_SETS[accountType][entryType]
    .map((category, at) => ({ category, at, score: categorised.scores[at] ?? 0 }))
    .sort((a, b) => b.score - a.score)
    .slice(0, CATEGORIES_SHOWN_MAX)
    .map(({ category, at, score }, order) => ({
      category,
      score: rounded(score),
      chosen: order === 0,
      evidence: evidenceOf(categoriser.contributions(categoryInput, at).map(textOf)),
    }));
}

/** `GB` of a packed country, see `packArea`. */
function unpackCountry(packed: number): string {
  const letters = Math.floor(packed / 27 ** 3);
  return String.fromCharCode(0x40 + Math.floor(letters / 27), 0x40 + (letters % 27));
}

/** What a line was taken apart into, who could have been meant, and what decided. */
export function explain(examination: Examination, knowledge: Knowledge): Explanation {
  const { reading, categorised, facts } = examination;
  const ranker = createRanker(knowledge.lexicon.ranker);
  return {
    text: reading.line.text,
    direction: reading.hints.direction === 1 ? "outgoing" : "incoming",
    countries: reading.hints.countries.map(unpackCountry).sort(),
    decision: {
      counterparty: counterpartyOf(examination, knowledge),
      intermediaries: (facts.entities?.intermediaries ?? []).map(({ name, website }) => ({
        name,
        website,
      })),
      categories: facts.categories,
      category_probability: categorised === null ? null : rounded(categorised.probability),
      location: facts.location?.raw_address ?? facts.location?.structured?.state ?? null,
    },
    parts: partsOf(reading),
    wording: wordingOf(reading, knowledge),
    candidates: explainedCandidates(reading, ranker, knowledge),
    candidates_left_out: Math.max(0, reading.ranked.length - CANDIDATES_SHOWN_MAX),
    categories: categoriesOf(examination, knowledge),
    facts,
  };
}
