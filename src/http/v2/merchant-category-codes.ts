import { readFileSync } from "node:fs";
import { z } from "zod";
import { jsonTextAnswer, type TextAnswer } from "../server/answer.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";

/** A code in four digits, a space and what it means, a line each; see NOTICE. */
const FILE = new URL("merchant-category-codes.txt", import.meta.url);
const CODE_LENGTH = 4;

const code = z.object({ code: z.string(), description: z.string() }).openapi("MCCCode");

export const codeComponents: readonly z.ZodType[] = [code];

let answer: TextAnswer | null = null;

/** Read at the first request: most services never get one. */
function codesAnswer(): TextAnswer {
  const lines = readFileSync(FILE, "utf8").trimEnd().split("\n");
  const codes = lines.map((line) => ({
    code: line.slice(0, CODE_LENGTH),
    description: line.slice(CODE_LENGTH + 1),
  }));
  return jsonTextAnswer(200, JSON.stringify(codes));
}

export const codeRoutes: readonly Route<unknown>[] = [
  defineRoute({
    method: "GET",
    path: "/v2/mcc",
    operationId: "list_merchant_category_codes",
    summary: "List the merchant category codes (ISO 18245)",
    tag: "Labels",
    isPublic: true,
    request: { path: nothing, query: nothing, body: null },
    success: z.array(code),
    errors: {},
    handle: () => Promise.resolve((answer ??= codesAnswer())),
  }),
];
