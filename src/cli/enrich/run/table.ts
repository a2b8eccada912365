import { createHeaderMatcher } from "../guess/header-words.ts";
import { explainPlan } from "../guess/explain.ts";
import { type FileLayout, findLayout } from "../guess/layout.ts";
import { makePlan, type Readers } from "../guess/plan.ts";
import { settle } from "../guess/settle.ts";
import type { ParsedFile, ParsedRow, ParseOptions } from "../parsed-file.ts";
import type { CsvRecord } from "../read/records.ts";
import { createCountryReader } from "../values/country.ts";
import { createCurrencyReader } from "../values/currency.ts";
import { createLineReader } from "./read-line.ts";

export function createReaders(): Readers {
  return {
    matcher: createHeaderMatcher(),
    currencies: createCurrencyReader(),
    countryOf: createCountryReader(),
  };
}

/**
 * Guesses what the columns of a table mean and parses its records one by one. Throws InputError when a needed column
 * cannot be found.
 * @param records all of them, the ones above the header included
 */
export function parseTable(
  format: string,
  layout: FileLayout,
  records: AsyncIterable<CsvRecord> | Iterable<CsvRecord>,
  options: ParseOptions,
  readers: Readers,
): ParsedFile {
  const plan = makePlan(layout, options, readers);
  const readLine = createLineReader(plan, options.today, readers);
  return {
    format,
    columns: plan.columns,
    delimiter: layout.dialect.delimiter,
    report: explainPlan(layout, plan),
    settled: settle(layout, plan),
    rows: parseTableRows(layout.recordsToSkip, records, readLine),
  };
}

/** Parses a table that has no delimiters, such as a sheet of a workbook. Cells are texts as they would stand in a CSV file. */
export function parseRecords(
  format: string,
  records: readonly CsvRecord[],
  options: ParseOptions,
): ParsedFile {
  const readers = createReaders();
  const head = records.slice(0, SHEET_SAMPLE_RECORDS_MAX).map(({ cells }) => [...cells]);
  const layout = findLayout(head, { delimiter: ",", quotes: true }, readers.matcher);
  return parseTable(format, layout, records, options, readers);
}

/** As many as of a CSV file. */
const SHEET_SAMPLE_RECORDS_MAX = 300;

async function* parseTableRows(
  recordsToSkip: number,
  records: AsyncIterable<CsvRecord> | Iterable<CsvRecord>,
  readLine: ReturnType<typeof createLineReader>,
): AsyncGenerator<ParsedRow, void> {
  let toSkip = recordsToSkip;
  for await (const { line, cells } of records) {
    if (toSkip > 0) toSkip -= 1;
    // Spreadsheets save empty rows as delimiters alone.
    else if (cells.some((cell) => cell.trim() !== ""))
      yield { line, cells, reading: readLine(cells) };
  }
}
