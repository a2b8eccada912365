import type { Request, Response } from "express";
import { mayWrite, type Role } from "../../model/api-key.ts";
import { type Answer, errorAnswer, noContent, retryAfter, withRepeatedDetail } from "./answer.ts";
import { exceptionsFor } from "./client-exceptions.ts";
import {
  announcesBody,
  type BodyLimits,
  type BodyRefusal,
  NO_BODY,
  readBody,
  type ReceivedBody,
} from "./body.ts";
import { ANONYMOUS, type AuthenticationPort, authenticated, sentKeys } from "./credentials.ts";
import type { Exchange, Exchanges, LogPort } from "./exchange.ts";
import { failureAnswer } from "./failure.ts";
import {
  answerOnce,
  IDEMPOTENCY_HEADER,
  type IdempotencyPort,
  keyError,
  requestFingerprint,
} from "./idempotency.ts";
import { readJson, WHOLE_BYTES_MAX } from "./json.ts";
import { type RateLimitPort, withinRate } from "./limits.ts";
import { type CheckedCall, type RawCall, type Route, takesKey } from "./route.ts";
import { sendAnswer } from "./send.ts";
import { createStepRunner, runAtOnce, type SlicedWork } from "./steps.ts";
import { createUploads, type UploadPorts } from "./upload-call.ts";
import { unprocessable } from "./validation.ts";

// What happens to a request on a known path, in this order: method, key, rate, role, content type, size, body, idempotency
// key, JSON, schema, handler. Each step costs more than the one before it, and none happens for a request that an
// earlier one refuses.

export interface RouterPorts extends AuthenticationPort, UploadPorts {
  readonly logger: LogPort;
  readonly idempotency: IdempotencyPort;
  readonly limits: RateLimitPort;
  /** Whether unknown names are refused in every request, and not only where the caller prefers it. */
  readonly isStrict: boolean;
  /** A new random id. */
  readonly newId: () => string;
}

export interface Router<Services> {
  /** Handles every method of one path, given the routes of that path. */
  path(routes: readonly Route<Services>[]): PathHandler;
}

/** `path` has the values of the path's parameters. */
export type PathHandler = (
  request: Request,
  response: Response,
  path: Readonly<Record<string, string>>,
) => Promise<void>;

export function createRouter<Services>(
  ports: RouterPorts,
  services: Services,
  exchanges: Exchanges,
  limitsOf: (org: string, bytesMax: number) => BodyLimits,
): Router<Services> {
  const steps = createStepRunner();
  const uploads = createUploads(ports, services);
  /** Most bodies are small: their work is done at once, and others need not wait for it. */
  const workFor =
    (org: string, { bytes }: ReceivedBody) =>
    <Result>(work: SlicedWork<Result>): Promise<Result> =>
      bytes.length > WHOLE_BYTES_MAX ? steps.run(org, work) : Promise.resolve(runAtOnce(work));

  async function answerRoute(
    route: Route<Services>,
    request: Request,
    response: Response,
    path: RawCall["path"],
  ): Promise<Answer> {
    const exchange = exchanges.of(request);
    if (route.isPublic === true && sentKeys(request.headers).length === 0)
      return answerAdmitted(route, request, response, { principal: ANONYMOUS, path });
    const principal = await authenticated(ports, request);
    if ("kind" in principal)
      return route.repeatsDetail === true ? withRepeatedDetail(principal) : principal;
    exchange.principal = principal;
    return withinRate(ports.limits, principal, () =>
      mayUse(principal.roles, route)
        ? answerAdmitted(route, request, response, { principal, path })
        : Promise.resolve(WRONG_ROLE),
    );
  }

  /** Answers a request of a key that may send it. */
  async function answerAdmitted(
    route: Route<Services>,
    request: Request,
    response: Response,
    { principal, path }: Pick<RawCall, "principal" | "path">,
  ): Promise<Answer> {
    const exchange = exchanges.of(request);
    const limits = limitsOf(principal.org, route.request.bounds.bytesMax);
    const isStrict = handlesStrictly(request, response) || ports.isStrict;
    const parts = { principal, path, isStrict, ...partsOf(request, exchange) };
    const { upload } = route.request;
    if (upload !== null)
      return uploads.answer({ route, upload, parts, limits, exchange }, request, response);
    const body = await receive(route, request, response, limits);
    if ("kind" in body) return body;
    exchange.bytesIn = body.bytes.length;
    try {
      const call = { route, parts, body, work: workFor(principal.org, body) };
      return await answerCall(ports, services, call, request.get(IDEMPOTENCY_HEADER));
    } finally {
      // Nothing was checked, and the bytes are still held, when the idempotency key alone decided.
      body.release();
    }
  }

  return {
    path: (routes) => {
      const byMethod = new Map(routes.map((route) => [route.method as string, route]));
      return async (request, response, path) => {
        const exchange = exchanges.of(request);
        exchange.route = routes[0]?.path ?? exchange.route;
        const route = byMethod.get(request.method === "HEAD" ? "GET" : request.method);
        await answerSafely(exchange, ports.logger, response, () =>
          route === undefined
            ? Promise.resolve(methodAnswer(request.method, [...byMethod.keys()]))
            : answerRoute(route, request, response, path),
        );
      };
    },
  };
}

const partsOf = (
  request: Request,
  { requestId }: Exchange,
): Pick<RawCall, "query" | "requestId" | "client"> => ({
  query: queryValues(request),
  requestId,
  client: exceptionsFor(request.get("User-Agent")),
});

/** A request that was received whole, and how its work is done. */
interface RoutedCall<Services> {
  readonly route: Route<Services>;
  readonly parts: Omit<RawCall, "body" | "resourceId">;
  readonly body: ReceivedBody;
  work<Result>(steps: SlicedWork<Result>): Promise<Result>;
}

async function answerCall<Services>(
  ports: RouterPorts,
  services: Services,
  { route, parts, body, work }: RoutedCall<Services>,
  keySent: string | undefined,
): Promise<Answer> {
  // Parsed only here, after any wait for the key's store: a tree takes many times the memory of its text.
  const respond = async (resourceId: () => string): Promise<Answer> => {
    const checked = await work(checkBody(route, { ...parts, resourceId }, body));
    return checked.ok ? checked.handle(services) : checked.answer;
  };
  const key = takesKey(route) ? keySent : undefined;
  if (key === undefined) return respond(ports.newId);
  const wrongKey = keyError(key);
  if (wrongKey !== null) return unprocessable([wrongKey]);
  const keyed = {
    org: parts.principal.org,
    route: `${route.method} ${route.path}`,
    key,
    fingerprint: await work(requestFingerprint(parts, body.bytes)),
  };
  return answerOnce(ports.idempotency, ports.logger, keyed, (id) => respond(() => id));
}

/** Sends what `work` answers; an exception becomes an error answer, or a cut connection when the answer has begun. */
export async function answerSafely(
  exchange: Exchange,
  logger: LogPort,
  response: Response,
  work: () => Promise<Answer>,
): Promise<void> {
  try {
    await sendAnswer(exchange, response, await work());
  } catch (error) {
    const answer = failureAnswer(exchange, logger, error);
    if (response.headersSent) response.destroy();
    else await sendAnswer(exchange, response, answer);
  }
}

/** OPTIONS tells what there is; any other method that is not offered is refused with the same list. */
export function methodAnswer(method: string, offered: readonly string[]): Answer {
  const heads = offered.includes("GET") ? ["HEAD"] : [];
  const headers = { Allow: [...offered, ...heads, "OPTIONS"].sort().join(", ") };
  return method === "OPTIONS"
    ? noContent(headers)
    : errorAnswer("method_not_allowed", METHOD, headers);
}

/** `read` may look, `write` and `admin` may do everything of this API; `operator` alone is for the installation. */
function mayUse(
  roles: readonly Role[],
  { method, role, isSafe }: Pick<Route<unknown>, "method" | "role" | "isSafe">,
): boolean {
  if (role !== undefined) return roles.includes(role);
  if (mayWrite(roles)) return true;
  return (method === "GET" || isSafe === true) && roles.includes("read");
}

/** Gives the body back once it is checked: until then its tree is in memory, which the budget stands for as well. */
function* checkBody<Services>(
  route: Route<Services>,
  parts: Omit<RawCall, "body">,
  body: ReceivedBody,
): SlicedWork<CheckedCall<Services>> {
  const { valuesMax } = route.request.bounds;
  try {
    const json = yield* readJson(body.bytes, valuesMax);
    if (json.ok) return yield* route.check({ ...parts, body: json.value });
    const answer =
      json.reason === "invalid"
        ? unprocessable([json.error])
        : errorAnswer(
            "body_too_large",
            `Request body must have at most ${String(valuesMax)} JSON values`,
          );
    return { ok: false, answer };
  } finally {
    body.release();
  }
}

async function receive(
  route: Pick<Route<unknown>, "request">,
  request: Request,
  response: Response,
  limits: BodyLimits,
): Promise<ReceivedBody | Answer> {
  if (route.request.body === null || !announcesBody(request)) return NO_BODY;
  const isJson = isJsonType(request.get("Content-Type") ?? "");
  const coding = request.headers["transfer-encoding"]?.toLowerCase();
  const chunked = coding !== undefined;
  // Node decodes the chunks and no other transfer coding.
  if (chunked && coding !== "chunked") return UNKNOWN_CODING;
  // A chunked body may be empty, and an empty one needs no type: only reading shows it.
  if (!isJson && !chunked) return NOT_JSON;
  const reading = await readBody(request, response, {
    ...limits,
    bytesMax: isJson ? limits.bytesMax : 0,
  });
  if (reading.ok) return reading;
  if (!isJson && reading.reason === "too_large") return NOT_JSON;
  return bodyRefusals(limits.bytesMax)[reading.reason];
}

/** JSON under any of its names. UTF-8 is its only encoding, so that another charset is refused, not guessed at. */
function isJsonType(contentType: string): boolean {
  const [type = "", ...parameters] = contentType.toLowerCase().split(";");
  const isUtf8 = parameters.every((parameter) => {
    const [name = "", value = ""] = parameter.split("=");
    return name.trim() !== "charset" || /^"?utf-?8"?$/.test(value.trim());
  });
  return isUtf8 && /^application\/(?:[^\s/]+\+)?json$/.test(type.trim());
}

const METHOD = "Method not allowed on this path";
const WRONG_ROLE = errorAnswer(
  "missing_role",
  "This API key does not have the role for this operation",
);
const UNKNOWN_CODING = errorAnswer(
  "unsupported_transfer_encoding",
  "Transfer-Encoding must be chunked",
);
const NOT_JSON = errorAnswer(
  "unsupported_media_type",
  "Request body must be application/json in UTF-8",
);

function bodyRefusals(bytesMax: number): Readonly<Record<BodyRefusal, Answer>> {
  return {
    too_large: errorAnswer(
      "body_too_large",
      `Request body must be at most ${String(bytesMax)} bytes`,
    ),
    over_budget: errorAnswer("overloaded", "Too many request bodies at once", retryAfter(1)),
    cut_off: errorAnswer("body_cut_off", "Request body was cut off"),
    bad_encoding: errorAnswer(
      "body_not_decodable",
      "Request body does not match its Content-Encoding",
    ),
    unknown_encoding: errorAnswer(
      "unsupported_content_encoding",
      "Content-Encoding must be gzip, deflate, br or identity",
    ),
  };
}

/** Whether the caller sent `Prefer: handling=strict` (RFC 7240), alone or among others; confirmed by a header. */
function handlesStrictly(request: Request, response: Response): boolean {
  const preferred = /(?:^|[,;])\s*handling\s*=\s*"?strict"?\s*(?:$|[,;])/i;
  if (!preferred.test(request.get("Prefer") ?? "")) return false;
  response.setHeader("Preference-Applied", "handling=strict");
  return true;
}

/** Query parameters by name; the last of a repeated one wins. */
function queryValues(request: Request): Record<string, string> {
  const start = request.originalUrl.indexOf("?");
  const parameters = new URLSearchParams(start < 0 ? "" : request.originalUrl.slice(start));
  return Object.fromEntries(parameters);
}
