import { describeRoutes, type OpenApiDocument } from "../server/openapi.ts";
import { operatorRoutes, type OperatorServices } from "../ops/routes.ts";
import { organizationComponents } from "../ops/organizations.ts";
import { opsReportComponents } from "../ops/report-schemas.ts";
import { opsComponents } from "../ops/schemas.ts";
import { auditComponents } from "./audit.ts";
import { categoryComponents } from "./category-schemas.ts";
import { FIELD_DOCS, PARAMETER_DOCS, SCHEMA_DOCS } from "./field-docs.ts";
import { OPERATION_DOCS } from "./operation-docs.ts";
import { reportComponents } from "./report-schemas.ts";
import { v3Routes, type V3Services } from "./routes.ts";
import { ruleComponents } from "./rule-schemas.ts";
import { components, problem, validationError } from "./schemas.ts";
import { statementComponents } from "./statement-schemas.ts";
import { webhookComponents } from "./webhook-schemas.ts";

/** The OpenAPI 3.1 document of the v3 API and of the operations for operators, from the tables that also serve them. */
export function buildOpenApi(): OpenApiDocument {
  return describeRoutes<V3Services & OperatorServices>([...v3Routes, ...operatorRoutes], {
    title: "Ledgerline API",
    version: "3",
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
      ...webhookComponents,
      ...ruleComponents,
      ...categoryComponents,
      ...reportComponents,
      ...statementComponents,
      ...auditComponents,
      ...opsReportComponents,
      ...organizationComponents,
      ...opsComponents,
    ],
  });
}
