import { InputError } from "../input-error.ts";
import type { EntryType } from "../../../model/transaction.ts";
import type { ParseOptions } from "../parsed-file.ts";
import { type DecimalMark, parseAmount } from "../values/amount.ts";
import { type DayMonthOrder, dayMonthEvidence } from "../values/calendar-date.ts";
import type { CurrencyReader } from "../values/currency.ts";
import { printable } from "../values/printable.ts";
import type { BankColumns } from "./bank-columns.ts";
import { findCleanName } from "./clean-name.ts";
import { guessColumns, type Columns } from "./columns.ts";
import { guessCurrency, type CurrencyGuess } from "./currency-guess.ts";
import type { DecimalGuess } from "./decimals.ts";
import type { HeaderMatcher } from "./header-words.ts";
import type { FileLayout } from "./layout.ts";
import { applyMapping, type Mapping } from "./mapping.ts";
import { type Profile, profileColumns } from "./profile.ts";
import { guessSign, type Outflow } from "./sign.ts";

export interface MoneySide {
  readonly column: number;
  readonly mark: DecimalMark;
  /** Sign that most values of the column have; the other sign is a reversal. */
  readonly usualSign: 1 | -1;
}

/** How a line gives its amount and direction. */
export type MoneyPlan =
  | { readonly kind: "split"; readonly debit: MoneySide | null; readonly credit: MoneySide | null }
  | {
      readonly kind: "direction";
      readonly column: number;
      readonly mark: DecimalMark;
      readonly direction: number;
    }
  /** CR or DR behind some of the numbers; `unmarked` is the direction of the others. */
  | {
      readonly kind: "marked";
      readonly column: number;
      readonly mark: DecimalMark;
      readonly unmarked: EntryType;
    }
  | {
      readonly kind: "signed";
      readonly column: number;
      readonly mark: DecimalMark;
      readonly outflow: Outflow;
      readonly reason: string;
    };

export interface DatePlan {
  readonly column: number;
  readonly order: DayMonthOrder;
  /** "sample": a number above 12 decided; "assumed": every date of the sample reads both ways; "fixed": no question. */
  readonly decidedBy: "fixed" | "sample" | "map" | "assumed";
}

/** Everything needed to turn a record into a line. */
export interface ReadPlan {
  readonly columns: readonly string[];
  /** Null: the file has no dates, today's is used. */
  readonly date: DatePlan | null;
  readonly description: readonly number[];
  readonly money: MoneyPlan;
  readonly currency: CurrencyGuess & { readonly column: number | null };
  readonly country: { readonly column: number | null; readonly code: string | null };
  readonly address: readonly number[];
  /** The balance column, used only to confirm the sign; null: the file has none. */
  readonly balance: number | null;
  /** The column whose cell alone is the description where it is a clean name; null: the file has none. */
  readonly cleanName: number | null;
  readonly payee: number | null;
  readonly bank: BankColumns;
  /** Of the columns that hold the amounts; the least certain of them. */
  readonly decimals: DecimalGuess;
}

export interface Readers {
  readonly matcher: HeaderMatcher;
  readonly currencies: CurrencyReader;
  readonly countryOf: (text: string) => string | null;
}

/** Decides what every column means. Throws InputError, with the columns seen, when a needed one cannot be found. */
export function makePlan(
  layout: FileLayout,
  options: Pick<ParseOptions, "mapping" | "decimal" | "currency">,
  readers: Readers,
): ReadPlan {
  const { matcher, currencies, countryOf } = readers;
  const { mapping, decimal } = options;
  const profiles = profileColumns(layout.columns.length, layout.rows, currencies, decimal);
  const guess = guessColumns(layout.columns, profiles, matcher);
  const mapped = applyMapping(guess, mapping, layout.columns, currencies, countryOf);
  const columns =
    options.currency === null ? mapped.columns : { ...mapped.columns, currency: null };
  const currencyCode = options.currency ?? mapped.currencyCode;
  checkNeeded(columns, layout.columns);
  const dates = columns.date === null ? [] : (profiles[columns.date]?.values ?? []);
  const evidence = countOrders(dates);
  const currency =
    currencyCode === null
      ? guessCurrency(layout, columns, profiles, currencies, evidence.DMY > evidence.MDY)
      : { code: currencyCode, reason: "as given" };
  return {
    columns: layout.columns,
    date: columns.date === null ? null : planDate(columns.date, evidence, mapping, currency.code),
    description: columns.description,
    money: planMoney(columns, layout, profiles, mapping),
    currency: { ...currency, column: columns.currency },
    country: { column: columns.country, code: mapped.countryCode },
    address: columns.address.filter((index) => !columns.description.includes(index)),
    balance: columns.balance,
    cleanName: mapping.columns.has("description")
      ? null
      : findCleanName(layout.columns, profiles, columns.payee, columns.description),
    payee: columns.payee,
    bank: withoutUsed(columns),
    decimals: leastCertain(columns, profiles),
  };
}

/** A column that --map gave another meaning is not the bank's own word any more. */
function withoutUsed({ bank, description, direction, currency, date }: Columns): BankColumns {
  const used = new Set([...description, direction, currency, date]);
  const free = (at: number | null): number | null => (used.has(at) ? null : at);
  // The column of the direction may tell the kind too: "Card purchase", "Deposit".
  return { ...bank, status: free(bank.status), category: free(bank.category), id: free(bank.id) };
}

const CERTAINTIES = ["assumed", "shown", "certain", "given"] as const;

function leastCertain(columns: Columns, profiles: readonly Profile[]): DecimalGuess {
  const guesses = [columns.amount, columns.debit, columns.credit].flatMap((at) =>
    at === null ? [] : (profiles[at]?.decimals ?? []),
  );
  const [first] = guesses.sort(
    (a, b) => CERTAINTIES.indexOf(a.certainty) - CERTAINTIES.indexOf(b.certainty),
  );
  return first ?? { mark: ".", certainty: "certain", shownBy: 0, example: null };
}

function checkNeeded(columns: Columns, names: readonly string[]): void {
  const missing = [
    ...(columns.description.length === 0 ? ["description"] : []),
    ...(columns.amount === null && columns.debit === null && columns.credit === null
      ? ["amount"]
      : []),
  ];
  if (missing.length === 0) return;
  const seen = names.map((name) => `'${printable(name)}'`).join(", ") || "none";
  throw new InputError(
    `Cannot tell which column is the ${missing.join(" and which the ")}. The columns are ${seen}.\n` +
      "Name them with --map, for example --map description=Memo,amount=Amt,date=Day " +
      "(or debit=…,credit=… for two amount columns; #3 is the third column).",
  );
}

type OrderCounts = Readonly<Record<DayMonthOrder | "either", number>>;

function countOrders(values: readonly string[]): OrderCounts {
  const counts = { DMY: 0, MDY: 0, YMD: 0, either: 0 };
  for (const value of values) {
    const evidence = dayMonthEvidence(value);
    if (evidence !== null) counts[evidence] += 1;
  }
  return counts;
}

function planDate(
  column: number,
  counts: OrderCounts,
  mapping: Mapping,
  currency: string,
): DatePlan {
  if (mapping.dates !== null) return { column, order: mapping.dates, decidedBy: "map" };
  if (counts.DMY !== counts.MDY) {
    return { column, order: counts.DMY > counts.MDY ? "DMY" : "MDY", decidedBy: "sample" };
  }
  // Month first is written in the United States and nearly nowhere else.
  const order = currency === "USD" ? "MDY" : "DMY";
  return { column, order, decidedBy: counts.either > 0 ? "assumed" : "fixed" };
}

function planMoney(
  columns: Columns,
  layout: FileLayout,
  profiles: readonly Profile[],
  mapping: Mapping,
): MoneyPlan {
  const profile = columns.amount === null ? undefined : profiles[columns.amount];
  if (profile === undefined) {
    return {
      kind: "split",
      debit: planSide(columns.debit, profiles),
      credit: planSide(columns.credit, profiles),
    };
  }
  const base = { column: profile.index, mark: profile.mark };
  const forced = mapping.columns.has("type");
  const oneSign = profile.negatives === 0 || profile.positives === 0;
  if (columns.direction !== null && mapping.outflow === null && (forced || oneSign)) {
    return { ...base, kind: "direction", direction: columns.direction };
  }
  const unmarked = mapping.outflow === null ? directionOfUnmarked(profile) : null;
  if (unmarked !== null) return { ...base, kind: "marked", unmarked };
  if (mapping.outflow !== null)
    return { ...base, kind: "signed", outflow: mapping.outflow, reason: "as given" };
  const at = (index: number | null): Profile | null =>
    index === null ? null : (profiles[index] ?? null);
  const sign = guessSign({
    amount: profile,
    header: layout.hasHeader ? (layout.columns[profile.index] ?? "") : "",
    balance: at(columns.balance),
    direction: at(columns.direction),
    descriptions: layout.rows.map((row) =>
      columns.description.map((index) => row[index] ?? "").join(" "),
    ),
  });
  return { ...base, kind: "signed", ...sign };
}

function planSide(column: number | null, profiles: readonly Profile[]): MoneySide | null {
  const profile = column === null ? undefined : profiles[column];
  if (profile === undefined) return null;
  return {
    column: profile.index,
    mark: profile.mark,
    usualSign: profile.negatives > profile.positives ? -1 : 1,
  };
}

/** When only credits are marked the rest is money leaving, and the other way round; null when nothing is marked. */
function directionOfUnmarked(profile: Profile): EntryType | null {
  const markers = profile.values.map((value) => parseAmount(value, profile.mark)?.marker);
  const credits = markers.filter((marker) => marker === "credit").length;
  const debits = markers.filter((marker) => marker === "debit").length;
  if (credits + debits === 0) return null;
  return credits === 0 ? "incoming" : "outgoing";
}
