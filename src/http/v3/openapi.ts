import { describeRoutes, type OpenApiDocument } from "../openapi.ts";
import { opsRoutes, type OpsServices } from "../ops/explain.ts";
import { opsComponents } from "../ops/schemas.ts";
import { v3Routes, type V3Services } from "./routes.ts";
import { components, problem, validationError } from "./schemas.ts";
import { webhookComponents } from "./webhook-schemas.ts";

/** The OpenAPI 3.1 document of the v3 API and of the operations for operators, from the tables that also serve them. */
export function buildOpenApi(): OpenApiDocument {
  return describeRoutes<V3Services & OpsServices>([...v3Routes, ...opsRoutes], {
    title: "Ledgerline API",
    version: "3",
    validationError,
    problem,
    components: [...components, ...webhookComponents, ...opsComponents],
  });
}
