// What the readers of bank formats return: the entries of all statements of a file, and notes for the user.
import type { Buffer } from "node:buffer";
import { InputError } from "../input-error.ts";
import type { DecimalMark } from "../values/amount.ts";
import type { DayMonthOrder } from "../values/calendar-date.ts";

export const FORMATS = ["OFX", "QIF", "CAMT.053", "MT940"] as const;
export type StatementFormat = (typeof FORMATS)[number];

/** `pending`: not booked yet, may still change. `information`: reported for information only. Both are left out of sums. */
export type EntryStatus = "booked" | "pending" | "information";

/** One movement on an account. */
export interface StatementEntry {
  /** Line of the file on which the entry begins, from 1. */
  readonly line: number;
  /** Booking date, YYYY-MM-DD. */
  readonly date: string;
  /** YYYY-MM-DD. */
  readonly valueDate: string | null;
  /** Decimal text as the bank wrote it, with a point: "-12.30". Negative: money leaves the account. */
  readonly amount: string;
  /** ISO 4217; null where the format has none (QIF). */
  readonly currency: string | null;
  /** Never empty. */
  readonly description: string;
  readonly counterparty: string | null;
  /** The bank's own type ("POS", "PMNT-RCDT-ESCT"); of QIF, the user's own category instead. */
  readonly bankType: string | null;
  readonly bankCategory: string | null;
  /** The bank's own id of the entry. */
  readonly reference: string | null;
  readonly status: EntryStatus;
  /** Number or IBAN of the account. */
  readonly account: string | null;
}

/** An entry, or why it cannot be used. */
export type EntryReading =
  | { readonly ok: true; readonly entry: StatementEntry }
  | { readonly ok: false; readonly line: number; readonly reason: string };

/** What the command line fixes; null: guessed, or read from the file. */
export interface StatementOptions {
  readonly encoding: string | null;
  readonly dates: DayMonthOrder | null;
  readonly decimal: DecimalMark | null;
  /** ISO 4217. */
  readonly currency: string | null;
}

/** Throws InputError with file, line and what to do when the file cannot be used. */
export type ReadStatement = (
  file: string,
  bytes: Buffer,
  options: StatementOptions,
) => StatementFile;

export interface StatementFile {
  readonly format: StatementFormat;
  readonly entries: readonly EntryReading[];
  /** What was found, and what looks wrong: whole sentences for the user. */
  readonly notes: readonly string[];
}

/** Entries of one file. A business account has a few thousand a month. */
const ENTRIES_MAX = 250_000;
/** SWIFT allows 65 and no program writes QIF that long; banks put long texts on one line. */
const LINE_LENGTH_MAX = 10_000;

export function fail(name: string, line: number, problem: string): never {
  throw new InputError(`${name}, line ${String(line)}: ${problem}`);
}

/**
 * The lines of a text, numbered from 1.
 * @param what the file should be, for the error: "a QIF file"
 * @throws InputError at a line that is longer than any bank writes
 */
export function* numberedLines(
  file: string,
  text: string,
  what: string,
): Generator<{ readonly line: number; readonly raw: string }> {
  for (const [index, raw] of text.split(/\r\n|\n|\r/u).entries()) {
    const line = index + 1;
    if (raw.length > LINE_LENGTH_MAX)
      fail(file, line, `longer than ${String(LINE_LENGTH_MAX)} characters: this is not ${what}.`);
    yield { line, raw };
  }
}

export function checkEntryCount(name: string, countOf: number): void {
  if (countOf > ENTRIES_MAX)
    throw new InputError(
      `${name} has more than ${ENTRIES_MAX.toLocaleString("en")} entries. Export a shorter period and try again.`,
    );
}

/** Joined by spaces, blank parts and parts that another contains left out. */
export function joinedTexts(parts: readonly (string | null | undefined)[]): string {
  const flat = parts.flatMap((part) => part?.replaceAll(/\s+/gu, " ").trim() || []);
  const lower = flat.map((part) => part.toLowerCase());
  const isRepeated = (at: number): boolean =>
    lower.some((other, index) => {
      const part = lower[at] ?? "";
      if (index === at || !other.includes(part)) return false;
      return other.length > part.length || index < at;
    });
  return flat.filter((_, at) => !isRepeated(at)).join(" ");
}

/** "3 entries", "1 entry". */
export function countOf(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** YYYY-MM-DD, or null when the numbers are not a calendar date. */
export function statementDate(year: string, month: string, day: string): string | null {
  if (!/^\d{4}$/u.test(year) || !/^\d{1,2}$/u.test(month) || !/^\d{1,2}$/u.test(day)) return null;
  const text = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? null : text;
}
