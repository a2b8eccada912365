import { z } from "zod";
import {
  CORRECTED_ADDRESS_LENGTH_MAX,
  CORRECTED_NAME_LENGTH_MAX,
  type CorrectedFields,
  REJECTION_REASON_LENGTH_MAX,
  type ReportMove,
} from "../../model/report.ts";
import { domainName, trimmedText } from "../server/fields.ts";
import { reportQuery, reportShape } from "../v3/report-schemas.ts";
import {
  accountingCategory,
  accountType,
  categories,
  counterparty,
  counterpartyType,
  entryType,
  id,
  instant,
  location,
  nextCursor,
  pageQuery,
  transaction,
} from "../v3/schemas.ts";

// Reports and corrections as operators see and settle them.

// ---- Requests

export const opsReportQuery = reportQuery.extend({ org: id.nullish() });
export const correctionQuery = pageQuery.extend({ org: id.nullish() });

const name = trimmedText(1, CORRECTED_NAME_LENGTH_MAX);

/** What is left out is not the same as null here. */
const correctedFields = z
  .object({
    merchant: name
      .nullable()
      .optional()
      .openapi({ description: "Null: the transaction has no counterparty." }),
    website: domainName(CORRECTED_NAME_LENGTH_MAX).nullable().optional(),
    type: counterpartyType.optional(),
    category: name.nullable().optional().openapi({
      description: "A built-in category, or one of the account holder's set.",
    }),
    accounting: accountingCategory.nullable().optional(),
    location: trimmedText(1, CORRECTED_ADDRESS_LENGTH_MAX)
      .nullable()
      .optional()
      .openapi({ description: "An address as people write it." }),
  })
  .check((context) => {
    const { merchant, website, type } = context.value;
    if (merchant !== null || (typeof website !== "string" && type === undefined)) return;
    refuse(context, ["merchant"], "without a merchant, leave out website and type");
  })
  .openapi("CorrectedFields", {
    description:
      "The correct values. Fields that are left out are not corrected; null: the transaction has none.",
  });

const moveStatus = z.enum(["pending", "resolved", "rejected"]).openapi("ReportMoveStatus");

export const reportMove = z
  .object({
    status: moveStatus,
    rejection_reason: trimmedText(1, REJECTION_REASON_LENGTH_MAX)
      .nullish()
      .openapi({ description: "Required for `rejected`, not allowed otherwise." }),
    corrected: correctedFields.nullish(),
  })
  .check((context) => {
    const { status, rejection_reason: reason, corrected } = context.value;
    const hasReason = typeof reason === "string";
    if (status === "rejected" && !hasReason)
      refuse(context, ["rejection_reason"], "a rejected report needs a reason");
    if (status !== "rejected" && hasReason)
      refuse(context, ["rejection_reason"], "only a rejected report has a reason");
    if (status !== "resolved" && corrected != null)
      refuse(context, ["corrected"], "only a resolved report corrects anything");
  })
  .openapi("ReportMove")
  .transform((input): ReportMove => {
    switch (input.status) {
      case "pending":
        return { status: "pending" };
      case "resolved":
        return { status: "resolved", corrected: fieldsOf(input.corrected ?? {}) };
      case "rejected":
        return { status: "rejected", rejectionReason: input.rejection_reason ?? "" };
    }
  });

type SentFields = {
  readonly [Field in keyof CorrectedFields]?: CorrectedFields[Field] | undefined;
};

/** Null when no field is named. */
function fieldsOf(sent: SentFields): CorrectedFields | null {
  const fields = Object.entries(sent).filter(([, value]) => value !== undefined);
  return fields.length === 0 ? null : Object.fromEntries(fields);
}

function refuse(
  context: { readonly issues: z.core.$ZodRawIssue[] },
  path: readonly string[],
  words: string,
): void {
  const params = { type: "value_error", msg: `Value error, ${words}` };
  context.issues.push({ code: "custom", input: null, path: [...path], params });
}

// ---- Answers

const expectedValue = z.union([z.string(), z.array(z.union([z.string(), z.number()]))]);

const opsReportShape = {
  ...reportShape,
  org: z.string().openapi({ description: "The organization that made the report." }),
  updated_at: instant.openapi({ description: "When the report got its status." }),
  expected: z.record(z.string(), expectedValue).openapi({
    description:
      "The right values as the customer sent them with a report of the v2 API, by their names there.",
  }),
};
const opsReport = z.object(opsReportShape).openapi("OperatorReport");
export const opsReportPage = z
  .object({ next_cursor: nextCursor, data: z.array(opsReport) })
  .openapi("OperatorReportPage");

export const opsReportDetail = z
  .object({
    ...opsReportShape,
    transaction: transaction
      .nullable()
      .openapi({ description: "As it is stored now; null when it was deleted." }),
  })
  .openapi("OperatorReportDetail");

const correctionDone = z
  .object({
    transaction: z
      .boolean()
      .openapi({ description: "Whether the transaction still existed and was corrected." }),
    clean_name: z.string().nullable().openapi({
      description:
        "The name in its line, by which later lines are matched; null: the line has no name.",
    }),
    correction_id: z.string().nullable().openapi({
      description:
        "The correction for later transactions of that name; null: no correction was made.",
    }),
  })
  .openapi("CorrectionDone");

export const movedReport = z
  .object({ ...opsReportShape, corrected: correctionDone.nullable() })
  .openapi("MovedReport");

const correction = z
  .object({
    id: z.string(),
    org: z.string(),
    created_at: instant,
    updated_at: instant,
    clean_name: z.string(),
    entry_type: entryType,
    account_type: accountType.nullable(),
    parts: z
      .object({
        counterparty: counterparty.nullish(),
        categories: categories.optional(),
        location: location.nullish(),
      })
      .openapi({ description: "Fields that are left out stay as they were recognised." }),
  })
  .openapi("Correction", {
    description: "Transactions of this name and direction get these fields.",
  });
export const correctionPage = z
  .object({ next_cursor: nextCursor, data: z.array(correction) })
  .openapi("CorrectionPage");

/** Innermost first, see the components of the API. */
export const opsReportComponents: readonly z.ZodType[] = [
  moveStatus,
  correctedFields,
  correctionDone,
];
