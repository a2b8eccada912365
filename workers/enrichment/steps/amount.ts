// Step: what the amount says. It never names anybody; it makes what was badly read less believable, and weighs where
// only the pieces of a name say what the trade may be.
import type { Knowledge } from "../knowledge/knowledge.ts";

/** In place of a size: the amount says nothing. Every comparison with it is false. */
export const NO_SIZE = Number.NaN;

/** Further from the middle than this many standard deviations, a payment is hardly one of its category. */
const UNUSUAL_DEVIATIONS = 4.5;
/** What is taken for the payments of a category without a row: the middle, and how far they lie apart. */
const ANY_MEAN = Math.log(60);
const ANY_DEVIATION = 1.7;

/**
 * The natural logarithm of the amount in US dollars; NO_SIZE where nothing was paid, the currency is not in the tables, or
 * a company pays: its payments for the same thing are of any size.
 */
export function sizeOf(
  amount: number,
  currency: string,
  isBusiness: boolean,
  knowledge: Knowledge,
): number {
  const units = knowledge.lexicon.currencyUnits[currency];
  return isBusiness || units === undefined || amount <= 0 ? NO_SIZE : Math.log(amount / units);
}

/** Whether hardly anybody pays so much, or so little, for what is of the category; an index, -1 = no category. */
export function isUnusual(size: number, category: number, { lexicon }: Knowledge): boolean {
  const deviation = lexicon.amountDeviations[category] ?? 0;
  if (deviation === 0) return false;
  return Math.abs(size - (lexicon.amountMeans[category] ?? 0)) > UNUSUAL_DEVIATIONS * deviation;
}

/**
 * The logarithm of how likely a payment of the category has such a size, up to a number that is the same for all
 * categories: amounts are held to be log-normal. 0 where the amount says nothing.
 */
export function likelihoodOf(size: number, category: number, { lexicon }: Knowledge): number {
  if (Number.isNaN(size)) return 0;
  const known = lexicon.amountDeviations[category] ?? 0;
  const deviation = known === 0 ? ANY_DEVIATION : known;
  const mean = known === 0 ? ANY_MEAN : (lexicon.amountMeans[category] ?? 0);
  const distance = (size - mean) / deviation;
  return -(distance * distance) / 2 - Math.log(deviation);
}
