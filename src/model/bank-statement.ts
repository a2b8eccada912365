// What was read from a bank statement, and why one could not be read.

/** Why a document could not be read. */
export const STATEMENT_FAULTS = [
  "not_a_pdf",
  "too_large",
  "too_many_pages",
  "damaged",
  "password_needed",
  "password_wrong",
  "no_text_layer",
  "no_transactions",
] as const;

export type StatementFault = (typeof STATEMENT_FAULTS)[number];

/** Bytes of one document, below 50.0 MB. */
export const STATEMENT_BYTES_MAX = 49_999_999;

export type StatementVerdict =
  | "reconciled"
  | "reconciled_with_repairs"
  | "not_reconciled"
  | "not_checkable";

export interface StatementTransaction {
  /** YYYY-MM-DD; null: none is printed. */
  readonly date: string | null;
  /** Whether the year is not printed and was taken from the period. */
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
}

/** A value that was read differently from how it is printed, because only so the balances are exact. */
export interface StatementRepair {
  readonly page: number;
  readonly row: number;
  readonly field: "amount" | "balance" | "direction";
  readonly from: string;
  readonly to: string;
}

/** Where the balances are not exact. */
export interface StatementBreak {
  readonly page: number;
  /** The last row before the balance that does not follow; null: the account has no rows. */
  readonly row: number | null;
  /** Printed balance less the calculated one: decimal text. */
  readonly difference: string;
}

export interface StatementAccount {
  /** As printed; null: none was found. */
  readonly number: string | null;
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
  readonly verdict: StatementVerdict;
  readonly firstBreak: StatementBreak | null;
  readonly repairs: readonly StatementRepair[];
  readonly transactions: readonly StatementTransaction[];
}

export interface BankStatement {
  readonly pages: number;
  /** Pages without a text layer, from 1: they are not read. */
  readonly pagesWithoutText: readonly number[];
  readonly accounts: readonly StatementAccount[];
}

export type StatementResult = BankStatement | { readonly fault: StatementFault };
