import type { Categories, Counterparty } from "./facts.ts";
import type { IncomeGroup, RecurringGroup } from "./recurrence.ts";
import type { RecurrenceDecision } from "./tenant-settings.ts";
import type { EntryType } from "./transaction.ts";

/** What is known of transactions of one account holder that belong together. */
export interface LedgerSeries {
  /** UUIDv5 of the organization, the account holder and the first transaction: later transactions do not change it. */
  readonly id: string;
  /** YYYY-MM-DD of the first transaction. */
  readonly startDate: string;
  /** YYYY-MM-DD of the latest transaction. */
  readonly endDate: string;
  readonly entryType: EntryType;
  /** Of the latest transaction; null: not known. */
  readonly counterparty: Counterparty | null;
  /** Of the latest transaction; null: not known. */
  readonly categories: Categories | null;
  /** ISO 4217. */
  readonly currency: string;
  /** Of the latest transaction, in units of the currency. */
  readonly latestAmount: number;
  /** Of the latest transaction, as the bank wrote it. */
  readonly latestDescription: string;
  /** The oldest first. */
  readonly transactionIds: readonly string[];
}

/** Transactions of one account holder that repeat. */
export type LedgerGroup = LedgerSeries & Omit<RecurringGroup, "members">;

/** Income of one account holder from one source. */
export type LedgerIncome = LedgerSeries & Omit<IncomeGroup, "members">;

export type LedgerGroups =
  | {
      readonly ok: true;
      readonly groups: readonly LedgerGroup[];
      readonly income: readonly LedgerIncome[];
      /** What the customer has decided about single transactions, by their ids. */
      readonly corrected: ReadonlyMap<string, RecurrenceDecision>;
    }
  | { readonly ok: false; readonly reason: "account_holder_not_found" | "ledger_too_large" };

/** Transactions of an account holder in which recurring groups are found: a thread takes some ten seconds for them. */
export const LEDGER_LENGTH_MAX = 1_000_000;
