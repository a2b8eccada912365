import type { Categories, Counterparty } from "./facts.ts";
import type { RecurringGroup } from "./recurrence.ts";
import type { EntryType } from "./transaction.ts";

/** Transactions of one account holder that repeat. */
export interface LedgerGroup extends Omit<RecurringGroup, "members"> {
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
  /** The oldest first. */
  readonly transactionIds: readonly string[];
}

export type LedgerGroups =
  | { readonly ok: true; readonly groups: readonly LedgerGroup[] }
  | { readonly ok: false; readonly reason: "account_holder_not_found" | "ledger_too_large" };

/** Transactions of an account holder in which recurring groups are found: what a thread has memory for. */
export const LEDGER_LENGTH_MAX = 250_000;
