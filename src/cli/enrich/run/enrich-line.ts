import type { AccountType, RecogniserInput } from "../../../model/transaction.ts";
import type { ParsedTransaction } from "../parsed-file.ts";

/** One line of the file as the recogniser needs it. */
export interface EnrichLine extends RecogniserInput {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly accountType: AccountType;
}

export interface EnrichPort {
  /** Facts JSON texts (src/model/facts.ts) in order; null where the recogniser failed. At most 250 lines. */
  enrichChunk(lines: readonly EnrichLine[]): Promise<readonly (string | null)[]>;
  /** JSON text of `BankCategories` (src/model/bank-categories.ts) for category texts of a bank; null: it failed. */
  readBankCategories(texts: readonly string[], accountType: AccountType): Promise<string | null>;
}

/** What the recogniser needs of a transaction. */
export function toLine(transaction: ParsedTransaction, accountType: AccountType): EnrichLine {
  const { description, amount, entryType, currency, date, country, address } = transaction;
  return {
    description,
    amount: Math.abs(Number(amount)),
    entryType,
    currency,
    date,
    accountType,
    country,
    rawAddress: address,
  };
}
