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
import { exponential } from "../exponential.ts";
import { type CalibrationCurve, interpolate } from "../rank/calibration.ts";
import { zerosOf } from "../zeros.ts";

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
  /** Account → probability of the model, ascending, and the share of right answers there, 0..1. */
  readonly calibration: Readonly<Record<AccountType, CalibrationCurve>>;
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

const contextOfSources = (sources: CategoryInput["sources"]): CategorySource | undefined =>
  CONTEXTS.find((one) => sources.has(one));

/** The weights of what a source names: how sure it is only counts where no context speaks. */
function weightsOfSource(
  source: CategorySource,
  context: CategorySource | undefined,
  confidence: number,
): readonly (readonly [name: string, value: number])[] {
  if (context !== undefined && context !== source) return [[`source:${source}:${context}`, 1]];
  const own = [`source:${source}`, 1] as const;
  const isKnown = source === "merchant" || source === "brand";
  return isKnown ? [own, [`conf:${source}`, confidence]] : [own];
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
    yield* weightsOfSource(source, contextOfSources(sources), confidence);
  }
  for (const [trade, share] of trades) yield [`t:${trade}:${category}`, share];
  yield [`lp:${state}`, byWords[at] ?? 0];
  yield [`lp:${party}`, byWords[at] ?? 0];
  yield [`amount:${state}`, byAmount[at] ?? 0];
}

/** Weights by what they weigh, looked up or added up once. */
interface WeightsOfSet {
  readonly names: readonly string[];
  /** Those that depend on nothing but the category and the kind of line, by `kindOf` the line. */
  readonly kinds: Map<number, readonly number[]>;
  /** What a trade weighs on each category. */
  readonly trades: Map<string, readonly number[]>;
}

const weightsOfSet = (names: readonly string[]): WeightsOfSet => ({
  names,
  kinds: new Map(),
  trades: new Map(),
});

const weightsOfAccount = (accountType: AccountType) => ({
  outgoing: weightsOfSet(CATEGORY_SETS[accountType].outgoing),
  incoming: weightsOfSet(CATEGORY_SETS[accountType].incoming),
});

/** A number for each kind of line that the weights tell apart. */
const kindOf = ({ place, party, sources }: CategoryInput): number =>
  (PLACE_TRAITS.indexOf(place) * PARTY_TRAITS.length + PARTY_TRAITS.indexOf(party)) * 2 +
  (sources.size > 0 ? 1 : 0);

type WeightOf = (name: string) => number;

/** The weights that depend on nothing but the category and the kind of line, added up once for each kind that was met. */
function kindWeights(
  input: CategoryInput,
  { names, kinds }: WeightsOfSet,
  weightOf: WeightOf,
): readonly number[] {
  const key = kindOf(input);
  const known = kinds.get(key);
  if (known !== undefined) return known;
  const { place, party, sources } = input;
  const state = sources.size > 0 ? "sourced" : "unsourced";
  const where = state === "sourced" ? "s" : place;
  const sums = zerosOf(names.length)();
  names.forEach((category, at) => {
    sums[at] =
      weightOf(`b:${category}`) +
      weightOf(`b:${state}:${category}`) +
      (place === "noplace" ? 0 : weightOf(`c:${where}:${category}`)) +
      weightOf(`k:${party}:${category}`);
  });
  kinds.set(key, sums);
  return sums;
}

/** What a trade weighs on each category, looked up once. */
function tradeWeights(
  trade: string,
  { names, trades }: WeightsOfSet,
  weightOf: WeightOf,
): readonly number[] {
  const known = trades.get(trade);
  if (known !== undefined) return known;
  const own = zerosOf(names.length)();
  names.forEach((category, at) => {
    own[at] = weightOf(`t:${trade}:${category}`);
  });
  trades.set(trade, own);
  return own;
}

type AddSources = (
  scores: number[],
  input: Pick<CategoryInput, "sources" | "confidence">,
  names: readonly string[],
) => void;

/** Adds what each source weighs on the category that it names. */
function createSourceWeights(weightOf: WeightOf): AddSources {
  const contexts: readonly (CategorySource | undefined)[] = [...CONTEXTS, undefined];
  const bySource = new Map(
    SOURCES.map((source) => {
      const inContext = contexts.map((context) =>
        weightsOfSource(source, context, 0).map(([name]) => weightOf(name)),
      );
      return [source, inContext] as const;
    }),
  );
  return (scores, { sources, confidence }, names) => {
    const place = contexts.indexOf(contextOfSources(sources));
    for (const [source, category] of sources) {
      const at = names.indexOf(category);
      if (at < 0) continue;
      const [named = 0, sure = 0] = bySource.get(source)?.[place] ?? [];
      scores[at] = (scores[at] ?? 0) + named + confidence * sure;
    }
  };
}

/** What weighs on each category of the account's set together. */
function createScores(
  weightOf: WeightOf,
): (input: CategoryInput, own: WeightsOfSet) => readonly number[] {
  const stateWeights = (state: string) => ({
    words: weightOf(`lp:${state}`),
    amount: weightOf(`amount:${state}`),
  });
  const sourced = stateWeights("sourced");
  const unsourced = stateWeights("unsourced");
  const wordsOfParty = PARTY_TRAITS.map((party) => weightOf(`lp:${party}`));
  const addSources = createSourceWeights(weightOf);
  return (input, own) => {
    const { party, sources, trades, byWords, byAmount } = input;
    const scores = kindWeights(input, own, weightOf).slice();
    const state = sources.size > 0 ? sourced : unsourced;
    const words = state.words + (wordsOfParty[PARTY_TRAITS.indexOf(party)] ?? 0);
    const { amount } = state;
    for (let at = 0; at < scores.length; at++)
      scores[at] = (scores[at] ?? 0) + words * (byWords[at] ?? 0) + amount * (byAmount[at] ?? 0);
    for (const [trade, share] of trades) {
      const weighed = tradeWeights(trade, own, weightOf);
      for (let at = 0; at < scores.length; at++)
        scores[at] = (scores[at] ?? 0) + share * (weighed[at] ?? 0);
    }
    addSources(scores, input, own.names);
    return scores;
  };
}

export function createCategoriser({ weights, calibration }: CategoriserModel): Categoriser {
  const weightOf = (name: string): number => weights[name] ?? 0;
  const scoresOf = createScores(weightOf);
  const sets = { consumer: weightsOfAccount("consumer"), business: weightsOfAccount("business") };
  return {
    categorise: (input) => {
      const own = sets[input.accountType][input.entryType];
      const scores = scoresOf(input, own);
      let best = 0;
      for (let at = 1; at < scores.length; at++)
        if ((scores[at] ?? 0) > (scores[best] ?? 0)) best = at;
      const most = scores[best] ?? 0;
      let sum = 0;
      for (let at = 0; at < scores.length; at++) sum += exponential((scores[at] ?? 0) - most);
      return {
        category: own.names[best] ?? NOT_ENOUGH_INFORMATION,
        probability: interpolate(calibration[input.accountType], 1 / sum),
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
