import { ACCOUNT_TYPE_CODES, type EnrichTask, type ExplainTask } from "../../workers/protocol.ts";
import type { AccountType, EntryType } from "../domain/transaction.ts";

/** What the recogniser looks at. */
export interface EnrichItem {
  readonly description: string;
  /** Units of the currency, never negative. */
  readonly amount: number;
  readonly entryType: EntryType;
  readonly currency: string;
  /** Null: no account holder, so no category is decided. */
  readonly accountType: AccountType | null;
  readonly rawAddress: string | null;
  readonly country: string | null;
}

/** Lays a chunk out by column, as it crosses to a thread. */
export function toTask(items: readonly EnrichItem[]): EnrichTask {
  return {
    kind: "enrich",
    descriptions: items.map((item) => item.description),
    amounts: Float64Array.from(items, (item) => item.amount),
    outgoing: Uint8Array.from(items, (item) => (item.entryType === "outgoing" ? 1 : 0)),
    currencies: items.map((item) => item.currency),
    accountTypes: Uint8Array.from(items, (item) => ACCOUNT_TYPE_CODES[item.accountType ?? "none"]),
    rawAddresses: items.map((item) => item.rawAddress),
    countries: items.map((item) => item.country),
  };
}

/** One transaction, to be explained. */
export const toExplainTask = (item: EnrichItem): ExplainTask => ({
  kind: "explain",
  description: item.description,
  amount: item.amount,
  outgoing: item.entryType === "outgoing",
  currency: item.currency,
  accountType: item.accountType ?? "none",
  rawAddress: item.rawAddress,
  country: item.country,
});
