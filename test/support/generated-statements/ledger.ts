// The rows of a generated account: amounts spread as those of real accounts are, balances that follow from them.
import type { Random } from "../random.ts";
import type { Country } from "./countries.ts";

export interface LedgerEntry {
  /** YYYY-MM-DD */
  readonly date: string;
  readonly valueDate: string;
  /** A line each. */
  readonly description: readonly string[];
  /** As printed. Minor units, below zero for a debit. */
  readonly units: number;
  /** What the balance changed by; another number than the printed one where the statement is made not to add up. */
  readonly booked: number;
  /** After the row, in minor units; what is owed where the account is a card. */
  readonly balance: number;
  readonly reference: string;
}

export interface Ledger {
  readonly number: string;
  readonly opening: number;
  readonly closing: number;
  readonly entries: readonly LedgerEntry[];
}

export interface LedgerRequest {
  readonly rows: number;
  /** Of the first day of the period, as Date.UTC gives it. */
  readonly from: number;
  readonly days: number;
  readonly isCard: boolean;
  /** Most lines of a description. */
  readonly lines: number;
}

const DAY_MS = 86_400_000;
const CREDIT_SHARE = 0.25;

export const toIso = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Rows from the oldest to the newest. */
export function makeLedger(random: Random, country: Country, request: LedgerRequest): Ledger {
  const opening = random.integer(20_000, request.isCard ? 250_000 : 900_000);
  const days = Array.from({ length: request.rows }, () => random.integer(0, request.days - 1));
  let balance = opening;
  const entries = days
    .sort((a, b) => a - b)
    .map((day): LedgerEntry => {
      const at = request.from + day * DAY_MS;
      const debit = amountOf(random, 100, 60_000);
      const isCredit = random.chance(CREDIT_SHARE) || (!request.isCard && balance < debit);
      const units = isCredit ? amountOf(random, 2_000, 450_000) : -debit;
      balance += request.isCard ? -units : units;
      return {
        date: toIso(at),
        valueDate: toIso(at + random.integer(0, 2) * DAY_MS),
        description: describe(random, country, isCredit, request.lines),
        ...{ units, booked: units, balance },
        reference: String(random.integer(100_000, 999_999)),
      };
    });
  const digits = (text: string): string => text.replaceAll("#", () => String(random.integer(0, 9)));
  return {
    number: digits(random.pick(country.accountNumbers)),
    opening,
    closing: balance,
    entries,
  };
}

/** Small amounts are more frequent than large ones. */
const amountOf = (random: Random, least: number, most: number): number =>
  Math.round(least * (most / least) ** random.next());

function describe(
  random: Random,
  country: Country,
  isCredit: boolean,
  lines: number,
): readonly string[] {
  const first = random.pick(isCredit ? country.incoming : country.outgoing);
  const others = [
    `REF ${String(random.integer(10_000_000, 99_999_999))}`,
    `${random.pick(country.holders).name} ${String(random.integer(1_000, 9_999))}`,
    random.pick(country.holders).address[0] ?? "",
  ];
  return [first, ...others.slice(0, random.integer(0, lines - 1))];
}

/** The same account with one printed amount that its balances contradict, by several digits: no reading error. */
export function withContradiction(random: Random, ledger: Ledger): Ledger {
  const changed = random.integer(0, ledger.entries.length - 1);
  const entries = ledger.entries.map((entry, at) =>
    at === changed ? { ...entry, units: entry.units + Math.sign(entry.units) * 1_370 } : entry,
  );
  return { ...ledger, entries };
}
