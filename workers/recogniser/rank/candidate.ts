// A counterparty who may be meant in a line.
import type { Span } from "../line.ts";
import type { CandidateClass, EvidenceVector } from "./evidence.ts";

export interface Candidate {
  readonly class: CandidateClass;
  /** Tokens that name it; empty for no counterparty. */
  readonly span: Span;
  /** Index of the merchant, -1 = it is in no table. */
  readonly merchant: number;
  /** Of an address in the line: the part before the public suffix, and the registrable domain where it is whole. */
  readonly address?: { readonly label: string; readonly domain: string | null };
  /** What the last token of the span stands for, folded, where it was cut off. */
  readonly lastWord: string | null;
  readonly evidence: EvidenceVector;
}
