import type { Request } from "express";
import type { Principal } from "../../domain/api-key.ts";
import { type Answer, errorAnswer } from "../answer.ts";
import type { Page } from "./page.ts";

export interface MetricsPort {
  text(): Promise<{ readonly contentType: string; readonly body: string }>;
}

interface KeyPort {
  authenticate(key: string): Promise<Principal | null>;
}

/**
 * Metrics tell how much every customer sends, so that they are open only where nobody but this machine can ask.
 * Elsewhere they need an operator's key, as `X-Api-Key` or, for scrapers that know nothing else, as a bearer token.
 */
export function metricsPages(
  metrics: MetricsPort,
  keys: KeyPort,
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

async function refuseUnlessOperator(keys: KeyPort, request: Request): Promise<Answer | null> {
  const bearer = /^Bearer +(\S+)$/i.exec(request.get("Authorization") ?? "")?.[1];
  const key = request.get("X-Api-Key") ?? bearer;
  const principal = key === undefined || key === "" ? null : await keys.authenticate(key);
  if (principal === null) return errorAnswer(401, "Missing or unknown API key");
  if (principal.roles.includes("operator")) return null;
  return errorAnswer(403, "Metrics need an API key with the role operator");
}
