import type { Request } from "express";
import { type Answer, errorAnswer } from "../server/answer.ts";
import { type AuthenticationPort, authenticated } from "../server/credentials.ts";
import type { OpsPage } from "./page.ts";

export interface MetricsPort {
  text(): Promise<{ readonly contentType: string; readonly body: string }>;
}

/**
 * Metrics show how much every customer sends. They are open only to this machine: on a
 * loopback address, and under a name of it. A web page can have a name of its own resolve to 127.0.0.1 (DNS rebinding) and
 * read what is open there; its requests carry that name in Host. Elsewhere they need an operator's key, as `X-Api-Key` or,
 * for scrapers that support nothing else, as a bearer token.
 */
export function metricsPages(
  metrics: MetricsPort,
  keys: AuthenticationPort,
  isLoopback: () => boolean,
): readonly OpsPage[] {
  return [
    {
      path: "/metrics",
      answer: async (request) => {
        const isOpen = isLoopback() && isLoopbackHost(request.headers.host);
        const refusal = isOpen ? null : await refuseUnlessOperator(keys, request);
        if (refusal !== null) return refusal;
        const { contentType, body } = await metrics.text();
        return { kind: "text", status: 200, headers: { "Content-Type": contentType }, body };
      },
    },
  ];
}

/** `localhost`, an IPv4 address of 127.0.0.0/8 or `[::1]`, with any port. HTTP/1.0 has no Host, and browsers always send it. */
const LOOPBACK_HOST = /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

function isLoopbackHost(host: string | undefined): boolean {
  return host === undefined || LOOPBACK_HOST.test(host);
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
