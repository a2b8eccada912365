// What was read from a bank statement, and why one could not be read.

/** Why a document could not be read. */
export const STATEMENT_FAULTS = [
  "unsupported_type",
  "too_large",
  "too_many_pages",
  "too_many_pixels",
  "damaged",
  "password_needed",
  "password_wrong",
  "no_text",
  "no_transactions",
  "time_limit",
  "memory_limit",
] as const;

export type StatementFault = (typeof STATEMENT_FAULTS)[number];

/** Bytes of one document, below 50.0 MB. */
export const STATEMENT_BYTES_MAX = 49_999_999;

export type StatementVerdict =
  | "reconciled"
  | "reconciled_with_repairs"
  | "not_reconciled"
  | "not_checkable";

/** How a word was read: from the text layer, or by text recognition of the picture of its page. */
export type WordSource = "text" | "ocr";

/** Where a value is printed. */
export interface PrintedValue {
  /** From 1. */
  readonly page: number;
  /** Left, top, right, bottom: points (1/72 inch) from the top left corner of the page as it is seen; of a picture: pixels. */
  readonly box: readonly [number, number, number, number];
  /** As it was read, before any repair. */
  readonly text: string;
  /** 0 to 1; 1 for a text layer. */
  readonly confidence: number;
  readonly source: WordSource;
}

/** Of one transaction; null: the value is not printed in its row. */
export interface TransactionEvidence {
  readonly date: PrintedValue | null;
  /** A line of the description each. */
  readonly description: readonly PrintedValue[];
  readonly amount: PrintedValue | null;
  readonly balance: PrintedValue | null;
}

export interface StatementTransaction {
  /** YYYY-MM-DD; null: none is printed. */
  readonly date: string | null;
  /** Whether the year is not printed: it follows from the period, other dates, the day of the file or that of the submission. */
  readonly isYearInferred: boolean;
  readonly description: string;
  /** Decimal text in units of the currency, without a sign. */
  readonly amount: string;
  /** credit: money enters the account. */
  readonly direction: "credit" | "debit";
  /** Decimal text, with a minus below zero; null: none is printed in this row. */
  readonly balance: string | null;
  /** From 1. */
  readonly page: number;
  /** From 1, among the rows of the account. */
  readonly row: number;
  readonly evidence: TransactionEvidence;
}

export const REPAIRED_FIELDS = [
  "amount",
  "balance",
  "direction",
  "opening_balance",
  "closing_balance",
  "repeated_row",
] as const;

/**
 * A value that was read differently from how it is printed, because only so the balances are exact; or a row that is printed again, on
 * `page`, and counted once.
 */
export interface StatementRepair {
  readonly page: number;
  readonly row: number;
  /** The opening balance is a repair of the first row, and the closing balance of the last one. */
  readonly field: (typeof REPAIRED_FIELDS)[number];
  /** As it was read; null: nothing was, where the layout prints a balance. */
  readonly from: string | null;
  readonly to: string;
}

/**
 * Without an opening balance, the first amount is in no equation; without a closing one, rows behind the last balance may be
 * missing.
 */
export const ACCOUNT_ENDS = ["opening_balance", "closing_balance"] as const;

export type AccountEnd = (typeof ACCOUNT_ENDS)[number];

/** Where the balances are not exact. */
export interface StatementBreak {
  readonly page: number;
  /** The last row before the balance that does not follow; null: the account has no rows, or printed totals differ. */
  readonly row: number | null;
  /** Printed balance less the calculated one; of totals, what the rows lack of both: decimal text. */
  readonly difference: string;
}

export interface StatementAccount {
  /** As printed; null: none was found. */
  readonly number: string | null;
  /** The product as printed, such as "Everyday Checking"; null: none was found. */
  readonly name: string | null;
  /** Such as "checking", "savings", "credit card"; null: not known. */
  readonly type: string | null;
  /** ISO 4217; null: none is printed. */
  readonly currency: string | null;
  /** First and last day, YYYY-MM-DD; null: not printed. */
  readonly period: { readonly start: string; readonly end: string } | null;
  /** Decimal text; null: neither printed nor given by the balance of the first row. */
  readonly opening: string | null;
  /** Whether the opening balance is not printed: it is the balance of the first row without its amount. */
  readonly isOpeningCalculated: boolean;
  readonly closing: string | null;
  /** Sum of all transactions with their directions, decimal text. */
  readonly sum: string;
  /** Sums of the credits and of the debits, decimal text without a sign. */
  readonly totalIncoming: string;
  readonly totalOutgoing: string;
  readonly verdict: StatementVerdict;
  /** Ends of the rows that no printed number proves; of a recognised document, they make it not checkable. */
  readonly unproven: readonly AccountEnd[];
  readonly firstBreak: StatementBreak | null;
  readonly repairs: readonly StatementRepair[];
  readonly transactions: readonly StatementTransaction[];
}

/** Something about a document that a forged one would show too. Each alone is weak. */
export interface StatementSignal {
  readonly kind: StatementSignalKind;
  /** One sentence with the numbers that it rests on. */
  readonly reason: string;
  /** Null: the document as a whole. */
  readonly page: number | null;
  readonly box: PrintedValue["box"] | null;
}

export const STATEMENT_SIGNALS = [
  "incremental_updates",
  "modified_after_creation",
  "annotations_over_text",
  "rare_font",
  "misaligned_amount",
  "arithmetic_break",
  "conflicting_account_number",
  "dates_outside_period",
  "date_out_of_order",
  "text_layer_differs",
  "totals_differ",
] as const;

export type StatementSignalKind = (typeof STATEMENT_SIGNALS)[number];

export interface StatementAddress {
  readonly street: string | null;
  readonly postcode: string | null;
  readonly city: string | null;
  readonly state: string | null;
  /** As printed, or ISO 3166-1 alpha-2 where it follows from the postcode and state. */
  readonly country: string | null;
}

export interface StatementHolder {
  readonly type: "consumer" | "business" | null;
  readonly name: string | null;
  readonly address: StatementAddress | null;
}

/** What the header of a statement contains: all that `verify` reads, from the first page alone. */
export interface StatementHeader {
  readonly institution: string | null;
  readonly holder: StatementHolder | null;
  readonly period: { readonly start: string; readonly end: string } | null;
  readonly accounts: readonly Pick<
    StatementAccount,
    "type" | "number" | "opening" | "closing" | "currency"
  >[];
}

export interface BankStatement {
  readonly pages: number;
  /** Pages on which neither a text layer nor text recognition found words, from 1. */
  readonly pagesWithoutText: readonly number[];
  /** Pages that were read by text recognition, from 1. */
  readonly pagesRecognised: readonly number[];
  readonly header: StatementHeader;
  readonly accounts: readonly StatementAccount[];
  readonly signals: readonly StatementSignal[];
}

export type StatementResult = BankStatement | { readonly fault: StatementFault };
export type StatementHeaderResult = StatementHeader | { readonly fault: StatementFault };

/** What is wanted of a document: everything, or the header that its first page has. */
export type StatementScope = "all" | "header";
