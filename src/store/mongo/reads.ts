// Reads of a collection: rows, and what an index alone gives.
import type { Aggregate, FieldCondition, FieldValue, RowGroup, RowQuery } from "../collection.ts";
import { accessTo, type IndexSearch } from "./access.ts";
import {
  type Conditions,
  conditionsOf,
  matchesNothing,
  toFilter,
  type UntypedWhere,
} from "./conditions.ts";
import type { CallDeadline } from "./deadline.ts";
import { type Fields, ROW_PROJECTION, rowOfDocument, type Table } from "./documents.ts";
import type { OpenTable } from "./tables.ts";
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
 * Groups of the rows of a filter. Bounds are those of the index where nothing stands in front of their field but fields of one
 * value, or of the groups. Elsewhere the server would search for each value in front, which takes three times as long as walking
 * past all, so that they are tested where the sums are made.
 */
export async function groupRows(
  open: OpenTable,
  { where, by, of }: UntypedGroups,
  call: CallDeadline,
): Promise<RowGroup[]> {
  const conditions = conditionsOf(where);
  const index = coverOf(open.table, conditions, [...by, of]);
  if (index === undefined)
    throw new Error(`${open.table.name}: no index has all fields of the groups`);
  if (matchesNothing(conditions)) return [];
  const inFront = new Set([...conditions.equal.keys(), ...by]);
  const next = index.fields.find((field) => !inFront.has(field));
  const tested = [...conditions.other].filter(([field]) => field !== next);
  const tests = tested.flatMap(([field, condition]) => testsOf(field, condition));
  const values = Object.fromEntries(by.map((field, at) => [`v${String(at)}`, `$${field}`]));
  const value = `$${of}`;
  const group = {
    // What is out of bounds is a group of its own, which is left out.
    _id: tests.length === 0 ? values : { $cond: [{ $and: tests }, values, OUT_OF_BOUNDS] },
    count: { $sum: 1 },
    sum: { $sum: value },
    deviation: { $stdDevPop: value },
    min: { $min: value },
    max: { $max: value },
  };
  const filter = toFilter(
    conditions,
    tested.map(([field]) => field),
  );
  const pipeline = [
    { $match: filter },
    { $group: group },
    { $match: { _id: { $ne: OUT_OF_BOUNDS } } },
  ];
  const options = { ...optionsOf({ call }, { hint: index.name }), allowDiskUse: true };
  const groups = await open.documents.aggregate<FoundGroup>(pipeline, options).toArray();
  return groups.map(({ _id, deviation, ...sums }) => ({
    ...sums,
    squaredDistances: deviation ** 2 * sums.count,
    values: by.map((_, at) => _id[`v${String(at)}`] ?? null),
  }));
}

const OUT_OF_BOUNDS = "out of bounds";

type FoundGroup = Omit<RowGroup, "values" | "squaredDistances"> & {
  readonly _id: Readonly<Record<string, FieldValue | undefined>>;
  /** The standard deviation: an accumulator less than for a sum of squares, and more exact. */
  readonly deviation: number;
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
const hasCover = (table: Table, where: UntypedWhere, wanted: readonly string[]): boolean =>
  coverOf(table, conditionsOf(where), wanted) !== undefined;

function coverOf(
  table: Table,
  { equal, other }: Conditions,
  wanted: readonly string[],
): Table["indexes"][number] | undefined {
  const needed = [...equal.keys(), ...other.keys(), ...wanted];
  return table.indexes.find(({ fields }) => {
    const [first] = fields;
    return (
      first !== undefined && equal.has(first) && needed.every((field) => fields.includes(field))
    );
  });
}
