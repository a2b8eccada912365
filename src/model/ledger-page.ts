// Pages and statistics of the ledger of one account holder.
import type { EntryType } from "./transaction.ts";

/** What a ledger can be sorted by; ties are in the order of acceptance. */
export const LEDGER_SORTS = [
  "date",
  "createdAt",
  "id",
  "amount",
  "entryType",
  "currency",
  "label",
  "merchant",
] as const;
export type LedgerSort = (typeof LEDGER_SORTS)[number];

export interface LedgerPageQuery {
  readonly sortBy: LedgerSort;
  readonly direction: "asc" | "desc";
  /** Transactions before the page. */
  readonly offset: number;
  readonly limit: number;
}

/** Calendar dates (YYYY-MM-DD), both included; null: no bound. */
export interface DateRange {
  readonly from: string | null;
  readonly until: string | null;
}

/** Transactions of one direction, currency, label and merchant. */
export interface AmountGroup {
  readonly entryType: EntryType;
  readonly currency: string;
  /** All labels as one text; null: the transactions have none. */
  readonly label: string | null;
  readonly merchant: string | null;
  readonly count: number;
  /** In units of the currency. */
  readonly sum: number;
  /** The sum of the squared distances from the mean. */
  readonly squaredDistances: number;
  readonly min: number;
  readonly max: number;
}

/** What statistics are made of: all transactions, those of each label, those of each merchant. */
export type StatisticsMetric = "overall" | "label" | "merchant";

/** Of the transactions of one direction and currency. All but `count` are in units of the currency. */
export interface AmountSummary {
  readonly count: number;
  /** Exact in minor units up to 2^52 of them. */
  readonly sum: number;
  readonly mean: number;
  /** Standard deviation of the population: the root of the mean squared distance from the mean; 0 for equal amounts. */
  readonly std: number;
  readonly min: number;
  readonly max: number;
}

/** By direction and currency. */
export type AmountStatistics = Readonly<Record<EntryType, ReadonlyMap<string, AmountSummary>>>;

/** By metric; null: not asked for. */
export interface LedgerStatistics {
  readonly overall: AmountStatistics | null;
  readonly byLabel: ReadonlyMap<string | null, AmountStatistics> | null;
  /** Without the transactions that have no merchant. */
  readonly byMerchant: ReadonlyMap<string, AmountStatistics> | null;
}
