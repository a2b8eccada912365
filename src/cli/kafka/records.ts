// ledgerline kafka send and tail: what a program of an organization does over Kafka, from the command line.
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { LedgerlineError } from "../../shared/errors.ts";
import { InputError } from "../enrich/input-error.ts";
import { openSource, type Source } from "../enrich/read/source.ts";
import { parseFile } from "../enrich/run/parse-file.ts";
import { mergeSettings, type ParseSettings, toParseOptions } from "../enrich/run/parse-settings.ts";
import { loadProfile } from "../enrich/run/profile-files.ts";
import { printable } from "../enrich/values/printable.ts";
import { collect } from "../import/transactions.ts";
import type { TailKind } from "./tail-kinds.ts";

interface KafkaProgramPort {
  /** One record. @throws LedgerlineError `too_large`: fewer transactions may fit */
  send(transactions: readonly object[]): Promise<void>;
  follow(
    kind: TailKind,
    isFromBeginning: boolean,
    each: (record: object | null) => boolean,
    signal: AbortSignal,
  ): Promise<void>;
}

export interface KafkaRecordDeps {
  readonly program: KafkaProgramPort;
  readonly stdin: Readable;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly profileFolder: () => string;
}

export interface SendOptions {
  /** A path, or "-" for standard input, which is JSON lines. */
  readonly file: string;
  /** Of the transactions of a bank file; JSON lines name their own. */
  readonly accountHolder: string | null;
  readonly parse: ParseSettings;
  readonly profile: string | null;
}

const EXIT_OK = 0;
const EXIT_INCOMPLETE = 1;
const EXIT_UNUSABLE = 2;
const EXIT_INTERRUPTED = 130;
/** Transactions of one record. */
const CHUNK = 250;
const PROGRESS_EVERY = 10_000;
const BAD_LINES_SHOWN_MAX = 10;

/**
 * Sends the transactions of a file as signed records. Returns the exit code: 0 when Kafka has all of them, 1 when some could
 * not be sent, 2 when the file or the options cannot be used, 130 after an abort.
 */
export async function sendFile(deps: KafkaRecordDeps, options: SendOptions): Promise<number> {
  const { stderr, signal } = deps;
  let source: Source | null = null;
  const counts = { sent: 0, bad: 0 };
  const badLine = (text: string): void => {
    counts.bad += 1;
    if (counts.bad <= BAD_LINES_SHOWN_MAX) stderr.write(`${printable(text, 200)}\n`);
  };
  try {
    source = await openSource(options.file, deps.stdin, signal);
    const isLines = /(^-|\.(jsonl|ndjson)(\.gz)?)$/iu.test(options.file);
    const transactions = isLines
      ? readJsonLines(source, badLine)
      : readBankFile(source, options, deps, badLine);
    await sendAll(deps, transactions, counts);
  } catch (error) {
    if (signal.aborted) return stopped(deps, counts.sent, EXIT_INTERRUPTED, "Interrupted.");
    if (error instanceof InputError)
      return stopped(deps, counts.sent, EXIT_UNUSABLE, error.message);
    if (!(error instanceof LedgerlineError)) throw error;
    return stopped(deps, counts.sent, EXIT_INCOMPLETE, error.message);
  } finally {
    source?.close();
  }
  const bad = counts.bad === 0 ? "" : ` · not sent ${count(counts.bad)}`;
  stderr.write(`Kafka has ${count(counts.sent)} transactions${bad}\n`);
  return counts.bad === 0 ? EXIT_OK : EXIT_INCOMPLETE;
}

function stopped({ stderr }: KafkaRecordDeps, sent: number, code: number, why: string): number {
  stderr.write(
    `${why} Kafka has ${count(sent)} transactions; sending a file again changes nothing.\n`,
  );
  return code;
}

async function sendAll(
  { program, stderr, signal }: KafkaRecordDeps,
  transactions: AsyncIterable<object>,
  counts: { sent: number },
): Promise<void> {
  let chunk: object[] = [];
  const flush = async (): Promise<void> => {
    if (chunk.length === 0) return;
    signal.throwIfAborted();
    await sendChunk(program, chunk);
    const before = counts.sent;
    counts.sent += chunk.length;
    chunk = [];
    if (Math.floor(before / PROGRESS_EVERY) < Math.floor(counts.sent / PROGRESS_EVERY))
      stderr.write(`${count(counts.sent)} sent\n`);
  };
  for await (const transaction of transactions) {
    chunk.push(transaction);
    if (chunk.length === CHUNK) await flush();
  }
  await flush();
}

/** In halves when it is too large for one record. */
async function sendChunk(program: KafkaProgramPort, chunk: readonly object[]): Promise<void> {
  try {
    await program.send(chunk);
  } catch (error) {
    const isTooLarge = error instanceof LedgerlineError && error.code === "too_large";
    if (!isTooLarge || chunk.length < 2) throw error;
    const half = chunk.length >> 1;
    await sendChunk(program, chunk.slice(0, half));
    await sendChunk(program, chunk.slice(half));
  }
}

async function* readBankFile(
  { name, bytes }: Source,
  { accountHolder, parse, profile }: SendOptions,
  deps: KafkaRecordDeps,
  badLine: (text: string) => void,
): AsyncGenerator<object> {
  if (accountHolder === null)
    throw new InputError("Give the account holder of a bank file with --account-holder.");
  const settings =
    profile === null
      ? parse
      : mergeSettings(parse, await loadProfile(profile, deps.profileFolder()));
  const file = await parseFile({ name, bytes, options: toParseOptions(settings, deps.now()) });
  const { transactions, bad, notBooked } = await collect(file.rows, accountHolder);
  for (const line of bad) badLine(line);
  if (notBooked > 0)
    deps.stderr.write(`not sent: ${count(notBooked)} that are not booked (pending, declined …)\n`);
  yield* transactions;
}

async function* readJsonLines(
  { bytes }: Source,
  badLine: (text: string) => void,
): AsyncGenerator<object> {
  let number = 0;
  for await (const line of createInterface({ input: Readable.from(bytes) })) {
    number += 1;
    if (line.trim() === "") continue;
    const read = readTransaction(line);
    if (typeof read === "string") badLine(`line ${String(number)}: ${read}`);
    else yield read;
  }
}

/** The object of a line, or what is wrong with it. The rules beyond the types are checked by the service. */
function readTransaction(line: string): object | string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return "is not JSON";
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    return "is not a JSON object";
  const fields = parsed as Readonly<Record<string, unknown>>;
  const { id, description, date, amount, entry_type, currency } = fields;
  const { account_holder_id = null, location: place = null } = fields;
  const location = readLocation(place);
  const problem = textProblem(fields) ?? valueProblem(fields);
  if (problem !== null) return problem;
  if (location === undefined) return "location must have raw_address and country";
  return { id, description, date, amount, entry_type, currency, account_holder_id, location };
}

function textProblem(fields: Readonly<Record<string, unknown>>): string | null {
  const texts = ["id", "description", "date", "entry_type", "currency"];
  const wrong = texts.find((name) => typeof fields[name] !== "string");
  return wrong === undefined ? null : `${wrong} must be a text`;
}

function valueProblem(fields: Readonly<Record<string, unknown>>): string | null {
  const { date, entry_type: entryType, amount, account_holder_id: holder = null } = fields;
  const day = String(date);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day)))
    return "date must be YYYY-MM-DD";
  if (entryType !== "incoming" && entryType !== "outgoing")
    return "entry_type must be incoming or outgoing";
  if (typeof amount !== "number" || amount < 0) return "amount must be a number of 0 or more";
  return holder === null || typeof holder === "string" ? null : "account_holder_id must be a text";
}

/** Undefined: it is not a location. */
function readLocation(value: unknown): object | null | undefined {
  if (value === null) return null;
  if (typeof value !== "object") return undefined;
  const { raw_address: address = null, country = null } = value as Record<string, unknown>;
  const isTextOrNone = (one: unknown): boolean => one === null || typeof one === "string";
  if (!isTextOrNone(address) || !isTextOrNone(country)) return undefined;
  return { raw_address: address, country };
}

/**
 * Prints the records of a topic of the organization as JSON lines, new ones as they come, until `max` are printed or the
 * signal aborts. Times are ISO texts, bytes base64.
 */
export async function tailTopic(
  { program, stdout, stderr, signal }: KafkaRecordDeps,
  kind: TailKind,
  isFromBeginning: boolean,
  max: number | null,
): Promise<number> {
  let printed = 0;
  const each = (record: object | null): boolean => {
    if (record === null) stderr.write("A record cannot be decoded.\n");
    else {
      stdout.write(`${JSON.stringify(toPlain("", record))}\n`);
      printed += 1;
    }
    return max === null || printed < max;
  };
  await program.follow(kind, isFromBeginning, each, signal);
  return EXIT_OK;
}

const TIMES: ReadonlySet<string> = new Set(["created_at", "failed_at"]);

function toPlain(name: string, value: unknown): unknown {
  if (typeof value === "number" && TIMES.has(name)) return new Date(value).toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) return value.map((one) => toPlain("", one));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, toPlain(key, one)]);
  return Object.fromEntries(entries) as object;
}

const count = (number: number): string => number.toLocaleString("en");
