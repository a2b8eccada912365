// Entries of a statement as the rows that all formats have in common.
import { createCountryReader } from "../values/country.ts";
import { createCurrencyReader, type CurrencyReader } from "../values/currency.ts";
import { InputError } from "../input-error.ts";
import type { FileInput, ParsedFile, ParsedRow, ParseOptions } from "../parsed-file.ts";
import { readWhole } from "./read-whole.ts";
import type { StatementEntry, EntryReading, ReadStatement, StatementFile } from "./statement.ts";

/** What was read, in plain notation: these formats have no columns of their own. */
const COLUMNS = [
  "date",
  "value_date",
  "amount",
  "currency",
  "counterparty",
  "description",
  "bank_type",
  "bank_category",
  "reference",
  "status",
  "account",
] as const;
/** No bank writes a longer one; it bounds what one entry can cost the recogniser. */
const DESCRIPTION_CHARACTERS_MAX = 2000;

/** Throws InputError when the file is damaged, or needs a currency that was not given. */
export async function readStatementFile(
  { name, bytes, options }: FileInput,
  read: ReadStatement,
): Promise<ParsedFile> {
  const currencies = createCurrencyReader();
  const file = read(name, await readWhole(name, bytes), {
    encoding: options.encoding,
    dates: options.mapping.dates,
    decimal: options.decimal,
    currency: givenCurrency(options, currencies),
  });
  checkMapping(file, name, options);
  const { mapping } = options;
  const country = createCountryReader()(mapping.columns.get("country") ?? "");
  const fixed = { currency: givenCurrency(options, currencies), country, currencies };
  if (fixed.currency === null && file.entries.some(isWithoutCurrency))
    throw new InputError(
      `${name} is ${file.format} and does not contain its currency. Give it with --map currency=EUR.`,
    );
  const given = fixed.currency === null ? [] : [`currency: ${fixed.currency} (as given)`];
  return {
    format: file.format,
    columns: COLUMNS,
    delimiter: ",",
    report: [`format: ${file.format}`, ...file.notes, ...given, ...unused(file.format, options)],
    rows: inTurn(file.entries, fixed),
  };
}

/** Options that the format itself determines; a profile may contain them for other files. */
function unused(format: string, { delimiter, decimal, mapping }: FileInput["options"]): string[] {
  const hasNotation = format === "QIF";
  const names = [
    ...(delimiter === null ? [] : ["--delimiter"]),
    ...(decimal === null || hasNotation ? [] : ["--decimal"]),
    ...(mapping.dates === null || hasNotation ? [] : ["--date-format"]),
  ];
  return names.length === 0 ? [] : [`not used for ${format}: ${names.join(", ")}`];
}

interface Fixed {
  readonly currency: string | null;
  readonly country: string | null;
  readonly currencies: CurrencyReader;
}

function isWithoutCurrency(reading: EntryReading): boolean {
  return reading.ok && reading.entry.currency === null;
}

function givenCurrency(
  { currency, mapping }: ParseOptions,
  currencies: CurrencyReader,
): string | null {
  if (currency !== null) return currency;
  const text = mapping.columns.get("currency");
  if (text === undefined) return null;
  const code = currencies.code(text);
  if (code === null) throw new InputError(`--map: '${text}' is not a currency code such as EUR.`);
  return code;
}

function checkMapping({ format }: StatementFile, name: string, { mapping }: ParseOptions): void {
  const wrong = [...mapping.columns.keys()].find((key) => key !== "currency" && key !== "country");
  if (wrong !== undefined)
    throw new InputError(
      `--map: ${name} is ${format}, whose fields have fixed meanings. Only currency, country and dates can be given; leave out ${wrong}.`,
    );
}

// What reads the rows takes streams; here everything is there at once.
async function* inTurn(
  entries: readonly EntryReading[],
  fixed: Fixed,
): AsyncGenerator<ParsedRow, void> {
  for (const entry of entries) yield await Promise.resolve(toRow(entry, fixed));
}

function toRow(reading: EntryReading, fixed: Fixed): ParsedRow {
  if (!reading.ok) {
    const { line, reason } = reading;
    return { line, cells: COLUMNS.map(() => ""), reading: { ok: false, reason } };
  }
  const { entry } = reading;
  const { line } = entry;
  const written = fixed.currency ?? entry.currency ?? "";
  const currency = fixed.currencies.code(written);
  const cells = cellsOf(entry, written);
  if (currency === null)
    return { line, cells, reading: { ok: false, reason: `'${written}' is not a currency` } };
  const { date, amount, counterparty, account, bankType, bankCategory, status } = entry;
  return {
    line,
    cells,
    reading: {
      ok: true,
      transaction: {
        ...{ date, amount, currency, counterparty, account, bankType, bankCategory, status },
        unknownStatus: null,
        entryType: amount.startsWith("-") ? "outgoing" : "incoming",
        description: entry.description.slice(0, DESCRIPTION_CHARACTERS_MAX),
        joinedDescription: null,
        id: entry.reference,
        country: fixed.country,
        address: null,
      },
    },
  };
}

function cellsOf(entry: StatementEntry, currency: string): string[] {
  const cells = [
    ...[entry.date, entry.valueDate, entry.amount, currency, entry.counterparty],
    ...[entry.description, entry.bankType, entry.bankCategory, entry.reference],
    ...[entry.status, entry.account],
  ];
  return cells.map((cell) => cell ?? "");
}
