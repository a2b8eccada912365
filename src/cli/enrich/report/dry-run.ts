import { alignColumns } from "../../columns.ts";
import type { ParsedRow } from "../parsed-file.ts";
import { printable } from "../values/printable.ts";

export const DRY_RUN_ROWS = 10;

const LAST = "description";
/** Shown where a row has them: they are evidence for the category. */
const BANK_COLUMNS = [
  { field: "bankCategory", title: "bank category" },
  { field: "bankType", title: "bank type" },
] as const;

/** The first rows as they are understood, for a look before a run. */
export function showRows(rows: readonly ParsedRow[]): string[] {
  if (rows.length === 0) return ["no rows"];
  const columns = BANK_COLUMNS.filter(({ field }) =>
    rows.some(({ reading }) => reading.ok && reading.transaction[field] !== null),
  );
  return alignColumns([
    ["line", "date", "amount", "currency", "status", ...columns.map(({ title }) => title), LAST],
    ...rows.map(({ line, reading }) => {
      const none = columns.map(() => "-");
      if (!reading.ok) return [String(line), "-", "-", "-", "bad", ...none, reading.reason];
      const { transaction } = reading;
      const { date, amount, currency, status, unknownStatus, description } = transaction;
      const shown =
        unknownStatus === null ? status : `${status} (${printable(unknownStatus, 20)}?)`;
      const bank = columns.map(({ field }) => printable(transaction[field] ?? "-", 24));
      return [String(line), date, amount, currency, shown, ...bank, printable(description, 80)];
    }),
  ]);
}
