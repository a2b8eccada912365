// Reads of a collection: rows, and what an index alone gives.
import type { Aggregate, FieldCondition, FieldValue, RowGroup, RowQuery } from "../collection.ts";
import { accessTo, type IndexSearch } from "./access.ts";
import { conditionsOf, type UntypedWhere } from "./conditions.ts";
import type { CallDeadline } from "./deadline.ts";
import { type Fields, ROW_PROJECTION, rowOfDocument, type Table } from "./documents.ts";
import type { OpenTable } from "./tables.ts";
import { mergeGroups } from "../row-groups.ts";
import { optionsOf } from "./within.ts";

/** The rows of a query. */
export async function find<Row extends object>(
  open: OpenTable,
  query: RowQuery<Row>,
  call: CallDeadline,
): Promise<Row[]> {
  const search = { where: query.where, order: query.order, after: query.after };
  const documents = await documentsOf(open, query, search, ROW_PROJECTION, call);
  return documents.map((document) => rowOfDocument(open.table, document) as Row);
}

/** Values of some fields of the rows of a query. */
export async function findValues<Row extends object>(
  open: OpenTable,
  query: RowQuery<Row>,
  fields: readonly string[],
  call: CallDeadline,
): Promise<(readonly FieldValue[])[]> {
  const search = { where: query.where, order: query.order, after: query.after };
  const projection = { _id: 0, ...Object.fromEntries(fields.map((field) => [field, 1])) };
  const documents = await documentsOf(open, query, search, projection, call);
  return documents.map((document) =>
    fields.map((field) => (document[field] ?? null) as FieldValue),
  );
}

/** The key fields of the rows of a query. */
export async function findKeys<Row extends object>(
  open: OpenTable,
  query: RowQuery<Row>,
  call: CallDeadline,
): Promise<Partial<Row>[]> {
  const { where, order, after } = query;
  const { key } = open.table;
  const isCovered = hasCover(open.table, where, [...key, ...(order?.fields ?? [])]);
  const fields = Object.fromEntries(key.map((field) => [field, 1]));
  const search = { where, order, after, isCovered };
  const documents = await documentsOf(open, query, search, { _id: 0, ...fields }, call);
  return documents as Partial<Row>[];
}

async function documentsOf(
  open: OpenTable,
  { offset, limit }: Pick<RowQuery<object>, "offset" | "limit">,
  search: IndexSearch,
  projection: Fields,
  call: CallDeadline,
): Promise<Fields[]> {
  const access = accessTo(open.table, search);
  if (access === null || limit === 0) return [];
  const { filter, sort, min, max } = access;
  return open.documents
    .find<Fields>(filter, {
      ...optionsOf({ call }, access),
      ...(sort === undefined ? {} : { sort }),
      ...(min === undefined ? {} : { min }),
      ...(max === undefined ? {} : { max }),
      ...(offset === undefined ? {} : { skip: offset }),
      projection,
      limit,
      // All of it in the first answer, so that no cursor stays open on the server.
      batchSize: limit + 1,
    })
    .toArray();
}

/** Count, sum and maximum over the rows of a filter. */
export async function aggregate(
  open: OpenTable,
  where: UntypedWhere,
  sum: string,
  max: string,
  call: CallDeadline,
): Promise<Aggregate> {
  const isCovered = hasCover(open.table, where, [sum, max]);
  const access = accessTo(open.table, { where, isCovered });
  const group = {
    _id: null,
    count: { $sum: 1 },
    sum: { $sum: `$${sum}` },
    max: { $max: `$${max}` },
  };
  const [totals] =
    access === null
      ? []
      : await open.documents
          .aggregate<Aggregate>(
            [{ $match: access.filter }, { $group: group }, { $project: { _id: 0 } }],
            optionsOf({ call }, access),
          )
          .toArray();
  return totals ?? { count: 0, sum: 0, max: null };
}

/** A query whose fields are known to be those of an index. */
export interface UntypedGroups {
  readonly where: UntypedWhere;
  readonly by: readonly string[];
  readonly of: string;
}

/**
 * Groups of the rows of a filter. Bounds are tested where the sums are made: as bounds of the index they would lead to a search
 * for each value in front of them, which takes three times as long as walking past all.
 */
export async function groupRows(
  open: OpenTable,
  query: UntypedGroups,
  call: CallDeadline,
): Promise<RowGroup[]> {
  const { where, by, of } = query;
  if (!hasCover(open.table, where, [...by, of]))
    throw new Error(`${open.table.name}: no index has all fields of the groups`);
  const { equal } = conditionsOf(where);
  const parts = await partsOf(open, Object.fromEntries(equal), call);
  const found = await Promise.all(parts.map((part) => groupsOf(open, query, part, call)));
  return found.length === 1 ? (found[0] ?? []) : mergeGroups(found.flat());
}

/** Rows of which it takes half as long to add up both halves at once, on two cores of the server. */
const LONG = 50_000;

/** The filter; of many rows two of them, one for each half of the time. The server adds up one on one core. */
async function partsOf(
  open: OpenTable,
  where: UntypedWhere,
  call: CallDeadline,
): Promise<readonly UntypedWhere[]> {
  const hint = accessTo(open.table, { where, isCovered: true })?.hint;
  const index = open.table.indexes.find(({ name }) => name === hint);
  const field = index?.fields.find((name) => where[name] === undefined);
  if (field === undefined) return [where];
  const valueAt = async (direction: "asc" | "desc", offset: number): Promise<unknown> => {
    const search = { where, order: { fields: [field], direction }, isCovered: true };
    const [row] = await documentsOf(
      open,
      { offset, limit: 1 },
      search,
      { _id: 0, [field]: 1 },
      call,
    );
    return row?.[field];
  };
  if ((await valueAt("asc", LONG)) === undefined) return [where];
  const [first, last] = await Promise.all([valueAt("asc", 0), valueAt("desc", 0)]);
  if (typeof first !== "number" || typeof last !== "number" || first === last) return [where];
  const middle = first + Math.ceil((last - first) / 2);
  return [
    { ...where, [field]: { lt: middle } },
    { ...where, [field]: { gte: middle } },
  ];
}

async function groupsOf(
  open: OpenTable,
  { where, by, of }: UntypedGroups,
  part: UntypedWhere,
  call: CallDeadline,
): Promise<RowGroup[]> {
  const access = accessTo(open.table, { where: part, isCovered: true });
  if (access === null) return [];
  const { other } = conditionsOf(where);
  const tests = [...other].flatMap(([field, condition]) => testsOf(field, condition));
  const values = Object.fromEntries(by.map((field, at) => [`v${String(at)}`, `$${field}`]));
  const value = `$${of}`;
  const group = {
    // What is out of bounds is a group of its own, which is left out.
    _id: tests.length === 0 ? values : { $cond: [{ $and: tests }, values, OUT_OF_BOUNDS] },
    count: { $sum: 1 },
    sum: { $sum: value },
    sumOfSquares: { $sum: { $multiply: [value, value] } },
    min: { $min: value },
    max: { $max: value },
  };
  const pipeline = [
    { $match: access.filter },
    { $group: group },
    { $match: { _id: { $ne: OUT_OF_BOUNDS } } },
  ];
  const groups = await open.documents
    .aggregate<FoundGroup>(pipeline, { ...optionsOf({ call }, access), allowDiskUse: true })
    .toArray();
  return groups.map(({ _id, ...sums }) => ({
    ...sums,
    values: by.map((_, at) => _id[`v${String(at)}`] ?? null),
  }));
}

const OUT_OF_BOUNDS = "out of bounds";

type FoundGroup = Omit<RowGroup, "values"> & {
  readonly _id: Readonly<Record<string, FieldValue | undefined>>;
};

const OPERATORS = { gte: "$gte", lt: "$lt", lte: "$lte", ne: "$ne" } as const;

function testsOf(field: string, condition: FieldCondition): Fields[] {
  const { in: values, contains, ...bounds } = condition;
  if (contains !== undefined) throw new Error("Groups cannot be limited to a part of a text");
  const tests = Object.entries(bounds).map(([name, value]): Fields => {
    return { [OPERATORS[name as keyof typeof OPERATORS]]: [`$${field}`, { $literal: value }] };
  });
  if (values !== undefined) tests.push({ $in: [`$${field}`, { $literal: values }] });
  return tests;
}

/** Whether an index whose first fields have one value has all fields that are looked at. */
function hasCover(table: Table, where: UntypedWhere, wanted: readonly string[]): boolean {
  const { equal } = conditionsOf(where);
  const needed = [...Object.keys(where), ...wanted];
  return table.indexes.some(({ fields }) => {
    const [first] = fields;
    return (
      first !== undefined && equal.has(first) && needed.every((field) => fields.includes(field))
    );
  });
}
