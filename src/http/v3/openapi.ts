import { describeRoutes, type OpenApiDocument } from "../openapi.ts";
import { v3Routes } from "./routes.ts";
import { components, problem, validationError } from "./schemas.ts";

/** The OpenAPI 3.1 document of the v3 API, from the table that also serves it. */
export function buildOpenApi(): OpenApiDocument {
  return describeRoutes(v3Routes, {
    title: "Ledgerline API",
    version: "3",
    validationError,
    problem,
    components,
  });
}
