// The port's conditions as filters of MongoDB.
import type { FieldCondition, FieldValue } from "../collection.ts";
import type { Fields } from "./documents.ts";

export type UntypedWhere = Readonly<Record<string, FieldValue | FieldCondition | undefined>>;

/** The conditions of a filter, taken apart by kind. */
export interface Conditions {
  /** Fields that must have a value. */
  readonly equal: ReadonlyMap<string, FieldValue>;
  /** Fields with any other condition. */
  readonly other: ReadonlyMap<string, FieldCondition>;
}

export interface SortOrder {
  readonly fields: readonly string[];
  readonly direction: "asc" | "desc";
}

export function conditionsOf(where: UntypedWhere): Conditions {
  const equal = new Map<string, FieldValue>();
  const other = new Map<string, FieldCondition>();
  for (const [field, condition] of Object.entries(where)) {
    if (condition === undefined) continue;
    if (condition === null || typeof condition !== "object") equal.set(field, condition);
    // A condition without bounds holds for every row; for the server it would be a value to compare with.
    else if (Object.keys(condition).length > 0) other.set(field, condition);
  }
  return { equal, other };
}

/** Whether some condition holds for no row at all. */
export function matchesNothing({ other }: Conditions): boolean {
  return [...other.values()].some((condition) => condition.in?.length === 0);
}

/** The filter of all conditions but those on `except`. */
export function toFilter(conditions: Conditions, except: readonly string[] = []): Fields {
  const filter: Fields = {};
  for (const [field, value] of conditions.equal)
    if (!except.includes(field)) filter[field] = { $eq: value };
  const contained: Fields[] = [];
  for (const [field, condition] of conditions.other) {
    if (except.includes(field)) continue;
    const operators = toOperators(condition);
    if (Object.keys(operators).length > 0) filter[field] = operators;
    if (condition.contains !== undefined) contained.push(containsText(field, condition.contains));
  }
  if (contained.length > 0) filter["$expr"] = { $and: contained };
  return filter;
}

/** Not a regular expression, which cannot hold every text. Null, where the field is null, is below all numbers. */
const containsText = (field: string, text: string): Fields => ({
  $gte: [{ $indexOfBytes: [`$${field}`, { $literal: text }] }, 0],
});

function toOperators(condition: FieldCondition): Fields {
  const operators: Fields = {};
  if (condition.in !== undefined) operators["$in"] = condition.in;
  if (condition.ne !== undefined) operators["$ne"] = condition.ne;
  if (condition.gte !== undefined) operators["$gte"] = condition.gte;
  if (condition.lt !== undefined) operators["$lt"] = condition.lt;
  if (condition.lte !== undefined) operators["$lte"] = condition.lte;
  return operators;
}

/** Rows strictly after the tuple `after` in `order`, spelled out for when no index bounds can say it. */
export function afterFilter(order: SortOrder, after: readonly FieldValue[]): Fields {
  const operator = order.direction === "asc" ? "$gt" : "$lt";
  const alternatives = order.fields.map((field, place) => {
    const same = order.fields.slice(0, place).map((name, index) => [name, { $eq: after[index] }]);
    return { ...Object.fromEntries(same), [field]: { [operator]: after[place] } } as Fields;
  });
  return { $or: alternatives };
}
