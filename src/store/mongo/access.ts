// How MongoDB finds rows. The index is chosen here and not by the server: its planner tries plans against each
// other and remembers the winner, so that the plan of a query would depend on who asked first. The key is the index of
// `_id`; every other way is a declared index, named as a hint.
import type { FieldValue } from "../collection.ts";
import { HIGHEST, type IndexUse, LOWEST, scanBounds } from "./bounds.ts";
import {
  afterFilter,
  type Conditions,
  conditionsOf,
  matchesNothing,
  type SortOrder,
  toFilter,
  type UntypedWhere,
} from "./conditions.ts";
import type { Fields, Table } from "./documents.ts";

export interface IndexAccess {
  readonly filter: Fields;
  /** Whether at most one row can match. */
  readonly single: boolean;
  /** Name of the index to use; none when the filter is on `_id` alone, or when nothing but a scan is possible. */
  readonly hint?: string;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  /** The first place in the index that is looked at, and the first one that is not any more. */
  readonly min?: Fields;
  readonly max?: Fields;
}

export interface IndexSearch {
  readonly where: UntypedWhere;
  readonly order?: SortOrder | undefined;
  readonly after?: readonly FieldValue[] | undefined;
  /** Whether an index has everything that is looked at. Then nothing else is, and of a sharded collection all shards are asked. */
  readonly isCovered?: boolean;
}

/** The index that every collection has. */
export const KEY_INDEX = "_id_";

/** The way to the rows of `search`, or null when there can be none. */
export function accessTo(table: Table, search: IndexSearch): IndexAccess | null {
  const conditions = conditionsOf(search.where);
  if (matchesNothing(conditions)) return null;
  const byKey = wholeKeys(table, conditions);
  if (byKey !== null) {
    const rest = { ...toFilter(conditions, table.key), ...afterAsFilter(search) };
    return { ...hinted(byKey, rest), ...sortOf(search.order?.fields, search.order) };
  }
  const index = chooseIndex(table, conditions, search.order);
  if (index === null) {
    const filter = { ...toFilter(conditions), ...afterAsFilter(search) };
    return { filter, single: false, ...sortOf(search.order?.fields, search.order) };
  }
  return index.name === KEY_INDEX
    ? alongKey(index, conditions, search)
    : alongIndex(table, index, conditions, search);
}

interface WholeKeys {
  readonly byKey: Fields;
  readonly single: boolean;
}

/** The `_id` or the list of them when all key fields are known, or all but a list of values for the last. */
function wholeKeys(table: Table, { equal, other }: Conditions): WholeKeys | null {
  const last = table.key.at(-1) ?? "";
  if (!table.key.slice(0, -1).every((field) => equal.has(field))) return null;
  const id: Fields = {};
  for (const field of table.key) id[field] = equal.get(field);
  if (equal.has(last)) return { byKey: { _id: id }, single: true };
  const condition = other.get(last);
  if (condition?.in === undefined || Object.keys(condition).length > 1) return null;
  const ids = condition.in.map((value) => ({ ...id, [last]: value }));
  return { byKey: { _id: { $in: ids } }, single: false };
}

/** Without other conditions the server takes its shortest way to an `_id`, which a hint would bar. */
function hinted({ byKey, single }: WholeKeys, rest: Fields): IndexAccess {
  return Object.keys(rest).length === 0
    ? { filter: byKey, single }
    : { filter: { ...byKey, ...rest }, single, hint: KEY_INDEX };
}

/** The index that gives the order asked for, and among those the one with the most fields of one value. */
function chooseIndex(
  table: Table,
  { equal, other }: Conditions,
  order: SortOrder | undefined,
): IndexUse | null {
  let best: { use: IndexUse; score: number } | null = null;
  for (const { name, fields } of [{ name: KEY_INDEX, fields: table.key }, ...table.indexes]) {
    const used = fields.findIndex((field) => !equal.has(field));
    const count = used === -1 ? fields.length : used;
    const next = fields[count];
    const use = { name, fields, equal: count };
    const ordered = order !== undefined && follows(use, order);
    const ranged = next !== undefined && other.has(next);
    // Reading in order weighs more than any number of fields: the limit ends it early.
    const score = (ordered ? 100 : 0) + 2 * count + (ranged ? 1 : 0);
    if (score > (best?.score ?? 0)) best = { use, score };
  }
  return best?.use ?? null;
}

/** Whether a walk along the index is in this order. */
function follows(index: IndexUse, order: SortOrder): boolean {
  return order.fields.every((field, at) => index.fields[index.equal + at] === field);
}

/** Neighbours in the index of `_id`: the first key fields are known, the next one may be ordered by and bounded. */
function alongKey(index: IndexUse, conditions: Conditions, search: IndexSearch): IndexAccess {
  const { order, after } = search;
  const same: Fields = {};
  const sameFields = index.fields.slice(0, index.equal);
  for (const field of sameFields) same[field] = conditions.equal.get(field);
  const next = index.fields[index.equal] ?? "";
  const behind = index.fields[index.equal + 1];
  const { gte, lt, lte } = conditions.other.get(next) ?? {};
  const bounds: Fields[] = [{ $gte: { ...same, [next]: gte ?? LOWEST } }];
  // A document that goes on behind its last known field is greater than one that ends there.
  const above = behind === undefined ? {} : { [behind]: HIGHEST };
  if (lt !== undefined) bounds.push({ $lt: { ...same, [next]: lt } });
  else bounds.push({ $lte: { ...same, [next]: lte ?? HIGHEST, ...above } });
  const way = { single: false, hint: KEY_INDEX } as const;
  const rest = toFilter(conditions, sameFields);
  const filterOf = (ids: readonly Fields[]): Fields => ({
    $and: ids.map((bound) => ({ _id: bound })),
    ...rest,
  });
  if (order === undefined || !follows(index, order)) {
    const filter = { ...filterOf(bounds), ...afterAsFilter(search) };
    return { ...way, filter, ...sortOf(order?.fields, order) };
  }
  if (after !== undefined) bounds.push(beyondKey(index, same, order, after));
  return { ...way, filter: filterOf(bounds), ...sortOf(["_id"], order) };
}

function beyondKey(
  index: IndexUse,
  same: Fields,
  order: SortOrder,
  after: readonly FieldValue[],
): Fields {
  const place = { ...same };
  for (const [at, field] of order.fields.entries()) place[field] = after[at];
  if (order.direction === "desc") return { $lt: place };
  const behind = index.fields[index.equal + order.fields.length];
  return { $gt: behind === undefined ? place : { ...place, [behind]: HIGHEST } };
}

function alongIndex(
  table: Table,
  index: IndexUse,
  conditions: Conditions,
  search: IndexSearch,
): IndexAccess | null {
  const { order, after } = search;
  // The range is on `_id`, which no other index has.
  const range = search.isCovered === true ? {} : shardRange(table, conditions);
  const filter = { ...toFilter(conditions), ...range };
  const way = { single: false, hint: index.name } as const;
  if (order === undefined || !follows(index, order))
    return {
      ...way,
      filter: { ...filter, ...afterAsFilter(search) },
      ...sortOf(order?.fields, order),
    };
  // Named in full: with bounds given as places the server does not know that the first fields have one value.
  const sort = sortOf([...index.fields.slice(0, index.equal), ...order.fields], order);
  if (after === undefined) return { ...way, filter, ...sort };
  const bounds = scanBounds(index, conditions, order, after);
  if (bounds === null) return null;
  return { ...way, filter: { ...filter, ...notAt(order, after) }, ...sort, ...bounds };
}

/** Going up, the row that `after` names is the first place that is looked at. */
function notAt(order: SortOrder, after: readonly FieldValue[]): Fields {
  if (order.direction === "desc") return {};
  return { $nor: [Object.fromEntries(order.fields.map((field, at) => [field, after[at]]))] };
}

/**
 * The `_id`s of one organization. They say nothing new, but when the collections are sharded by `_id`, they tell which
 * shards have such rows; without them every shard would be asked.
 */
function shardRange(table: Table, { equal }: Conditions): Fields {
  const [first, second] = table.key;
  if (first === undefined || second === undefined || !equal.has(first)) return {};
  const value = equal.get(first);
  return {
    _id: {
      $gte: { [first]: value, [second]: LOWEST },
      $lte: { [first]: value, [second]: HIGHEST },
    },
  };
}

function afterAsFilter({ order, after }: IndexSearch): Fields {
  return order === undefined || after === undefined ? {} : afterFilter(order, after);
}

function sortOf(
  fields: readonly string[] | undefined,
  order: SortOrder | undefined,
): Pick<IndexAccess, "sort"> {
  if (fields === undefined || order === undefined) return {};
  const direction = order.direction === "asc" ? 1 : -1;
  return { sort: Object.fromEntries(fields.map((field) => [field, direction] as const)) };
}
