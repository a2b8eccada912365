import { InputError } from "../input-error.ts";
import type { DayMonthOrder } from "../values/calendar-date.ts";
import type { CurrencyReader } from "../values/currency.ts";
import { printable } from "../values/printable.ts";
import type { Columns } from "./columns.ts";
import type { Outflow } from "./sign.ts";

const COLUMN_KEYS = [
  "description",
  "amount",
  "debit",
  "credit",
  "date",
  "currency",
  "type",
  "country",
] as const;
type ColumnKey = (typeof COLUMN_KEYS)[number];

/** The content of --map, before the columns of the file are known. */
export interface Mapping {
  readonly columns: ReadonlyMap<ColumnKey, string>;
  readonly dates: DayMonthOrder | null;
  readonly outflow: Outflow | null;
  /** Of a workbook. */
  readonly sheet: string | null;
}

/** The columns after --map, and the values it fixed for every line. */
export interface MappedColumns {
  readonly columns: Columns;
  /** A code given in place of a column: `currency=EUR`, `country=DE`. */
  readonly currencyCode: string | null;
  readonly countryCode: string | null;
}

/**
 * Reads "description=Memo,amount=Amt". Also, next to the column keys: `dates=dmy|mdy` for the order of day and month, and
 * `outflow=positive|negative` for the sign of money leaving, and `sheet=Name` of a workbook. A comma inside a column name is fine unless a key and an
 * equals sign follow it. Throws InputError for an unknown key or a missing name.
 */
export function parseMapping(text: string | null): Mapping {
  const columns = new Map<ColumnKey, string>();
  let dates: DayMonthOrder | null = null;
  let outflow: Outflow | null = null;
  let sheet: string | null = null;
  for (const part of text === null ? [] : text.split(/,(?=\s*[\w-]+\s*=)/u)) {
    const equals = part.indexOf("=");
    const key = part
      .slice(0, equals < 0 ? undefined : equals)
      .trim()
      .toLowerCase();
    const name = equals < 0 ? "" : part.slice(equals + 1).trim();
    if (name === "")
      throw new InputError(`--map: '${printable(part)}' is not of the form key=column.`);
    if (key === "dates") dates = choose(key, name, { dmy: "DMY", mdy: "MDY", ymd: "YMD" });
    else if (key === "outflow")
      outflow = choose(key, name, { positive: "positive", negative: "negative" });
    else if (key === "sheet") sheet = name;
    else columns.set(asColumnKey(key), name);
  }
  return { columns, dates, outflow, sheet };
}

/** Lays the mapping over the guess. Throws InputError for a column that the file does not have. */
export function applyMapping(
  guess: Columns,
  mapping: Mapping,
  names: readonly string[],
  currencies: CurrencyReader,
  countryOf: (text: string) => string | null,
): MappedColumns {
  const at = (key: ColumnKey): number | null => {
    const name = mapping.columns.get(key);
    return name === undefined ? null : findColumn(name, names, key);
  };
  const constant = (key: ColumnKey, read: (text: string) => string | null): string | null => {
    const name = mapping.columns.get(key);
    return name === undefined || indexOfColumn(name, names) !== null ? null : read(name);
  };
  const currencyCode = constant("currency", (text) => currencies.code(text));
  const countryCode = constant("country", countryOf);
  const description = mapping.columns.get("description");
  const columns: Columns = {
    ...guess,
    ...moneyColumns(guess, at("amount"), at("debit"), at("credit")),
    date: at("date") ?? guess.date,
    direction: at("type") ?? guess.direction,
    currency: currencyCode === null ? (at("currency") ?? guess.currency) : null,
    country: countryCode === null ? (at("country") ?? guess.country) : null,
    description: description === undefined ? guess.description : findColumns(description, names),
  };
  return { columns, currencyCode, countryCode };
}

/** An amount column replaces a pair and the other way round. */
function moneyColumns(
  guess: Columns,
  amount: number | null,
  debit: number | null,
  credit: number | null,
): Pick<Columns, "amount" | "debit" | "credit"> {
  if (amount !== null) return { amount, debit: null, credit: null };
  if (debit === null && credit === null) {
    return { amount: guess.amount, debit: guess.debit, credit: guess.credit };
  }
  return { amount: null, debit: debit ?? guess.debit, credit: credit ?? guess.credit };
}

function asColumnKey(key: string): ColumnKey {
  const found = COLUMN_KEYS.find((candidate) => candidate === key);
  if (found !== undefined) return found;
  const known = [...COLUMN_KEYS, "dates", "outflow", "sheet"].join(", ");
  throw new InputError(`--map: '${printable(key)}' is not a key. The keys are ${known}.`);
}

function choose<T>(key: string, value: string, choices: Readonly<Record<string, T>>): T {
  const found = Object.entries(choices).find(([name]) => name === value.toLowerCase());
  if (found !== undefined) return found[1];
  throw new InputError(
    `--map: ${key} must be ${Object.keys(choices).join(" or ")}, not '${printable(value)}'.`,
  );
}

/** "Payee+Memo" joins two columns, unless one column is called just that. */
function findColumns(text: string, names: readonly string[]): number[] {
  if (indexOfColumn(text, names) !== null) return [findColumn(text, names, "description")];
  return text.split("+").map((name) => findColumn(name.trim(), names, "description"));
}

function findColumn(name: string, names: readonly string[], key: string): number {
  const index = indexOfColumn(name, names);
  if (index !== null) return index;
  const seen = names.map((column) => `'${printable(column)}'`).join(", ");
  throw new InputError(
    `--map: there is no column '${printable(name)}' for ${key}. The columns are ${seen}.`,
  );
}

/** By name, else by name without regard to case, else by number: "#3" is the third. */
function indexOfColumn(name: string, names: readonly string[]): number | null {
  const exact = names.indexOf(name);
  if (exact >= 0) return exact;
  const lower = name.toLowerCase();
  const loose = names.findIndex((column) => column.toLowerCase() === lower);
  if (loose >= 0) return loose;
  const number = /^#(\d{1,4})$/u.exec(name)?.[1];
  const index = number === undefined ? -1 : Number(number) - 1;
  return index >= 0 && index < names.length ? index : null;
}
