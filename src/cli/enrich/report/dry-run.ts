import { alignColumns } from "../../columns.ts";
import type { ParsedRow } from "../parsed-file.ts";
import { printable } from "../values/printable.ts";

export const DRY_RUN_ROWS = 10;

/** The first rows as they are understood, for a look before a run. */
export function showRows(rows: readonly ParsedRow[]): string[] {
  if (rows.length === 0) return ["no rows"];
  return alignColumns([
    ["line", "date", "amount", "currency", "status", "description"],
    ...rows.map(({ line, reading }) => {
      if (!reading.ok) return [String(line), "-", "-", "-", "bad", reading.reason];
      const { date, amount, currency, status, unknownStatus, description } = reading.transaction;
      const shown =
        unknownStatus === null ? status : `${status} (${printable(unknownStatus, 20)}?)`;
      return [String(line), date, amount, currency, shown, printable(description, 80)];
    }),
  ]);
}
