import { performance } from "node:perf_hooks";
import type { NextFunction, Request, RequestHandler, Response } from "express";
import type { Principal } from "../../model/api-key.ts";
import { createTenantBudget, type TenantBudget } from "../../shared/concurrency/tenant-budget.ts";

// One exchange is one request and its answer: what the log line and the metrics say about it, and nothing of what was
// in it. No path, no query string, no body: ids of customers are payload.

export interface LogPort {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface RequestMetricsPort {
  httpRequest(route: string, method: string, status: number, seconds: number): void;
}

export interface Exchange {
  readonly requestId: string;
  /** Pattern of the route, never the path itself: it bounds the metrics and keeps ids out of the log. */
  route: string;
  principal: Principal | null;
  /** Body bytes as they came over the wire are not known once decompressed; this counts the readable body. */
  bytesIn: number;
  bytesOut: number;
  /** Bytes of memory for the answers of all exchanges that their readers have not taken yet. */
  readonly answerRoom: TenantBudget;
}

/** Asked every few seconds by machines: while all is well, an idle service would have nothing else in its log. */
const PROBES = /^\/(?:health(?:\/\w+)?|metrics)$/;
/** Route of requests to no known path. */
const UNMATCHED = "unmatched";

export interface Exchanges {
  /** Opens the exchange; the first handler of the application. */
  readonly open: RequestHandler;
  of(request: Request): Exchange;
}

interface ExchangePorts {
  readonly logger: LogPort;
  readonly metrics: RequestMetricsPort;
  readonly newId: () => string;
}

/** @param answerBytesMax what the answers that their readers have not taken yet may hold together */
export function createExchanges(ports: ExchangePorts, answerBytesMax: number): Exchanges {
  const answerRoom = createTenantBudget(answerBytesMax);
  const exchanges = new WeakMap<Request, Exchange>();

  function open(request: Request, response: Response, next: NextFunction): void {
    const exchange: Exchange = {
      requestId: chooseRequestId(request.headers["x-request-id"], ports.newId),
      route: UNMATCHED,
      principal: null,
      bytesIn: 0,
      bytesOut: 0,
      answerRoom,
    };
    exchanges.set(request, exchange);
    response.setHeader("X-Request-ID", exchange.requestId);
    response.setHeader("Cache-Control", "no-store");
    const startedAt = performance.now();
    response.once("close", () => {
      const elapsedMs = performance.now() - startedAt;
      finish(exchange, request.method, response, elapsedMs);
    });
    next();
  }

  function finish(exchange: Exchange, method: string, response: Response, elapsedMs: number): void {
    const { requestId, route, principal, bytesIn, bytesOut } = exchange;
    const status = response.statusCode;
    ports.metrics.httpRequest(route, method, status, elapsedMs / 1000);
    const isProbe = status < 400 && PROBES.test(route);
    ports.logger[isProbe ? "debug" : "info"](
      {
        requestId,
        route,
        method,
        status,
        ms: Math.round(elapsedMs * 1000) / 1000,
        org: principal?.org ?? null,
        keyId: principal?.keyId ?? null,
        bytesIn,
        bytesOut,
        // The client left before the whole answer was sent.
        aborted: !response.writableFinished,
      },
      "request",
    );
  }

  return {
    open,
    of(request) {
      const exchange = exchanges.get(request);
      if (exchange === undefined) throw new Error("the exchange was not opened");
      return exchange;
    },
  };
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's id when it is harmless in a header and a log line, else a new one. */
function chooseRequestId(sent: string | string[] | undefined, newId: () => string): string {
  return typeof sent === "string" && REQUEST_ID.test(sent) ? sent : newId();
}
