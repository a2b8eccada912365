// What a recogniser gets right of labelled lines, and how certain the figure is.
import type { Examination } from "../../workers/recogniser/recogniser.ts";
import type { CandidateClass } from "../../workers/recogniser/rank/evidence.ts";
import { createRandom } from "../support/random.ts";
import type { Case, Label } from "./cases.ts";

export interface Outcome {
  readonly one: Case;
  readonly merchant: string;
  /** The counterparty is answered as a person. */
  readonly isPerson: boolean;
  readonly website: string;
  readonly category: string;
  readonly city: string;
  /** What sort of candidate was chosen; null without a candidate. */
  readonly by: CandidateClass | null;
  /** 0..1; 0 when no merchant was named. */
  readonly confidence: number;
  /** 0..1; 0 when no category was decided. */
  readonly categoryConfidence: number;
}

/** Counts; the ratio of a pair is a figure. */
export interface Ratio {
  readonly right: number;
  readonly of: number;
}

const categoryConfidenceOf = ({ confidence }: Examination["facts"]): number => confidence ?? 0;

export function outcomeOf(one: Case, { facts, reading }: Examination): Outcome {
  const counterparty = facts.entities?.counterparty ?? null;
  const { ranked, confidence } = reading;
  return {
    one,
    merchant: counterparty?.name ?? "",
    isPerson: counterparty?.type === "person",
    website: counterparty?.website ?? "",
    category: facts.categories?.general ?? "",
    city: facts.location?.structured?.city ?? "",
    by: ranked[0]?.candidate.class ?? null,
    confidence,
    categoryConfidence: categoryConfidenceOf(facts),
  };
}

/** Names are equal when they read the same: no case, accents, punctuation, leading THE or the word AND. */
export function comparableName(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/['’]/gu, "");
  const words = plain
    .replace(/[^a-z0-9]+/gu, " ")
    .trim()
    .split(" ");
  return words.filter((word, at) => word !== "and" && !(at === 0 && word === "the")).join("");
}

/** Null: not labelled. */
export function isMerchantRight({ one: { label }, merchant }: Outcome): boolean | null {
  if (label.merchants === null) return null;
  const name = comparableName(merchant);
  return label.merchants.some((right) => comparableName(right) === name);
}

/** A name that begins with the other is forgiven from this length on, in letters and digits. */
const FORGIVEN_LENGTH_MIN = 4;

/** Right, or the right name with more words behind it, or without its last ones. Null: not labelled. */
function isMerchantForgiven(outcome: Outcome): boolean | null {
  const { one, merchant } = outcome;
  if (isMerchantRight(outcome) !== false) return isMerchantRight(outcome);
  const name = comparableName(merchant);
  if (name.length < FORGIVEN_LENGTH_MIN) return false;
  return (one.label.merchants ?? []).some((alternative) => {
    const right = comparableName(alternative);
    if (right.length < FORGIVEN_LENGTH_MIN) return false;
    return right.startsWith(name) || name.startsWith(right);
  });
}

/** `gov.uk` is a public suffix, and its own website `www.gov.uk`: labels call it by either name. */
const comparableWebsite = (website: string): string => website.replace(/^www\./u, "");

export const isWebsiteRight = ({ one: { label }, website }: Outcome): boolean | null =>
  label.websites?.map(comparableWebsite).includes(comparableWebsite(website)) ?? null;

export const isCategoryRight = ({ one: { label }, category }: Outcome): boolean | null =>
  label.categories === null ? null : label.categories.includes(category);

/** Of a line with a counterparty and a sort, whether that is a person and is answered as one; null: not so. */
const isCalledPerson =
  (wanted: boolean): Test =>
  ({ one: { label }, merchant, isPerson }) =>
    merchant !== "" && label.kind !== "" && (label.kind === "person") === wanted ? isPerson : null;

/** Persons that are answered as persons, of those that a counterparty is named for. */
export const isPersonFound = isCalledPerson(true);
/** Others that are answered as persons. */
export const isTakenForPerson = isCalledPerson(false);

const isCityRight = ({ one: { label }, city }: Outcome): boolean | null =>
  label.cities === null
    ? null
    : label.cities.some((right) => comparableName(right) === comparableName(city));

const mustBeNamed = ({ merchants }: Label): boolean => merchants?.includes("") === false;

/** Null: the outcome does not count for the figure. */
type Test = (outcome: Outcome) => boolean | null;

/** Every figure by its name, in the order in which they are shown. */
export const FIGURES = {
  /** Right or rightly empty, of all lines. */
  merchant: isMerchantRight,
  /** The same, with spelling forgiven. */
  forgiven: isMerchantForgiven,
  /** Correct, of the lines for which a merchant was named. */
  precision: (outcome) => (outcome.merchant === "" ? null : isMerchantRight(outcome)),
  /** Correct, of the lines for which a merchant is expected. */
  recall: (outcome) => (mustBeNamed(outcome.one.label) ? isMerchantRight(outcome) : null),
  website: isWebsiteRight,
  category: isCategoryRight,
  /** Of the lines that print one. */
  city: isCityRight,
} as const satisfies Readonly<Record<string, Test>>;

export type Figure = keyof typeof FIGURES;
export const FIGURE_NAMES = Object.keys(FIGURES) as readonly Figure[];

/** Null: the lines have no labels for it. */
export type Figures = Readonly<Record<Figure, Ratio | null>>;

/** Of the lines that count; null without any. */
export function ratioOf(outcomes: readonly Outcome[], test: Test): Ratio | null {
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
  const ratios = FIGURE_NAMES.map((name) => [name, ratioOf(outcomes, FIGURES[name])] as const);
  return Object.fromEntries(ratios) as Figures;
}

export const percentOf = ({ right, of }: Ratio): number => (100 * right) / of;

/** A line's merchant; lines without one are of one group when they differ in digits only. */
export function groupOf({ item, label }: Case): string {
  const name = comparableName(label.merchants?.[0] ?? "");
  return name === "" ? `no name: ${item.description.replace(/\d+/gu, "0").toUpperCase()}` : name;
}

/** Lines by their group; see `groupOf`. */
export function groupsOf(outcomes: readonly Outcome[]): ReadonlyMap<string, readonly Outcome[]> {
  const groups = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    const name = groupOf(outcome.one);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [outcome]);
    else group.push(outcome);
  }
  return groups;
}

const RESAMPLES = 1_000;
const SEED = 20_261_123;
const CONFIDENCE_LEVEL = 0.95;

/** Percent. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * The interval of 95 % of a figure, by the percentile bootstrap over groups of lines (Efron 1979; whole groups are drawn
 * because the lines of a merchant are right or wrong together). The same lines give the same interval. Null without any
 * line that counts.
 */
export function intervalOf(outcomes: readonly Outcome[], test: Test): Interval | null {
  const ratios = [...groupsOf(outcomes).values()]
    .map((group) => ratioOf(group, test))
    .filter((ratio) => ratio !== null);
  if (ratios.length === 0) return null;
  const random = createRandom(SEED);
  const shares: number[] = [];
  for (let i = 0; i < RESAMPLES; i++) {
    let right = 0;
    let of = 0;
    for (let drawn = 0; drawn < ratios.length; drawn++) {
      const ratio = ratios[Math.floor(random.next() * ratios.length)];
      right += ratio?.right ?? 0;
      of += ratio?.of ?? 0;
    }
    shares.push(percentOf({ right, of }));
  }
  shares.sort((a, b) => a - b);
  const tail = Math.round(((1 - CONFIDENCE_LEVEL) / 2) * RESAMPLES);
  return { low: shares[tail] ?? 0, high: shares[RESAMPLES - 1 - tail] ?? 0 };
}

/** Lines whose stated confidence is about the same. */
export interface Bin {
  readonly count: number;
  /** Mean confidence, 0..1. */
  readonly stated: number;
  /** Share of correct answers, 0..1. */
  readonly correct: number;
}

const BINS = 10;

export interface ConfidentAnswer {
  /** 0..1. */
  readonly confidence: number;
  readonly right: boolean;
}

/** Stated confidence against the truth, in ten bins of equal width; empty ones are left out. */
export function calibrationOf(answers: readonly ConfidentAnswer[]): readonly Bin[] {
  const bins = Array.from({ length: BINS }, () => ({ count: 0, stated: 0, correct: 0 }));
  for (const { confidence, right } of answers) {
    const bin = bins[Math.min(BINS - 1, Math.floor(confidence * BINS))];
    if (bin === undefined) continue;
    bin.count += 1;
    bin.stated += confidence;
    bin.correct += right ? 1 : 0;
  }
  return bins
    .filter(({ count }) => count > 0)
    .map(({ count, stated, correct }) => ({
      count,
      stated: stated / count,
      correct: correct / count,
    }));
}

/** Mean distance of the stated confidence from the truth over the bins, by their counts (expected calibration error), 0..1. */
export function calibrationErrorOf(bins: readonly Bin[]): number {
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  const sum = bins.reduce(
    (all, { count, stated, correct }) => all + count * Math.abs(stated - correct),
    0,
  );
  return total === 0 ? 0 : sum / total;
}

const CHANCE_DRAWS = 200;

/**
 * The expected calibration error of answers that are right exactly as often as is stated, 0..1: no recogniser can be expected to
 * measure less on so few lines. Answers are drawn one by one (parametric bootstrap); the same answers give the same error.
 */
export function calibrationErrorByChance(answers: readonly ConfidentAnswer[]): number {
  const random = createRandom(SEED);
  let sum = 0;
  for (let i = 0; i < CHANCE_DRAWS; i++) {
    const drawn = answers.map(({ confidence }) => ({
      confidence,
      right: random.next() < confidence,
    }));
    sum += calibrationErrorOf(calibrationOf(drawn));
  }
  return sum / CHANCE_DRAWS;
}
