// Sums of amounts, as exact as the minor units of their currencies.
import type { AmountGroup, AmountStatistics, AmountSummary } from "../model/ledger-page.ts";
import { minorDigits } from "../model/currencies.ts";
import type { EntryType } from "../model/transaction.ts";
import { combineSums, type Sums } from "../shared/sums.ts";

/** Statistics of the groups that have the same key; a group with several keys is added to each. */
export function addUp<Key>(
  groups: readonly AmountGroup[],
  keysOf: (group: AmountGroup) => readonly Key[],
): ReadonlyMap<Key, AmountStatistics> {
  const sumsOf = new Map<Key, Record<EntryType, Map<string, Sums>>>();
  const add = (group: AmountGroup, key: Key): void => {
    const known = sumsOf.get(key) ?? noSums();
    sumsOf.set(key, known);
    const side = known[group.entryType];
    const before = side.get(group.currency);
    side.set(group.currency, before === undefined ? group : combineSums(before, group));
  };
  for (const group of groups) for (const key of keysOf(group)) add(group, key);
  return new Map(
    [...sumsOf].map(([key, { incoming, outgoing }]) => [
      key,
      { incoming: summariesOf(incoming), outgoing: summariesOf(outgoing) },
    ]),
  );
}

const noSums = (): Record<EntryType, Map<string, Sums>> => ({
  incoming: new Map<string, Sums>(),
  outgoing: new Map<string, Sums>(),
});

const summariesOf = (side: ReadonlyMap<string, Sums>): ReadonlyMap<string, AmountSummary> =>
  new Map([...side].map(([currency, sums]) => [currency, summaryOf(currency, sums)]));

function summaryOf(
  currency: string,
  { count, sum, squaredDistances, min, max }: Sums,
): AmountSummary {
  const exact = finiteOr(Number.MAX_VALUE, inMinorUnits(sum, currency));
  const mean = exact / count;
  // Means are rounded: what is left of equal amounts would be noise.
  const variance = min === max ? 0 : squaredDistances / count;
  // No standard deviation is greater than half of the range.
  const std = finiteOr((max - min) / 2, Math.sqrt(variance));
  return { count, sum: exact, mean, std, min, max };
}

/** Amounts may be as large as numbers can be: JSON has no infinity, and clients read a number. */
const finiteOr = (largest: number, value: number): number =>
  Number.isFinite(value) ? value : largest;

/**
 * The whole number of minor units next to a sum, in units of the currency. What binary fractions add to a sum is far less than
 * half a minor unit, so that this is the sum of the amounts as they were written.
 */
const inMinorUnits = (sum: number, currency: string): number =>
  Number(sum.toFixed(minorDigits(currency)));
