// What the amount is evidence of. It names no counterparty by itself: it makes what was badly read less believable, decides between those
// who are called the same, and weighs where only the pieces of a name say what the trade may be.
import type { Knowledge } from "../../knowledge/knowledge.ts";

/** Beyond so many standard deviations a size is not more evidence: the widest category would be sure of every huge amount. */
const DEVIATIONS_MAX = 3;
const PENALTY_MAX = (DEVIATIONS_MAX * DEVIATIONS_MAX) / 2;

/** In place of a size: the amount is not evidence. Every comparison with it is false. */
export const NO_SIZE = Number.NaN;

/** Units of the currency that buy what a US dollar buys; undefined where it is not in the tables. */
export const unitsOf = (currency: string, { lexicon }: Knowledge): number | undefined =>
  lexicon.currencyUnits[currency];

/**
 * The natural logarithm of the amount in US dollars; NO_SIZE where nothing was paid, the currency is not in the tables, or
 * a payer other than a private person pays: companies' payments for the same thing are of any size.
 * @param units see `unitsOf`
 */
export const sizeOf = (amount: number, units: number | undefined, isPersonal: boolean): number =>
  // Two logarithms: the quotient of the largest amounts is not a number any more.
  isPersonal && units !== undefined && amount > 0 ? Math.log(amount) - Math.log(units) : NO_SIZE;

/** Whether so much, or so little, is rarely paid for what is of the category; an index, -1 = no category. */
export const isUnusual = (size: number, category: number, { amounts }: Knowledge): boolean =>
  size < (amounts.least[category] ?? -Infinity) || size > (amounts.most[category] ?? Infinity);

/** Whether two sizes are unusual for the same of these categories. */
export function areUnusualAlike(
  one: number,
  other: number,
  categories: readonly number[],
  knowledge: Knowledge,
): boolean {
  for (const category of categories)
    if (isUnusual(one, category, knowledge) !== isUnusual(other, category, knowledge)) return false;
  return true;
}

/**
 * The logarithm of how likely a payment of the category has such a size, up to a number that is the same for all
 * categories. Not to be asked about NO_SIZE.
 */
export function likelihoodOf(size: number, category: number, { amounts }: Knowledge): number {
  const distance = size - (amounts.means[category] ?? 0);
  const { precisions, logDeviations } = amounts;
  const penalty = distance * distance * (precisions[category] ?? 0);
  return -Math.min(penalty, PENALTY_MAX) - (logDeviations[category] ?? 0);
}
