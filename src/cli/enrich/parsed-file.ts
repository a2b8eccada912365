// What every reader of a file format returns: the rows of one file, parsed, with their original fields. CSV is read by
// run/csv-file.ts, all other formats by formats/.
import type { Buffer } from "node:buffer";
import type { EntryType } from "../../model/transaction.ts";
import type { Mapping } from "./guess/mapping.ts";
import type { DecimalMark } from "./values/amount.ts";
import type { TransactionStatus } from "./values/status.ts";

export type { TransactionStatus } from "./values/status.ts";

/** One transaction as the bank describes it. */
export interface ParsedTransaction {
  /** Booking date, YYYY-MM-DD. */
  readonly date: string;
  /** Exact decimal text with a point and without grouping, in units of `currency`; negative: money leaves. "-12.30" */
  readonly amount: string;
  readonly entryType: EntryType;
  /** ISO 4217. */
  readonly currency: string;
  /** What the recogniser reads. Never empty. */
  readonly description: string;
  /** The description with everything else that the bank writes, where `description` is a clean name alone; else null. */
  readonly joinedDescription: string | null;
  /** The counterparty's name where the bank has a field for it. */
  readonly counterparty: string | null;
  /** The bank's id of the transaction. */
  readonly id: string | null;
  /** Number or IBAN of the account. */
  readonly account: string | null;
  /** The bank's own type ("POS", "Direct Debit") and category ("Groceries"), as written. */
  readonly bankType: string | null;
  readonly bankCategory: string | null;
  readonly status: TransactionStatus;
  /** A word of the status column whose meaning is not known: the row counts as booked. */
  readonly unknownStatus: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  /** Address of the merchant, as written. */
  readonly address: string | null;
}

/** A parsed transaction, or the reason of the failure, for the user. */
export type RowReading =
  | { readonly ok: true; readonly transaction: ParsedTransaction }
  | { readonly ok: false; readonly reason: string };

export interface ParsedRow {
  /** Line of the file, from 1; the row of the sheet or the number of the entry in formats without lines. */
  readonly line: number;
  /** The original fields in the order of `columns`. */
  readonly cells: readonly string[];
  readonly reading: RowReading;
}

/** What was decided for a table, in the words of the command line: the next file of the bank is read the same way. */
export interface Settled {
  readonly map: string;
  readonly delimiter: "comma" | "semicolon" | "tab" | "bar";
  readonly decimal: "point" | "comma";
  /** Null: the file has a column for it. */
  readonly currency: string | null;
  readonly date_format: "dmy" | "mdy" | "ymd" | null;
}

/** One file once its head was looked at. */
export interface ParsedFile {
  /** Name of the format for the user: "CSV", "CAMT.053". */
  readonly format: string;
  /** Names of the original fields, unique, in order. */
  readonly columns: readonly string[];
  /** The delimiter of the file, which the CSV output keeps; a comma for formats without one. */
  readonly delimiter: string;
  /** What was found and guessed, and what looks wrong: lines for the user. */
  readonly report: readonly string[];
  /** The decisions, for --save-profile; left out by formats in which nothing is guessed. */
  readonly settled?: Settled;
  /** All rows in order, with back-pressure. Throws InputError where the rest of the file cannot be read. */
  readonly rows: AsyncIterable<ParsedRow>;
}

/** What the command line fixes; null: guessed, or read from the file. */
export interface ParseOptions {
  readonly mapping: Mapping;
  /** A label of the WHATWG Encoding Standard, e.g. windows-1250. */
  readonly encoding: string | null;
  readonly delimiter: "," | ";" | "\t" | "|" | null;
  readonly decimal: DecimalMark | null;
  /** ISO 4217; for every row, whatever its own cell contains. */
  readonly currency: string | null;
  /** YYYY-MM-DD, for files without dates. */
  readonly today: string;
}

export interface FileInput {
  /** How messages name the file. */
  readonly name: string;
  /** The whole content, unpacked when it was gzip; can be read once. */
  readonly bytes: AsyncIterable<Buffer>;
  readonly options: ParseOptions;
}

/** Throws InputError with file, line and what to do when the file cannot be used. */
export type FileReader = (input: FileInput) => Promise<ParsedFile>;
