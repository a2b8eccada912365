import type { AccountHolder } from "../model/account-holder.ts";
import type { EnrichItem } from "../model/enrich-item.ts";
import type { CorrectedParts } from "../model/tenant-settings.ts";
import type { TransactionInput } from "../model/transaction.ts";

/** @param override the corrected fields of the transaction, if it is enriched again */
export function toItem(
  input: TransactionInput,
  holder: AccountHolder | null,
  override: CorrectedParts | null,
): EnrichItem {
  const { description, amount, entryType, currency, location } = input;
  return {
    description,
    amount,
    entryType,
    currency,
    accountType: holder?.type ?? null,
    rawAddress: location?.rawAddress ?? null,
    country: location?.country ?? null,
    holder:
      holder === null
        ? null
        : { id: holder.id, name: holder.name, categorySetId: holder.categoryId ?? holder.type },
    override,
  };
}
