// Why a line was recognised as it was: what each of its words was taken for, who could have been meant, and what weighed how
// much. The field names go into answers as they are, like those of the facts.
import type { Categories, Facts } from "./facts.ts";

/** What a part of a line is, in the order of the tagger's labels: never reorder without training it again. */
export const PART_KINDS = [
  /** The name of an organisation: who was paid, or who paid. */
  "name",
  /** The name of a private person in that role. */
  "person",
  /** What a processor, wallet or marketplace prints in front of the name: `SQ *`, `PAYPAL`. */
  "prefix",
  /** Number of a store or terminal behind the name. */
  "store",
  "city",
  "state",
  "postcode",
  "country",
  "phone",
  /** A web address that is not the name. */
  "web",
  "date",
  /** Numbers and codes: references, card numbers, ids, amounts. */
  "reference",
  /** Words of the bank around the name: `POS PURCHASE`. */
  "wrapper",
  /** What the payment is for, or what the bank itself did: `PAYROLL`, `OVERDRAFT FEE`. */
  "purpose",
  /** A field's own name, and fields that are about others: `INDN:`, the account holder. */
  "field",
  "street",
] as const;
export type PartKind = (typeof PART_KINDS)[number];

/** A piece of the line as written: `text.slice(start, end)` of the explanation's text, in UTF-16 code units. */
export interface Excerpt {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface ExplainedPart extends Excerpt {
  readonly kind: PartKind;
  /** The lowest of its words, 0..1. */
  readonly probability: number;
}

/** Something that speaks for an answer, or against it. */
export interface ExplainedEvidence {
  /** In words. */
  readonly because: string;
  /** What it adds to the score, below 0 where it speaks against. */
  readonly weight: number;
}

/** How a candidate is known. */
export const CANDIDATE_KINDS = [
  /** A merchant that a person wrote into a table. */
  "curated",
  /** A merchant of the data packages. */
  "brand",
  /** An organisation that is in no table, by the words that stand where names stand. */
  "name",
  "person",
  /** A web address in the line that is in no table. */
  "address",
  /** No counterparty. */
  "none",
] as const;
export type CandidateKind = (typeof CANDIDATE_KINDS)[number];

export interface ExplainedEntity {
  readonly name: string | null;
  readonly website: string | null;
}

/** A counterparty that may be meant; without a name: none. */
export interface ExplainedCandidate extends ExplainedEntity, Excerpt {
  readonly kind: CandidateKind;
  readonly score: number;
  /** Among the candidates, 0..1, before calibration. */
  readonly probability: number;
  readonly chosen: boolean;
  /** The weightiest first. */
  readonly evidence: readonly ExplainedEvidence[];
}

export interface ExplainedCounterparty extends ExplainedEntity {
  readonly type: "person" | "organization";
  readonly kind: CandidateKind;
  /** How often such an answer is right, 0..1. */
  readonly confidence: number;
  /** Where it stands in the line. */
  readonly found: Excerpt;
  /** Where the website is from; null without one. */
  readonly website_because: string | null;
}

export interface ExplainedWording extends Excerpt {
  /** Row of the wording tables; `*` stands for anything. */
  readonly pattern: string;
  readonly category: string;
}

export interface ExplainedCategory {
  readonly category: string;
  readonly score: number;
  readonly chosen: boolean;
  /** The weightiest first. */
  readonly evidence: readonly ExplainedEvidence[];
}

export interface ExplainedDecision {
  readonly counterparty: ExplainedCounterparty | null;
  /** Outermost first. */
  readonly intermediaries: readonly ExplainedEntity[];
  readonly categories: Categories | null;
  /** How often such a category is right, 0..1; null without one. */
  readonly category_probability: number | null;
  /** One line; null: no place was found. */
  readonly location: string | null;
}

export interface Explanation {
  /** The description after its clean-up: all offsets are into this. */
  readonly text: string;
  readonly direction: "incoming" | "outgoing";
  /** Where the account can be, ISO 3166-1 alpha-2; none: nothing is known. */
  readonly countries: readonly string[];
  readonly decision: ExplainedDecision;
  readonly parts: readonly ExplainedPart[];
  readonly wording: ExplainedWording | null;
  /** Best first. */
  readonly candidates: readonly ExplainedCandidate[];
  /** How many more there are than the explanation shows. */
  readonly candidates_left_out: number;
  /** The best first; none where no category is decided. */
  readonly categories: readonly ExplainedCategory[];
  readonly facts: Facts;
}
