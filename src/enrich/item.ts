import type { AccountHolder } from "../model/account-holder.ts";
import type { CorrectedParts } from "../model/tenant-settings.ts";
import type { AccountType, EntryType, TransactionInput } from "../model/transaction.ts";

/** The fields of a transaction that the pool gets. */
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
  readonly override: CorrectedParts | null;
}

interface ItemHolder {
  readonly id: string;
  readonly name: string | null;
  /** The set that the holder names, or the default set of its type. */
  readonly categorySetId: string;
}

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
    holder: holder === null ? null : itemHolder(holder),
    override,
  };
}

function itemHolder({ id, name, type, categoryId }: AccountHolder): ItemHolder {
  return { id, name, categorySetId: categoryId ?? type };
}
