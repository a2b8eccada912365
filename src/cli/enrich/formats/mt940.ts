import type { Buffer } from "node:buffer";
import { InputError } from "../input-error.ts";
import { printable } from "../values/printable.ts";
import { type Balance, checkBalances } from "./balances.ts";
import { decodeBytes } from "./decode-text.ts";
import { negate, parseDecimal } from "./decimal.ts";
import { type Details, readDetails } from "./mt940-details.ts";
import {
  statementDate,
  checkEntryCount,
  countOf,
  type StatementEntry,
  type EntryReading,
  fail,
  joinedTexts,
  numberedLines,
  type StatementFile,
  type StatementOptions,
} from "./statement.ts";

interface Field {
  readonly line: number;
  /** "61", "86", "60F". */
  readonly tag: string;
  /** Lines below the first belong to it. */
  readonly lines: string[];
}

interface Statement {
  readonly line: number;
  account: string | null;
  number: string | null;
  opening: Balance | null;
  closing: Balance | null;
  /** Of MT942, which has no balances. */
  currency: string | null;
  readonly fields: Field[];
}

const TAG = /^:(\d{2}[A-Z]?|NS):/u;
/** Value date, booking date, mark (C, D, reversals RC and RD, expected EC and ED), funds code, amount, type, references. */
const STATEMENT_LINE =
  /^(?<day>\d{6})(?<booked>\d{4})?(?<mark>E[CD]|R?[CD])[A-Z]?(?<digits>\d[\d,]{0,17})(?:(?<type>[NSF][A-Z0-9]{3})(?<references>.{0,80}))?$/u;
const OUTGOING = new Set(["D", "RC", "ED"]);
const BALANCE = /^([CD])(\d{6})([A-Z]{3})(\d[\d,]{0,17})$/u;
const OPENING = new Set(["60F", "60M"]);
const CLOSING = new Set(["62F", "62M"]);
const FIELD_LINES_MAX = 1_000;

/**
 * Reads SWIFT MT940 (and the entries of MT942): several statements a file, with or without the blocks around them, the
 * text of field 86 free or structured as German and Dutch banks do.
 *
 * By SWIFT's "Category 9: Cash Management and Customer Status" (MT 940), and for field 86 by annex 3 of the German "DFÜ-
 * Abkommen", chapter 8.2, and "MT940 Customer Statement Message" of ABN AMRO and ING. The packages on npm stop at tags that
 * they do not know (`Unknown tag 13D`), cut field 86 and hold amounts as binary fractions (mt940js), or were not changed
 * since 2020 (@centrapay/swift-parser).
 * @throws InputError, with the line, for a damaged file
 */
export function readMt940(file: string, bytes: Buffer, options: StatementOptions): StatementFile {
  const { text, encoding } = decodeBytes(bytes, null, options.encoding);
  const statements = groupFields(file, readMt940Fields(file, text));
  if (statements.length === 0)
    throw new InputError(
      `${file} has no statement: the field :20: or :25: is missing. Download it again.`,
    );
  const entries: EntryReading[] = [];
  const notes: string[] = [];
  let checked = 0;
  for (const statement of statements) {
    const own = readEntries(statement);
    for (const entry of own) entries.push(entry);
    checkEntryCount(file, entries.length);
    const { isRight, note } = check(statement, own);
    if (isRight === true) checked += 1;
    if (note !== null) notes.push(note);
  }
  const head = `${countOf(statements.length, "statement")} (${encoding}), ${String(checked)} of them with balances that the entries explain`;
  return { format: "MT940", entries, notes: [head, ...notes] };
}

function check(
  statement: Statement,
  readings: readonly EntryReading[],
): ReturnType<typeof checkBalances> {
  const { account, number, opening, closing, line } = statement;
  const title = `Statement ${number ?? `at line ${String(line)}`} of account ${printable(account ?? "unknown")}`;
  const entries = readings.flatMap((reading) => (reading.ok ? [reading.entry] : []));
  return checkBalances(title, opening, closing, entries);
}

function readMt940Fields(file: string, text: string): Field[] {
  const fields: Field[] = [];
  let open: Field | null = null;
  for (const { line, raw } of numberedLines(file, text, "an MT940 file")) {
    // `{1:…}{2:…}{4:` before the fields and `-}` after them.
    const content = raw.replace(/^.{0,200}\{4:/u, "").trimEnd();
    if (content === "-" || content.startsWith("-}") || /^\{[1-5]:/u.test(content)) {
      open = null;
      continue;
    }
    const [whole = "", tag] = TAG.exec(content) ?? [];
    if (tag !== undefined) {
      open = { line, tag, lines: [content.slice(whole.length)] };
      fields.push(open);
    } else if (open !== null && content !== "") {
      if (open.lines.length >= FIELD_LINES_MAX)
        fail(
          file,
          open.line,
          `field :${open.tag}: has more than ${String(FIELD_LINES_MAX)} lines; the file is damaged.`,
        );
      open.lines.push(content);
    }
  }
  return fields;
}

/** A statement begins at :20:, and at :25: or an opening balance when the one before has its own already. */
function groupFields(file: string, fields: readonly Field[]): Statement[] {
  const statements: Statement[] = [];
  let current: Statement | null = null;
  for (const field of fields) {
    const { tag, line } = field;
    const [first = ""] = field.lines;
    if (tag === "20" || current === null || (OPENING.has(tag) && current.opening !== null)) {
      current = {
        line,
        account: null,
        number: null,
        opening: null,
        closing: null,
        currency: null,
        fields: [],
      };
      statements.push(current);
    }
    takeField(file, current, field, first.trim());
  }
  return statements.filter(
    ({ account, opening, fields: own }) => account !== null || opening !== null || own.length > 0,
  );
}

function takeField(file: string, statement: Statement, field: Field, text: string): void {
  const { tag } = field;
  if (tag === "25" || tag === "25P") statement.account = text || null;
  else if (tag === "28C" || tag === "28") statement.number = text || null;
  else if (OPENING.has(tag)) statement.opening = readBalance(file, field);
  else if (CLOSING.has(tag)) statement.closing = readBalance(file, field);
  else if (tag === "61" || tag === "86") statement.fields.push(field);
  // MT942 has no balances: the floor limit `EUR0,` or `EURD0,` names the currency.
  else if (tag === "34F") statement.currency = /^[A-Z]{3}/u.exec(text)?.[0] ?? null;
}

function readBalance(file: string, { tag, line, lines }: Field): Balance {
  const [, mark = "", , currency = "", digits = ""] = BALANCE.exec(lines[0]?.trim() ?? "") ?? [];
  const amount = parseDecimal(digits);
  if (amount === null)
    fail(
      file,
      line,
      `the balance :${tag}:${printable(lines[0] ?? "")} is damaged; C240131EUR1234,56 is expected.`,
    );
  return { amount: mark === "D" ? negate(amount) : amount, currency };
}

function readEntries(statement: Statement): EntryReading[] {
  const { fields, account } = statement;
  const currency = statement.opening?.currency ?? statement.closing?.currency ?? statement.currency;
  const entries: EntryReading[] = [];
  for (const [at, field] of fields.entries()) {
    if (field.tag !== "61") continue;
    const details: string[] = [];
    for (let next = at + 1; fields[next]?.tag === "86"; next += 1)
      details.push(...(fields[next]?.lines ?? []));
    entries.push(readMt940Entry(field, readDetails(details), currency, account));
  }
  return entries;
}

function readMt940Entry(
  { line, lines }: Field,
  details: Details,
  currency: string | null,
  account: string | null,
): EntryReading {
  const bad = (reason: string): EntryReading => ({ ok: false, line, reason });
  const [first = "", ...supplementary] = lines;
  const parts = STATEMENT_LINE.exec(first.trim())?.groups;
  if (parts === undefined) return bad(`':61:${printable(first)}' is not a statement line`);
  const part = (name: string): string => parts[name] ?? "";
  const valueDate = dateOf(part("day"));
  if (valueDate === null) return bad(`'${part("day")}' in :61: is not a date`);
  const size = parseDecimal(part("digits"));
  if (size === null) return bad(`'${printable(part("digits"))}' in :61: is not an amount`);
  const description =
    joinedTexts([details.name, details.text]) ||
    joinedTexts([...supplementary, details.type]) ||
    part("type");
  if (description === "") return bad("it has no text in :61: or :86:");
  const entry: StatementEntry = {
    ...{ line, currency, account, valueDate, description },
    date: bookingDate(valueDate, part("booked")) ?? valueDate,
    // RC takes a credit back, RD a debit.
    amount: OUTGOING.has(part("mark")) ? negate(size) : size,
    counterparty: details.name,
    bankCategory: null,
    bankType: joinedTexts([details.type, part("type")]) || null,
    reference: referenceOf(part("references")) ?? details.reference,
    status: part("mark").startsWith("E") ? "pending" : "booked",
  };
  return { ok: true, entry };
}

/** `NONREF//1234`: the reference of the bank is behind the slashes and wins. */
function referenceOf(references: string): string | null {
  const [customer = "", bank = ""] = references.split("//");
  return ownReference(bank) ?? ownReference(customer);
}

function ownReference(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === "" || /^(?:NONREF|NOREF|NOTPROVIDED)$/iu.test(trimmed) ? null : trimmed;
}

/** YYMMDD. */
function dateOf(text: string): string | null {
  const [, year = "", month = "", day = ""] = /^(\d{2})(\d{2})(\d{2})$/u.exec(text) ?? [];
  return statementDate(`${Number(year) < 80 ? "20" : "19"}${year}`, month, day);
}

/** It has no year: the one that brings it nearest to the value date, as around New Year. */
function bookingDate(valueDate: string, monthDay: string): string | null {
  const month = monthDay.slice(0, 2);
  const day = monthDay.slice(2);
  const year = Number(valueDate.slice(0, 4));
  const near = [year - 1, year, year + 1].flatMap(
    (candidate) => statementDate(String(candidate), month, day) ?? [],
  );
  const distance = (date: string): number => Math.abs(Date.parse(date) - Date.parse(valueDate));
  return near.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}
