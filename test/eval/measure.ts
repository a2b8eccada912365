// What a recogniser gets right of labelled lines.
import type { Examination } from "../../workers/recogniser/recogniser.ts";
import type { PartyEvidence } from "../../workers/recogniser/steps/confidence.ts";
import type { Case, Label } from "./cases.ts";

export interface Outcome {
  readonly one: Case;
  readonly merchant: string;
  readonly website: string;
  readonly category: string;
  /** How the counterparty was found; null when there is none. */
  readonly by: PartyEvidence | null;
  /** 0..1; 0 when no merchant was named. */
  readonly confidence: number;
}

/** Counts; the ratio of a pair is a figure. */
export interface Ratio {
  readonly right: number;
  readonly of: number;
}

/** Null: the table has no labels for it. */
export interface Figures {
  /** Right or rightly empty, of all lines. */
  readonly merchant: Ratio | null;
  /** Correct, of the lines for which a merchant was named. */
  readonly precision: Ratio | null;
  /** Correct, of the lines for which a merchant is expected. */
  readonly recall: Ratio | null;
  readonly website: Ratio | null;
  readonly category: Ratio | null;
}

export function outcomeOf(one: Case, { facts, reading }: Examination): Outcome {
  const counterparty = facts.entities?.counterparty ?? null;
  const { party, confidence } = reading.parties;
  return {
    one,
    merchant: counterparty?.name ?? "",
    website: counterparty?.website ?? "",
    category: facts.categories?.general ?? "",
    by: party.kind === "none" ? null : party.by,
    confidence,
  };
}

/** Names are equal when they read the same: no case, accents, punctuation, leading THE or the word AND. */
function comparableName(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/['’]/gu, "");
  const words = plain
    .replace(/[^a-z0-9]+/gu, " ")
    .trim()
    .split(" ");
  return words.filter((word, at) => word !== "and" && !(at === 0 && word === "the")).join("");
}

/** Null when the table does not say. */
export function isMerchantRight({ one: { label }, merchant }: Outcome): boolean | null {
  if (label.merchants === null) return null;
  const name = comparableName(merchant);
  return label.merchants.some((right) => comparableName(right) === name);
}

export const isWebsiteRight = ({ one: { label }, website }: Outcome): boolean | null =>
  label.websites === null ? null : label.websites.includes(website);

export const isCategoryRight = ({ one: { label }, category }: Outcome): boolean | null =>
  label.categories === null ? null : label.categories.includes(category);

const mustBeNamed = ({ merchants }: Label): boolean => merchants?.includes("") === false;

/** Of the labelled lines; null without any. */
export function ratioOf(
  outcomes: readonly Outcome[],
  test: (outcome: Outcome) => boolean | null,
): Ratio | null {
  let right = 0;
  let of = 0;
  for (const outcome of outcomes) {
    const answer = test(outcome);
    if (answer === null) continue;
    of += 1;
    if (answer) right += 1;
  }
  return of === 0 ? null : { right, of };
}

export function figuresOf(outcomes: readonly Outcome[]): Figures {
  const named = outcomes.filter(({ merchant }) => merchant !== "");
  const due = outcomes.filter(({ one: { label } }) => mustBeNamed(label));
  return {
    merchant: ratioOf(outcomes, isMerchantRight),
    precision: ratioOf(named, isMerchantRight),
    recall: ratioOf(due, isMerchantRight),
    website: ratioOf(outcomes, isWebsiteRight),
    category: ratioOf(outcomes, isCategoryRight),
  };
}

export const percentOf = ({ right, of }: Ratio): number => (100 * right) / of;
