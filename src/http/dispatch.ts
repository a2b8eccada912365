import type { Request, RequestHandler, Response } from "express";
import type { Principal, Role } from "../domain/api-key.ts";
import { type Answer, errorAnswer, noContent, retryAfter } from "./answer.ts";
import {
  announcesBody,
  type BodyLimits,
  type BodyReading,
  type BodyRefusal,
  readBody,
} from "./body.ts";
import type { Exchange, Exchanges, LogPort } from "./exchange.ts";
import { failureAnswer } from "./failure.ts";
import {
  answerOnce,
  IDEMPOTENCY_HEADER,
  type IdempotencyPort,
  keyError,
  requestFingerprint,
} from "./idempotency.ts";
import { readJson } from "./json.ts";
import type { Route } from "./route.ts";
import { sendAnswer } from "./send.ts";
import { unprocessable } from "./validation.ts";

// What happens to a request on a known path, in this order: method, key, role, content type, size, body, JSON, schema,
// handler. Each step costs more than the one before it, and none happens for a request that an earlier one refuses.

export interface DispatchPorts {
  readonly logger: LogPort;
  readonly idempotency: IdempotencyPort;
  /** A new random id. */
  readonly newId: () => string;
  authenticate(key: string): Promise<Principal | null>;
}

export interface Dispatcher<Services> {
  /** Handles every method of one path, given the routes of that path. */
  path(routes: readonly Route<Services>[]): RequestHandler;
}

export function createDispatcher<Services>(
  ports: DispatchPorts,
  services: Services,
  exchanges: Exchanges,
  limits: BodyLimits,
): Dispatcher<Services> {
  async function answerRoute(
    route: Route<Services>,
    request: Request,
    response: Response,
  ): Promise<Answer> {
    const exchange = exchanges.of(request);
    const principal = await authenticated(ports, request);
    if (principal === null) return errorAnswer(401, "Missing or unknown API key");
    exchange.principal = principal;
    if (!mayUse(principal.roles, route.method)) {
      return errorAnswer(403, "This API key does not have the role for this operation");
    }
    if (route.request.body === null) return answerCall(route, request, exchange, principal, null);
    const body = await receive(request, response, limits);
    if ("kind" in body) return body;
    exchange.bytesIn = body.bytes.length;
    return answerCall(route, request, exchange, principal, body);
  }

  /** Parses and handles a request that was received whole. */
  async function answerCall(
    route: Route<Services>,
    request: Request,
    exchange: Exchange,
    principal: Principal,
    body: ReceivedBody | null,
  ): Promise<Answer> {
    const path = pathValues(request);
    const key = route.method === "POST" ? request.get(IDEMPOTENCY_HEADER) : undefined;
    const fingerprint =
      key === undefined ? "" : requestFingerprint(Object.values(path), body?.bytes ?? NO_BYTES);
    const json = readJson(body?.bytes ?? NO_BYTES);
    body?.release();
    const wrongKey = key === undefined ? null : keyError(key);
    if (wrongKey !== null) return unprocessable([wrongKey]);

    const respond = async (resourceId: () => string): Promise<Answer> => {
      if (!json.ok) return unprocessable([json.error]);
      return route.run(services, {
        principal,
        requestId: exchange.requestId,
        path,
        query: queryValues(request),
        body: json.value,
        resourceId,
      });
    };
    if (key === undefined) return respond(ports.newId);
    const keyed = { org: principal.org, route: `${route.method} ${route.path}`, key, fingerprint };
    return answerOnce(ports.idempotency, ports.logger, keyed, (id) => respond(() => id));
  }

  return {
    path: (routes) => {
      const byMethod = new Map(routes.map((route) => [route.method as string, route]));
      return async (request, response) => {
        const exchange = exchanges.of(request);
        exchange.route = routes[0]?.path ?? exchange.route;
        const route = byMethod.get(request.method === "HEAD" ? "GET" : request.method);
        await answerSafely(exchange, ports.logger, response, () =>
          route === undefined
            ? Promise.resolve(methodAnswer(request.method, [...byMethod.keys()]))
            : answerRoute(route, request, response),
        );
      };
    },
  };
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
    : errorAnswer(405, "Method Not Allowed", headers);
}

async function authenticated(ports: DispatchPorts, request: Request): Promise<Principal | null> {
  const key = request.get("X-Api-Key");
  return key === undefined || key === "" ? null : ports.authenticate(key);
}

/** `read` may look, `write` and `admin` may do everything of this API; `operator` alone is for the installation. */
function mayUse(roles: readonly Role[], method: string): boolean {
  if (roles.includes("write") || roles.includes("admin")) return true;
  return method === "GET" && roles.includes("read");
}

interface ReceivedBody {
  readonly bytes: Buffer;
  release(): void;
}

async function receive(
  request: Request,
  response: Response,
  limits: BodyLimits,
): Promise<ReceivedBody | Answer> {
  if (!announcesBody(request)) return { bytes: NO_BYTES, release: () => undefined };
  const isJson = isJsonType(request.get("Content-Type") ?? "");
  const chunked = request.headers["transfer-encoding"] !== undefined;
  // A chunked body of no bytes is no body, and of no type: only reading tells.
  if (!isJson && !chunked) return NOT_JSON;
  const reading: BodyReading = await readBody(request, response, {
    ...limits,
    bytesMax: isJson ? limits.bytesMax : 0,
  });
  if (reading.ok) return reading;
  if (!isJson && reading.reason === "too_large") return NOT_JSON;
  return bodyRefusals(limits.bytesMax)[reading.reason];
}

const NO_BYTES = Buffer.alloc(0);
/** JSON under any of its names. UTF-8 is its only encoding, so that another charset is refused, not guessed at. */
function isJsonType(contentType: string): boolean {
  const [type = "", ...parameters] = contentType.toLowerCase().split(";");
  const isUtf8 = parameters.every((parameter) => {
    const [name = "", value = ""] = parameter.split("=");
    return name.trim() !== "charset" || /^"?utf-?8"?$/.test(value.trim());
  });
  return isUtf8 && /^application\/(?:[^\s/]+\+)?json$/.test(type.trim());
}

const NOT_JSON = errorAnswer(415, "Request body must be application/json in UTF-8");

function bodyRefusals(bytesMax: number): Readonly<Record<BodyRefusal, Answer>> {
  return {
    too_large: errorAnswer(413, `Request body must be at most ${String(bytesMax)} bytes`),
    over_budget: errorAnswer(503, "Too many request bodies at once", retryAfter(1)),
    cut_off: errorAnswer(400, "Request body was cut off"),
    bad_encoding: errorAnswer(400, "Request body does not match its Content-Encoding"),
    unknown_encoding: errorAnswer(415, "Content-Encoding must be gzip, deflate, br or identity"),
  };
}

function pathValues(request: Request): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.params)) {
    // Only wildcards give lists, and no pattern of ours has one.
    if (typeof value === "string") values[name] = value;
  }
  return values;
}

/** Query parameters by name; the last of a repeated one wins. */
function queryValues(request: Request): Record<string, string> {
  const start = request.originalUrl.indexOf("?");
  const parameters = new URLSearchParams(start < 0 ? "" : request.originalUrl.slice(start));
  return Object.fromEntries(parameters);
}
