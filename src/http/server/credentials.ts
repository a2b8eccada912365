import type { IncomingHttpHeaders } from "node:http";
import type { Request } from "express";
import { LIMITS_OF_SETTINGS, type Principal } from "../../model/api-key.ts";
import { errorAnswer, type TextAnswer } from "./answer.ts";

// The API key of a request, in `X-Api-Key` or as a bearer token (RFC 6750), and the refusals of requests without a good
// one. A missing key and a wrong one get different codes: the first is an error of the program, the second of its settings.

export interface AuthenticationPort {
  /** Null for a key that is unknown, revoked or expired. */
  authenticate(key: string): Promise<Principal | null>;
}

/** Who calls, or the refusal: 401 without a good key, or with two different ones. */
export async function authenticated(
  port: AuthenticationPort,
  request: Request,
): Promise<Principal | TextAnswer> {
  const [key, other] = sentKeys(request.headers);
  if (key === undefined) return MISSING;
  if (other !== undefined) return AMBIGUOUS;
  return (await port.authenticate(key)) ?? INVALID;
}

/** Who calls what is readable without a key. It has no organization and no role, and no limits are counted for it. */
export const ANONYMOUS: Principal = { org: "", keyId: "", roles: [], limits: LIMITS_OF_SETTINGS };

/** The different keys that a request carries. */
export function sentKeys(headers: IncomingHttpHeaders): readonly string[] {
  const header = String(headers["x-api-key"] ?? "").trim();
  const bearer = BEARER.exec(headers.authorization ?? "")?.[1] ?? "";
  return [...new Set([header, bearer])].filter((key) => key !== "");
}

/** Other schemes are ignored: a proxy in front may want credentials of its own. */
const BEARER = /^Bearer +(\S+) *$/i;

const REALM = 'Bearer realm="ledgerline"';
const challenge = (error: string, description: string): Readonly<Record<string, string>> => ({
  "WWW-Authenticate": `${REALM}, error="${error}", error_description="${description}"`,
});

// RFC 6750, 3.1: a request without any credentials gets no error code in its challenge.
const MISSING = errorAnswer(
  "missing_api_key",
  "Missing API key: send it in the header X-Api-Key, or as Authorization: Bearer",
  { "WWW-Authenticate": REALM },
);
const INVALID_DETAIL = "This API key is unknown, revoked or expired";
const INVALID = errorAnswer(
  "invalid_api_key",
  INVALID_DETAIL,
  challenge("invalid_token", INVALID_DETAIL),
);
const AMBIGUOUS_DETAIL = "X-Api-Key and Authorization carry different API keys";
const AMBIGUOUS = errorAnswer(
  "ambiguous_api_key",
  `${AMBIGUOUS_DETAIL}: send one of them`,
  challenge("invalid_request", AMBIGUOUS_DETAIL),
);
