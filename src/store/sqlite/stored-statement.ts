// Looks for a bank statement in a data file that is not opened as a store, such as a backup.
import type { SqlRow } from "../../sqlite/database.ts";
import { statementSpec } from "../specs/statement-specs.ts";
import { tableName } from "./store.ts";

/**
 * Whether there is such a document, which is not being removed.
 * @param read returns the first row of a query, or null
 */
export function hasStoredStatement(
  read: (sql: string, parameters: readonly string[]) => SqlRow | null,
  { org, id }: { readonly org: string; readonly id: string },
): boolean {
  const table = tableName(statementSpec);
  if (read("SELECT 1 FROM sqlite_master WHERE name = ?", [table]) === null) return false;
  const query = `SELECT 1 FROM ${table} WHERE org = ? AND id = ? AND status <> 'removed'`;
  return read(query, [org, id]) !== null;
}
