// Reads one setting out of a data file that is not opened as a store, such as a backup.
import type { SqlRow } from "../../sqlite/database.ts";
import { settingSpec } from "../specs/specs.ts";
import { tableName } from "./store.ts";

/**
 * Returns the value of a setting, or null where it, or the table of settings, is not there.
 * @param read returns the first row of a query, or null
 */
export function storedSetting(
  read: (sql: string, parameters: readonly string[]) => SqlRow | null,
  name: string,
): string | null {
  const table = tableName(settingSpec);
  if (read("SELECT 1 FROM sqlite_master WHERE name = ?", [table]) === null) return null;
  const value = read(`SELECT value FROM ${table} WHERE name = ?`, [name])?.["value"];
  return typeof value === "string" ? value : null;
}
