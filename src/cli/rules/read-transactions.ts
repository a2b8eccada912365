import type { Buffer } from "node:buffer";
import type { Readable } from "node:stream";
import { COUNTRIES } from "../../model/countries.ts";
import { CURRENCIES } from "../../model/currencies.ts";
import type { AccountType, RecogniserInput } from "../../model/transaction.ts";
import { InputError } from "../enrich/input-error.ts";
import { decodeText } from "../enrich/read/decode.ts";
import { type TextSample, takeSample } from "../enrich/read/records.ts";
import { openSource, type Source, takeHead } from "../enrich/read/source.ts";
import { toLine as toEnrichLine } from "../enrich/run/enrich-line.ts";
import { guessEverything, parseKnownHead } from "../enrich/run/parse-file.ts";
import { joinText, parseJson } from "./read-text.ts";
import type { RawFields } from "../../rule-language/rule-reader.ts";

/** A transaction as far as the recogniser and the rules look at it. */
export interface TestedLine extends RecogniserInput {
  /** Line of the file, or position in a JSON list from 1. */
  readonly line: number;
  readonly accountType: AccountType;
  readonly accountHolderId: string | null;
}

export interface BadLine {
  readonly line: number;
  readonly reason: string;
}

export interface TestedLines {
  readonly lines: readonly TestedLine[];
  readonly bad: readonly BadLine[];
  /** What was guessed of the file, in lines for the user. */
  readonly guessed: readonly string[];
}

export interface ReadOptions {
  /** A bank's CSV export, or JSON or JSON lines of transactions as the API takes them. */
  readonly file: string;
  /** The text of --map, for a CSV export. */
  readonly map: string | null;
  readonly accountType: AccountType;
  readonly stdin: Readable;
  /** Milliseconds since 1970: today's date for files without dates. */
  readonly nowMs: number;
}

/** Everything that changed is kept until the end, with what it was: a few kilobytes each. */
const LINES_MAX = 25_000;
const DESCRIPTION_LENGTH_MAX = 1024;

/** The transactions of a file. Throws InputError when it cannot be used, or has more than 25 000. */
export async function readTransactions(options: ReadOptions): Promise<TestedLines> {
  const guess = guessEverything(options.map, options.nowMs);
  const source = await openSource(options.file, options.stdin, new AbortController().signal);
  try {
    const { head, all } = await takeHead(source.bytes);
    if (isJson(head)) {
      const sample = await takeSample(decodeText(source.name, all));
      return await readJsonLines(source, sample, options);
    }
    const file = await parseKnownHead(source.name, head, all, guess);
    const lines: TestedLine[] = [];
    const bad: BadLine[] = [];
    for await (const { line, reading } of file.rows) {
      if (reading.ok) {
        const known = toEnrichLine(reading.transaction, options.accountType);
        lines.push({ ...known, line, accountHolderId: null });
      } else bad.push({ line, reason: reading.reason });
      checkCount(source, lines.length + bad.length);
    }
    return { lines, bad, guessed: file.report };
  } finally {
    source.close();
  }
}

/** MT940 may begin with a brace too, but with a digit after it. */
function isJson(head: Buffer): boolean {
  const text = head.toString("latin1").replaceAll(/^\u00ef\u00bb\u00bf|^\u00ff\u00fe|\0/gu, "");
  return /^\s*(?:\[|\{\s*(?:"|\}|$))/u.test(text);
}

async function readJsonLines(
  source: Source,
  sample: TextSample,
  { accountType }: ReadOptions,
): Promise<TestedLines> {
  const values = valuesOf(source.name, await joinText(source.name, sample.all));
  checkCount(source, values.length);
  const lines: TestedLine[] = [];
  const bad: BadLine[] = [];
  for (const { line, value } of values) {
    const read = typeof value === "string" ? value : toTestedLine(value, line, accountType);
    if (typeof read === "string") bad.push({ line, reason: read });
    else lines.push(read);
  }
  return { lines, bad, guessed: [] };
}

function checkCount({ name }: Source, count: number): void {
  if (count <= LINES_MAX) return;
  const most = LINES_MAX.toLocaleString("en");
  throw new InputError(`${name} has more than ${most} transactions: test the rules on a part.`);
}

/** One value of the file: an object, or the error. */
interface LineValue {
  readonly line: number;
  readonly value: RawFields | string;
}

/** A list, a batch (its `data`), one transaction, or one transaction a line. */
function valuesOf(name: string, text: string): readonly LineValue[] {
  // Lines are objects: an error in a list is one of the whole list.
  const whole = /^\s*\[/u.test(text) ? parseJson(name, text) : parse(text);
  if (whole === undefined) {
    const rows = text.split("\n").map((row, index) => ({ row: row.trim(), line: index + 1 }));
    return rows
      .filter(({ row }) => row !== "")
      .map(({ row, line }) => ({ line, value: fieldsOf(parse(row)) }));
  }
  const data = isFields(whole) ? (whole["data"] ?? [whole]) : whole;
  if (!Array.isArray(data)) throw new InputError(`${name} has no list of transactions.`);
  return data.map((value: unknown, index) => ({ line: index + 1, value: fieldsOf(value) }));
}

/** Undefined for what is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isFields = (value: unknown): value is RawFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function fieldsOf(value: unknown): RawFields | string {
  if (value === undefined) return "it is not JSON";
  return isFields(value) ? value : "it is not a transaction";
}

/** The transaction, or the error. */
function toTestedLine(
  fields: RawFields,
  line: number,
  accountType: AccountType,
): TestedLine | string {
  const { description, amount, entry_type: entryType, currency } = fields;
  if (typeof description !== "string" || Array.from(description).length > DESCRIPTION_LENGTH_MAX)
    return `description must be a text of at most ${String(DESCRIPTION_LENGTH_MAX)} characters`;
  if (typeof amount !== "number" || !Number.isFinite(amount) || amount < 0)
    return "amount must be a number from 0";
  if (entryType !== "incoming" && entryType !== "outgoing")
    return "entry_type must be incoming or outgoing";
  if (!isPropertyValue(currency, CURRENCIES)) return "currency must be an ISO 4217 code";
  const around = aroundOf(fields);
  if (typeof around === "string") return around;
  return { line, description, amount, entryType, currency, accountType, ...around };
}

/** What a transaction may leave out, or why it is wrong. */
function aroundOf(
  fields: RawFields,
): Pick<TestedLine, "country" | "rawAddress" | "accountHolderId"> | string {
  const { account_holder_id: accountHolderId = null, location } = fields;
  if (!isTextOrNull(accountHolderId)) return "account_holder_id must be a text";
  if (!isFields(location ?? {})) return "location must be an object";
  const { raw_address: rawAddress = null, country = null } = (location ?? {}) as RawFields;
  if (!isTextOrNull(rawAddress)) return "location.raw_address must be a text";
  if (country !== null && !isPropertyValue(country, COUNTRIES))
    return "location.country must be an ISO 3166-1 code";
  return { country, rawAddress, accountHolderId };
}

const isTextOrNull = (value: unknown): value is string | null =>
  value === null || typeof value === "string";

function isPropertyValue<Known extends string>(
  value: unknown,
  known: readonly Known[],
): value is Known {
  return known.some((one) => one === value);
}
