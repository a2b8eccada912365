// Compiles the port's filters to SQL over declared columns. Values are always bound, names are always declared ones.
import type { FieldCondition, FieldValue, RowQuery } from "../collection.ts";
import { withoutPassedBounds } from "./access.ts";

export interface Compiled {
  readonly sql: string;
  readonly parameters: readonly FieldValue[];
}

/** Column name of a declared field: quoted, so that `order` and the like are plain names. */
export function column(field: string): string {
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(field)) throw new Error(`Not a field name: ${field}`);
  return `"${field}"`;
}

/** `WHERE …` of a filter; an empty text when it has no condition. */
export function compileWhere(
  where: Readonly<Record<string, FieldValue | FieldCondition | undefined>>,
): Compiled {
  const parts: string[] = [];
  const parameters: FieldValue[] = [];
  for (const [field, condition] of Object.entries(where)) {
    if (condition === undefined) continue;
    conditionSql(column(field), condition, parts, parameters);
  }
  return { sql: parts.length === 0 ? "" : ` WHERE ${parts.join(" AND ")}`, parameters };
}

const COMPARISONS = [
  ["gte", ">="],
  ["lt", "<"],
  ["lte", "<="],
] as const;

function conditionSql(
  name: string,
  condition: FieldValue | FieldCondition,
  parts: string[],
  parameters: FieldValue[],
): void {
  if (condition === null) {
    parts.push(`${name} IS NULL`);
    return;
  }
  if (typeof condition !== "object") {
    parts.push(`${name} = ?`);
    parameters.push(condition);
    return;
  }
  if (condition.in !== undefined) {
    // One bound JSON array instead of a list of question marks: the statement text, and so the cache, stays the same.
    parts.push(`${name} IN (SELECT value FROM json_each(?))`);
    parameters.push(JSON.stringify(condition.in));
  }
  if (condition.ne !== undefined) {
    parts.push(`${name} IS NOT ?`);
    parameters.push(condition.ne);
  }
  if (condition.contains !== undefined) {
    parts.push(`instr(${name}, ?) > 0`);
    parameters.push(condition.contains);
  }
  for (const [key, operator] of COMPARISONS) {
    const value = condition[key];
    if (value === undefined) continue;
    parts.push(`${name} ${operator} ?`);
    parameters.push(value);
  }
}

/** Everything after `FROM table` of a query. */
export function compileQuery<Row extends object>(asked: RowQuery<Row>): Compiled {
  const query = withoutPassedBounds(asked);
  const where = compileWhere(query.where);
  const parameters = [...where.parameters];
  let sql = where.sql;
  if (query.order !== undefined) {
    const names = query.order.fields.map(column);
    const descending = query.order.direction === "desc";
    if (query.after !== undefined) {
      sql += sql === "" ? " WHERE " : " AND ";
      sql += `(${names.join(", ")}) ${descending ? "<" : ">"} (${names.map(() => "?").join(", ")})`;
      parameters.push(...query.after);
    }
    sql += ` ORDER BY ${names.map((name) => name + (descending ? " DESC" : " ASC")).join(", ")}`;
  }
  parameters.push(query.limit);
  if (query.offset === undefined) return { sql: `${sql} LIMIT ?`, parameters };
  return { sql: `${sql} LIMIT ? OFFSET ?`, parameters: [...parameters, query.offset] };
}
