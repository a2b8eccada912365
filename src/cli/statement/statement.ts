// `ledgerline statement`: reads bank statements and prints, for each account, whether its transactions add up.
import { open, writeFile } from "node:fs/promises";
import {
  type BankStatement,
  STATEMENT_BYTES_MAX,
  type StatementFault,
  type StatementResult,
} from "../../model/bank-statement.ts";
import { LedgerlineError } from "../../shared/errors.ts";
import { writeOfx } from "./ofx.ts";
import { createPageProgress } from "./progress.ts";
import { describeStatements, type FileStatement } from "./table.ts";
import { type FileAccount, type TransactionFormat, writeCsv, writeJsonLines } from "./write.ts";

export interface StatementCommandOptions {
  readonly files: readonly string[];
  /** null: only the table. */
  readonly out: TransactionFormat | null;
  /** null: standard output. */
  readonly output: string | null;
  readonly isChecked: boolean;
  /** Empty: none. */
  readonly password: string;
}

export interface StatementDeps {
  /**
   * @param onPages called with the pages that were recognised, of all that must be
   * @throws LedgerlineError when the document could not be read at all
   */
  read(
    bytes: Uint8Array,
    password: string,
    onPages: (done: number, total: number) => void,
  ): Promise<StatementResult>;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
  now(): number;
}

const EXIT_FAILED = 1;

const FAULTS: Readonly<Record<StatementFault, string>> = {
  unsupported_type: "neither a PDF file nor a PNG or JPEG picture",
  too_large: "50.0 MB or more",
  too_many_pages: "more than 300 pages",
  too_many_pixels: "a picture of more than 100 million pixels",
  damaged: "damaged: the file is not complete",
  password_needed: "locked: give its password with --password",
  password_wrong: "locked: the password is wrong",
  no_text: "no text was found",
  no_transactions: "no transactions were found",
  time_limit: "reading took too long",
  memory_limit: "reading needed too much memory",
};

const WRITERS: Readonly<
  Record<TransactionFormat, (accounts: readonly FileAccount[], nowMs: number) => string>
> = {
  csv: writeCsv,
  jsonl: writeJsonLines,
  ofx: writeOfx,
};

/** Resolves with the exit code: 1 when a file could not be read, and with `isChecked` unless every account is reconciled. */
export async function readStatements(
  { files, out, output, isChecked, password }: StatementCommandOptions,
  { read, stdout, stderr, now }: StatementDeps,
): Promise<number> {
  const statements: FileStatement[] = [];
  let failed = 0;
  for (const file of files) {
    const progress = createPageProgress(stderr, file);
    const result = await readFile(file, (bytes) => read(bytes, password, progress.update));
    progress.stop();
    if (typeof result === "string") {
      failed += 1;
      stderr.write(`${file}: ${result}\n`);
      continue;
    }
    statements.push({ file, statement: result });
    stderr.write(pageNotes(file, result));
  }
  const accounts = statements.flatMap(({ file, statement }): FileAccount[] =>
    statement.accounts.map((account) => ({ file, account })),
  );
  const table = statements.length === 0 ? "" : `${describeStatements(statements).join("\n")}\n`;
  const text = out === null ? "" : WRITERS[out](accounts, now());
  if (out === "ofx") stderr.write(undatedNote(accounts));
  if (out !== null && output !== null) await writeFile(output, text);
  const isPrinted = out !== null && output === null;
  (isPrinted ? stderr : stdout).write(table);
  if (isPrinted) stdout.write(text);
  const isExact = accounts.every(({ account }) => account.verdict.startsWith("reconciled"));
  return failed > 0 || (isChecked && !isExact) ? EXIT_FAILED : 0;
}

/** OFX needs a date in each transaction. */
function undatedNote(accounts: readonly FileAccount[]): string {
  const rows = accounts.flatMap(({ account }) => account.transactions);
  const undated = rows.filter(({ date }) => date === null).length;
  return undated === 0
    ? ""
    : `${String(undated)} of ${String(rows.length)} rows have no date and are not in the OFX\n`;
}

/** What the reader should compare with the paper: recognised pages, and those on which nothing was found. */
function pageNotes(file: string, { pagesRecognised, pagesWithoutText }: BankStatement): string {
  const note = (text: string, pages: readonly number[]): string =>
    pages.length === 0 ? "" : `${file}: ${text}: ${pages.join(", ")}\n`;
  return (
    note("pages read by text recognition", pagesRecognised) +
    note("pages without text", pagesWithoutText)
  );
}

/** A text is the reason why the file could not be read. */
async function readFile(
  file: string,
  read: (bytes: Uint8Array) => Promise<StatementResult>,
): Promise<Exclude<StatementResult, { readonly fault: StatementFault }> | string> {
  try {
    const bytes = await readBounded(file);
    const result = bytes === null ? { fault: "too_large" as const } : await read(bytes);
    return "fault" in result ? FAULTS[result.fault] : result;
  } catch (error) {
    if (error instanceof LedgerlineError) return error.message;
    if (error instanceof Error && "code" in error)
      return `cannot be opened (${String(error.code)})`;
    throw error;
  }
}

/** null: too large. */
async function readBounded(file: string): Promise<Uint8Array | null> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    return size > STATEMENT_BYTES_MAX ? null : new Uint8Array(await handle.readFile());
  } finally {
    await handle.close();
  }
}
