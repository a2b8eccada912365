// Answers that an index gives alone: keys in any order, and sums. SQLite answers on the event loop, so that the sums of many
// rows are added up in parts, between which other requests continue.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "../../sqlite/database.ts";
import type { CollectionSpec, FieldValue, GroupQuery, RowGroup, RowQuery } from "../collection.ts";
import { createRowGroups } from "./row-sums.ts";
import { type AnyWhere, coveringIndex, orderedIndex } from "./access.ts";
import { column, type Compiled, compileQuery, compileWhere } from "./sql.ts";

/** Some ten milliseconds. */
const ROWS_IN_PART = 20_000;

/** The key fields of the rows that a query finds. */
export function keysInIndex<Row extends object>(
  database: Database,
  table: string,
  spec: CollectionSpec<Row>,
  query: RowQuery<Row>,
): Partial<Row>[] {
  const wanted = [...spec.key, ...(query.order?.fields ?? [])];
  const index = orderedIndex(spec, query) ?? coveringIndex(spec, query.where, wanted)?.name ?? null;
  const along = index === null ? "" : ` INDEXED BY ${table}_${index}`;
  const compiled = compileQuery(query);
  const sql = `SELECT ${spec.key.map(column).join(", ")} FROM ${table}${along}${compiled.sql}`;
  return database.all(sql, compiled.parameters) as Partial<Row>[];
}

/**
 * Groups of rows, from one index.
 * @throws Error when no index has all fields
 */
export async function groupsInIndex<Row extends object>(
  database: Database,
  table: string,
  spec: CollectionSpec<Row>,
  query: GroupQuery<Row>,
): Promise<RowGroup[]> {
  const index = coveringIndex(spec, query.where, [...query.by, query.of]);
  if (index === null) throw new Error(`${spec.name}: no index has all fields of the groups`);
  const from = ` FROM ${table} INDEXED BY ${table}_${index.name}`;
  const columns = [query.of, ...query.by].map(column).join(", ");
  // Three fields behind those of one value tell the rows of all our indexes apart well enough for parts of about one size.
  const place = index.rest.slice(0, 3);
  const where = compileWhere(query.where);
  // Parts are cut by what is walked past, not by what is found there.
  const walked = compileWhere(valuesOf(query.where));
  const groups = createRowGroups(query.by.length);
  let after: readonly FieldValue[] | null = null;
  for (;;) {
    const rest = between(walked, place, after, null);
    const names = place.map(column).join(", ");
    const last = database.get(
      `SELECT ${names}${from}${rest.sql} ORDER BY ${names} LIMIT 1 OFFSET ?`,
      [...rest.parameters, ROWS_IN_PART - 1],
    );
    const until: readonly FieldValue[] | null =
      last === null ? null : place.map((field) => last[field] as FieldValue);
    const part = between(where, place, after, until);
    for (const row of database.values(`SELECT ${columns}${from}${part.sql}`, part.parameters))
      groups.add(row as readonly FieldValue[]);
    if (until === null) return groups.all();
    after = until;
    await nextTurn();
  }
}

/** The conditions that a field has one value. */
const valuesOf = (where: AnyWhere): AnyWhere =>
  Object.fromEntries(
    Object.entries(where).filter(([, value]) => typeof value !== "object" || value === null),
  );

/** Rows behind one place, up to and with another. */
function between(
  where: Compiled,
  place: readonly string[],
  after: readonly FieldValue[] | null,
  until: readonly FieldValue[] | null,
): Compiled {
  const names = `(${place.map(column).join(", ")})`;
  const marks = `(${place.map(() => "?").join(", ")})`;
  const parts = [
    ...(after === null ? [] : [` AND ${names} > ${marks}`]),
    ...(until === null ? [] : [` AND ${names} <= ${marks}`]),
  ];
  return {
    sql: where.sql + parts.join(""),
    parameters: [...where.parameters, ...(after ?? []), ...(until ?? [])],
  };
}
