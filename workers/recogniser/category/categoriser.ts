// The category of a line: a conditional logit (McFadden 1974) over all categories of the account and direction. Every source
// adds to the category that it names; the words of the name, the amount and what kind of line it is
// weigh on all. It always answers, with a probability that is calibrated like the ranker's.
import {
  businessCategories,
  type CategorySet,
  consumerCategories,
  NOT_ENOUGH_INFORMATION,
} from "../../../src/model/categories.ts";
import type { AccountType, EntryType } from "../../../src/model/transaction.ts";
import { type CalibrationCurve, interpolate } from "../rank/calibration.ts";

/** What may say a category by itself. */
export const SOURCES = [
  "wording",
  "internal",
  "service",
  "merchant",
  "brand",
  "mccs",
  "words",
  "through",
  "person",
  "platform",
] as const;

export type CategorySource = (typeof SOURCES)[number];

/** What a line tells of a place, see `LineTraits`. */
export const PLACE_TRAITS = ["city", "phone", "web", "noplace"] as const;
export type PlaceTrait = (typeof PLACE_TRAITS)[number];

/** What sort of counterparty was found. */
export const PARTY_TRAITS = ["known", "unknown", "person", "none"] as const;
export type PartyTrait = (typeof PARTY_TRAITS)[number];

/** A category of the consumer's set that the counterparty may sell, and how likely that is, 0..1. */
export type Trade = readonly [consumer: string, share: number];

/** What is known of a line before its category is decided. */
export interface CategoryInput {
  readonly accountType: AccountType;
  readonly entryType: EntryType;
  readonly place: PlaceTrait;
  readonly party: PartyTrait;
  /** CategorySource → category that it names, in the set of the account. */
  readonly sources: ReadonlyMap<CategorySource, string>;
  /**
   * What the counterparty of a company may sell: which of the company's categories that is, is learned. Empty for private persons,
   * whose categories are the same.
   */
  readonly trades: readonly Trade[];
  /** How sure the counterparty is, 0..1. */
  readonly confidence: number;
  /** Logarithm of the probability of each category of the account's set by the words of the name. */
  readonly byWords: ArrayLike<number>;
  /** Logarithm of how likely the amount is for each; 0 where that is not known. */
  readonly byAmount: ArrayLike<number>;
}

/**
 * Weights by the name of what they weigh, see knowledge/models/categoriser.json: `b:CATEGORY`, `b:sourced|unsourced:CATEGORY`,
 * `c:PLACE|s:CATEGORY`, `k:PARTY:CATEGORY`, `source:SOURCE[:CONTEXT]`, `conf:merchant|brand`, `lp:sourced|unsourced|PARTY`, `amount:sourced|unsourced`,
 * `t:TRADE:CATEGORY`.
 */
export interface CategoriserModel {
  readonly weights: Readonly<Record<string, number>>;
  /** See RankerModel. */
  readonly calibration: CalibrationCurve;
}

export interface Contribution {
  /** Name of the weight, see CategoriserModel. */
  readonly name: string;
  readonly weight: number;
}

export interface CategoryAnswer {
  /** Of the set of the account, for this direction. */
  readonly category: string;
  /** How often such an answer is right, 0..1. */
  readonly probability: number;
  /** What weighs on each category of the account's set together. */
  readonly scores: readonly number[];
}

export interface Categoriser {
  readonly categorise: (input: CategoryInput) => CategoryAnswer;
  /** What speaks for a category of the account's set, the weightiest first. */
  readonly contributions: (input: CategoryInput, at: number) => readonly Contribution[];
}

/** Sources that tell how far the others can be believed, the strongest first: a fee that was charged for a purchase is a fee. */
const CONTEXTS = ["internal", "platform", "wording"] as const satisfies readonly CategorySource[];

/** The weights of what a source names: how sure it is only counts where no context speaks. */
function* weightsOfSource(
  source: CategorySource,
  sources: CategoryInput["sources"],
  confidence: number,
): Iterable<readonly [name: string, value: number]> {
  const context = CONTEXTS.find((one) => sources.has(one));
  if (context !== undefined && context !== source) {
    yield [`source:${source}:${context}`, 1];
    return;
  }
  yield [`source:${source}`, 1];
  if (source === "merchant" || source === "brand") yield [`conf:${source}`, confidence];
}

/** Account → direction → its categories. */
export const CATEGORY_SETS: Readonly<Record<AccountType, CategorySet>> = {
  consumer: consumerCategories,
  business: businessCategories,
};

/** What weighs on a category of the account's set, one after the other: the name of a weight, and its value. */
export function* categoryEvidence(
  input: CategoryInput,
  at: number,
): Iterable<readonly [name: string, value: number]> {
  const { accountType, entryType, place, party, sources, trades } = input;
  const { confidence, byWords, byAmount } = input;
  const category = CATEGORY_SETS[accountType][entryType][at] ?? NOT_ENOUGH_INFORMATION;
  const state = sources.size > 0 ? "sourced" : "unsourced";
  yield [`b:${category}`, 1];
  yield [`b:${state}:${category}`, 1];
  if (place !== "noplace") yield [`c:${state === "sourced" ? "s" : place}:${category}`, 1];
  yield [`k:${party}:${category}`, 1];
  for (const [source, named] of sources) {
    if (named !== category) continue;
    yield* weightsOfSource(source, sources, confidence);
  }
  for (const [trade, share] of trades) yield [`t:${trade}:${category}`, share];
  yield [`lp:${state}`, byWords[at] ?? 0];
  yield [`lp:${party}`, byWords[at] ?? 0];
  yield [`amount:${state}`, byAmount[at] ?? 0];
}

type TradeWeights = (trade: string, input: CategoryInput) => readonly number[];

/** What a trade weighs on each category of the account and direction, looked up once. */
function createTradeWeights(weightOf: (name: string) => number): TradeWeights {
  const kept = new Map<string, readonly number[]>();
  return (trade, { accountType, entryType }) => {
    const key = `${accountType} ${entryType} ${trade}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const names = CATEGORY_SETS[accountType][entryType];
    const own = names.map((category) => weightOf(`t:${trade}:${category}`));
    kept.set(key, own);
    return own;
  };
}

export function createCategoriser({ weights, calibration }: CategoriserModel): Categoriser {
  /** The weights that depend on nothing but the category and the kind of line, added up once for each kind that was met. */
  const fixed = new Map<string, readonly number[]>();
  const weightOf = (name: string): number => weights[name] ?? 0;
  const weightsOfTrade = createTradeWeights(weightOf);

  function fixedOf(input: CategoryInput, names: readonly string[]): readonly number[] {
    const { accountType, entryType, place, party, sources } = input;
    const state = sources.size > 0 ? "sourced" : "unsourced";
    const key = `${accountType} ${entryType} ${state} ${place} ${party}`;
    const known = fixed.get(key);
    if (known !== undefined) return known;
    const where = state === "sourced" ? "s" : place;
    const sums = names.map(
      (category) =>
        weightOf(`b:${category}`) +
        weightOf(`b:${state}:${category}`) +
        (place === "noplace" ? 0 : weightOf(`c:${where}:${category}`)) +
        weightOf(`k:${party}:${category}`),
    );
    fixed.set(key, sums);
    return sums;
  }

  function scoresOf(input: CategoryInput, names: readonly string[]): number[] {
    const { party, sources, trades, confidence, byWords, byAmount } = input;
    const state = sources.size > 0 ? "sourced" : "unsourced";
    const scores = fixedOf(input, names).slice();
    const words = weightOf(`lp:${state}`) + weightOf(`lp:${party}`);
    const amount = weightOf(`amount:${state}`);
    for (let at = 0; at < scores.length; at++)
      scores[at] = (scores[at] ?? 0) + words * (byWords[at] ?? 0) + amount * (byAmount[at] ?? 0);
    for (const [trade, share] of trades) {
      const own = weightsOfTrade(trade, input);
      for (let at = 0; at < scores.length; at++)
        scores[at] = (scores[at] ?? 0) + share * (own[at] ?? 0);
    }
    for (const [source, category] of sources) {
      const at = names.indexOf(category);
      if (at < 0) continue;
      for (const [name, value] of weightsOfSource(source, sources, confidence))
        scores[at] = (scores[at] ?? 0) + value * weightOf(name);
    }
    return scores;
  }

  return {
    categorise: (input) => {
      const names = CATEGORY_SETS[input.accountType][input.entryType];
      const scores = scoresOf(input, names);
      let best = 0;
      for (let at = 1; at < scores.length; at++)
        if ((scores[at] ?? 0) > (scores[best] ?? 0)) best = at;
      let sum = 0;
      for (let at = 0; at < scores.length; at++)
        sum += Math.exp((scores[at] ?? 0) - (scores[best] ?? 0));
      return {
        category: names[best] ?? NOT_ENOUGH_INFORMATION,
        probability: interpolate(calibration, 1 / sum),
        scores,
      };
    },
    contributions: (input, at) =>
      Array.from(categoryEvidence(input, at), ([name, value]) => ({
        name,
        weight: value * weightOf(name),
      }))
        .filter(({ weight }) => weight !== 0)
        .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)),
  };
}
