import { z } from "zod";
import { BATCH_LENGTH_MAX } from "../../model/batch.ts";
import { CURRENCIES } from "../../model/currencies.ts";
import { MCC_MAX } from "../../model/rules.ts";
import { REVIEW_STATES } from "../../model/tenant-settings.ts";
import type { TransactionDetails, TransactionInput } from "../../model/transaction.ts";
import { calendarDate, longList, text } from "../server/fields.ts";
import {
  accountHolderType,
  anyText,
  countryCode,
  double,
  flag,
  id,
  instant,
  locationStructured,
  wholeNumber,
} from "./schemas.ts";

// Transactions as the v2 API takes and answers them, like `schemas.ts`.

/** Transactions of one synchronous call. */
const SYNC_LENGTH_MAX = 4_000;
export const TEXT_LENGTH_MAX = 1024;

// ---- Requests

export const anyEntryType = z
  .enum(["incoming", "outgoing", "credit", "debit"])
  .openapi("EntryType-Input");
export const currency = z.enum(CURRENCIES).openapi("Currency");

const transactionObject = z
  .object({
    transaction_id: id,
    account_holder_id: id.nullish(),
    account_holder_type: accountHolderType.nullish(),
    amount: z.number().min(0).openapi({ format: "double" }),
    entry_type: anyEntryType,
    date: calendarDate(),
    iso_currency_code: currency,
    description: text(0, TEXT_LENGTH_MAX),
    location: text(0, TEXT_LENGTH_MAX).nullish(),
    country: countryCode().nullish(),
    mcc: wholeNumber(0, MCC_MAX)
      .nullish()
      .openapi({ type: ["integer", "null"], minimum: 0, maximum: MCC_MAX }),
    account_holder_name: text(0, TEXT_LENGTH_MAX).nullish(),
  })
  .openapi("Transaction");

type SentTransaction = z.output<typeof transactionObject>;

export const ENTRY_TYPES = {
  incoming: "incoming",
  outgoing: "outgoing",
  credit: "incoming",
  debit: "outgoing",
} as const;

export const submittedTransaction = transactionObject.transform(
  (sent): TransactionInput => ({
    id: sent.transaction_id,
    description: sent.description,
    date: sent.date,
    amount: sent.amount,
    entryType: ENTRY_TYPES[sent.entry_type],
    currency: sent.iso_currency_code,
    accountHolderId: sent.account_holder_id ?? null,
    location: locationOf(sent),
    ...detailsOf(sent),
  }),
);

function locationOf({
  location = null,
  country = null,
}: SentTransaction): TransactionInput["location"] {
  return location === null && country === null ? null : { rawAddress: location, country };
}

function detailsOf(sent: SentTransaction): { details?: TransactionDetails } {
  const details = {
    mcc: sent.mcc ?? null,
    accountHolderName: sent.account_holder_name ?? null,
    accountHolderType: sent.account_holder_type ?? null,
  };
  return Object.values(details).every((value) => value === null) ? {} : { details };
}

export const syncTransactions = longList(
  submittedTransaction,
  { min: 1, max: SYNC_LENGTH_MAX },
  "Transaction",
);
export const asyncTransactions = longList(
  submittedTransaction,
  { min: 1, max: BATCH_LENGTH_MAX },
  "Transaction",
);

export const submissionQuery = z.object({
  model_name: text(1, 256).nullish(),
  create_account_holder: flag.nullish(),
  with_recurrence: flag.nullish(),
});

export const batchPath = z.object({ id });

// ---- Answers

export const recurrenceType = z
  .enum(["recurring", "subscription", "one off"])
  .openapi("RecurrenceType");
export const transactionType = z
  .enum(["business", "consumer", "unknown"])
  .openapi("TransactionType");
const recurrenceGroup = z
  .object({
    id: z.string(),
    first_payment_date: z.string().openapi({ format: "date" }).nullish(),
    latest_payment_date: z.string().openapi({ format: "date" }).nullish(),
    total_amount: double.nullish(),
    average_amount: double.nullish(),
    periodicity_in_days: double.nullish(),
    periodicity: anyText,
    other_party: anyText,
    confidence: anyText,
    transaction_ids: z.array(z.string()).nullish(),
  })
  .openapi("RecurrenceGroup");
export const namedEntity = z
  .object({ id: anyText, name: anyText, website: anyText, logo: anyText })
  .openapi("EntityOut");

/** The fields that are found out about a transaction. */
export const enrichedShape = {
  logo: anyText,
  website: anyText,
  location: anyText,
  location_structured: locationStructured.nullish(),
  merchant: anyText,
  merchant_id: anyText,
  // Always there: what distinguishes a result from an error.
  labels: z.array(z.string()).nullable(),
  recurrence: recurrenceType.nullish(),
  recurrence_group: recurrenceGroup.nullish(),
  recurrence_group_id: anyText,
  person: anyText,
  transaction_type: transactionType.nullish(),
  intermediaries: z.array(namedEntity).nullish(),
  mcc: z.array(z.int()).nullish(),
  confidence: double.nullish(),
  review_state: z.enum(REVIEW_STATES).nullish(),
};
export const enriched = z
  .object({ transaction_id: z.string(), ...enrichedShape })
  .openapi("EnrichedTransaction");
const failed = z
  .object({ transaction_id: z.string(), error: z.string(), error_details: anyText })
  .openapi("TransactionError");
export const enrichedList = z.array(z.union([enriched, failed]));

const v2BatchStatus = z.enum(["started", "finished", "error"]).openapi("BatchStatus");
export const batchResult = z
  .object({
    status: v2BatchStatus,
    created_at: instant,
    updated_at: instant,
    id: z.string(),
    progress: z.int().nullish(),
    total: z.int().nullish(),
    results: enrichedList.nullish(),
  })
  .openapi("BatchResult");

const missingHolders = z
  .object({ detail: anyText, missingIds: z.array(z.string()).nullish() })
  .openapi("MissingAccountHoldersError");

/** The components that others refer to, innermost first. */
export const transactionComponents: readonly z.ZodType[] = [
  anyEntryType,
  currency,
  transactionObject,
  recurrenceType,
  transactionType,
  recurrenceGroup,
  namedEntity,
  enriched,
  failed,
  v2BatchStatus,
  batchResult,
  missingHolders,
];
