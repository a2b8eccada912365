// Sums of groups that were added up in parts.
import type { RowGroup } from "./collection.ts";

/** One group for each list of values. */
export function mergeGroups(groups: Iterable<RowGroup>): RowGroup[] {
  const sums = new Map<string, RowGroup>();
  for (const group of groups) {
    const key = JSON.stringify(group.values);
    const before = sums.get(key);
    sums.set(key, before === undefined ? group : together(before, group));
  }
  return [...sums.values()];
}

const together = (a: RowGroup, b: RowGroup): RowGroup => ({
  values: a.values,
  count: a.count + b.count,
  sum: a.sum + b.sum,
  sumOfSquares: a.sumOfSquares + b.sumOfSquares,
  min: Math.min(a.min, b.min),
  max: Math.max(a.max, b.max),
});
