import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ERROR_CODES, type ErrorCode } from "./error-codes.ts";
import { type Listener, scheduleRequests } from "./request-scheduler.ts";

// The life of the listening socket: bounds on slow clients, an orderly end.

export interface ServerLimits {
  /** A client has this long for its headers, against sockets held open by dripping them. */
  readonly headersTimeoutMs: number;
  /** And this long for the whole request: 32 MB at 2.2 Mbit/s. */
  readonly requestTimeoutMs: number;
  /** Longer than the 60 s of common load balancers, so that they close first and never send into a closed socket. */
  readonly keepAliveTimeoutMs: number;
  /** How often the two request limits are looked at. */
  readonly connectionsCheckingIntervalMs: number;
  readonly connectionsMax: number;
  /**
   * When closing begins, connections without a request have this long to send one more, which is answered with
   * `Connection: close`: a busy client learns of the end from an answer and not from a reset.
   */
  readonly closeGraceMs: number;
}

export const SERVER_LIMITS: ServerLimits = {
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 120_000,
  keepAliveTimeoutMs: 65_000,
  connectionsCheckingIntervalMs: 5_000,
  connectionsMax: 10_000,
  closeGraceMs: 1_000,
};

/** How often closing looks for connections that became idle. */
const IDLE_CHECK_MS = 100;

export interface HttpServer {
  listen(host: string, port: number): Promise<{ port: number }>;
  /** Stops accepting, lets running requests end, then resolves. How long that may take is the caller's decision. */
  close(): Promise<void>;
  /** Cuts every connection, for when the caller's time is over. */
  closeAllConnections(): void;
}

export interface ServerHooks {
  /** Called once with the address that was bound. */
  onListening(address: AddressInfo): void;
  /** Called once when closing begins. */
  onClosing(): void;
  readonly newId: () => string;
  /** The probable organization of a request, for fair queueing before authentication. */
  ownerOf(request: IncomingMessage): string;
}

export function createServerLifeCycle(
  listener: Listener,
  limits: ServerLimits,
  hooks: ServerHooks,
): HttpServer {
  const server = createConfiguredServer(limits);
  const connections = trackConnections(server);
  let closing: Promise<void> | null = null;

  const onRequest = scheduleRequests((request, response) => {
    connections.started(request, response);
    if (hasFaultyFraming(request)) {
      // No answer by the application: where the request ends is not certain, so nothing of it is read.
      answerByHand(response, "invalid_request", NO_TRANSFER_ENCODING, hooks.newId);
      return;
    }
    if (closing !== null) response.setHeader("Connection", "close");
    listener(request, response);
  }, hooks.ownerOf);
  server.on("request", onRequest);
  server.on("checkExpectation", onRequest);
  // Answered by `readBody`, once the key, the type and the size are known to be right. A client that is refused instead
  // need not send its body, so that what comes next on this connection could be either: it ends with the answer.
  server.on("checkContinue", (request, response) => {
    response.setHeader("Connection", "close");
    onRequest(request, response);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    refuseClient(error, socket, connections.isAnswering(socket), hooks.newId);
  });

  return {
    async listen(host, port) {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => {
          server.off("error", reject);
          resolve();
        });
      });
      const address = server.address();
      if (address === null || typeof address === "string") throw new Error("not bound to a port");
      hooks.onListening(address);
      return { port: address.port };
    },
    close() {
      if (closing === null) {
        hooks.onClosing();
        closing = closeServer(server, connections, limits.closeGraceMs);
      }
      return closing;
    },
    closeAllConnections() {
      server.closeAllConnections();
    },
  };
}

/** Resolves when the last connection has ended. */
async function closeServer(
  server: Server,
  connections: Connections,
  graceMs: number,
): Promise<void> {
  const closed = Promise.withResolvers<undefined>();
  // Not the HTTP server's own `close`: it cuts idle connections at once and ends the limits on slow clients.
  NetServer.prototype.close.call(server, () => {
    closed.resolve(undefined);
  });
  connections.announceEnd();

  let idleCheck: NodeJS.Timeout | undefined;
  const grace = setTimeout(() => {
    connections.endIdle();
    // Again and again: a connection may be idle only after an answer that began before the end was announced.
    idleCheck = setInterval(connections.endIdle, IDLE_CHECK_MS).unref();
  }, graceMs).unref();
  await closed.promise;
  clearTimeout(grace);
  clearInterval(idleCheck);
  // Ends the timer behind the limits on slow clients.
  server.close();
}

interface Connections {
  started(request: IncomingMessage, response: ServerResponse): void;
  /** Whether an answer is partly sent, so that nothing else may be written. */
  isAnswering(socket: Duplex): boolean;
  /** Sends `Connection: close` with every answer that has not begun. */
  announceEnd(): void;
  /** Ends the connections without a running request. */
  endIdle(): void;
}

interface ServerConnection {
  readonly socket: Socket;
  /** The exchange that runs, or one that was answered before its request had arrived. */
  current: { readonly request: IncomingMessage; readonly response: ServerResponse } | null;
}

function trackConnections(server: Server): Connections {
  const connections = new Map<Duplex, ServerConnection>();
  server.on("connection", (socket: Socket) => {
    connections.set(socket, { socket, current: null });
    socket.once("close", () => {
      connections.delete(socket);
    });
  });

  return {
    started(request, response) {
      const connection = connections.get(request.socket);
      if (connection === undefined) return;
      connection.current = { request, response };
      response.once("close", () => {
        // By now the next request of the connection may run.
        const isLast = connection.current?.response === response;
        if (isLast && request.complete) connection.current = null;
      });
    },
    isAnswering(socket) {
      const response = connections.get(socket)?.current?.response;
      return response !== undefined && response.headersSent && !response.writableFinished;
    },
    announceEnd() {
      for (const { current } of connections.values()) {
        if (current?.response.headersSent === false) {
          current.response.setHeader("Connection", "close");
        }
      }
    },
    endIdle() {
      server.closeIdleConnections();
      for (const connection of connections.values()) {
        if (isRefused(connection)) connection.socket.destroy();
      }
    },
  };
}

/** Answered before the body had come, as with 401 or 413. To Node such a connection is busy with its request. */
function isRefused({ current }: ServerConnection): boolean {
  return current !== null && current.response.closed && !current.request.complete;
}

function createConfiguredServer(limits: ServerLimits): Server {
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.connectionsCheckingIntervalMs,
    // Nothing here depends on it, and Node's own refusal is neither JSON nor has it a request id.
    requireHostHeader: false,
  });
  // No limit: closing a busy connection after so many requests resets clients that are just sending the next one.
  server.maxRequestsPerSocket = 0;
  server.maxConnections = limits.connectionsMax;
  return server;
}

/**
 * RFC 9112, 6.1: HTTP/1.0 has no Transfer-Encoding, so that a proxy in front that believes in its own length and this
 * server would take different bytes for the next request.
 */
function hasFaultyFraming({
  httpVersionMajor,
  httpVersionMinor,
  headers,
}: IncomingMessage): boolean {
  const isOld = httpVersionMajor === 1 && httpVersionMinor === 0;
  return isOld && headers["transfer-encoding"] !== undefined;
}

const NO_TRANSFER_ENCODING = "HTTP/1.0 requests cannot have a Transfer-Encoding; use HTTP/1.1";

function answerByHand(
  response: ServerResponse,
  code: ErrorCode,
  detail: string,
  newId: () => string,
): void {
  const requestId = newId();
  response.writeHead(ERROR_CODES[code].status, {
    "Content-Type": "application/json",
    "X-Request-ID": requestId,
    Connection: "close",
  });
  response.end(JSON.stringify({ detail, code, request_id: requestId }));
}

/** The answer to bytes that are not an HTTP request: there is no response object, so it is written by hand. */
function refuseClient(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  isAnswering: boolean,
  newId: () => string,
): void {
  if (!socket.writable || isAnswering || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [code, detail] = CLIENT_ERRORS[error.code ?? ""] ?? NOT_HTTP;
  const { status } = ERROR_CODES[code];
  const requestId = newId();
  const body = JSON.stringify({ detail, code, request_id: requestId });
  const answer = [
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ""}`,
    "Content-Type: application/json",
    `Content-Length: ${String(Buffer.byteLength(body))}`,
    `X-Request-ID: ${requestId}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
  // Ended on both sides: a client that never closes its own would keep the connection, and hold up a shutdown.
  socket.end(answer, () => {
    socket.destroy();
  });
}

type ClientError = readonly [ErrorCode, string];
const NOT_HTTP: ClientError = ["invalid_request", "The request is not valid HTTP"];
const CLIENT_ERRORS: Readonly<Record<string, ClientError>> = {
  HPE_HEADER_OVERFLOW: ["headers_too_large", "Request headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: ["request_timeout", "The request was not sent in time"],
};
