import type { ParsedTransaction } from "../parsed-file.ts";
import type { RunRow } from "../run/run-files.ts";

export const OUTPUT_FORMATS = ["csv", "jsonl"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** `original`: the cells as the bank wrote them; `normalised`: what was parsed from them. */
export const COLUMN_CHOICES = ["original", "normalised", "both"] as const;
export type ColumnChoice = (typeof COLUMN_CHOICES)[number];

/** Turns rows into text in one format. */
export interface RowFormatter {
  /** What stands above the first row; empty for JSONL. */
  header(): string;
  rows(rows: readonly RunRow[]): string;
}

export interface FormatOptions {
  readonly format: OutputFormat;
  readonly choice: ColumnChoice;
  /** The names of the original columns, by file of the run. */
  readonly columns: readonly (readonly string[])[];
  /** Names of the files, in order. */
  readonly files: readonly string[];
  /** The format of each file, as `ParsedFile.format` names it. */
  readonly formats: readonly string[];
  readonly delimiter: string;
}

const CSV = "CSV";
const NUMBER = /^[+-]?\d[\d.,\u0020']*$/u;
const UNKNOWN_COUNTERPARTY = { name: null, website: null, type: null };
const UNKNOWN_PLACE = { city: null, state: null, country_code: null };
const PARSED_COLUMNS = [
  "ledgerline_line",
  "ledgerline_date",
  "ledgerline_amount",
  "ledgerline_direction",
  "ledgerline_currency",
  "ledgerline_description",
  "ledgerline_status",
];
const FACT_COLUMNS = [
  "ledgerline_merchant",
  "ledgerline_website",
  "ledgerline_category",
  "ledgerline_category_source",
  "ledgerline_type",
  "ledgerline_intermediaries",
  "ledgerline_city",
  "ledgerline_state",
  "ledgerline_country",
  "ledgerline_error",
];

export function createFormatter(options: FormatOptions): RowFormatter {
  return options.format === "csv" ? createCsvFormatter(options) : createJsonlFormatter(options);
}

/**
 * The original cells of a CSV file keep their text and their delimiter, so that "1.234,56" stays a number where it was
 * one. They are not guarded against formulas: they were in a CSV file before, and a changed "-12.34" would be damage. Cells
 * of other formats and the added cells come from descriptions that strangers wrote and were in no CSV file, so those are
 * guarded, all but numbers.
 */
function createCsvFormatter(options: FormatOptions): RowFormatter {
  const { choice, columns, files, formats, delimiter } = options;
  const needsQuotes = new RegExp(`["\\r\\n${delimiter === "|" ? "\\|" : delimiter}]`, "u");
  const quote = (cell: string): string =>
    needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const row = (cells: readonly string[]): string => `${cells.map(quote).join(delimiter)}\n`;
  const hasOriginal = choice !== "normalised";
  const hasParsed = choice !== "original";
  const isSeveral = files.length > 1;
  const { names, places } = uniteColumns(columns);
  const original = ({ cells, file }: RunRow): string[] => {
    const own = columns[file] ?? [];
    const fitted = fitToColumns(cells, own.length, delimiter);
    const united = names.map(() => "");
    const shown = formats[file] === CSV ? (cell: string): string => cell : guardText;
    for (const [at, place] of (places[file] ?? []).entries())
      united[place] = shown(fitted[at] ?? "");
    return united;
  };
  const fileColumns = isSeveral ? ["ledgerline_file"] : [];
  const duplicateColumns = isSeveral ? ["ledgerline_duplicate_of"] : [];
  return {
    header: () =>
      row([
        ...(hasOriginal ? names : []),
        ...fileColumns,
        ...(hasParsed ? PARSED_COLUMNS : []),
        ...duplicateColumns,
        ...FACT_COLUMNS,
      ]),
    rows: (rows) =>
      rows
        .map((one) => [
          ...(hasOriginal ? original(one) : []),
          ...(isSeveral ? [guardFormula(files[one.file] ?? "")] : []),
          ...(hasParsed ? parsedCells(one) : []),
          ...(isSeveral ? [guardFormula(one.duplicateOf ?? "")] : []),
          ...factCells(one).map(guardFormula),
          guardFormula(one.error ?? ""),
        ])
        .map(row)
        .join(""),
  };
}

/** The columns of all files, each name once, in the order of their first appearance; and where those of a file stand. */
function uniteColumns(columns: FormatOptions["columns"]): {
  readonly names: readonly string[];
  readonly places: readonly (readonly number[])[];
} {
  const places = new Map<string, number>();
  for (const name of columns.flat()) if (!places.has(name)) places.set(name, places.size);
  return {
    names: [...places.keys()],
    places: columns.map((own) => own.map((name) => places.get(name) ?? 0)),
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

function parsedCells({ line, reading }: RunRow): string[] {
  const at = String(line);
  if (!reading.ok) return [at, ...PARSED_COLUMNS.slice(1).map(() => "")];
  const { date, amount, entryType, currency, description, status } = reading.transaction;
  return [at, date, amount, entryType, currency, guardFormula(description), status];
}

function factCells({ facts, categorySource }: RunRow): string[] {
  const { name, website, type } = facts?.entities?.counterparty ?? UNKNOWN_COUNTERPARTY;
  const { city, state, country_code } = facts?.location?.structured ?? UNKNOWN_PLACE;
  const through = (facts?.entities?.intermediaries ?? []).map(
    (one) => one.name ?? one.website ?? "",
  );
  const category = facts?.categories?.general ?? null;
  const cells = [
    ...[name, website, category, categorySource, type, through.join("; ")],
    ...[city, state, country_code],
  ];
  return cells.map((cell) => cell ?? "");
}

/** A spreadsheet runs a cell that begins like this; the apostrophe makes it text. */
function guardFormula(cell: string): string {
  return /^[=+\-@\t\r]/u.test(cell) ? `'${cell}` : cell;
}

/** As `guardFormula`, for cells that may be numbers. */
function guardText(cell: string): string {
  return NUMBER.test(cell) ? cell : guardFormula(cell);
}

function createJsonlFormatter({ choice, columns, files }: FormatOptions): RowFormatter {
  const row = (one: RunRow): string => {
    const { line, reading, facts, error, duplicateOf, categorySource } = one;
    const { entities = null, categories = null, location = null } = facts ?? {};
    const transaction = reading.ok ? toJson(reading.transaction) : null;
    const object = {
      file: files[one.file] ?? "",
      line,
      ...(choice === "normalised" ? {} : { input: inputOf(one, columns[one.file] ?? []) }),
      ...(choice === "original" ? {} : { transaction }),
      duplicate_of: duplicateOf,
      ...{ entities, categories, category_source: categorySource, location, error },
    };
    return `${JSON.stringify(object)}\n`;
  };
  return { header: () => "", rows: (rows) => rows.map(row).join("") };
}

function inputOf({ cells }: RunRow, columns: readonly string[]): Record<string, string> {
  const surplus = cells
    .slice(columns.length)
    .map((cell, at) => [`extra_${String(at + 1)}`, cell] as const);
  return Object.fromEntries([
    ...columns.map((name, at) => [name, cells[at] ?? ""] as const),
    ...surplus,
  ]);
}

/** `amount` stays a text: a binary fraction would not be what the bank wrote. */
function toJson(transaction: ParsedTransaction): object {
  const { date, amount, entryType, currency, description, status, id, account } = transaction;
  return {
    ...{ date, amount, direction: entryType, currency, description, status, id, account },
    counterparty: transaction.counterparty,
    bank_type: transaction.bankType,
    bank_category: transaction.bankCategory,
  };
}
