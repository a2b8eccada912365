import { z } from "zod";
import {
  type HolderDetails,
  type HolderReplacement,
  holderTypes,
  LOAN_STATES,
  type NewAccountHolder,
} from "../../model/account-holder.ts";
import { pageLimit, queryNumber, text } from "../server/fields.ts";
import { accountHolderType, anyText, double, flag, id, instant, sortOrder } from "./schemas.ts";

// What the operations of account holders take and answer.

const TEXT_LENGTH_MAX = 1024;
/** The URLs that browsers and proxies are sure to take. */
const URL_LENGTH_MAX = 2048;
/** Above every page that there can be. */
const PAGE_MAX = 1_000_000;
const PER_PAGE_DEFAULT = 50;

const name = text(0, TEXT_LENGTH_MAX);
const url = text(0, URL_LENGTH_MAX);

const loanState = z.enum(LOAN_STATES).openapi("LoanState");
const company = z
  .object({ loan_state: loanState, logo: url.nullish() })
  .openapi("AccountHolderCompany");
const ownFields = z.object({
  type: accountHolderType,
  name: name.nullish(),
  industry: text(0, TEXT_LENGTH_MAX).nullish(),
  website: url.nullish(),
  company: company.nullish(),
});

export const v2HolderReplacement = ownFields.openapi("AccountHolderWrite").transform(
  (sent): HolderReplacement => ({
    ...holderTypes(sent.type),
    name: sent.name ?? null,
    ...detailsOf(sent),
  }),
);

/** The id is null when the caller leaves the choice to us. */
export const v2NewHolder = ownFields
  .extend({ id: id.nullish() })
  .openapi("AccountHolderCreate")
  .transform((sent): Omit<NewAccountHolder, "id"> & { readonly id: string | null } => ({
    id: sent.id ?? null,
    ...holderTypes(sent.type),
    name: sent.name ?? null,
    categoryId: null,
    ...detailsOf(sent),
  }));

export const v2HolderName = z.object({ name }).openapi("AccountHolderName");

export const v2HolderPath = z.object({ account_holder_id: id });

export const v2HolderQuery = z.object({
  page: queryNumber(0, PAGE_MAX, 0),
  per_page: pageLimit(PER_PAGE_DEFAULT),
  query: text(0, TEXT_LENGTH_MAX).nullish(),
  sort_by: text(0, TEXT_LENGTH_MAX).nullish(),
  sort_order: sortOrder.nullish(),
  named_only: flag.nullish(),
  with_confidence: flag.nullish(),
});

function detailsOf({ industry, website, company }: z.output<typeof ownFields>): {
  details?: HolderDetails;
} {
  const details = {
    industry: industry ?? null,
    website: website ?? null,
    company: company == null ? null : { loanState: company.loan_state, logo: company.logo ?? null },
  };
  return Object.values(details).every((value) => value === null) ? {} : { details };
}

// ---- Answers

const shownFields = z.object({
  id: z.string(),
  type: accountHolderType,
  name: anyText,
  industry: anyText,
  website: anyText,
  company: company.nullish(),
  created_at: instant.nullish(),
  mean_labeler_confidence: double.nullish(),
  total_revenue: double.nullish(),
  application_time: instant.nullish(),
  alerts: z.record(z.string(), z.unknown()),
  review_percentage: double.nullish(),
});

export const v2Holder = shownFields.openapi("AccountHolder");
export const v2HolderWithCounts = shownFields
  .extend({ num_transactions: z.int().nullish() })
  .openapi("AccountHolderWithCounts");
export const v2HolderList = z.array(v2Holder);
/** The contract has no answer to a new name. */
export const v2Renamed = z.null();
export const v2Success = z.object({ status: z.enum(["success"]) }).openapi("EmptyResponse");

export const v2HolderComponents: readonly z.ZodType[] = [
  loanState,
  company,
  v2HolderReplacement,
  v2NewHolder,
  v2HolderName,
  v2Holder,
  v2HolderWithCounts,
  v2Success,
];
