import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { AccountType } from "../../model/transaction.ts";
import { InputError } from "../enrich/input-error.ts";
import { openSource, type Source } from "../enrich/read/source.ts";
import { parseFile } from "../enrich/run/parse-file.ts";
import { mergeSettings, type ParseSettings, toParseOptions } from "../enrich/run/parse-settings.ts";
import { loadProfile } from "../enrich/run/profile-files.ts";
import { printable } from "../enrich/values/printable.ts";
import { connectServer, type ImportServer, type ServerDeps, ServerError } from "./server.ts";
import { collect, type ApiTransaction } from "./transactions.ts";
import type { PrintLines } from "../arguments.ts";

export interface ImportOptions {
  /** A path, or "-" for standard input. */
  readonly file: string;
  readonly accountHolder: string;
  /** Type of the account holder to create when it does not exist; null: it must exist. */
  readonly create: AccountType | null;
  readonly url: string;
  /** Null: not given; a dry run does not need it. */
  readonly apiKey: string | null;
  /** What is given about the format of the file; null: guessed. */
  readonly parse: ParseSettings;
  /** Name or path of a saved profile; what `parse` gives takes precedence. */
  readonly profile: string | null;
  readonly isDryRun: boolean;
}

export interface ImportDeps extends ServerDeps {
  readonly stdin: Readable;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Where profiles with a name are kept; not called without a profile. */
  readonly profileFolder: () => string;
}

const EXIT_OK = 0;
const EXIT_INCOMPLETE = 1;
const EXIT_UNUSABLE = 2;
const EXIT_INTERRUPTED = 130;
/** A batch takes 24 960; descriptions of 1 024 characters would then be more than a body may have. */
const BATCH_LENGTH = 10_000;
const SHOWN_MAX = 10;
const POLL_MS = 250;

/**
 * Sends the booked transactions of a bank's file to a server and follows them until they are enriched. Returns the exit
 * code: 0 when every row of the file is on the server, 1 when some are not, 2 when the file or the options cannot be
 * used, 130 after an abort. Importing a file again changes nothing: ids and idempotency keys follow from its content.
 */
export async function importFile(options: ImportOptions, deps: ImportDeps): Promise<number> {
  const say = (lines: readonly string[]): void => {
    if (lines.length > 0) deps.stderr.write(`${lines.join("\n")}\n`);
  };
  let source: Source | null = null;
  try {
    const server = connectServer(options.url, keyOf(options), deps);
    source = await openSource(options.file, deps.stdin, deps.signal);
    return await importSource(source, server, options, deps, say);
  } catch (error) {
    if (deps.signal.aborted) {
      say(["Interrupted. Run the same command again: nothing is created twice."]);
      return EXIT_INTERRUPTED;
    }
    if (!(error instanceof InputError || error instanceof ServerError)) throw error;
    say([error.message]);
    return error instanceof InputError ? EXIT_UNUSABLE : EXIT_INCOMPLETE;
  } finally {
    source?.close();
  }
}

function keyOf({ apiKey, isDryRun }: ImportOptions): string {
  // An empty environment variable counts as not set.
  if (apiKey || isDryRun) return apiKey ?? "";
  throw new InputError("Give an API key with --key or in LEDGERLINE_API_KEY.");
}

async function importSource(
  { name, bytes }: Source,
  server: ImportServer,
  options: ImportOptions,
  deps: ImportDeps,
  say: PrintLines,
): Promise<number> {
  const { parse, profile } = options;
  const settings =
    profile === null
      ? parse
      : mergeSettings(parse, await loadProfile(profile, deps.profileFolder()));
  const file = await parseFile({ name, bytes, options: toParseOptions(settings, deps.now()) });
  say(file.report);
  const { transactions, bad, notBooked } = await collect(file.rows, options.accountHolder);
  say(badLines(bad));
  if (notBooked > 0)
    say([`not sent: ${count(notBooked)} that are not booked (pending, declined …)`]);
  if (transactions.length === 0) throw new InputError(`${name} has no transaction to send.`);
  let failed = bad.length;
  if (options.isDryRun) deps.stdout.write(showTransactions(transactions));
  else {
    await checkHolder(server, options, say);
    failed += await send(server, transactions, deps, say);
  }
  return failed === 0 ? EXIT_OK : EXIT_INCOMPLETE;
}

async function checkHolder(
  server: ImportServer,
  { accountHolder, create }: ImportOptions,
  say: PrintLines,
): Promise<void> {
  const type = await server.holderType(accountHolder);
  const name = `'${printable(accountHolder)}'`;
  if (type === null && create === null)
    throw new ServerError(
      `There is no account holder ${name}. Create it with --create consumer or --create business.`,
    );
  if (type === null && create !== null) {
    await server.createHolder(accountHolder, create);
    say([`account holder: ${name}, created (${create})`]);
  } else if (type !== create && create !== null)
    throw new ServerError(
      `The account holder ${name} exists and is a ${type ?? ""}, not a ${create}. Leave out --create.`,
    );
}

/** Returns how many transactions the server could not enrich. */
async function send(
  server: ImportServer,
  transactions: readonly ApiTransaction[],
  deps: ImportDeps,
  say: PrintLines,
): Promise<number> {
  const errors = new Map<string, number>();
  let batches = 0;
  for (let at = 0; at < transactions.length; at += BATCH_LENGTH) {
    const part = transactions.slice(at, at + BATCH_LENGTH);
    const digest = createHash("sha256").update(JSON.stringify(part)).digest("hex");
    const id = await server.submit(part, `import-${digest}`);
    await follow(server, id, deps);
    for (const code of await server.errors(id)) errors.set(code, (errors.get(code) ?? 0) + 1);
    batches += 1;
    say([
      `batch ${printable(id)}: ${count(at + part.length)} of ${count(transactions.length)} sent`,
    ]);
  }
  const failed = [...errors.values()].reduce((sum, number) => sum + number, 0);
  say([
    ...[...errors].map(([code, number]) => `${count(number)} not enriched: ${printable(code)}`),
    `transactions ${count(transactions.length)} · batches ${count(batches)} · not enriched ${count(failed)}`,
  ]);
  return failed;
}

async function follow(server: ImportServer, id: string, { wait }: ImportDeps): Promise<void> {
  for (;;) {
    const { status } = await server.progress(id);
    if (status === "completed") return;
    if (status === "error")
      throw new ServerError(
        `Batch ${printable(id)} failed on the server; its operator finds the reason with \`ledgerline dead-letters list\`.`,
      );
    await wait(POLL_MS);
  }
}

function badLines(bad: readonly string[]): string[] {
  const more = bad.length - SHOWN_MAX;
  const shown = bad.slice(0, SHOWN_MAX).map((line) => printable(line, 200));
  return more > 0 ? [...shown, `… and ${count(more)} more bad lines`] : shown;
}

/** The first ten, as JSON lines. */
function showTransactions(transactions: readonly ApiTransaction[]): string {
  return transactions
    .slice(0, SHOWN_MAX)
    .map((transaction) => `${JSON.stringify(transaction)}\n`)
    .join("");
}

function count(number: number): string {
  return number.toLocaleString("en");
}
