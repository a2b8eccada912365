import type { RecogniserInput } from "../../model/transaction.ts";
import { type Answer, errorAnswer, jsonTextAnswer } from "../server/answer.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { explainInput, explanation } from "./schemas.ts";

/** The JSON text of an `Explanation`, null when the recogniser fails on the line. */
export type ExplainPort = (input: RecogniserInput) => Promise<string | null>;

export interface OpsServices {
  /** Null in a process that has no recogniser. */
  readonly explain: ExplainPort | null;
}

const NO_RECOGNISER =
  "This process does not recognise transactions: send the request to one with the role enrich";

/** Operations for operators: they need the role, and nothing of what they are asked is kept. */
export const opsRoutes: readonly Route<OpsServices>[] = [
  defineRoute({
    method: "POST",
    path: "/ops/explain",
    operationId: "explain",
    summary: "Explain how a transaction is recognised; nothing is stored",
    tag: "Operators",
    role: "operator",
    isNeverKept: true,
    request: { path: nothing, query: nothing, body: explainInput },
    success: explanation,
    errors: { 500: "The recogniser fails on it", 501: NO_RECOGNISER },
    handle: async ({ explain }: OpsServices, { body }): Promise<Answer> => {
      if (explain === null) return errorAnswer("not_served_here", NO_RECOGNISER);
      const text = await explain(body);
      return text === null
        ? errorAnswer("recognition_failed", "The recogniser fails on this transaction")
        : jsonTextAnswer(200, text);
    },
  }),
];
