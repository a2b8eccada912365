import type { Request } from "express";
import { type Answer, errorAnswer } from "../answer.ts";
import { type AuthenticationPort, authenticated } from "../credentials.ts";
import type { Page } from "./page.ts";

export interface MetricsPort {
  text(): Promise<{ readonly contentType: string; readonly body: string }>;
}

/**
 * Metrics tell how much every customer sends, so that they are open only where nobody but this machine can ask.
 * Elsewhere they need an operator's key, as `X-Api-Key` or, for scrapers that know nothing else, as a bearer token.
 */
export function metricsPages(
  metrics: MetricsPort,
  keys: AuthenticationPort,
  isLoopback: () => boolean,
): readonly Page[] {
  return [
    {
      path: "/metrics",
      answer: async (request) => {
        const refusal = isLoopback() ? null : await refuseUnlessOperator(keys, request);
        if (refusal !== null) return refusal;
        const { contentType, body } = await metrics.text();
        return { kind: "text", status: 200, headers: { "Content-Type": contentType }, body };
      },
    },
  ];
}

async function refuseUnlessOperator(
  keys: AuthenticationPort,
  request: Request,
): Promise<Answer | null> {
  const principal = await authenticated(keys, request);
  if ("kind" in principal) return principal;
  if (principal.roles.includes("operator")) return null;
  return errorAnswer("missing_role", "Metrics need an API key with the role operator");
}
