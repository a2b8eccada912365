import type { Facts } from "../../../domain/facts.ts";
import type { FinishedRow } from "../run/enrich-chunks.ts";

export type OutputFormat = "csv" | "jsonl";

/** Turns records into text in one format. */
export interface RowFormatter {
  /** What stands above the first row; empty for JSONL. */
  header(): string;
  rows(records: readonly FinishedRow[]): string;
}

const UNKNOWN_COUNTERPARTY = { name: null, website: null, type: null };
const UNKNOWN_PLACE = { city: null, state: null, country_code: null };
const ADDED_COLUMNS = [
  "ledgerline_merchant",
  "ledgerline_website",
  "ledgerline_category",
  "ledgerline_type",
  "ledgerline_intermediaries",
  "ledgerline_city",
  "ledgerline_state",
  "ledgerline_country",
  "ledgerline_error",
];

export function createFormatter(
  format: OutputFormat,
  columns: readonly string[],
  delimiter: string,
): RowFormatter {
  return format === "csv" ? createCsvFormatter(columns, delimiter) : createJsonlFormatter(columns);
}

/**
 * The original cells keep their text and their delimiter, so that "1.234,56" stays a number where it was one. They are
 * not guarded against formulas: they are the customer's own file, and a changed "-12.34" would be damage. The added
 * cells come from descriptions that strangers wrote, so those are guarded.
 */
function createCsvFormatter(columns: readonly string[], delimiter: string): RowFormatter {
  const needsQuotes = new RegExp(`["\\r\\n${delimiter === "|" ? "\\|" : delimiter}]`, "u");
  const quote = (cell: string): string =>
    needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const row = (cells: readonly string[]): string => `${cells.map(quote).join(delimiter)}\n`;
  return {
    header: () => row([...columns, ...ADDED_COLUMNS]),
    rows: (records) =>
      records
        .map(({ cells, facts, error }) => [
          ...fitToColumns(cells, columns.length, delimiter),
          ...factCells(facts).map(guardFormula),
          guardFormula(error ?? ""),
        ])
        .map(row)
        .join(""),
  };
}

/** A short record is filled up; what a long one has too much stays in its last column, so that nothing is lost or shifted. */
function fitToColumns(cells: readonly string[], width: number, delimiter: string): string[] {
  if (cells.length <= width)
    return [...cells, ...Array.from({ length: width - cells.length }, () => "")];
  const surplus = cells.slice(width);
  if (surplus.every((cell) => cell === "")) return cells.slice(0, width);
  return [...cells.slice(0, width - 1), cells.slice(width - 1).join(delimiter)];
}

function factCells(facts: Facts | null): string[] {
  const { name, website, type } = facts?.entities?.counterparty ?? UNKNOWN_COUNTERPARTY;
  const { city, state, country_code } = facts?.location?.structured ?? UNKNOWN_PLACE;
  const through = (facts?.entities?.intermediaries ?? []).map(
    (one) => one.name ?? one.website ?? "",
  );
  const category = facts?.categories?.general ?? null;
  const cells = [name, website, category, type, through.join("; "), city, state, country_code];
  return cells.map((cell) => cell ?? "");
}

/** A spreadsheet runs a cell that begins like this; the apostrophe makes it text. */
function guardFormula(cell: string): string {
  return /^[=+\-@\t\r]/u.test(cell) ? `'${cell}` : cell;
}

function createJsonlFormatter(columns: readonly string[]): RowFormatter {
  const row = ({ line, cells, facts, error }: FinishedRow): string => {
    const surplus = cells
      .slice(columns.length)
      .map((cell, at) => [`extra_${String(at + 1)}`, cell]);
    const input = Object.fromEntries([
      ...columns.map((name, at) => [name, cells[at] ?? ""]),
      ...surplus,
    ]) as unknown;
    const { entities = null, categories = null, location = null } = facts ?? {};
    return `${JSON.stringify({ line, input, entities, categories, location, error })}\n`;
  };
  return { header: () => "", rows: (records) => records.map(row).join("") };
}
