import type { RequestHandler } from "express";
import { WARNING_HEADER } from "./answer.ts";

// Cross-origin requests of browsers, for the origins that the operator names. Never with credentials: there are no
// cookies, and the key is a header that the page itself sends.

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const REQUEST_HEADERS =
  "Authorization, Content-Type, Idempotency-Key, Prefer, X-Api-Key, X-Request-ID";
/** What a page may read beyond the few headers that browsers always show. */
const RESPONSE_HEADERS = [
  "Allow",
  "Idempotency-Replayed",
  WARNING_HEADER,
  "Preference-Applied",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "WWW-Authenticate",
  "X-Request-ID",
].join(", ");
/** Browsers keep the answer to a preflight request for so long; some for no more than ten minutes. */
const PREFLIGHT_SECONDS = 600;

/** @param origins exact origins such as `https://app.example.com`; none: no header is ever added */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  if (origins.length === 0)
    return (_request, _response, next) => {
      next();
    };
  const allowed = new Set(origins);
  return (request, response, next) => {
    // Also where nothing is allowed: a cache must not give one origin the answer to another.
    response.vary("Origin");
    const origin = request.get("Origin");
    if (origin === undefined || !allowed.has(origin)) {
      next();
      return;
    }
    response.setHeader("Access-Control-Allow-Origin", origin);
    const isPreflight =
      request.method === "OPTIONS" && request.get("Access-Control-Request-Method") !== undefined;
    if (!isPreflight) {
      response.setHeader("Access-Control-Expose-Headers", RESPONSE_HEADERS);
      next();
      return;
    }
    response.setHeader("Access-Control-Allow-Methods", METHODS);
    response.setHeader("Access-Control-Allow-Headers", REQUEST_HEADERS);
    response.setHeader("Access-Control-Max-Age", PREFLIGHT_SECONDS);
    response.status(204).end();
  };
}
