import { isIP } from "node:net";
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import helmet from "helmet";
import type { Principal } from "../model/api-key.ts";
import { errorAnswer } from "./server/answer.ts";
import { type BodyLimits, createBodyBudgets } from "./server/body.ts";
import { allowOrigins } from "./server/cors.ts";
import { createCursors } from "./server/cursor.ts";
import { answerSafely, createRouter, type Router, methodAnswer } from "./server/dispatch.ts";
import {
  createExchanges,
  type Exchanges,
  type LogPort,
  type RequestMetricsPort,
} from "./server/exchange.ts";
import type { IdempotencyPort } from "./server/idempotency.ts";
import { createKnownKeys, type KnownKeys } from "./server/known-keys.ts";
import type { RateLimitPort } from "./server/limits.ts";
import { docsPages } from "./ops/docs.ts";
import { eventPages } from "./ops/events.ts";
import { opsRoutes, type OpsServices } from "./ops/explain.ts";
import { operatorRoutes, type OperatorServices } from "./ops/routes.ts";
import { createPathFinder, requestPath } from "./server/paths.ts";
import { healthPages, type HealthPort } from "./ops/health.ts";
import { logoPages, type LogosPort } from "./ops/logos.ts";
import { metricsPages, type MetricsPort } from "./ops/metrics.ts";
import type { OpsPage } from "./ops/page.ts";
import { webhookLogPages } from "./ops/webhook-log.ts";
import type { Route } from "./server/route.ts";
import {
  createServerLifeCycle,
  type HttpServer,
  SERVER_LIMITS,
  type ServerLimits,
} from "./server/server.ts";
import { buildV2OpenApi } from "./v2/openapi.ts";
import { v2Routes, type V2Services } from "./v2/routes.ts";
import { buildOpenApi } from "./v3/openapi.ts";
import { v3Routes, type V3Services } from "./v3/routes.ts";
import { createSlots } from "./server/slots.ts";
import { createAheadCount } from "./v2/result-texts.ts";

// The HTTP edge: one application for the API, its documents and the pages for operators. Reading order: here, then
// `dispatch.ts` (what happens to a request), `v3/routes.ts` and `v2/routes.ts` (the tables), `v3/schemas.ts` (what it accepts
// and answers).

type ApiServices = V3Services & V2Services & OperatorServices;

/** The services of all handlers, without those that are created here. */
type StageServices = Omit<ApiServices, "aheadCount" | "cursors" | "syncSlots">;

/** The stages behind the API, and what else it needs. */
export interface HttpDeps extends StageServices {
  authenticate(key: string): Promise<Principal | null>;
  /** `whpk_` and base64: verifies that a call to a webhook is from this installation. Null when calls have no such signature. */
  readonly publicKey: string | null;
  readonly idempotency: IdempotencyPort;
  readonly limits: StageServices["limits"] & RateLimitPort;
  readonly health: HealthPort;
  readonly logos: LogosPort;
  readonly metrics: MetricsPort & RequestMetricsPort;
  readonly logger: LogPort;
  /** Whether requests with unknown fields or query parameters are refused. */
  readonly isStrict: boolean;
  /** Origins whose pages may call the API from a browser. */
  readonly corsOrigins: readonly string[];
  /** A new random id, for requests and batches. */
  readonly newId: () => string;
}

export interface HttpOptions {
  /** Signs cursors; the same for every process of an installation. */
  readonly cursorSecret: string | Uint8Array;
  /** Largest request body, decompressed; the route may allow less. */
  readonly bodyBytesMax?: number;
  /** What all request bodies being read and checked may hold together; those of one organization get half of it. */
  readonly bodyBytesInFlightMax?: number;
  /** What answers may hold together until their readers take them; those to one organization get half of it. */
  readonly answerBytesInFlightMax?: number;
  /** Synchronous enrichment calls of one key at the same time. */
  readonly syncCallsPerKeyMax?: number;
  readonly server?: Partial<ServerLimits>;
}

/** Eight bodies of the largest size, or forty usual batches. */
const BODY_BYTES_IN_FLIGHT_MAX = 256 * 1024 * 1024;
/** Two hundred lists of a thousand transactions, or as many readers of results. */
const ANSWER_BYTES_IN_FLIGHT_MAX = 256 * 1024 * 1024;
/** At 2 ms a call this is 128 000 calls a second: it stops a client that never waits, not a busy one. */
const SYNC_CALLS_PER_KEY_MAX = 256;

/** What operators need. */
export type OpsDeps = Pick<
  HttpDeps,
  | "authenticate"
  | "health"
  | "metrics"
  | "logger"
  | "newId"
  | "idempotency"
  | "limits"
  | "explain"
  | "isStrict"
>;

/** A server of health, metrics and operations for operators, for a process that does not serve the API. */
export function createOpsServer(opsDeps: OpsDeps, limits: Partial<ServerLimits> = {}): HttpServer {
  const known = createKnownKeys(opsDeps.authenticate);
  const deps = { ...opsDeps, authenticate: known.authenticate };
  const state = { isLoopback: false, isClosing: false };
  const exchanges = createExchanges(deps, ANSWER_BYTES_IN_FLIGHT_MAX);
  const bodies = bodyLimits({});
  const dispatcher = createRouter<OpsServices>(deps, deps, exchanges, bodies);
  const routes = routeHandler(opsRoutes, dispatcher);
  const application = createApplication(deps.logger, exchanges, opsPages(deps, state), routes);
  return startable(application, { ...deps, ...known }, limits, state);
}

/** The limits on a body of an organization. */
function bodyLimits(options: Partial<HttpOptions>): (org: string, bytesMax: number) => BodyLimits {
  const budgetOf = createBodyBudgets(options.bodyBytesInFlightMax ?? BODY_BYTES_IN_FLIGHT_MAX);
  const { bodyBytesMax = Number.POSITIVE_INFINITY } = options;
  return (org, bytesMax) => ({
    bytesMax: Math.min(bytesMax, bodyBytesMax),
    budget: budgetOf(org),
  });
}

/** The server; nothing listens until `listen` is called. */
export function createHttpServer(httpDeps: HttpDeps, options: HttpOptions): HttpServer {
  const known = createKnownKeys(httpDeps.authenticate);
  const deps = { ...httpDeps, authenticate: known.authenticate };
  const state = { isLoopback: false, isClosing: false };
  const answerBytesMax = options.answerBytesInFlightMax ?? ANSWER_BYTES_IN_FLIGHT_MAX;
  const exchanges = createExchanges(deps, answerBytesMax);
  const dispatcher = createRouter<ApiServices>(
    deps,
    {
      ...deps,
      aheadCount: createAheadCount(),
      cursors: createCursors(options.cursorSecret),
      syncSlots: createSlots(options.syncCallsPerKeyMax ?? SYNC_CALLS_PER_KEY_MAX),
    },
    exchanges,
    bodyLimits(options),
  );
  const pages = [
    ...opsPages(deps, state),
    ...docsPages({ v2: buildV2OpenApi, v3: buildOpenApi }),
    ...eventPages(deps.publicKey),
    ...webhookLogPages(),
    ...logoPages(deps.logos),
  ];
  const all = [...v3Routes, ...v2Routes, ...operatorRoutes];
  const routes = routeHandler<ApiServices>(all, dispatcher);
  const application = createApplication(deps.logger, exchanges, pages, routes, deps.corsOrigins);
  return startable(application, { ...deps, ...known }, options.server ?? {}, state);
}

interface ServerState {
  isLoopback: boolean;
  isClosing: boolean;
}

function opsPages(deps: OpsDeps, state: ServerState): OpsPage[] {
  return [
    ...healthPages(deps.health, () => state.isClosing),
    ...metricsPages(deps.metrics, deps, () => state.isLoopback),
  ];
}

function startable(
  application: Express,
  deps: Pick<HttpDeps, "newId"> & Pick<KnownKeys, "ownerOf">,
  limits: Partial<ServerLimits>,
  state: ServerState,
): HttpServer {
  return createServerLifeCycle(
    (request, response) => {
      application(request, response);
    },
    { ...SERVER_LIMITS, ...limits },
    {
      onListening: (address) => {
        state.isLoopback = isLoopbackAddress(address.address);
      },
      onClosing: () => {
        state.isClosing = true;
      },
      newId: deps.newId,
      ownerOf: deps.ownerOf,
    },
  );
}

function createApplication(
  logger: LogPort,
  exchanges: Exchanges,
  pages: readonly OpsPage[],
  routes: RequestHandler,
  origins: readonly string[] = [],
): Express {
  const application = express();
  application.disable("x-powered-by").disable("etag");
  // Ids are any text: `Tx1` and `tx1` are two, and so are paths with and without a slash at their end.
  application.enable("case sensitive routing").enable("strict routing");
  // Handlers read the query themselves, see `dispatch.ts`.
  application.set("query parser", false);

  application.use(exchanges.open, securityHeaders(), allowOrigins(origins));
  for (const page of pages)
    application.all(page.pattern ?? page.path, pageHandler(page, exchanges, logger));
  application.use(routes);
  application.use((request, response) =>
    answerSafely(exchanges.of(request), logger, response, () =>
      Promise.resolve(errorAnswer("route_not_found", NO_ROUTE)),
    ),
  );
  application.use(errorHandler(exchanges, logger));
  return application;
}

const NO_ROUTE = "Path not found";

function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      directives: {
        // Everything the documentation page needs is served from here; its script sets styles on elements.
        "font-src": ["'self'", "data:"],
        "style-src": ["'self'", "'unsafe-inline'"],
        // An installation without TLS in front of it would ask browsers for assets it cannot serve.
        "upgrade-insecure-requests": null,
      },
    },
  });
}

function pageHandler(page: OpsPage, exchanges: Exchanges, logger: LogPort): RequestHandler {
  return async (request, response) => {
    const exchange = exchanges.of(request);
    exchange.route = page.path;
    const isRead = request.method === "GET" || request.method === "HEAD";
    await answerSafely(exchange, logger, response, () =>
      isRead ? page.answer(request) : Promise.resolve(methodAnswer(request.method, ["GET"])),
    );
  };
}

function routeHandler<Services>(
  routes: readonly Route<Services>[],
  dispatcher: Router<Services>,
): RequestHandler {
  const routesByPath = Map.groupBy(routes, (route) => route.path);
  const findPath = createPathFinder([...routesByPath.keys()]);
  const handlers = new Map(
    [...routesByPath].map(([path, ofPath]) => [path, dispatcher.path(ofPath)]),
  );
  return async (request, response, next) => {
    const found = findPath(requestPath(request.url));
    const handler = found === null ? undefined : handlers.get(found.pattern);
    if (found === null || handler === undefined) next();
    else await handler(request, response, found.values);
  };
}

/** For exceptions before a handler: everything behind one is answered by it. */
function errorHandler(exchanges: Exchanges, logger: LogPort): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    await answerSafely(exchanges.of(request), logger, response, () => {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    });
  };
}

function isLoopbackAddress(address: string): boolean {
  if (isIP(address) === 4) return address.startsWith("127.");
  return address === "::1" || address.startsWith("::ffff:127.");
}
