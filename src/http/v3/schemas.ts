import { extendZodWithOpenApi } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { BATCH_LENGTH_MAX, BATCH_OPERATION } from "../../model/batch.ts";
import type { NewAccountHolder } from "../../model/account-holder.ts";
import { COUNTRIES } from "../../model/countries.ts";
import { CURRENCIES } from "../../model/currencies.ts";
import type { TransactionInput } from "../../model/transaction.ts";
import {
  boundedList,
  calendarDate,
  instantBound,
  longList,
  pageLimit,
  text,
} from "../server/fields.ts";
import { BATCH_PRIORITIES } from "../../shared/concurrency/priority.ts";

// Every request and answer of the v3 API, once: validation, types and the OpenAPI document come from here. Field names
// on the outside are the contract's; what a request schema puts out is in domain types.

// Adds `.openapi(name)`, which makes a schema a component of the document. The library offers no other way.
extendZodWithOpenApi(z);

const ID_LENGTH_MAX = 256;
const TEXT_LENGTH_MAX = 1024;
const DELETED_IDS_MAX = 1000;
const PAGE_LIMIT_DEFAULT = 10;
const TRANSACTION_PAGE_LIMIT_DEFAULT = 25;

export const id = text(1, ID_LENGTH_MAX);
export const anyText = z.string().nullish();
export const instant = z.string().openapi({ format: "date-time" });
export const double = z.number().openapi({ format: "double" });

export const entryType = z.enum(["incoming", "outgoing"]).openapi("EntryType");
export const accountType = z.enum(["consumer", "business"]).openapi("AccountType");
export const currency = z.enum(CURRENCIES).openapi("Currency");
const country = z.enum(COUNTRIES).openapi("Country");
const batchStatus = z.enum(["processing", "completed", "error"]).openapi("BatchStatus");
const batchPriority = z.enum(BATCH_PRIORITIES).openapi("BatchPriority");
const batchOperation = z.enum([BATCH_OPERATION]).openapi("BatchOperation");

// ---- Requests

export const idPath = z.object({ id });

const locationInput = z
  .object({ raw_address: text(0, TEXT_LENGTH_MAX).nullish(), country: country.nullish() })
  .openapi("LocationInput");

export const transactionInputObject = z
  .object({
    id,
    description: text(0, TEXT_LENGTH_MAX),
    date: calendarDate(),
    amount: z.number().min(0).openapi({ format: "double" }),
    entry_type: entryType,
    currency,
    account_holder_id: id.nullish(),
    location: locationInput.nullish(),
  })
  .openapi("TransactionInput");

export const transactionInput = transactionInputObject.transform(
  (input): TransactionInput => ({
    id: input.id,
    description: input.description,
    date: input.date,
    amount: input.amount,
    entryType: input.entry_type,
    currency: input.currency,
    accountHolderId: input.account_holder_id ?? null,
    location:
      input.location === null || input.location === undefined
        ? null
        : {
            rawAddress: input.location.raw_address ?? null,
            country: input.location.country ?? null,
          },
  }),
);

export const batchInput = z
  .object({
    operation: batchOperation,
    priority: batchPriority.nullish(),
    data: longList(transactionInput, { min: 1, max: BATCH_LENGTH_MAX }, "TransactionInput"),
  })
  .openapi("BatchInput");

export const newAccountHolder = z
  .object({
    id,
    type: accountType,
    name: text(0, TEXT_LENGTH_MAX).nullish(),
    category_id: id.nullish(),
  })
  .openapi("NewAccountHolder")
  .transform(
    (input): NewAccountHolder => ({
      id: input.id,
      type: input.type,
      name: input.name ?? null,
      categoryId: input.category_id ?? null,
    }),
  );

export const assignment = z.object({ account_holder_id: id }).openapi("Assignment");

export const deletedTransactions = z
  .object({ transaction_ids: boundedList(id, { min: 0, max: DELETED_IDS_MAX }, null) })
  .openapi("DeletedTransactions");

export const pageQuery = z.object({
  created_after: instantBound(),
  created_before: instantBound(),
  cursor: z.string().nullish(),
  limit: pageLimit(PAGE_LIMIT_DEFAULT),
});
/** The page a list was asked for. */
export type PageQuery = z.output<typeof pageQuery>;

export const batchQuery = pageQuery.extend({ status: batchStatus.nullish() });
export const transactionQuery = pageQuery.extend({
  limit: pageLimit(TRANSACTION_PAGE_LIMIT_DEFAULT),
  account_holder_id: id.nullish(),
});

// ---- Answers

const entityParentShape = {
  id: anyText,
  name: anyText,
  website: anyText,
  phone_number: anyText,
  tax_number: anyText,
  naics2017: anyText,
};
const entityParent = z.object(entityParentShape).openapi("EntityParent");
export const intermediaryShape = {
  ...entityParentShape,
  logo: anyText,
  mccs: z.array(z.int()).optional(),
  parent: entityParent.nullish(),
};
const intermediary = z.object(intermediaryShape).openapi("Intermediary");
export const counterpartyType = z.enum(["person", "organization"]).openapi("CounterpartyType");
export const counterparty = z
  .object({
    ...intermediaryShape,
    type: counterpartyType,
  })
  .openapi("Counterparty");
export const entities = z
  .object({
    counterparty: counterparty.nullish(),
    intermediaries: z.array(intermediary).optional(),
  })
  .openapi("Entities");

export const accountingCategory = z
  .enum([
    "operational expenses",
    "cost of goods sold",
    "revenue",
    "financing",
    "taxes",
    "investing",
    "not enough information",
  ])
  .openapi("AccountingCategory");
export const categories = z
  .object({ general: z.string().nullable(), accounting: accountingCategory.nullish() })
  .openapi("Categories");

const locationStructured = z
  .object({
    street: anyText,
    city: anyText,
    state: anyText,
    postcode: anyText,
    country_code: anyText,
    country: anyText,
    house_number: anyText,
    latitude: double.nullish(),
    longitude: double.nullish(),
    google_maps_url: anyText,
    apple_maps_url: anyText,
    store_number: anyText,
  })
  .openapi("LocationStructured");
export const location = z
  .object({ raw_address: anyText, structured: locationStructured.nullish() })
  .openapi("Location");

const transactionErrorCode = z
  .enum(["account_holder_not_found", "internal_error"])
  .openapi("TransactionErrorCode");
const transactionError = z
  .object({ code: transactionErrorCode, message: z.string() })
  .openapi("TransactionError");

const findings = {
  entities: entities.nullish(),
  categories: categories.nullish(),
  location: location.nullish(),
  confidence: double.nullish(),
  error: transactionError.nullish(),
};

export const enrichedTransaction = z
  .object({ created_at: instant, id: z.string(), ...findings })
  .openapi("EnrichedTransaction");

export const transaction = z
  .object({
    id: z.string(),
    description: z.string(),
    date: z.string().openapi({ format: "date" }),
    amount: double,
    entry_type: entryType,
    currency,
    created_at: instant,
    ...findings,
    account_holder_id: anyText,
  })
  .openapi("Transaction");

export const accountHolder = z
  .object({
    id: z.string(),
    type: accountType,
    name: anyText,
    category_id: anyText,
    created_at: instant,
  })
  .openapi("AccountHolder");

export const batch = z
  .object({
    id: z.string(),
    operation: batchOperation,
    status: batchStatus,
    priority: batchPriority,
    created_at: instant,
    updated_at: instant,
    progress: z.int(),
    total: z.int(),
  })
  .openapi("Batch");

export const batchResults = z
  .object({
    id: z.string(),
    total: z.int(),
    status: batchStatus,
    results: z.array(enrichedTransaction),
  })
  .openapi("BatchResults");

export const nextCursor = z.string().nullable();
export const transactionPage = z
  .object({ next_cursor: nextCursor, data: z.array(transaction) })
  .openapi("TransactionPage");
export const accountHolderPage = z
  .object({ next_cursor: nextCursor, data: z.array(accountHolder) })
  .openapi("AccountHolderPage");
export const batchPage = z
  .object({ next_cursor: nextCursor, data: z.array(batch) })
  .openapi("BatchPage");

// ---- Errors

const problemShape = {
  code: z.string().openapi({
    description: "The error code, for programs; the reference of errors lists all codes.",
    example: "account_holder_not_found",
  }),
  request_id: z.string().openapi({
    description: "The id of the request, as in the header `X-Request-ID` and in the log.",
    example: "5f0c2a52-1f0e-4f3e-9a63-3f2b8f6d7f10",
  }),
};
export const problem = z
  .object({
    detail: z.string().openapi({
      description: "The problem, in one sentence.",
      example: "Account holder not found",
    }),
    ...problemShape,
  })
  .openapi("Problem", { description: "Why a request was refused." });

const validationErrorEntry = z
  .object({
    loc: z.array(z.union([z.string(), z.int()])),
    msg: z.string(),
    type: z.string(),
    ctx: z.record(z.string(), z.unknown()).optional(),
  })
  .openapi("ValidationError");
export const validationError = z
  .object({ detail: z.array(validationErrorEntry).optional(), ...problemShape })
  .openapi("HTTPValidationError");

// ---- Document

/**
 * The components that others refer to, innermost first. A component takes its form from the first place the generator
 * meets it, and one that it meets as nullable would be nullable everywhere.
 */
export const components: readonly z.ZodType[] = [
  entryType,
  accountType,
  currency,
  country,
  batchStatus,
  batchOperation,
  locationInput,
  transactionInputObject,
  entityParent,
  intermediary,
  counterpartyType,
  counterparty,
  entities,
  accountingCategory,
  categories,
  locationStructured,
  location,
  transactionErrorCode,
  transactionError,
];
