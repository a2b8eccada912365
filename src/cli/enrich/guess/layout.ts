import { parseSample, type Dialect, type TextSample } from "../read/records.ts";
import { parseAmount } from "../values/amount.ts";
import { isDate } from "../values/calendar-date.ts";
import type { HeaderMatcher } from "./header-words.ts";

/** How the file is laid out: which dialect, where the header is, where the data begin. */
export interface FileLayout {
  readonly dialect: Dialect;
  /** Unique, in order; "column_1" … where the file has no header or an empty cell. */
  readonly columns: readonly string[];
  /** Records before the first transaction: preamble and header. */
  readonly recordsToSkip: number;
  readonly hasHeader: boolean;
  /** Records above the header; their words help to guess the currency. */
  readonly preamble: readonly (readonly string[])[];
  /** The first transactions, at most 200. */
  readonly rows: readonly (readonly string[])[];
}

const DELIMITERS: readonly Dialect["delimiter"][] = [",", ";", "\t", "|"];
/** Bank preambles have 5 to 20 lines. */
const HEADER_RECORD_MAX = 60;
const SAMPLE_ROWS_MAX = 200;
const HEADER_CELL_CHARACTERS_MAX = 60;

/** Takes the delimiter that is given, else the one under which most records look like transactions; null for a text without any record. */
export async function detectLayout(
  sample: TextSample,
  matcher: HeaderMatcher,
  given: Dialect["delimiter"] | null,
): Promise<FileLayout | null> {
  let best: { layout: FileLayout; score: number } | null = null;
  for (const delimiter of given === null ? DELIMITERS : [given]) {
    const parsed = await parseWithQuotes(sample, delimiter);
    if (parsed === null || parsed.records.length === 0) continue;
    const layout = findLayout(parsed.records, parsed.dialect, matcher);
    const score = scoreLayout(layout, matcher);
    if (best === null || score > best.score) best = { layout, score };
  }
  return best?.layout ?? null;
}

async function parseWithQuotes(
  sample: TextSample,
  delimiter: Dialect["delimiter"],
): Promise<{ records: string[][]; dialect: Dialect } | null> {
  for (const quotes of [true, false]) {
    const dialect = { delimiter, quotes };
    const records = await parseSample(sample, dialect);
    if (records !== null) return { records, dialect };
  }
  return null;
}

/** Finds the header and the first row of records that were split already. */
export function findLayout(
  records: string[][],
  dialect: Dialect,
  matcher: HeaderMatcher,
): FileLayout {
  const header = findHeader(records, matcher);
  const firstData = header === null ? findFirstRow(records) : header + 1;
  const rows = records.slice(firstData, firstData + SAMPLE_ROWS_MAX);
  const headerCells = header === null ? [] : (records[header] ?? []);
  return {
    dialect,
    columns: nameColumns(headerCells, header === null ? commonWidth(rows) : headerCells.length),
    recordsToSkip: firstData,
    hasHeader: header !== null,
    preamble: records.slice(0, header ?? firstData),
    rows,
  };
}

/** Without a header: the first record as wide as most that could be a transaction, so that no row is lost as preamble. */
function findFirstRow(records: readonly string[][]): number {
  const width = commonWidth(records);
  const isRow = (record: readonly string[]): boolean =>
    isTransactionLike(record) || (record.some(isDate) && record.some(isAmount));
  return Math.max(
    0,
    records.findIndex((record) => record.length === width && isRow(record)),
  );
}

/** The record with the most known header words; else the wordy record right above the first transaction. */
function findHeader(records: readonly string[][], matcher: HeaderMatcher): number | null {
  let best: { index: number; score: number } | null = null;
  for (const [index, record] of records.slice(0, HEADER_RECORD_MAX).entries()) {
    const score = headerScore(record, matcher);
    if (score >= 2 && (best === null || score > best.score)) best = { index, score };
  }
  if (best !== null) return best.index;
  const width = commonWidth(records);
  const firstData = records.findIndex(isTransactionLike);
  const index =
    firstData < 0 ? records.findIndex((record) => record.length === width) : firstData - 1;
  const above = records[index];
  if (above === undefined || above.length !== width) return null;
  const isWordy = above.length > 1 && above.every((cell) => /\p{L}/u.test(cell) && !isValue(cell));
  return isWordy ? index : null;
}

/** Number of different roles named; 0 when a cell is a value or no needed role is named. */
function headerScore(record: readonly string[], matcher: HeaderMatcher): number {
  const roles = new Set<string>();
  for (const cell of record) {
    if (cell.length > HEADER_CELL_CHARACTERS_MAX || isValue(cell)) return 0;
    const role = matcher(cell)[0]?.role;
    if (role !== undefined) roles.add(role);
  }
  const needed = ["date", "payee", "memo", "amount", "debit", "credit"];
  return needed.filter((role) => roles.has(role)).length >= 2 ? roles.size : 0;
}

function isValue(cell: string): boolean {
  return cell.trim() !== "" && (isDate(cell) || parseAmount(cell, ".") !== null);
}

function isTransactionLike(record: readonly string[]): boolean {
  const dates = record.filter(isDate).length;
  const amounts = record.filter((cell) => /[.,]\d{1,2}\D*$/u.test(cell) && isAmount(cell)).length;
  const texts = record.filter((cell) => /\p{L}{2}/u.test(cell) && !isDate(cell)).length;
  return amounts > 0 && (dates > 0 || texts > 0);
}

function isAmount(cell: string): boolean {
  return !isDate(cell) && parseAmount(cell, ".") !== null;
}

/** Share of records that look like transactions, then known header words; the width settles ties. */
function scoreLayout(layout: FileLayout, matcher: HeaderMatcher): number {
  const rows = layout.rows.slice(0, 100);
  const likely = rows.filter((row) => row.some(isDate) && row.some(isAmount)).length;
  const whole = rows.filter(isTransactionLike).length;
  const share = rows.length === 0 ? 0 : (likely + whole) / rows.length;
  const header = layout.hasHeader ? headerScore(layout.columns, matcher) : 0;
  return share * 20 + header * 5 + Math.min(layout.columns.length, 20) / 20;
}

function commonWidth(rows: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

function nameColumns(header: readonly string[], width: number): string[] {
  const seen = new Set<string>();
  return Array.from({ length: width }, (_, index) => {
    const wanted = header[index]?.trim() || `column_${String(index + 1)}`;
    let name = wanted;
    for (let copy = 2; seen.has(name); copy += 1) name = `${wanted}_${String(copy)}`;
    seen.add(name);
    return name;
  });
}
