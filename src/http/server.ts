import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

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
}

export const SERVER_LIMITS: ServerLimits = {
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 120_000,
  keepAliveTimeoutMs: 65_000,
  connectionsCheckingIntervalMs: 5_000,
  connectionsMax: 10_000,
};

export interface HttpServer {
  listen(host: string, port: number): Promise<{ port: number }>;
  /** Stops accepting, lets running requests end, then resolves. How long that may take is the caller's decision. */
  close(): Promise<void>;
  /** Cuts every connection, for when the caller's time is over. */
  closeAllConnections(): void;
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

export interface ServerHooks {
  /** Called once with the address that was bound. */
  onListening(address: AddressInfo): void;
  /** Called once when closing begins. */
  onClosing(): void;
  readonly newId: () => string;
}

export function createServerLifeCycle(
  listener: Listener,
  limits: ServerLimits,
  hooks: ServerHooks,
): HttpServer {
  const running = new Set<ServerResponse>();
  const runningBySocket = new WeakMap<Duplex, ServerResponse>();
  let closing: Promise<void> | null = null;

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    running.add(response);
    runningBySocket.set(request.socket, response);
    if (closing !== null) response.setHeader("Connection", "close");
    response.once("close", () => {
      running.delete(response);
      // An answer that had begun before closing did keeps its connection alive; it is idle now.
      if (closing !== null)
        setImmediate(() => {
          server.closeIdleConnections();
        });
    });
    listener(request, response);
  }

  const server = createConfiguredServer(limits);
  server.on("request", onRequest);
  server.on("checkExpectation", onRequest);
  // Answered by `readBody`, once the key, the type and the size are known to be right. A client that is refused instead
  // need not send its body, so that what comes next on this connection could be either: it ends with the answer.
  server.on("checkContinue", (request, response) => {
    response.setHeader("Connection", "close");
    onRequest(request, response);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const response = runningBySocket.get(socket);
    const isAnswering =
      response !== undefined && response.headersSent && !response.writableFinished;
    refuseClient(error, socket, isAnswering, hooks.newId);
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
      closing ??= new Promise((resolve) => {
        hooks.onClosing();
        server.close(() => {
          resolve();
        });
        server.closeIdleConnections();
      });
      for (const response of running) {
        if (!response.headersSent) response.setHeader("Connection", "close");
      }
      return closing;
    },
    closeAllConnections() {
      server.closeAllConnections();
    },
  };
}

function createConfiguredServer(limits: ServerLimits): Server {
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.connectionsCheckingIntervalMs,
  });
  // No limit: closing a busy connection after so many requests resets clients that are just sending the next one.
  server.maxRequestsPerSocket = 0;
  server.maxConnections = limits.connectionsMax;
  return server;
}

/** The answer to bytes that are no HTTP request: there is no response object, so it is written by hand. */
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
  const [status, detail] = CLIENT_ERRORS[error.code ?? ""] ?? ["400 Bad Request", "Bad Request"];
  const body = JSON.stringify({ detail });
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      "Content-Type: application/json",
      `Content-Length: ${String(Buffer.byteLength(body))}`,
      `X-Request-ID: ${newId()}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

const CLIENT_ERRORS: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "Request headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request was not sent in time"],
};
