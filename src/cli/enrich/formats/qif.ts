import type { Buffer } from "node:buffer";
import { InputError } from "../input-error.ts";
import { decimalEvidence, type DecimalMark, parseAmount } from "../values/amount.ts";
import { type DayMonthOrder, dayMonthEvidence, parseDate } from "../values/calendar-date.ts";
import { printable } from "../values/printable.ts";
import { addDecimals, isZero, negate, parseDecimal } from "./decimal.ts";
import { decodeBytes } from "./decode-text.ts";
import {
  checkEntryCount,
  countOf,
  type EntryReading,
  fail,
  joinedTexts,
  numberedLines,
  type StatementFile,
  type StatementOptions,
} from "./statement.ts";

interface QifRecord {
  readonly line: number;
  readonly account: string | null;
  /** First letter of a line → the rest of it, in order; repeated letters are lists (address, splits). */
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

interface QifSections {
  readonly records: QifRecord[];
  /** Names of lists without transactions → number of their records. */
  readonly skipped: Map<string, number>;
  investments: number;
}

const CASH_TYPES = new Set(["bank", "cash", "ccard", "oth a", "oth l"]);
/** Lines with the same letter in one record: splits, lines of an address. */
const VALUES_MAX = 1_000;

/**
 * Reads QIF: sections of bank, cash and card accounts. A split transaction is one entry, as on the statement of the bank.
 *
 * By Intuit's "Quicken Interchange Format (QIF) files". The packages on npm are no longer kept up and read "1,234.56" with
 * parseFloat: qif-ts 1.0.0 makes it 1.
 * @throws InputError for investments and files without transactions
 */
export function readQif(file: string, bytes: Buffer, options: StatementOptions): StatementFile {
  const { text, encoding } = decodeBytes(bytes, null, options.encoding);
  const { records, skipped, investments } = readSections(file, text);
  if (records.length === 0) refuseEmpty(file, investments);
  const firsts = (letter: string): string[] =>
    records.flatMap(({ fields }) => fields.get(letter)?.[0] ?? []);
  const order = decideOrder(firsts("D").map(plainDate), options);
  const mark = options.decimal ?? decideMark([...firsts("T"), ...firsts("U")]);
  const notation = { order: order.order, mark, currency: options.currency };
  const counts = { openings: 0, wrongSplits: 0 };
  const entries = records.flatMap((record): EntryReading[] => {
    if (isOpening(record)) counts.openings += 1;
    else return [readQifRecord(record, notation, counts)];
    return [];
  });
  return {
    format: "QIF",
    entries,
    notes: [
      `${encoding}, dates ${order.order === "DMY" ? "day" : "month"} first (${order.reason}), decimal ${mark === "," ? "comma" : "point"}`,
      ...[...skipped].map(
        ([name, number]) =>
          `${countOf(number, "record")} of !Type:${printable(name)} left out: no transactions`,
      ),
      ...(investments > 0
        ? [`${countOf(investments, "record")} of !Type:Invst left out: investments are not read`]
        : []),
      ...(counts.openings > 0 ? [`${countOf(counts.openings, "opening balance")} left out`] : []),
      ...(counts.wrongSplits > 0
        ? [
            `${countOf(counts.wrongSplits, "transaction")} whose splits do not add up to the total; the total is used`,
          ]
        : []),
    ],
  };
}

function refuseEmpty(file: string, investments: number): never {
  if (investments > 0)
    throw new InputError(
      `${file} holds investments (!Type:Invst). Only bank, cash and card accounts are read; export one of these.`,
    );
  throw new InputError(
    `${file} has no transactions: no record under !Type:Bank, !Type:Cash or !Type:CCard ends with ^.`,
  );
}

function readSections(file: string, text: string): QifSections {
  const sections: QifSections = { records: [], skipped: new Map(), investments: 0 };
  let section = "";
  let account: string | null = null;
  let fields = new Map<string, string[]>();
  let begin = 0;
  const end = (): void => {
    const record = { line: begin, account, fields };
    if (section === "account") account = fields.get("N")?.[0] || account;
    else if (fields.size > 0) addRecord(file, sections, section, record);
    fields = new Map();
  };
  for (const { line, raw } of numberedLines(file, text, "a QIF file")) {
    const content = raw.trim();
    if (content.startsWith("!")) {
      section = qifSectionOf(content) ?? section;
      fields = new Map();
    } else if (content === "^") end();
    else if (content !== "") {
      if (fields.size === 0) begin = line;
      addField(file, line, fields, content);
    }
  }
  // The last record of some programs has no end mark.
  if (fields.has("D") && fields.has("T")) end();
  return sections;
}

/** `!Type:Bank` → "bank". `!Option:…` and `!Clear:…` are switches and begin no list. */
function qifSectionOf(header: string): string | null {
  if (/^!(?:option|clear)/iu.test(header)) return null;
  return header
    .slice(1)
    .replace(/^type:\s*/iu, "")
    .toLowerCase()
    .trim();
}

function addField(
  file: string,
  line: number,
  fields: Map<string, string[]>,
  content: string,
): void {
  const letter = content.slice(0, 1).toUpperCase();
  const values = fields.get(letter) ?? [];
  if (values.length >= VALUES_MAX)
    fail(
      file,
      line,
      `more than ${String(VALUES_MAX)} lines '${printable(letter)}' in one record: '^' is missing.`,
    );
  values.push(content.slice(1).trim());
  fields.set(letter, values);
}

function addRecord(file: string, sections: QifSections, section: string, record: QifRecord): void {
  if (CASH_TYPES.has(section)) sections.records.push(record);
  else if (section === "invst") sections.investments += 1;
  else sections.skipped.set(section, (sections.skipped.get(section) ?? 0) + 1);
  checkEntryCount(file, sections.records.length);
}

/** `5/17'24` and `5/ 7/24` are what Quicken writes: the apostrophe stands for the century. */
function plainDate(text: string): string {
  const compact = text.replaceAll(/\s+/gu, "");
  return compact.replace(/^(\d{1,2}[-/.]\d{1,2})'(\d{1,4})$/u, (_, day: string, year: string) => {
    const separator = /[-/.]/u.exec(day)?.[0] ?? "/";
    return `${day}${separator}${year.length > 2 ? year : `20${year.padStart(2, "0")}`}`;
  });
}

function decideOrder(
  dates: readonly string[],
  { dates: given, currency }: StatementOptions,
): { readonly order: DayMonthOrder; readonly reason: string } {
  if (given !== null) return { order: given, reason: "as given" };
  const votes = dates.map(dayMonthEvidence);
  const dmy = votes.filter((vote) => vote === "DMY").length;
  const mdy = votes.filter((vote) => vote === "MDY").length;
  if (dmy !== mdy) return { order: dmy > mdy ? "DMY" : "MDY", reason: "a number above 12 decides" };
  // Month first is what American programs write; elsewhere the format is rare.
  const order = currency === null || currency === "USD" ? "MDY" : "DMY";
  if (!votes.includes("either")) return { order, reason: "the dates are unmistakable" };
  return { order, reason: `assumed; --map dates=${order === "MDY" ? "dmy" : "mdy"} turns it` };
}

function decideMark(amounts: readonly string[]): DecimalMark {
  let commas = 0;
  for (const text of amounts) {
    const evidence = decimalEvidence(text);
    if (evidence !== null) commas += evidence === "," ? 1 : -1;
  }
  return commas > 0 ? "," : ".";
}

/** The format has no balances; programs write them as a first transaction to the account itself. */
function isOpening({ fields }: QifRecord): boolean {
  const payee = fields.get("P")?.[0] ?? "";
  return /^opening balance$/iu.test(payee) && /^\[.*\]$/u.test(fields.get("L")?.[0] ?? "");
}

interface Notation {
  readonly order: DayMonthOrder;
  readonly mark: DecimalMark;
  readonly currency: string | null;
}

function readQifRecord(
  { line, account, fields }: QifRecord,
  { order, mark, currency }: Notation,
  counts: { wrongSplits: number },
): EntryReading {
  const all = (letter: string): readonly string[] => fields.get(letter) ?? [];
  const first = (letter: string): string => all(letter)[0] ?? "";
  const bad = (reason: string): EntryReading => ({ ok: false, line, reason });
  const date = parseDate(plainDate(first("D")), order);
  if (date === null)
    return bad(
      `'${printable(first("D"))}' is not a date (${order === "DMY" ? "day" : "month"} first)`,
    );
  const written = first("T") || first("U");
  const amount = exactAmount(written, mark);
  if (amount === null) return bad(`'${printable(written)}' is not an amount`);
  const payee = first("P");
  const category = joinedTexts(all("$").length > 0 ? all("S") : []) || first("L") || null;
  const description =
    joinedTexts([payee, first("M"), ...(payee === "" ? all("A") : [])]) || category;
  if (description === null) return bad("it has no payee, memo or category");
  if (!isSplitWell(amount, all("$"), mark)) counts.wrongSplits += 1;
  return {
    ok: true,
    entry: {
      ...{ line, date, amount, currency, account, description },
      ...{ valueDate: null, counterparty: payee || null, bankType: null, bankCategory: category },
      // N is a number of a cheque or a word such as "Print": no id.
      ...{ reference: null, status: "booked" },
    },
  };
}

function isSplitWell(amount: string, splits: readonly string[], mark: DecimalMark): boolean {
  const parts = splits.map((text) => exactAmount(text, mark) ?? "0");
  return parts.length === 0 || isZero(addDecimals([negate(amount), ...parts]));
}

/** "-1.234,56" → "-1234.56" under a decimal comma. */
function exactAmount(text: string, mark: DecimalMark): string | null {
  const parsed = parseAmount(text, mark);
  if (parsed === null) return null;
  const digits = text.replaceAll(/[^\d.,]/gu, "");
  const at = digits.lastIndexOf(mark);
  const isFraction = at >= 0 && digits.indexOf(mark) === at;
  const whole = (isFraction ? digits.slice(0, at) : digits).replaceAll(/[.,]/gu, "");
  const exact = parseDecimal(isFraction ? `${whole}.${digits.slice(at + 1)}` : whole);
  // Readings such as "12,34" under a point are the parser's: its number decides then.
  if (exact === null || Number(exact) !== Math.abs(parsed.value))
    return parseDecimal(String(parsed.value));
  return parsed.value < 0 ? negate(exact) : exact;
}
