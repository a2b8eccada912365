import type { Request } from "express";
import type { Principal } from "../domain/api-key.ts";
import { errorAnswer, type TextAnswer } from "./answer.ts";

// The API key of a request, in `X-Api-Key` or as a bearer token (RFC 6750), and the refusals of requests without a good
// one. A missing key and a wrong one are told apart: the first is a mistake of the program, the second of its settings.

export interface AuthenticationPort {
  /** Null for a key that is unknown, revoked or expired. */
  authenticate(key: string): Promise<Principal | null>;
}

/** Who calls, or the refusal: 401 without a good key, 400 with two different ones. */
export async function authenticated(
  port: AuthenticationPort,
  request: Request,
): Promise<Principal | TextAnswer> {
  const header = request.get("X-Api-Key")?.trim() ?? "";
  const bearer = BEARER.exec(request.get("Authorization") ?? "")?.[1] ?? "";
  if (header !== "" && bearer !== "" && header !== bearer) return AMBIGUOUS;
  const key = header === "" ? bearer : header;
  if (key === "") return MISSING;
  return (await port.authenticate(key)) ?? INVALID;
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
