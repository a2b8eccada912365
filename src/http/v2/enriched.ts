import { categorisedAs } from "../../model/account-holder.ts";
import type { Counterparty, Facts, Intermediary } from "../../model/facts.ts";
import { labelsIn } from "../../model/labels.ts";
import type { LedgerTransaction } from "../../model/ledger-transaction.ts";
import type { Review } from "../../model/tenant-settings.ts";
import type { HolderType, TransactionError } from "../../model/transaction.ts";
import { shownLocation } from "./location.ts";

// What was found out about a transaction, as the v2 API shows it: another view of the facts that the v3 API shows.
//
// | v2                                    | v3                                                                     |
// | ------------------------------------- | ---------------------------------------------------------------------- |
// | `merchant`, `merchant_id`             | `name` and `id` of a counterparty that is an organization              |
// | `person`                              | `name` of a counterparty that is a person                              |
// | `website`, `logo`, `mcc`              | `website`, `logo`, `mccs` of the counterparty                          |
// | `mcc` without a merchant              | the code that was sent, which v3 does not have                         |
// | `intermediaries`                      | the same, with four of their fields                                    |
// | `labels`                              | a list of the labels in `categories.general`, usually one              |
// | `transaction_type`                    | the type of the account: that of freelancers is `business`             |
// | `location`, `location_structured`     | `location.raw_address`, `location.structured`                          |
// | `confidence`                          | `confidence`                                                           |

/** Of a transaction that has neither an account holder nor a type of account. */
const MISSING_HOLDER_LABEL = "missing account holder information";
/** Where no category is decided. */
export const UNKNOWN_LABEL = "not enough information";

export interface EnrichedFields {
  readonly merchant: string | null;
  readonly merchant_id: string | null;
  readonly person: string | null;
  readonly website: string | null;
  readonly logo: string | null;
  readonly mcc: readonly number[];
  readonly labels: readonly string[];
  readonly transaction_type: "business" | "consumer" | "unknown";
  readonly location: string | null;
  readonly location_structured: object | null;
  readonly intermediaries: readonly object[];
  readonly confidence: number | null;
}

/**
 * @param type of the account by which the transaction was categorised; null: by none
 * @param sentMcc the merchant category code of the caller; null: none
 */
export function enrichedFields(
  facts: Facts | null,
  type: HolderType | null,
  sentMcc: number | null,
): EnrichedFields {
  return {
    ...shownParty(facts?.entities?.counterparty ?? null, sentMcc),
    labels: labelsOf(facts, type),
    transaction_type: transactionType(type),
    ...shownLocation(facts?.location ?? null),
    intermediaries: (facts?.entities?.intermediaries ?? []).map(shownIntermediary),
    confidence: facts?.confidence ?? null,
  };
}

/** A stored transaction with what its customer has decided, without its id and what repeats. */
export function storedFields(
  { facts, override, input }: LedgerTransaction,
  type: HolderType | null,
): EnrichedFields & { readonly review_state: string | null } {
  const found = facts === null ? null : (JSON.parse(facts) as Facts);
  return reviewedFields(found, type, input.details?.mcc ?? null, override?.review ?? null);
}

/** What was found out about a transaction, with what its customer has decided that is not among the facts. */
export const reviewedFields = (
  facts: Facts | null,
  type: HolderType | null,
  sentMcc: number | null,
  review: Review | null,
): EnrichedFields & { readonly review_state: string | null } => ({
  ...enrichedFields(facts, type, sentMcc),
  ...(review?.transactionType == null ? {} : { transaction_type: review.transactionType }),
  review_state: review?.state ?? null,
});

/** Why there is no result for a transaction. */
export const errorResource = (id: string, { code, message }: TransactionError): object => ({
  transaction_id: id,
  error: code,
  error_details: message,
});

type ShownParty = Pick<
  EnrichedFields,
  "merchant" | "merchant_id" | "person" | "website" | "logo" | "mcc"
>;

const NO_PARTY: ShownParty = {
  merchant: null,
  merchant_id: null,
  person: null,
  website: null,
  logo: null,
  mcc: [],
};

/** The codes of an organization have the one of the caller first, or rules have removed it; without one it is shown as it was sent. */
function shownParty(counterparty: Counterparty | null, sentMcc: number | null): ShownParty {
  const sent = sentMcc === null ? [] : [sentMcc];
  if (counterparty === null) return { ...NO_PARTY, mcc: sent };
  const { id, name, type, website, logo, mccs } = counterparty;
  const isSent = type === "person" && mccs.length === 0;
  const fields = { ...NO_PARTY, website, logo, mcc: isSent ? sent : mccs };
  return type === "person"
    ? { ...fields, person: name }
    : { ...fields, merchant: name, merchant_id: id };
}

function labelsOf(facts: Facts | null, type: HolderType | null): readonly string[] {
  if (type === null) return [MISSING_HOLDER_LABEL];
  return labelsIn(facts?.categories?.general ?? UNKNOWN_LABEL);
}

/** Clients know three types: freelancers do business. */
function transactionType(type: HolderType | null): EnrichedFields["transaction_type"] {
  return type === null || type === "unknown" ? "unknown" : categorisedAs(type);
}

const shownIntermediary = ({ id, name, website, logo }: Intermediary): object => ({
  id,
  name,
  website,
  logo,
});
