// Reads of a collection: rows, and what an index alone gives.
import type { Aggregate, FieldValue, RowQuery } from "../collection.ts";
import { accessTo, type IndexSearch } from "./access.ts";
import { type Conditions, conditionsOf, type UntypedWhere } from "./conditions.ts";
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

/** Whether an index whose first fields have one value has all fields that are looked at. */
const hasCover = (table: Table, where: UntypedWhere, wanted: readonly string[]): boolean =>
  coverOf(table, conditionsOf(where), wanted) !== undefined;

/** An index with all fields that are looked at, whose first fields have one value. */
export function coverOf(
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
