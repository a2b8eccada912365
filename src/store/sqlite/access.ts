// How SQLite finds rows in an order. Without statistics its planner takes every index for one that leaves a
// handful of rows: among several it may choose one over the rows of all organizations, and begin at a bound far from the page.
import type { CollectionSpec, FieldCondition, FieldValue, RowQuery, Where } from "../collection.ts";

/** A filter of any collection. */
export type AnyWhere = Readonly<Record<string, FieldValue | FieldCondition | undefined>>;

/**
 * Name of the index whose walk gives the order asked for, and among those the one with the most fields of one value, as on
 * MongoDB. Null when that is the key's, or there is none with a field of one value.
 */
export function orderedIndex<Row extends object>(
  { key, indexes }: CollectionSpec<Row>,
  { where, order }: RowQuery<Row>,
): string | null {
  if (order === undefined) return null;
  const equal = equalFields(where);
  // One row at most, or those of a list of keys: there is little to be put in order.
  if (key.every((field) => equal.has(field) || hasList(where, field))) return null;
  let best: { readonly name: string | null; readonly count: number } | null = null;
  for (const { name, fields } of [{ name: null, fields: key }, ...indexes]) {
    const used = fields.findIndex((field) => !equal.has(field));
    const count = used === -1 ? fields.length : used;
    const isOrdered = order.fields.every((field, at) => fields[count + at] === field);
    if (isOrdered && count > (best?.count ?? 0)) best = { name, count };
  }
  return best?.name ?? null;
}

/** An index with all fields that a query looks at, whose first fields have one value. */
export interface CoveringIndex {
  readonly name: string;
  /** The fields behind those that have one value. */
  readonly rest: readonly string[];
}

/** Where a query can be answered without reading a row; null: no index has all of `wanted` and of the filter's fields. */
export function coveringIndex<Row extends object>(
  { indexes }: CollectionSpec<Row>,
  where: Where<Row>,
  wanted: readonly string[],
): CoveringIndex | null {
  const equal = equalFields(where);
  const needed = [...Object.keys(where), ...wanted];
  for (const { name, fields } of indexes) {
    const used = fields.findIndex((field) => !equal.has(field));
    const has: ReadonlySet<string> = new Set(fields);
    if (used > 0 && needed.every((field) => has.has(field)))
      return { name, rest: fields.slice(used) };
  }
  return null;
}

function equalFields(where: AnyWhere): ReadonlySet<string> {
  const conditions = Object.entries(where);
  const equal = conditions.filter(
    ([, condition]) =>
      condition !== undefined && (condition === null || typeof condition !== "object"),
  );
  return new Set(equal.map(([field]) => field));
}

function hasList(where: AnyWhere, field: string): boolean {
  const condition = where[field];
  return typeof condition === "object" && condition?.in !== undefined;
}

/** Bounds that a walk in this direction may begin at, and whether it is past one of them at a place. */
const BEGINNINGS = {
  asc: [{ name: "gte", isPast: (place: number, bound: number) => place >= bound }],
  desc: [
    { name: "lt", isPast: (place: number, bound: number) => place < bound },
    { name: "lte", isPast: (place: number, bound: number) => place <= bound },
  ],
} as const;

/**
 * The same query without bounds that the place to go on from is past: SQLite may begin at such a bound, and would read
 * everything from there to the place again for every page.
 */
export function withoutPassedBounds<Row extends object>(query: RowQuery<Row>): RowQuery<Row> {
  const { order, after } = query;
  const field = order?.fields[0];
  const place = after?.[0];
  if (order === undefined || field === undefined || typeof place !== "number") return query;
  const condition = (query.where as AnyWhere)[field];
  if (typeof condition !== "object" || condition === null) return query;
  const doneOrder = new Set<string>();
  for (const { name, isPast } of BEGINNINGS[order.direction]) {
    const bound = condition[name];
    if (typeof bound === "number" && isPast(place, bound)) doneOrder.add(name);
  }
  const left = Object.entries(condition).filter(([name]) => !doneOrder.has(name));
  return { ...query, where: { ...query.where, [field]: Object.fromEntries(left) } };
}
