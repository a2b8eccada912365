import type { AccountType, EntryType } from "../../../model/transaction.ts";
import type { ParsedTransaction } from "../parsed-file.ts";

/** One line of the file as the recogniser needs it. */
export interface EnrichLine {
  readonly description: string;
  /** Never negative, in units of `currency`. */
  readonly amount: number;
  readonly entryType: EntryType;
  /** ISO 4217. */
  readonly currency: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly accountType: AccountType;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly rawAddress: string | null;
}

export interface EnrichPort {
  /** Facts JSON texts (src/model/facts.ts) in order; null where the recogniser failed. At most 250 lines. */
  enrichChunk(lines: readonly EnrichLine[]): Promise<readonly (string | null)[]>;
  /** JSON text of `BankCategories` (src/model/bank-categories.ts) for category texts of a bank; null: it failed. */
  readBankCategories(texts: readonly string[], accountType: AccountType): Promise<string | null>;
}

/** What the recogniser needs of a transaction. */
export function toLine(transaction: ParsedTransaction, accountType: AccountType): EnrichLine {
  const { description, amount, direction, currency, date, country, address } = transaction;
  return {
    description,
    amount: Math.abs(Number(amount)),
    entryType: direction,
    currency,
    date,
    accountType,
    country,
    rawAddress: address,
  };
}
