// Reads tables of bank lines, labelled or not, whatever their columns are called.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import type { RecogniserInput } from "../../src/model/transaction.ts";

/** Header words that mean the text of the bank, best first. `merchant` only counts when nothing better is there. */
const DESCRIPTION_HEADERS = [
  "description",
  "descriptor",
  "transaction description",
  "narrative",
  "details",
  "memo",
  "merchant name",
  "merchant",
  "payee",
] as const;

/** The correct answers; there can be several. Null: not labelled. `""` among them: no answer is correct too. */
export interface Label {
  readonly merchants: readonly string[] | null;
  readonly websites: readonly string[] | null;
  readonly categories: readonly string[] | null;
  readonly cities: readonly string[] | null;
  /** What sort of line it is: `chain`, `independent`, `person`, `payroll` … */
  readonly kind: string;
}

export interface Case {
  readonly item: RecogniserInput;
  readonly label: Label;
}

type ReadColumn = (row: readonly string[], ...wanted: readonly string[]) => string | null;

function readTable(file: string): readonly (readonly string[])[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true });
}

/** Reads a field by the first of the header words that the table has; null when it has none of them. */
function columnReader(header: readonly string[]): ReadColumn {
  const names = header.map((name) => name.trim().toLowerCase());
  return (row, ...wanted) => {
    for (const name of wanted) {
      const at = names.indexOf(name);
      if (at >= 0) return (row[at] ?? "").trim();
    }
    return null;
  };
}

/** A signed column decides when there is one; council cards, which have no direction, write credits as negative. */
function isOutgoing(row: readonly string[], column: ReadColumn): boolean {
  const entryType = column(row, "entry_type");
  if (entryType !== null && entryType !== "") return entryType.toLowerCase() === "outgoing";
  return Number(column(row, "amount_outflow_positive", "amount") ?? "0") >= 0;
}

function itemOf(description: string, row: readonly string[], column: ReadColumn): RecogniserInput {
  const country = column(row, "country");
  const amount = Number(column(row, "amount_outflow_positive", "amount") ?? "0");
  return {
    description,
    amount: Number.isFinite(amount) ? Math.abs(amount) : 0,
    entryType: isOutgoing(row, column) ? "outgoing" : "incoming",
    currency: column(row, "currency", "orig_ccy") || "USD",
    accountType: column(row, "account_type") === "business" ? "business" : "consumer",
    rawAddress: null,
    country: country === "" ? null : country,
  };
}

const alternatives = (text: string | null): readonly string[] | null =>
  text === null ? null : text.split("|").map((one) => one.trim());

/** @throws Error when no column of the table is a description */
export function readCases(file: string): readonly Case[] {
  const [header, ...rows] = readTable(file);
  if (header === undefined) return [];
  const column = columnReader(header);
  const names = header.map((name) => name.trim().toLowerCase());
  const source = DESCRIPTION_HEADERS.find((name) => names.includes(name));
  if (source === undefined) throw new Error(`No column of ${header.join(", ")} is a description.`);
  return rows.map((row) => ({
    item: itemOf(column(row, source) ?? "", row, column),
    label: {
      merchants: source === "merchant" ? null : alternatives(column(row, "merchant")),
      websites: alternatives(column(row, "website")),
      categories: alternatives(column(row, "category")?.toLowerCase() ?? null),
      cities: alternatives(column(row, "city")),
      kind: column(row, "kind") ?? "",
    },
  }));
}
