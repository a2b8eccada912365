// Why a line was recognised as it was: what it was taken apart into, who could have been meant, and what decided. The
// field names go into answers as they are, like those of the facts.
import type { Categories, Facts } from "./facts.ts";

/** What a part of a line is. */
export const PART_KINDS = [
  /** Words that the bank puts around a name. */
  "wrapping",
  /** Names the field behind it: `ORIG CO NAME:`, `DES:`. */
  "label",
  /** The value of a labelled field that is not a name. */
  "field",
  /** Words that say what kind of business this is: `PAYROLL`. */
  "wording",
  /** Marks an intermediary: `SQ *`. */
  "mark",
  /** What the counterparty was recognised by. */
  "name",
  "store number",
  "reference",
  "date",
  "city",
  "state",
  "postcode",
  "country",
  "phone",
  "website",
  /** Stands there and changed nothing. */
  "rest",
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
  /** What it was read as, if anything: `Square` of `SQ *`. */
  readonly means: string | null;
}

/** A merchant or person whose name is in the line. */
export interface ExplainedCandidate extends Excerpt {
  readonly name: string;
  readonly website: string | null;
  /** Written down by a person, or a brand of the data packages; null: not found by its name. */
  readonly source: "hand" | "brand" | null;
  /** Letters and digits of the name that is known. */
  readonly length: number;
  readonly stands: "whole" | "first" | "inside";
  /** Listed where the transaction is from, everywhere, or only elsewhere. */
  readonly trades: "here" | "anywhere" | "elsewhere";
  /** ISO 3166-1 alpha-2 or ISO 3166-2; none: everywhere. */
  readonly areas: readonly string[];
  readonly verdict: "chosen" | "believed" | "refused";
  /** Why, in a few words. */
  readonly because: string;
}

export interface ExplainedEntity {
  readonly name: string | null;
  readonly website: string | null;
}

export interface ExplainedCounterparty extends ExplainedEntity {
  readonly type: "person" | "organization";
  /** The name of the evidence, see `workers/recogniser/steps/confidence.ts`. */
  readonly by: string;
  readonly because: string;
  /** How often what is found this way is right, 0..1. */
  readonly confidence: number;
  /** Where it stands in the line. */
  readonly found: Excerpt;
}

export interface ExplainedWording extends Excerpt {
  /** Row of the wording tables; `*` stands for anything. */
  readonly pattern: string;
  readonly category: string;
}

/** In the order in which they are evaluated; the first with a value decides. */
export const CATEGORY_SOURCES = [
  "wording",
  "person",
  "platform",
  "service",
  "merchant",
  "codes",
  "words",
  "intermediary",
  "guess",
] as const;
export type CategorySource = (typeof CATEGORY_SOURCES)[number];

export interface ExplainedEvidence {
  readonly source: CategorySource;
  /** What spoke: a pattern, a merchant, codes. */
  readonly from: string;
  /** Its category for money that leaves a consumer's account; null: none. */
  readonly category: string | null;
  /** Of a guess, 0..1. */
  readonly probability: number | null;
  readonly decided: boolean;
}

export interface ExplainedDecision {
  readonly counterparty: ExplainedCounterparty | null;
  /** Outermost first. */
  readonly intermediaries: readonly ExplainedEntity[];
  readonly categories: Categories | null;
  /** What decided the category; null: nothing did. */
  readonly category_by: CategorySource | null;
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
  /** The chosen one first, then the believed, then the others; the longest names first. */
  readonly candidates: readonly ExplainedCandidate[];
  /** How many more there are than the explanation shows. */
  readonly candidates_left_out: number;
  readonly category_evidence: readonly ExplainedEvidence[];
  readonly facts: Facts;
}
