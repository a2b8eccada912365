import { type AccountHolder, categorisedAs, statedTypeOf } from "../model/account-holder.ts";
import type { EnrichItem, ItemHolder } from "../model/enrich-item.ts";
import type { Override } from "../model/tenant-settings.ts";
import type { HolderType, TransactionInput } from "../model/transaction.ts";

/** The type of account by which a transaction is categorised; null: by none. */
export function accountTypeOf(
  { details }: Pick<TransactionInput, "details">,
  holder: AccountHolder | null,
): HolderType | null {
  return holder === null ? (details?.accountHolderType ?? null) : statedTypeOf(holder);
}

/** @param override the corrected fields of the transaction, if it is enriched again */
export function toItem(
  input: TransactionInput,
  holder: AccountHolder | null,
  override: Override | null,
): EnrichItem {
  const { description, amount, entryType, currency, location, details } = input;
  const type = accountTypeOf(input, holder);
  return {
    description,
    amount,
    entryType,
    currency,
    accountType: type === null ? null : categorisedAs(type),
    rawAddress: location?.rawAddress ?? null,
    country: location?.country ?? null,
    mcc: details?.mcc ?? null,
    holder: type === null ? null : itemHolder(type, holder, details),
    override,
    model: details?.model ?? null,
  };
}

const itemHolder = (
  type: HolderType,
  holder: AccountHolder | null,
  details: TransactionInput["details"],
): ItemHolder => ({
  id: holder?.id ?? null,
  name: holder?.name ?? details?.accountHolderName ?? null,
  categorySetId: holder?.categoryId ?? type,
});
