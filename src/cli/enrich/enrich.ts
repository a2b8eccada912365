import type { Readable } from "node:stream";
import type { AccountType } from "../../domain/transaction.ts";
import { InputError } from "./input-error.ts";
import type { ParsedFile, ParseOptions } from "./parsed-file.ts";
import { openSource, type Source } from "./read/source.ts";
import { createProgress, type Progress } from "./report/progress.ts";
import { createTally, type Tally } from "./report/tally.ts";
import { type EnrichPort, enrichInOrder } from "./run/enrich-chunks.ts";
import { guessEverything, parseFile } from "./run/parse-file.ts";
import { createCurrencyReader } from "./values/currency.ts";
import { openFileOutput, openStreamOutput, type Output } from "./write/output.ts";
import { createFormatter, type OutputFormat, type RowFormatter } from "./write/rows.ts";

export interface EnrichFileOptions {
  /** A path, or "-" for standard input. */
  readonly file: string;
  /** A path; null or "-" for standard output. */
  readonly out: string | null;
  /** Null: by the extension of `out`, else CSV. */
  readonly format: OutputFormat | null;
  /** The text of --map, see parseMapping; null when it was not given. */
  readonly map: string | null;
  readonly accountType: AccountType;
}

type OutputStream = NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };

export interface EnrichFileDeps extends EnrichPort {
  readonly stdin: Readable;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Milliseconds since the epoch: today's date for files without dates, and the elapsed time. */
  readonly now: () => number;
  /** Aborted by Ctrl-C: the run stops and leaves no file. */
  readonly signal: AbortSignal;
  /** Makes the name of the temporary file unique among runs, e.g. the process id. */
  readonly runId: string;
}

interface Job {
  readonly source: Source;
  readonly file: ParsedFile;
  readonly format: OutputFormat;
}

const EXIT_OK = 0;
const EXIT_NOTHING_ENRICHED = 1;
const EXIT_UNUSABLE = 2;
/** What shells report for a program ended by Ctrl-C. */
const EXIT_INTERRUPTED = 130;

/**
 * Enriches a bank export line by line and returns the exit code: 0 when at least one line was enriched, 1 when none, 2
 * when the file or the options cannot be used (nothing is written then), 130 after an abort. Never rejects for these.
 */
export async function enrichFile(
  options: EnrichFileOptions,
  deps: EnrichFileDeps,
): Promise<number> {
  const startedMs = deps.now();
  const say = (lines: readonly string[]): void => {
    if (lines.length > 0) deps.stderr.write(`${lines.join("\n")}\n`);
  };
  let output: Output | null = null;
  let source: Source | null = null;
  try {
    const guess = guessEverything(options.map, deps.now());
    source = await openSource(options.file, deps.stdin, deps.signal);
    const job = await prepare(source, guess, options);
    say(job.file.report);
    output = await openOutput(options, deps);
    const tally = createTally(createCurrencyReader());
    const end = await run(job, options, deps, output, tally);
    if (end === "done") {
      await output.finish();
      say([...tally.badLines(), ...tally.summary(deps.now() - startedMs)]);
    }
    return tally.enriched() > 0 || end === "closed" ? EXIT_OK : EXIT_NOTHING_ENRICHED;
  } catch (error) {
    if (deps.signal.aborted) {
      say(["Interrupted; nothing was kept."]);
      return EXIT_INTERRUPTED;
    }
    if (!(error instanceof InputError)) throw error;
    say([error.message]);
    return EXIT_UNUSABLE;
  } finally {
    source?.close();
    await output?.discard();
  }
}

/** Reads the head of the file and decides what it means. Throws InputError. */
async function prepare(
  source: Source,
  guess: ParseOptions,
  options: EnrichFileOptions,
): Promise<Job> {
  const { name, bytes } = source;
  const file = await parseFile({ name, bytes, options: guess });
  return { source, file, format: options.format ?? formatByName(options.out) };
}

async function run(
  job: Job,
  options: EnrichFileOptions,
  deps: EnrichFileDeps,
  output: Output,
  tally: Tally,
): Promise<"done" | "closed"> {
  const formatter = createFormatter(job.format, job.file.columns, job.file.delimiter);
  const progress = createProgress(deps.stderr, job.source.bytesTotal);
  try {
    return await copy(job, options.accountType, {
      deps,
      output,
      tally,
      formatter,
      progress,
    });
  } finally {
    progress.stop();
  }
}

interface CopyParts {
  readonly deps: EnrichFileDeps;
  readonly output: Output;
  readonly tally: Tally;
  readonly formatter: RowFormatter;
  readonly progress: Progress;
}

async function copy(
  job: Job,
  accountType: AccountType,
  parts: CopyParts,
): Promise<"done" | "closed"> {
  const { deps, output, tally, formatter, progress } = parts;
  if ((await output.write(formatter.header())) === "closed") return "closed";
  for await (const chunk of enrichInOrder(job.file.rows, deps, accountType, deps.signal)) {
    for (const record of chunk) tally.add(record);
    progress.update(job.source.bytesRead());
    if ((await output.write(formatter.rows(chunk))) === "closed") return "closed";
  }
  return "done";
}

async function openOutput(options: EnrichFileOptions, deps: EnrichFileDeps): Promise<Output> {
  if (options.out === null || options.out === "-") return openStreamOutput(deps.stdout);
  return openFileOutput(options.out, options.file, deps.runId);
}

function formatByName(out: string | null): OutputFormat {
  return out !== null && /\.(?:jsonl|ndjson)$/iu.test(out) ? "jsonl" : "csv";
}
