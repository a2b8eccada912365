// Recurring payments and income of one account holder's ledger, between the stage that asks and the thread that finds them.
import type { EntryType } from "./transaction.ts";

/** The values of the v3 API. What recurs by another rule, such as every four weeks, is `other`. */
export const PERIODICITIES = [
  "daily",
  "weekly",
  "bi-weekly",
  "semi-monthly",
  "monthly",
  "bi-monthly",
  "quarterly",
  "semi-yearly",
  "yearly",
  "other",
] as const;
export type Periodicity = (typeof PERIODICITIES)[number];

/** The values of the v2 API. */
export const INCOME_TYPES = [
  "salary",
  "freelance",
  "rideshare and delivery",
  "government benefits",
  "social security",
  "unemployment insurance",
  "child support",
  "donations",
  "ecommerce",
  "interest and dividends",
  "investment",
  "long term rent",
  "short term rent",
  "retirement funds",
  "possible income - please verify",
] as const;
export type IncomeType = (typeof INCOME_TYPES)[number];

/** Who was paid or paid, as the recogniser reports it. */
export interface LedgerCounterparty {
  /** Null: not an entity of the knowledge base. */
  readonly id: string | null;
  readonly name: string;
  readonly website: string | null;
  readonly type: "person" | "organization";
}

/** One transaction, as far as recurrence is concerned. */
export interface LedgerEntry {
  readonly id: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Units of the currency, never negative. */
  readonly amount: number;
  readonly entryType: EntryType;
  /** ISO 4217. */
  readonly currency: string;
  /** As the bank wrote it. */
  readonly description: string;
  readonly counterparty: LedgerCounterparty | null;
  /** A name of the built-in category set; null: not known. */
  readonly category: string | null;
}

/** A ledger by column: place i of each belongs to transaction i, in any order. Tables have each value once. */
export interface LedgerColumns {
  /** Numbers that stand for the ids (`idNumber`): a transaction that was replaced while it was read may be here twice. */
  readonly ids: Float64Array;
  /** Days since 1970-01-01. */
  readonly days: Int32Array;
  /** Units of the currency, never negative. */
  readonly amounts: Float64Array;
  /** Places in `partyTable`. */
  readonly parties: Int32Array;
  /** Places in `categoryTable`; -1: none. */
  readonly categories: Int16Array;
  /** 1: made by mandate or standing order, as the bank wrote it. */
  readonly mandates: Uint8Array;
  readonly partyTable: readonly LedgerParty[];
  readonly counterpartyTable: readonly LedgerCounterparty[];
  readonly categoryTable: readonly string[];
}

/** Transactions that have counterparty, direction and currency in common; without a counterparty, the words of their lines. */
export interface LedgerParty {
  /** Place in `counterpartyTable`; -1: none. */
  readonly counterparty: number;
  readonly entryType: EntryType;
  /** ISO 4217. */
  readonly currency: string;
  /** Place of the earliest of those without a counterparty; -1: they have one. */
  readonly first: number;
  /** The text of that one; empty: they have a counterparty. */
  readonly firstLine: string;
  /** The text of the latest one; empty: they are outgoing. */
  readonly latestLine: string;
}

/** An expected payment, with an interval that holds it in 8 of 10 cases. */
export interface ExpectedPayment {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly earliestDate: string;
  readonly latestDate: string;
  readonly amount: number;
  readonly lowestAmount: number;
  readonly highestAmount: number;
}

export interface RecurringGroup {
  /** Places of its transactions in the columns, the oldest first. */
  readonly members: readonly number[];
  readonly periodicity: Periodicity;
  /** Mean days between payments; of a single payment, those of the usual period of the service. */
  readonly periodDays: number;
  /** Exact sum, in units of the currency. */
  readonly totalAmount: number;
  readonly averageAmount: number;
  readonly isActive: boolean;
  /** Null when the group has ended. */
  readonly next: ExpectedPayment | null;
  readonly kind: "subscription" | "bill";
  readonly isEssential: boolean;
  /** 0 to 1. */
  readonly confidence: number;
  /** Null: not income. */
  readonly incomeType: IncomeType | null;
}

/** Income of one source. */
export interface IncomeGroup {
  /** Places of its transactions in the columns, the oldest first. */
  readonly members: readonly number[];
  readonly incomeType: IncomeType;
  /** Null: irregular. */
  readonly payFrequency: Periodicity | null;
  readonly totalAmount: number;
  readonly isActive: boolean;
  /** Null when it has ended, or is irregular. */
  readonly next: ExpectedPayment | null;
}

export interface Recurrence {
  readonly groups: readonly RecurringGroup[];
  readonly income: readonly IncomeGroup[];
}
