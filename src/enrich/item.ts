import type { AccountHolder } from "../model/account-holder.ts";
import type { CorrectedParts } from "../model/tenant-settings.ts";
import type { AccountType, EntryType, TransactionInput } from "../model/transaction.ts";

/** What the pool is given of a transaction. */
export interface EnrichItem {
  readonly description: string;
  readonly amount: number;
  readonly entryType: EntryType;
  readonly currency: string;
  /** Null without a holder. */
  readonly accountType: AccountType | null;
  readonly rawAddress: string | null;
  readonly country: string | null;
  readonly holder: ItemHolder | null;
  readonly overlay: CorrectedParts | null;
}

interface ItemHolder {
  readonly id: string;
  readonly name: string | null;
  /** The set that the holder names, else the default one of its type. */
  readonly categorySetId: string;
}

/** @param overlay what was corrected about the transaction, if it is one that is enriched again */
export function toItem(
  input: TransactionInput,
  holder: AccountHolder | null,
  overlay: CorrectedParts | null,
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
    holder: holder === null ? null : itemHolder(holder),
    overlay,
  };
}

function itemHolder({ id, name, type, categoryId }: AccountHolder): ItemHolder {
  return { id, name, categorySetId: categoryId ?? type };
}
