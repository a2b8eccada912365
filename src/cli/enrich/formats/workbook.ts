// A sheet of a workbook as the rows that all formats have in common: its columns are guessed as those of a CSV export.
import { InputError } from "../input-error.ts";
import type { FileInput, ParsedFile } from "../parsed-file.ts";
import { parseRecords } from "../run/table.ts";
import { parseAmount } from "../values/amount.ts";
import { isDate } from "../values/calendar-date.ts";
import { printable } from "../values/printable.ts";
import { readWhole } from "./read-whole.ts";
import { readXlsx, type Sheet } from "./xlsx.ts";

/** Throws InputError when the workbook is damaged or has no sheet with transactions. */
export async function readWorkbookFile({ name, bytes, options }: FileInput): Promise<ParsedFile> {
  const sheets = await readXlsx(name, await readWhole(name, bytes));
  const { sheet, note } = chooseSheet(name, sheets, options.mapping.sheet);
  const records = sheet.rows.map((cells, at) => ({ line: at + 1, cells }));
  const file = parseRecords("XLSX", records, options);
  // Sheets have no delimiter; the comma is of the output.
  const report = file.report.map((line) => line.replace(/^layout: comma-separated, /u, "layout: "));
  return { ...file, report: [`format: XLSX, ${note}`, ...report] };
}

/** The sheet with the most rows that look like transactions, and what to say about the others. */
function chooseSheet(
  name: string,
  sheets: readonly Sheet[],
  wanted: string | null,
): { readonly sheet: Sheet; readonly note: string } {
  const names = sheets.map((sheet) => `'${printable(sheet.name)}'`).join(", ");
  if (wanted !== null) {
    const sheet = sheets.find((one) => one.name.toLowerCase() === wanted.toLowerCase());
    if (sheet !== undefined) return { sheet, note: `sheet '${printable(sheet.name)}' (as given)` };
    throw new InputError(
      `--map: ${name} has no sheet '${printable(wanted)}'. Its sheets are ${names}.`,
    );
  }
  const counted = sheets
    .map((sheet) => ({ sheet, count: sheet.rows.filter(isTransaction).length }))
    .sort((a, b) => b.count - a.count);
  const [best, ...others] = counted;
  if (best === undefined) throw new InputError(`${name} has no sheet.`);
  if (best.sheet.rows.length === 0) throw new InputError(`${name} is empty.`);
  const left = others
    .filter(({ count }) => count > 0)
    .map(({ sheet, count }) => `'${printable(sheet.name)}' (${count.toLocaleString("en")} rows)`);
  const of = sheets.length > 1 ? `, of ${String(sheets.length)}` : "";
  const note = `sheet '${printable(best.sheet.name)}'${of}`;
  if (left.length === 0) return { sheet: best.sheet, note };
  return {
    sheet: best.sheet,
    note: `${note}; not read: ${left.join(", ")}; --map sheet=NAME reads another`,
  };
}

function isTransaction(row: readonly string[]): boolean {
  return row.some(isDate) && row.some((cell) => !isDate(cell) && parseAmount(cell, ".") !== null);
}
