import { describeRoutes, type OpenApiDocument } from "../server/openapi.ts";
import { problem, validationError } from "../v3/schemas.ts";
import { v2HolderComponents } from "./account-holder-schemas.ts";
import { FIELD_DOCS, PARAMETER_DOCS, SCHEMA_DOCS } from "./field-docs.ts";
import { OPERATION_DOCS } from "./operation-docs.ts";
import { v2ReportComponents } from "./report-schemas.ts";
import { v2Routes } from "./routes.ts";
import { correctionComponents } from "./corrections.ts";
import { recurrenceComponents } from "./recurrence.ts";
import { plainRuleComponents } from "../v3/rule-schemas.ts";
import { labelComponents } from "./labels.ts";
import { codeComponents } from "./merchant-category-codes.ts";
import { modelComponents } from "./model-schemas.ts";
import { ledgerComponents } from "./ledger-schemas.ts";
import { components } from "./schemas.ts";
import { infoComponents } from "../v3/statement-schemas.ts";
import { statementComponents } from "./statement-schemas.ts";
import { transactionComponents } from "./transaction-schemas.ts";

/** The OpenAPI 3.1 document of the v2 API, from the table that also serves it. */
export function buildV2OpenApi(): OpenApiDocument {
  return describeRoutes(v2Routes, {
    title: "Ledgerline API, version 2",
    version: "2",
    validationError,
    problem,
    docs: {
      operations: OPERATION_DOCS,
      schemas: SCHEMA_DOCS,
      fields: FIELD_DOCS,
      parameters: PARAMETER_DOCS,
    },
    components: [
      ...components,
      ...transactionComponents,
      ...correctionComponents,
      ...recurrenceComponents,
      ...v2HolderComponents,
      ...ledgerComponents,
      ...v2ReportComponents,
      ...infoComponents,
      ...statementComponents,
      ...labelComponents,
      ...plainRuleComponents,
      ...codeComponents,
      ...modelComponents,
    ],
  });
}
