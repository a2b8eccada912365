import type { AccountHolder } from "../../model/account-holder.ts";
import { findingsText } from "../../model/enriched-transaction.ts";
import type { LedgerTransaction } from "../../model/ledger-transaction.ts";

// Stored things as the v3 API shows them.

/** JSON text of a Transaction. */
export function transactionText(stored: LedgerTransaction): string {
  const { input } = stored;
  const own = JSON.stringify({
    id: input.id,
    description: input.description,
    date: input.date,
    amount: input.amount,
    entry_type: input.entryType,
    currency: input.currency,
    created_at: shownInstant(stored.createdAt),
    account_holder_id: input.accountHolderId,
  });
  return `${own.slice(0, -1)},${findingsText(stored.facts, stored.error)}}`;
}

/** An AccountHolder as the v3 API shows it. */
export function accountHolderResource(holder: AccountHolder): Record<string, string | null> {
  return {
    id: holder.id,
    type: holder.type,
    name: holder.name,
    category_id: holder.categoryId,
    created_at: shownInstant(holder.createdAt),
  };
}

/** ISO 8601 in UTC, as every instant of an answer is written. */
export function shownInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
