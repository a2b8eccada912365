import { z } from "zod";
import { type NewReport, REPORT_STATUSES } from "../../model/report.ts";
import { boundedList, text } from "../server/fields.ts";
import { anyText, id, instant, nextCursor, pageQuery } from "./schemas.ts";

// Reports, like `schemas.ts`.

const DESCRIPTION_LENGTH_MAX = 1024;
const FIELDS_MAX = 50;
const FIELD_LENGTH_MAX = 256;

const reportStatus = z.enum(REPORT_STATUSES).openapi("ReportStatus");

// ---- Requests

export const newReport = z
  .object({
    transaction_id: id,
    description: text(0, DESCRIPTION_LENGTH_MAX).openapi({ description: "What is wrong." }),
    fields: boundedList(text(1, FIELD_LENGTH_MAX), { min: 0, max: FIELDS_MAX }, null).openapi({
      description: "Names of the fields that are wrong.",
    }),
  })
  .openapi("ReportBase")
  .transform(
    (input): NewReport => ({
      transactionId: input.transaction_id,
      description: input.description,
      fields: input.fields,
      expected: {},
      webhookUrl: null,
    }),
  );

export const reportQuery = pageQuery.extend({ status: reportStatus.nullish() });

// ---- Answers

export const reportShape = {
  transaction_id: z.string(),
  description: z.string(),
  fields: z.array(z.string()),
  id: z.string(),
  created_at: instant,
  status: reportStatus,
  rejection_reason: anyText,
};
export const report = z.object(reportShape).openapi("Report");

export const reportPage = z
  .object({ next_cursor: nextCursor, data: z.array(report) })
  .openapi("ReportPage");

/** Innermost first, see the components of `schemas.ts`. */
export const reportComponents: readonly z.ZodType[] = [reportStatus];
