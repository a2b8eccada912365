import { createHash } from "node:crypto";
import type { ParsedRow, ParsedTransaction } from "../enrich/parsed-file.ts";

/** A transaction as the v3 API takes it. */
export interface ApiTransaction {
  readonly id: string;
  readonly description: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly amount: number;
  readonly entry_type: "incoming" | "outgoing";
  readonly currency: string;
  readonly account_holder_id: string;
  readonly location: {
    readonly raw_address: string | null;
    readonly country: string | null;
  } | null;
}

export interface CollectedTransactions {
  readonly transactions: readonly ApiTransaction[];
  /** Line and reason of rows that cannot be read. */
  readonly bad: readonly string[];
  /** Rows that are not booked: their bank sends them again once they are. */
  readonly notBooked: number;
}

/** What the API takes. */
const TEXT_LENGTH_MAX = 1024;
/** 64 hexadecimal digits would be no safer for the transactions of one organization. */
const ID_DIGITS = 32;

/** All booked transactions of a file with ids that are the same each time it is imported. */
export async function collect(
  rows: AsyncIterable<ParsedRow>,
  holder: string,
): Promise<CollectedTransactions> {
  const transactions: ApiTransaction[] = [];
  const bad: string[] = [];
  const occurrences = new Map<string, number>();
  let notBooked = 0;
  for await (const { line, reading } of rows) {
    if (!reading.ok) bad.push(`line ${String(line)}: ${reading.reason}`);
    else if (reading.transaction.status !== "booked") notBooked += 1;
    else transactions.push(toWire(reading.transaction, holder, occurrences));
  }
  return { transactions, bad, notBooked };
}

/**
 * Two equal entries of one day are two transactions, so their place among equals is part of the id. Day and amount are,
 * too, where the bank gives a reference: customers write references themselves and use them again.
 */
function toWire(
  transaction: ParsedTransaction,
  holder: string,
  occurrences: Map<string, number>,
): ApiTransaction {
  const { date, amount, currency, description, account, id, country, address } = transaction;
  const identity = id === null ? ["text", description] : ["id", id];
  const digits = amount.includes(".") ? amount.replace(/\.?0+$/u, "") : amount;
  const key = JSON.stringify([holder, account, date, digits, currency, ...identity]);
  const occurrence = (occurrences.get(key) ?? 0) + 1;
  occurrences.set(key, occurrence);
  const hash = createHash("sha256")
    .update(`${String(occurrence)} ${key}`)
    .digest("hex");
  return {
    id: `import-${hash.slice(0, ID_DIGITS)}`,
    description: cut(description),
    date,
    amount: Math.abs(Number(amount)),
    entry_type: transaction.entryType,
    currency,
    account_holder_id: holder,
    location:
      country === null && address === null
        ? null
        : { raw_address: address === null ? null : cut(address), country },
  };
}

function cut(text: string): string {
  return Array.from(text).slice(0, TEXT_LENGTH_MAX).join("");
}
