import type { Readable } from "node:stream";
import type { AccountType } from "../../model/transaction.ts";
import { InputError } from "./input-error.ts";
import type { ParsedRow, ParseOptions } from "./parsed-file.ts";
import { openSource } from "./read/source.ts";
import { DRY_RUN_ROWS, showRows } from "./report/dry-run.ts";
import { createProgress, type ProgressBar } from "./report/progress.ts";
import { createTally, type Tally } from "./report/tally.ts";
import { enrichInOrder } from "./run/enrich-chunks.ts";
import type { EnrichPort } from "./run/enrich-line.ts";
import { parseFile } from "./run/parse-file.ts";
import { mergeSettings, type ParseSettings, toParseOptions } from "./run/parse-settings.ts";
import { loadProfile, saveProfile } from "./run/profile-files.ts";
import { joinFiles, type OpenFile } from "./run/run-files.ts";
import { createCurrencyReader } from "./values/currency.ts";
import { openFileOutput, openStreamOutput, type Output } from "./write/output.ts";
import {
  type ColumnChoice,
  createFormatter,
  type OutputFormat,
  type RowFormatter,
} from "./write/rows.ts";
import type { PrintLines } from "../arguments.ts";

export interface EnrichFileOptions {
  /** Paths in order, or "-" for standard input. */
  readonly files: readonly string[];
  /** A path, or "-" for standard output. */
  readonly out: string | null;
  /** Null: by the extension of `out`, else CSV. */
  readonly format: OutputFormat | null;
  readonly columns: ColumnChoice;
  /** What is given about the format of the files; null: guessed. */
  readonly parse: ParseSettings;
  /** Name or path of a saved profile; what `parse` gives takes precedence. */
  readonly profile: string | null;
  /** Name or path under which the decisions about the first file are kept. */
  readonly saveProfile: string | null;
  /** Show the decisions and the first rows; enrich and write nothing. */
  readonly dryRun: boolean;
  readonly accountType: AccountType;
}

type OutputStream = NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };

export interface EnrichFileDeps extends EnrichPort {
  readonly stdin: Readable;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Where profiles with a name are kept. */
  readonly profileFolder: string;
  /** Milliseconds since the epoch: today's date for files without dates, and the elapsed time. */
  readonly now: () => number;
  /** Aborted by Ctrl-C: the run stops and leaves no file. */
  readonly signal: AbortSignal;
  /** Makes the name of the temporary file unique among runs, e.g. the process id. */
  readonly runId: string;
}

/** All are open at the same time, so that a wrong one is found before anything is written. */
const FILES_MAX = 100;
const EXIT_OK = 0;
const EXIT_NOTHING_ENRICHED = 1;
const EXIT_UNUSABLE = 2;
/** What shells report for a program ended by Ctrl-C. */
const EXIT_INTERRUPTED = 130;

/**
 * Enriches files of banks line by line and returns the exit code: 0 when at least one line was enriched, 1 when none, 2
 * when a file or the options cannot be used (nothing is written then), 130 after an abort. Never rejects for these.
 */
export async function enrichFile(
  options: EnrichFileOptions,
  deps: EnrichFileDeps,
): Promise<number> {
  const say: PrintLines = (lines) => {
    if (lines.length > 0) deps.stderr.write(`${lines.join("\n")}\n`);
  };
  const files: OpenFile[] = [];
  try {
    const settings = await readSettings(options, deps);
    await openFiles(files, options, toParseOptions(settings, deps.now()), deps);
    for (const { source, parsed } of files)
      say([...(files.length > 1 ? [`${source.name}:`] : []), ...parsed.report]);
    if (options.saveProfile !== null) say([await keepProfile(files, settings, options, deps)]);
    if (options.dryRun) return await dryRun(files, deps);
    return await enrichAll(files, options, deps, say);
  } catch (error) {
    if (deps.signal.aborted) {
      say(["Interrupted; no output was kept."]);
      return EXIT_INTERRUPTED;
    }
    if (!(error instanceof InputError)) throw error;
    say([error.message]);
    return EXIT_UNUSABLE;
  } finally {
    for (const { source } of files) source.close();
  }
}

async function readSettings(
  { parse, profile }: EnrichFileOptions,
  { profileFolder }: EnrichFileDeps,
): Promise<ParseSettings> {
  return profile === null ? parse : mergeSettings(parse, await loadProfile(profile, profileFolder));
}

/** Opens all files and decides what they mean, before anything is written. Fills `files`, which the caller closes. */
async function openFiles(
  files: OpenFile[],
  options: EnrichFileOptions,
  parse: ParseOptions,
  { stdin, signal }: EnrichFileDeps,
): Promise<void> {
  if (options.files.length > FILES_MAX)
    throw new InputError(`At most ${String(FILES_MAX)} files at once; enrich them in parts.`);
  if (options.files.filter((file) => file === "-").length > 1)
    throw new InputError("Standard input (-) can be read only once.");
  for (const file of options.files) {
    const source = await openSource(file, stdin, signal);
    try {
      const parsed = await parseFile({ name: source.name, bytes: source.bytes, options: parse });
      files.push({ source, parsed });
    } catch (error) {
      source.close();
      throw error;
    }
  }
}

/** Saves the parse settings of the first file, and returns a line with the path. */
async function keepProfile(
  [first]: readonly OpenFile[],
  settings: ParseSettings,
  { saveProfile: name }: EnrichFileOptions,
  { profileFolder, runId }: EnrichFileDeps,
): Promise<string> {
  const settled = first?.parsed.settled ?? null;
  if (settled === null)
    throw new InputError(
      `${first?.parsed.format ?? "This format"} needs no detected settings, so there is no profile to save. Leave out --save-profile.`,
    );
  const kept = { ...settled, encoding: settings.encoding };
  return `profile: saved as ${await saveProfile(name ?? "", profileFolder, kept, runId)}`;
}

async function dryRun(files: readonly OpenFile[], { stdout }: EnrichFileDeps): Promise<number> {
  let isAnyGood = false;
  for (const { source, parsed } of files) {
    const rows: ParsedRow[] = [];
    for await (const row of parsed.rows) {
      rows.push(row);
      if (rows.length >= DRY_RUN_ROWS) break;
    }
    isAnyGood ||= rows.some(({ reading }) => reading.ok);
    const title = files.length > 1 ? [`${source.name}:`] : [];
    stdout.write(`${[...title, ...showRows(rows)].join("\n")}\n`);
  }
  return isAnyGood ? EXIT_OK : EXIT_NOTHING_ENRICHED;
}

async function enrichAll(
  files: readonly OpenFile[],
  options: EnrichFileOptions,
  deps: EnrichFileDeps,
  say: PrintLines,
): Promise<number> {
  const startedMs = deps.now();
  const names = files.map(({ source }) => source.name);
  const tally = createTally(createCurrencyReader(), names);
  const output = await openOutput(options, deps);
  try {
    const end = await runFiles(files, options, deps, output, tally, say);
    if (end === "done") {
      await output.finish();
      if (tally.rows() === 0) say([emptyReason(names)]);
      else say([...tally.badLines(), ...tally.summary(deps.now() - startedMs)]);
    }
    return tally.enriched() > 0 || end === "closed" ? EXIT_OK : EXIT_NOTHING_ENRICHED;
  } finally {
    await output.discard();
  }
}

function emptyReason(names: readonly string[]): string {
  const which = names.length === 1 ? `${names[0] ?? ""} has` : "The files have";
  return `${which} a header and no rows below it: the bank exported no transactions. Export a longer period, or check the filters of the export.`;
}

async function runFiles(
  files: readonly OpenFile[],
  options: EnrichFileOptions,
  deps: EnrichFileDeps,
  output: Output,
  tally: Tally,
  say: PrintLines,
): Promise<"done" | "closed"> {
  const formatter = createFormatter({
    format: options.format ?? formatByName(options.out),
    choice: options.columns,
    columns: files.map(({ parsed }) => parsed.columns),
    files: files.map(({ source }) => source.name),
    formats: files.map(({ parsed }) => parsed.format),
    delimiter: commonDelimiter(files),
  });
  const sizes = files.map(({ source }) => source.bytesTotal);
  const total = sizes.includes(null)
    ? null
    : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  const rowsOnTerminal = isStandardOutput(options.out) && deps.stdout.isTTY === true;
  const progress = createProgress(deps.stderr, total, rowsOnTerminal);
  const { rows, duplicates } = joinFiles(files);
  const parts = { files, accountType: options.accountType, rows, deps, output, tally };
  try {
    return await copy({ ...parts, formatter, progress });
  } finally {
    progress.stop();
    if (duplicates.isFull())
      say(["Too many rows to compare: duplicates among the later rows are not found."]);
  }
}

interface CopyParts {
  readonly files: readonly OpenFile[];
  readonly accountType: AccountType;
  readonly rows: ReturnType<typeof joinFiles>["rows"];
  readonly deps: EnrichFileDeps;
  readonly output: Output;
  readonly tally: Tally;
  readonly formatter: RowFormatter;
  readonly progress: ProgressBar;
}

async function copy(parts: CopyParts): Promise<"done" | "closed"> {
  const { files, accountType, rows, deps, output, tally, formatter, progress } = parts;
  if ((await output.write(formatter.header())) === "closed") return "closed";
  for await (const chunk of enrichInOrder(rows, deps, accountType, deps.signal)) {
    for (const row of chunk) tally.add(row);
    progress.update(files.reduce((sum, { source }) => sum + source.bytesRead(), 0));
    if ((await output.write(formatter.rows(chunk))) === "closed") return "closed";
  }
  return "done";
}

async function openOutput(options: EnrichFileOptions, deps: EnrichFileDeps): Promise<Output> {
  if (isStandardOutput(options.out)) return openStreamOutput(deps.stdout);
  return openFileOutput(options.out ?? "-", options.files, deps.runId);
}

const isStandardOutput = (out: string | null): boolean => out === null || out === "-";

/** That of the files when they agree, so that their cells need no new quotation marks. */
function commonDelimiter(files: readonly OpenFile[]): string {
  const delimiters = new Set(files.map(({ parsed }) => parsed.delimiter));
  const [only = ","] = delimiters;
  return delimiters.size === 1 ? only : ",";
}

function formatByName(out: string | null): OutputFormat {
  return out !== null && /\.(?:jsonl|ndjson)$/iu.test(out) ? "jsonl" : "csv";
}
