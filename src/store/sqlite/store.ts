// The collection port over SQLite: one table per collection, a column per declared field, the rest as a JSON document.
import type { Database, Parameter, SqlRow } from "../../sqlite/database.ts";
import {
  type Collection,
  type CollectionSpec,
  type FieldKind,
  type FieldValue,
  forEngine,
  type RowQuery,
  requireRepeatable,
  type Store,
  type Where,
  type Write,
  type WriteOutcome,
} from "../collection.ts";
import { orderedIndex } from "./access.ts";
import { keysInIndex, groupsInIndex } from "./covered.ts";
import { column, compileQuery, compileWhere } from "./sql.ts";

const DOCUMENT = "document";
const COLUMN_TYPES = {
  text: "TEXT",
  integer: "INTEGER",
  real: "REAL",
  json: "TEXT",
  bytes: "BLOB",
} as const;

interface SqlTable {
  readonly name: string;
  readonly fields: readonly string[];
  /** The same as a set. */
  readonly declared: ReadonlySet<string>;
  readonly insertSql: string;
  readonly conflictSql: string;
  readonly key: readonly string[];
}

/** Ends a write whose precondition does not hold; carries the outcome out of the savepoint. */
class Unmet extends Error {
  readonly outcome: WriteOutcome;
  constructor(outcome: WriteOutcome) {
    super("precondition not met");
    this.outcome = outcome;
  }
}

/** A store in the tables of `database`, which stays open: its opener closes it. */
export function createSqliteStore(database: Database): Store {
  const tables = new Map<string, SqlTable>();

  function apply(step: Write, index: number): number {
    const table = tables.get(step.collection);
    if (table === undefined) throw new Error(`Unknown collection: ${step.collection}`);
    switch (step.kind) {
      case "insert": {
        const changed = database.run(
          `${table.insertSql} ON CONFLICT DO NOTHING`,
          toParameters(table, step.row),
        );
        if (changed === 0 && step.ifExists === "fail")
          throw new Unmet({ ok: false, step: index, reason: "exists" });
        return changed;
      }
      case "upsertMany":
        return upsert(database, table, step);
      case "update": {
        const sets = Object.entries(step.set);
        const where = compileWhere(step.where);
        const sql = `UPDATE ${table.name} SET ${sets.map(([field]) => `${column(field)} = ?`).join(", ")}${where.sql}`;
        const changed = database.run(sql, [...sets.map(([, value]) => value), ...where.parameters]);
        if (changed === 0 && step.ifNone === "fail")
          throw new Unmet({ ok: false, step: index, reason: "unmet" });
        return changed;
      }
      case "delete": {
        const where = compileWhere(step.where);
        if (step.limit === undefined)
          return database.run(`DELETE FROM ${table.name}${where.sql}`, where.parameters);
        const rows = `SELECT rowid FROM ${table.name}${where.sql} LIMIT ?`;
        return database.run(`DELETE FROM ${table.name} WHERE rowid IN (${rows})`, [
          ...where.parameters,
          step.limit,
        ]);
      }
      case "require": {
        const where = compileWhere(step.where);
        const row = database.get(
          `SELECT count(*) AS count FROM ${table.name}${where.sql}`,
          where.parameters,
        );
        if (row?.["count"] !== step.count)
          throw new Unmet({ ok: false, step: index, reason: "unmet" });
        return 0;
      }
    }
  }

  return {
    collection: (declared) => {
      const spec = forEngine(declared, "sqlite");
      const table = defineTable(database, spec);
      tables.set(spec.name, table);
      return createCollection(database, table, spec);
    },
    write: (steps) => writeAll(database, steps, apply),
    apply: async (steps) => {
      requireRepeatable(steps);
      // All at once is one of the ways of one after the other, and the quicker one here.
      return (await writeAll(database, steps, apply)).ok;
    },
  };
}

function upsert(
  database: Database,
  table: SqlTable,
  { rows, guard, kept }: Extract<Write, { kind: "upsertMany" }>,
): number {
  const isGreater = `excluded.${column(guard)} > ${table.name}.${column(guard)}`;
  const isReplaced = kept === undefined ? "" : ` AND ${table.name}.${column(kept)} IS NOT 1`;
  const sql = `${table.insertSql}${table.conflictSql} WHERE ${isGreater}${isReplaced}`;
  return database.runEach(sql, parametersOf(table, rows));
}

function* parametersOf(table: SqlTable, rows: readonly object[]): Generator<Parameter[]> {
  for (const row of rows) yield toParameters(table, row);
}

async function writeAll(
  database: Database,
  steps: readonly Write[],
  apply: (step: Write, index: number) => number,
): Promise<WriteOutcome> {
  try {
    return await database.write(() => ({ ok: true as const, changed: steps.map(apply) }));
  } catch (error) {
    if (error instanceof Unmet) return error.outcome;
    throw error;
  }
}

/** The table of a collection. */
export const tableName = ({ name }: { readonly name: string }): string => `store_${name}`;

function defineTable<Row extends object>(database: Database, spec: CollectionSpec<Row>): SqlTable {
  const name = tableName(spec);
  const fields = Object.keys(spec.fields);
  const kinds: Readonly<Record<string, FieldKind | undefined>> = spec.fields;
  const columns = fields.map((field) => `${column(field)} ${COLUMN_TYPES[kinds[field] ?? "text"]}`);
  const key = spec.key.map(column).join(", ");
  database.define(
    `CREATE TABLE IF NOT EXISTS ${name} (${[...columns, `${DOCUMENT} TEXT NOT NULL`].join(", ")}, PRIMARY KEY (${key}))`,
  );
  for (const index of spec.indexes) {
    const unique = index.unique === true ? "UNIQUE " : "";
    const on = index.fields.map(column).join(", ");
    database.define(`CREATE ${unique}INDEX IF NOT EXISTS ${name}_${index.name} ON ${name} (${on})`);
  }
  const all = [...fields.map(column), DOCUMENT];
  return {
    name,
    fields,
    declared: new Set(fields),
    key: spec.key,
    insertSql: `INSERT INTO ${name} (${all.join(", ")}) VALUES (${all.map(() => "?").join(", ")})`,
    conflictSql: ` ON CONFLICT (${key}) DO UPDATE SET ${all.map((part) => `${part} = excluded.${part}`).join(", ")}`,
  };
}

function createCollection<Row extends object>(
  database: Database,
  table: SqlTable,
  spec: CollectionSpec<Row>,
): Collection<Row> {
  const select = `SELECT * FROM ${table.name}`;
  const alongIndex = (query: RowQuery<Row>): string => {
    const index = orderedIndex(spec, query);
    return index === null ? "" : ` INDEXED BY ${table.name}_${index}`;
  };
  const find = (query: RowQuery<Row>): Row[] => {
    const compiled = compileQuery(query);
    return database
      .all(select + alongIndex(query) + compiled.sql, compiled.parameters)
      .map((row) => toSqlRow(table, row) as Row);
  };
  return {
    get: (key) => settleWrite(() => find({ where: key as Where<Row>, limit: 1 })[0] ?? null),
    find: (query) => settleWrite(() => find(query)),
    values: (query, fields) =>
      settleWrite(() => {
        const compiled = compileQuery(query);
        const from = ` FROM ${table.name}${alongIndex(query)}`;
        const sql = `SELECT ${fields.map(column).join(", ")}${from}${compiled.sql}`;
        return database.values(sql, compiled.parameters) as (readonly FieldValue[])[];
      }),
    keys: (query) => settleWrite(() => keysInIndex(database, table.name, spec, query)),
    groups: (query) => groupsInIndex(database, table.name, spec, query),
    aggregate: (where, sum, max) =>
      settleWrite(() => {
        const compiled = compileWhere(where);
        // `total`, since `sum` fails where a sum of times does not fit 64 bits any more.
        const what = `count(*) AS count, total(${column(sum)}) AS sum, max(${column(max)}) AS max`;
        const row = database.get(
          `SELECT ${what} FROM ${table.name}${compiled.sql}`,
          compiled.parameters,
        );
        const largest = row?.["max"];
        return {
          count: Number(row?.["count"] ?? 0),
          sum: Number(row?.["sum"] ?? 0),
          max: typeof largest === "number" ? largest : null,
        };
      }),
    claim: async (query, set) => {
      const sets = Object.entries(declaredOnly(table, set));
      const compiled = compileQuery(query);
      const values = sets.map(([field]) => `${column(field)} = ?`).join(", ");
      const found = `SELECT rowid FROM ${table.name}${compiled.sql}`;
      const sql = `UPDATE ${table.name} SET ${values} WHERE rowid IN (${found}) RETURNING *`;
      const parameters = [...sets.map(([, value]) => value), ...compiled.parameters];
      const rows = await database.write(() => database.all(sql, parameters));
      return rows.map((row) => toSqlRow(table, row) as Row);
    },
    ...writesOf<Row>(table, spec.name),
  };
}

/** Steps for `Store.write`. */
function writesOf<Row extends object>(
  table: SqlTable,
  name: string,
): Pick<Collection<Row>, "insert" | "upsertMany" | "update" | "delete" | "require"> {
  return {
    insert: (row, ifExists) => ({ kind: "insert", collection: name, row, ifExists }),
    upsertMany: (rows, guard, kept) => ({
      kind: "upsertMany",
      collection: name,
      rows,
      guard,
      ...(kept === undefined ? {} : { kept }),
    }),
    update: (where, set, ifNone) => ({
      kind: "update",
      collection: name,
      where,
      set: declaredOnly(table, set),
      ifNone,
    }),
    delete: (where, limit) => ({
      kind: "delete",
      collection: name,
      where,
      ...(limit === undefined ? {} : { limit }),
    }),
    require: (where, count) => ({ kind: "require", collection: name, where, count }),
  };
}

/** SQLite answers at once, but the port is asynchronous: a failure must be a rejection, not a throw. */
function settleWrite<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}

function declaredOnly(table: SqlTable, set: object): Record<string, string | number | null> {
  const result: Record<string, string | number | null> = {};
  for (const [field, value] of Object.entries(set) as [string, string | number | null][]) {
    if (!table.fields.includes(field))
      throw new Error(`${table.name}: ${field} is not a declared field`);
    result[field] = value;
  }
  return result;
}

function toParameters(table: SqlTable, row: object): Parameter[] {
  const values = row as Readonly<Record<string, unknown>>;
  const parameters = table.fields.map((field) => (values[field] ?? null) as Parameter);
  const rest: Record<string, unknown> = {};
  for (const name of Object.keys(row)) if (!table.declared.has(name)) rest[name] = values[name];
  parameters.push(JSON.stringify(rest));
  return parameters;
}

function toSqlRow(table: SqlTable, row: SqlRow): object {
  const document = JSON.parse(String(row[DOCUMENT])) as Record<string, unknown>;
  for (const field of table.fields) document[field] = row[field];
  return document;
}
