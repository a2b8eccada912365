import { Readable } from "node:stream";
import { type CsvError, type Options, parse } from "csv-parse";
import { InputError } from "../input-error.ts";

export interface Dialect {
  readonly delimiter: "," | ";" | "\t" | "|";
  /** False for files whose quotation marks are part of the text (inch marks, nicknames). */
  readonly quotes: boolean;
}

export interface CsvRecord {
  /** Line of the file on which the record ends, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface TextSample {
  readonly text: string;
  /** True when the text is the whole file. */
  readonly complete: boolean;
  /** The whole file again, sample included. */
  readonly all: AsyncIterable<string>;
}

/** About 200 lines of the widest exports, and all of most statements. */
const SAMPLE_CHARACTERS = 256 * 1024;
const SAMPLE_RECORDS_MAX = 300;
/** No bank writes a longer line; a quotation mark that is never closed stops here instead of filling the memory. */
const RECORD_CHARACTERS_MAX = 128 * 1024;

/** Reads the head of a text stream without losing it. */
export async function takeSample(text: AsyncGenerator<string, void>): Promise<TextSample> {
  let head = "";
  let complete = false;
  while (head.length < SAMPLE_CHARACTERS && !complete) {
    const next = await text.next();
    if (next.done === true) complete = true;
    else head += next.value;
  }
  return { text: head, complete, all: restart(head, text) };
}

/** Records of a sample; null when the quotation marks do not close under this dialect. */
export async function parseSample(
  sample: TextSample,
  dialect: Dialect,
): Promise<string[][] | null> {
  const text = sample.complete
    ? sample.text
    : sample.text.slice(0, sample.text.lastIndexOf("\n") + 1);
  const parser = parse({
    ...csvOptions(dialect),
    to: SAMPLE_RECORDS_MAX,
    // The cut may fall inside a quoted field; that last record is not the file's fault.
    skip_records_with_error: !sample.complete,
  });
  parser.end(text);
  try {
    const records: string[][] = [];
    // Without the `columns` option a record is a list of cells.
    for await (const record of parser) records.push(record as string[]);
    return records;
  } catch (error) {
    if (isCsvError(error)) return null;
    throw error;
  }
}

/** All records of the text in order, with back-pressure. Throws InputError at a quotation mark that never closes. */
export async function* readRecords(
  name: string,
  text: AsyncIterable<string>,
  dialect: Dialect,
): AsyncGenerator<CsvRecord, void> {
  const parser = parse({ ...csvOptions(dialect), info: true });
  const input = Readable.from(text);
  input.on("error", (error) => parser.destroy(error));
  input.pipe(parser);
  let lastLine = 0;
  try {
    for await (const item of parser) {
      const { record, info } = item as { record: string[]; info: { lines: number } };
      lastLine = info.lines;
      yield { line: lastLine, cells: record };
    }
  } catch (error) {
    if (!isCsvError(error)) throw error;
    throw new InputError(
      `${name}, after line ${String(lastLine)}: a quotation mark is opened and never closed. Close or remove it and try again.`,
      error,
    );
  } finally {
    input.destroy();
    parser.destroy();
  }
}

async function* restart(
  head: string,
  rest: AsyncGenerator<string, void>,
): AsyncGenerator<string, void> {
  yield head;
  yield* rest;
}

function csvOptions(dialect: Dialect): Options {
  return {
    delimiter: dialect.delimiter,
    quote: dialect.quotes ? '"' : false,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: RECORD_CHARACTERS_MAX,
  };
}

function isCsvError(error: unknown): error is CsvError {
  return error instanceof Error && "code" in error && String(error.code).startsWith("CSV_");
}
