import { z } from "zod";
import type { ExpectedValue, NewReport } from "../../model/report.ts";
import { MCC_MAX } from "../../model/rules.ts";
import { boundedList, text, queryNumber } from "../server/fields.ts";
import { anyText, id, instant, wholeNumber } from "./schemas.ts";

// Reports as the v2 API takes and answers them, like `schemas.ts`.

const NOTES_LENGTH_MAX = 1024;
const VALUE_LENGTH_MAX = 1024;
const LABEL_LENGTH_MAX = 256;
const LIST_LENGTH_MAX = 50;
const URL_LENGTH_MAX = 2048;
const PER_PAGE_MAX = 10_000;
const PER_PAGE_DEFAULT = 1_000;
/** Above every page that there can be. */
const PAGE_MAX = 2 ** 31 - 1;

/** What the v3 API calls the fields of the v2 API that can be reported; those without another name exist in this one alone. */
export const REPORTED_FIELDS = {
  logo: "entities.counterparty.logo",
  website: "entities.counterparty.website",
  location: "location.raw_address",
  merchant: "entities.counterparty.name",
  merchant_id: "entities.counterparty.id",
  labels: "categories.general",
  // A counterparty that is a person.
  person: "entities.counterparty.name",
  recurrence: "recurrence",
  recurrence_group_id: "recurrence_group_id",
  mcc: "entities.counterparty.mccs",
} as const;

const FIELDS = Object.keys(REPORTED_FIELDS) as (keyof typeof REPORTED_FIELDS)[];

const reportStatus = z.enum(["open", "resolved", "invalid", "pending"]).openapi("ReportStatus");
export type V2ReportStatus = z.output<typeof reportStatus>;

// ---- Requests

const value = text(0, VALUE_LENGTH_MAX).nullish();
const address = text(0, URL_LENGTH_MAX).nullish();
const list = { min: 0, max: LIST_LENGTH_MAX };
const code = wholeNumber(0, MCC_MAX).meta({ type: "integer", minimum: 0, maximum: MCC_MAX });

const reportObject = z
  .object({
    transaction_id: id,
    logo: address,
    website: address,
    location: value,
    merchant: value,
    merchant_id: value,
    labels: boundedList(text(0, LABEL_LENGTH_MAX), list, null).nullish(),
    person: value,
    recurrence: value,
    recurrence_group_id: value,
    mcc: boundedList(code, list, null).nullish(),
    notes: text(0, NOTES_LENGTH_MAX).nullish(),
    webhook_url: text(1, URL_LENGTH_MAX).nullish(),
  })
  .openapi("EnrichmentReport");

/** Clients send null for what they leave out. */
export const submittedReport = reportObject.transform((sent): NewReport => {
  const expected: Record<string, ExpectedValue> = {};
  const fields = new Set<string>();
  for (const field of FIELDS) {
    const right = sent[field];
    if (right == null) continue;
    expected[field] = right;
    fields.add(REPORTED_FIELDS[field]);
  }
  return {
    transactionId: sent.transaction_id,
    description: sent.notes ?? "",
    fields: [...fields],
    expected,
    webhookUrl: sent.webhook_url ?? null,
  };
});

export const v2ReportQuery = z.object({
  page: queryNumber(0, PAGE_MAX, 0),
  per_page: queryNumber(1, PER_PAGE_MAX, PER_PAGE_DEFAULT),
  status: reportStatus.nullish(),
  transaction_id: id.nullish(),
});

export const reportPath = z.object({ id });

// ---- Answers

export const v2Report = z
  .object({
    id: z.string(),
    status: reportStatus,
    created_at: instant,
    transaction_id: z.string(),
    webhook_url: anyText,
    fields: z.record(z.string(), z.string()).nullish(),
    notes: anyText,
  })
  .openapi("EnrichmentReportResponse");

export const v2ReportPage = z
  .object({ pages: z.int(), reports: z.array(v2Report) })
  .openapi("EnrichmentReportPage");

/** Innermost first, like `components` of `schemas.ts`. */
export const v2ReportComponents: readonly z.ZodType[] = [reportStatus];
