import type { AccountType } from "../../../domain/transaction.ts";
import { createHeaderMatcher } from "../guess/header-words.ts";
import { detectLayout, type Layout } from "../guess/layout.ts";
import type { Mapping } from "../guess/mapping.ts";
import { makePlan, type Plan, type Readers } from "../guess/plan.ts";
import { InputError } from "../input-error.ts";
import { readRecords, type Sample } from "../read/records.ts";
import type { Source } from "../read/source.ts";
import { createCountryReader } from "../values/country.ts";
import { createCurrencyReader, type CurrencyReader } from "../values/currency.ts";
import type { PendingRecord } from "./enrich-chunks.ts";
import { createLineReader } from "./read-line.ts";

/** Everything that is known of a bank's export once its head was looked at. */
export interface BankExport {
  readonly source: Source;
  readonly sample: Sample;
  readonly layout: Layout;
  readonly plan: Plan;
  readonly currencies: CurrencyReader;
  readonly countryOf: (text: string) => string | null;
}

/** Decides what the file means. Throws InputError. */
export async function understandExport(
  source: Source,
  sample: Sample,
  mapping: Mapping,
): Promise<BankExport> {
  const readers: Readers = {
    matcher: createHeaderMatcher(),
    currencies: createCurrencyReader(),
    countryOf: createCountryReader(),
  };
  const layout = await detectLayout(sample, readers.matcher);
  if (layout === null) throw new InputError(`${source.name} is empty.`);
  const { currencies, countryOf } = readers;
  return {
    source,
    sample,
    layout,
    plan: makePlan(layout, mapping, readers),
    currencies,
    countryOf,
  };
}

/**
 * The records of the file in order, those that cannot be read with the reason. Throws InputError.
 * @param nowMs milliseconds since the epoch: today's date for files without dates
 */
export async function* exportRecords(
  { source, sample, layout, plan, currencies, countryOf }: BankExport,
  accountType: AccountType,
  nowMs: number,
): AsyncGenerator<PendingRecord, void> {
  const readLine = createLineReader(plan, {
    accountType,
    today: new Date(nowMs).toISOString().slice(0, 10),
    currencies,
    countryOf,
  });
  let toSkip = layout.recordsToSkip;
  for await (const { line, cells } of readRecords(source.name, sample.all, layout.dialect)) {
    if (toSkip > 0) toSkip -= 1;
    // Spreadsheets save empty rows as delimiters alone.
    else if (cells.some((cell) => cell.trim() !== ""))
      yield { line, cells, reading: readLine(cells) };
  }
}
