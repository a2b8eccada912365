import { z } from "zod";
import { jsonAnswer } from "../server/answer.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { accountHolderType, instant } from "./schemas.ts";

const model = z
  .object({ name: z.string(), created_at: instant, account_holder_type: accountHolderType })
  .openapi("CustomModel");

export const modelComponents: readonly z.ZodType[] = [model];

export const modelRoutes: readonly Route<unknown>[] = [
  defineRoute({
    method: "GET",
    path: "/v2/models",
    operationId: "list_models",
    summary: "List the custom models of the organization",
    tag: "Models",
    request: { path: nothing, query: nothing, body: null },
    success: z.array(model),
    errors: {},
    // No operation creates one, so that an organization has none; `model_name` is a 400 for the same reason.
    handle: () => Promise.resolve(jsonAnswer(200, [])),
  }),
];
