// Where in an index a page begins and ends. A page starts right behind the last row of the one before, so its cost does
// not depend on how many rows came before, also when they all have the same createdAt. A filter with $or could express
// the same, but then the planner of each version would have to find these bounds among all other conditions.
import { MaxKey, MinKey } from "mongodb";
import type { FieldValue } from "../collection.ts";
import type { Conditions, SortOrder } from "./conditions.ts";
import type { Fields } from "./documents.ts";

/** A value that may stand in an index, or one of the two that are below and above all others. */
export type Edge = FieldValue | MinKey | MaxKey;

export const LOWEST = new MinKey();
export const HIGHEST = new MaxKey();

/** The fields of an index as a search uses them: with one value each, then ordered by, then unused. */
export interface IndexUse {
  readonly name: string;
  readonly fields: readonly string[];
  /** How many of the first fields have one value. */
  readonly equal: number;
}

export interface IndexBounds {
  /** The first place that is looked at. */
  readonly min: Fields;
  /** The first place that is not looked at any more. */
  readonly max: Fields;
}

/** Bounds of the rows after `after`, or null when there can be none. */
export function scanBounds(
  index: IndexUse,
  { equal, other }: Conditions,
  order: SortOrder,
  after: readonly FieldValue[],
): IndexBounds | null {
  const same = index.fields.slice(0, index.equal).map((field) => equal.get(field) ?? null);
  const rest = index.fields.length - index.equal;
  const fill = (values: readonly Edge[], edge: Edge): Edge[] => [
    ...values,
    ...Array.from({ length: rest - values.length }, () => edge),
  ];
  const { gte, lt, lte } = other.get(index.fields[index.equal] ?? "") ?? {};
  const ascending = order.direction === "asc";
  const lows = [fill(gte === undefined ? [] : [gte], LOWEST)];
  const highs = [fill([], HIGHEST)];
  if (lt !== undefined) highs.push(fill([lt], LOWEST));
  if (lte !== undefined) highs.push(fill([lte], HIGHEST));
  // The place behind a row when going up, the row itself when going down: the upper bound is not looked at.
  if (ascending) lows.push(fill(after, HIGHEST));
  else highs.push(fill(after, LOWEST));
  const low = lows.reduce((a, b) => (compareTuples(a, b) < 0 ? b : a));
  const high = highs.reduce((a, b) => (compareTuples(a, b) > 0 ? b : a));
  if (compareTuples(low, high) >= 0) return null;
  const place = (values: readonly Edge[]): Fields =>
    Object.fromEntries([...same, ...values].map((value, at) => [index.fields[at] ?? "", value]));
  return { min: place(low), max: place(high) };
}

function compareTuples(a: readonly Edge[], b: readonly Edge[]): number {
  for (const [place, value] of a.entries()) {
    const difference = compareEdges(value, b[place] ?? null);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Order of the database: of the types first, of text by its bytes in UTF-8. */
export function compareEdges(a: Edge, b: Edge): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string")
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return typeRank(a) - typeRank(b);
}

function typeRank(value: Edge): number {
  if (value instanceof MinKey) return 0;
  if (value === null) return 1;
  if (typeof value === "number") return 2;
  return typeof value === "string" ? 3 : 4;
}
