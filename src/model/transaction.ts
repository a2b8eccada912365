// A transaction as the customer sent it, and what Ledgerline found out about it.

export type EntryType = "incoming" | "outgoing";
export type AccountType = "consumer" | "business";

/** Types of account holders in the v2 API; the v3 API has the first two. */
export const HOLDER_TYPES = ["consumer", "business", "unknown", "freelance"] as const;
export type HolderType = (typeof HOLDER_TYPES)[number];

/** The place of a transaction as the customer sent it. */
export interface LocationInput {
  readonly rawAddress: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
}

/** One transaction as it was submitted. `amount` is never negative, in units of `currency`. */
export interface TransactionInput {
  readonly id: string;
  readonly description: string;
  /** Calendar date, YYYY-MM-DD. */
  readonly date: string;
  readonly amount: number;
  readonly entryType: EntryType;
  /** ISO 4217. */
  readonly currency: string;
  readonly accountHolderId: string | null;
  readonly location: LocationInput | null;
  /** What only the v2 API takes; left out: nothing of it. */
  readonly details?: TransactionDetails;
}

/** What the v2 API takes in addition. */
export interface TransactionDetails {
  /** ISO 18245, 0 to 9999. */
  readonly mcc: number | null;
  readonly accountHolderName: string | null;
  /** Without an account holder: the type of account by which it is categorised. */
  readonly accountHolderType: HolderType | null;
  /** The custom model that labels the transaction; null or left out: none. */
  readonly model?: string | null;
}

/** What the recogniser reads of a transaction. */
export interface RecogniserInput {
  /** As the bank wrote it. */
  readonly description: string;
  /** Units of the currency, never negative. */
  readonly amount: number;
  readonly entryType: EntryType;
  /** ISO 4217. */
  readonly currency: string;
  /** Null: no account holder, so no category is decided. */
  readonly accountType: AccountType | null;
  /** Address as the customer sent it. */
  readonly rawAddress: string | null;
  /** ISO 3166-1 alpha-2 (or ISO 3166-2) as the customer sent it. */
  readonly country: string | null;
  /** Merchant category code (ISO 18245) as the customer sent it; null or left out: none. */
  readonly mcc?: number | null;
}

export type TransactionErrorCode = "account_holder_not_found" | "internal_error";

/** Why a single transaction has no result, in the words of the v3 API. */
export interface TransactionError {
  readonly code: TransactionErrorCode;
  readonly message: string;
}

export const HOLDER_NOT_FOUND: TransactionError = {
  code: "account_holder_not_found",
  message: "The account holder of the transaction does not exist.",
};
