import { createConnection } from "node:net";
import { Readable } from "node:stream";
import { text as readText } from "node:stream/consumers";
import type { AccountHolder } from "../../src/model/account-holder.ts";
import { LIMITS_OF_SETTINGS, type Principal, type Role } from "../../src/model/api-key.ts";
import type { Batch } from "../../src/model/batch.ts";
import type { LedgerTransaction } from "../../src/model/ledger-transaction.ts";
import type { Attempt, Delivery, Recovery, Webhook } from "../../src/model/webhook.ts";
import { createHttpServer, type HttpDeps, type HttpOptions } from "../../src/http/http.ts";
import { fakeAccess, fakeRecurrence, fakeSettings } from "./http-services.ts";
import { fakeStatements } from "./http-statements.ts";
import type { WebhooksPort } from "../../src/http/v3/webhooks.ts";

// For tests of this folder: the real server on a free port, with stages that say what they were asked.

/** 2024-05-06T07:08:09.010Z */
export const CREATED_AT = 1_714_979_289_010;
export const CREATED_AT_TEXT = "2024-05-06T07:08:09.010Z";
export const FACTS =
  '{"entities":null,"categories":{"general":"rent","accounting":null},"location":null}';

export const transactionBody = {
  id: "t1",
  description: "RENT",
  date: "2024-02-29",
  amount: 12.5,
  entry_type: "outgoing",
  currency: "EUR",
} as const;

const holder: AccountHolder = {
  org: "acme",
  id: "h1",
  type: "consumer",
  name: null,
  categoryId: null,
  createdAt: CREATED_AT,
};

export const batch: Batch = {
  org: "acme",
  id: "b1",
  status: "processing",
  priority: "default",
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  progress: 0,
  total: 1,
};

export const stored: LedgerTransaction = {
  org: "acme",
  input: {
    id: "t1",
    description: "RENT",
    date: "2024-02-29",
    amount: 12.5,
    entryType: "outgoing",
    currency: "EUR",
    accountHolderId: "h1",
    location: null,
  },
  createdAt: CREATED_AT,
  order: "1",
  facts: FACTS,
  error: null,
  override: null,
};

export const webhook: Webhook = {
  org: "acme",
  id: "w1",
  url: "https://example.com/hook",
  events: ["batches.completed"],
  createdAt: CREATED_AT,
  enabled: true,
  token: null,
  signingKeys: [],
  ordered: false,
  ca: null,
  health: {
    consecutiveFailures: 0,
    lastSuccessAt: null,
    enabledAt: CREATED_AT,
    disabledAt: null,
    disabledReason: null,
    lastError: null,
  },
};

const delivery: Delivery = {
  eventId: "e1",
  eventType: "batches.completed",
  webhookId: "w1",
  resourceId: "b1",
  state: "pending",
  attempts: 1,
  createdAt: CREATED_AT,
  nextAttemptAt: CREATED_AT,
  lastAttemptAt: CREATED_AT,
  lastStatus: 500,
  lastError: "status",
  replay: false,
};

export const attempt: Attempt = {
  eventId: "e1",
  number: 1,
  at: CREATED_AT,
  status: 500,
  error: "status",
  detail: "The endpoint answered 500",
  timings: { dns: 0.5, connect: 1, tls: null, firstByte: 2, total: 3.5 },
  responseBody: "oops",
  retryAfter: "30",
  replay: false,
  requestId: "q1",
  keyIds: ["k1"],
};

export const recovery: Recovery = {
  id: "r1",
  webhookId: "w1",
  createdAt: CREATED_AT,
  status: "running",
  resent: 0,
  since: CREATED_AT - 1,
  until: CREATED_AT,
  states: ["exhausted"],
};

/** A stage that leaves it to others not to show the secret. It calls over TLS only, and takes no short secrets. */
const webhooks: WebhooksPort = {
  urlProblem: (url) => (url.startsWith("https://") ? null : "The URL must begin with https://."),
  secretProblem: (secret) => (secret.length >= 8 ? null : "must not be short"),
  caProblem: (pem) => (pem.startsWith("-----BEGIN") ? null : "must be certificates"),
  create: (org, input, id) =>
    Promise.resolve({ ok: true, webhook: { ...webhook, ...input, org, id } }),
  list: () => Promise.resolve({ rows: [webhook], next: null }),
  get: (_org, id) => Promise.resolve({ ...webhook, id }),
  patch: (_org, id, patch) => Promise.resolve({ ...webhook, ...patch, id }),
  delete: () => Promise.resolve(true),
  test: () => Promise.resolve(attempt),
  deliveries: () => Promise.resolve({ rows: [delivery], next: null }),
  delivery: (_org, _id, eventId) =>
    Promise.resolve({ delivery: { ...delivery, eventId }, attempts: [attempt] }),
  resend: (_org, _id, eventId) => Promise.resolve({ ...delivery, eventId, replay: true }),
  countRecoverable: () => Promise.resolve({ count: 3, capped: false }),
  recover: (_org, webhookId, request, id) =>
    Promise.resolve({ ...recovery, ...request, webhookId, id }),
  recovery: (_org, webhookId, id) => Promise.resolve({ ...recovery, webhookId, id }),
  replayHeld: (_org, webhookId, id) => Promise.resolve({ ...recovery, webhookId, id }),
};

/** A key is `<org>:<role>`; `revoked` is not a valid key. */
function principalOf(key: string): Principal | null {
  const [org, role] = key.split(":");
  if (org === undefined || role === undefined) return null;
  const roles = role.split("+") as Role[];
  return { org, keyId: `key-${key}`, roles, limits: LIMITS_OF_SETTINGS };
}

export function fakeDeps(logs: LogEntry[], metrics: string[]): HttpDeps {
  const log = (level: string) => (fields: object, message: string) => {
    logs.push({ level, fields: fields as Record<string, unknown>, message });
  };
  let ids = 0;
  return {
    authenticate: (key) => Promise.resolve(principalOf(key)),
    logos: {
      contentVersion: "0".repeat(40),
      draw: (id, tileText) =>
        Promise.resolve(tileText === null ? null : `<svg><title>${id} ${tileText}</title></svg>`),
    },
    holders: {
      create: (org, input) =>
        Promise.resolve({ ok: true, holder: { ...input, org, createdAt: CREATED_AT } }),
      list: () => Promise.resolve({ rows: [holder], next: null }),
      get: (_org, id) => Promise.resolve({ ...holder, id }),
      delete: () => Promise.resolve(true),
      deleteTransactions: () => Promise.resolve(true),
      search: () => Promise.resolve([holder]),
      replace: (_org, id, replacement) => Promise.resolve({ ...holder, ...replacement, id }),
      rename: () => Promise.resolve(true),
      countTransactions: () => Promise.resolve(1),
      meanConfidence: () => Promise.resolve(0.9),
    },
    ledgerPages: {
      page: () => Promise.resolve({ holder, total: 1, transactions: Readable.from([[stored]]) }),
      among: () => Promise.resolve({ holder, total: 1, transactions: Readable.from([[stored]]) }),
      statistics: () => Promise.resolve({ overall: null, byLabel: null, byMerchant: null }),
    },
    transactions: {
      list: () => Promise.resolve({ rows: [stored], next: null }),
      get: (_org, id) => Promise.resolve({ ...stored, input: { ...stored.input, id } }),
      delete: () => Promise.resolve(true),
      assign: () => Promise.resolve({ ok: true, transaction: stored }),
    },
    ingest: {
      enrichOne: () => Promise.resolve({ createdAt: CREATED_AT, facts: FACTS, error: null }),
      enrichMany: (_org, _requestId, inputs) =>
        Promise.resolve({
          createdAt: CREATED_AT,
          results: inputs.map(() => ({ facts: FACTS, error: null })),
        }),
      submitBatch: (org, _requestId, inputs, options) =>
        Promise.resolve({ ...batch, ...options, org, total: inputs.length }),
    },
    ownCorrections: {
      reviews: () => Promise.resolve(new Map()),
      correct: (org, accountHolderId, corrections) =>
        Promise.resolve({
          ok: true,
          holder: { ...holder, org, id: accountHolderId },
          transactions: corrections.map(({ id }) => ({
            ...stored,
            input: { ...stored.input, id, accountHolderId },
          })),
        }),
    },
    submissions: {
      prepareHolders: () => Promise.resolve({ ok: true, types: new Map() }),
    },
    batches: {
      resultChunks: () => Promise.resolve(null),
      list: () => Promise.resolve({ rows: [batch], next: null }),
      get: (_org, id) => Promise.resolve(id === batch.id ? batch : null),
      delete: (_org, id) => Promise.resolve(id === batch.id ? "deleted" : "not_found"),
      results: () => Promise.resolve({ batch, chunks: chunksOf([]) }),
    },
    webhooks,
    statements: fakeStatements,
    ...fakeSettings,
    ...fakeRecurrence,
    ...fakeAccess,
    publicKey: null,
    idempotency: {
      begin: () => Promise.resolve({ kind: "new", resourceId: "resource-1" }),
      finish: () => Promise.resolve(),
      finishLong: () => Promise.resolve(),
      abandon: () => Promise.resolve(),
      interrupt: () => Promise.resolve(),
    },
    explain: () => Promise.resolve('{"text":"RENT"}'),
    health: { ready: () => ({ ready: true, reasons: [], degraded: [] }), live: () => true },
    metrics: {
      text: () => Promise.resolve({ contentType: "text/plain; version=0.0.4", body: "up 1\n" }),
      httpRequest: (route, method, status) => {
        metrics.push(`${method} ${route} ${String(status)}`);
      },
    },
    logger: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
    newId: () => {
      ids += 1;
      return `new-${String(ids)}`;
    },
    corsOrigins: [],
    isStrict: false,
  };
}

export interface LogEntry {
  readonly level: string;
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly logs: LogEntry[];
  readonly metrics: string[];
  close(): Promise<void>;
  closeAllConnections(): void;
  /** A request with a key that may do everything; `headers` and `key` override. */
  call(method: string, path: string, options?: CallOptions): Promise<TestAnswer>;
}

interface CallOptions {
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string goes out as it is, anything else as JSON. */
  readonly body?: unknown;
}

interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

/** Starts a server with some stages replaced. `await using` ends it with the test. */
export async function startServer(
  overrides: Partial<HttpDeps> = {},
  options: Partial<HttpOptions> & { readonly host?: string } = {},
): Promise<TestServer> {
  const logs: LogEntry[] = [];
  const metrics: string[] = [];
  const server = createHttpServer(
    { ...fakeDeps(logs, metrics), ...overrides },
    // Tests that close a server do not wait for clients that might come back, unless they are about them.
    { cursorSecret: "secret", ...options, server: { closeGraceMs: 0, ...options.server } },
  );
  const { port } = await server.listen(options.host ?? "127.0.0.1", 0);
  const url = `http://127.0.0.1:${String(port)}`;
  return {
    ...server,
    url,
    port,
    logs,
    metrics,
    call: (...call) => send(url, ...call),
    async [Symbol.asyncDispose]() {
      const closed = server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function send(
  url: string,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<TestAnswer> {
  const { key = "acme:write", body } = options;
  const headers: Record<string, string> = { ...options.headers };
  if (key !== null) headers["X-API-KEY"] = key;
  const init: RequestInit = { method, headers, redirect: "manual" };
  if (body !== undefined) {
    headers["Content-Type"] ??= "application/json";
    init.body =
      typeof body === "string" || body instanceof Uint8Array
        ? (body as string)
        : JSON.stringify(body);
  }
  const response = await fetch(url + path, init);
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.includes("json") === true && text !== "";
  const json: unknown = isJson ? JSON.parse(text) : null;
  return { status: response.status, headers: response.headers, text, json };
}

/** Sends bytes as they are and reads until the server ends the connection. */
export async function exchangeBytes(port: number, bytes: string | Buffer): Promise<string> {
  const socket = createConnection({ port, host: "127.0.0.1" });
  socket.end(bytes);
  return readText(socket);
}

export async function* chunksOf(texts: readonly string[]): AsyncGenerator<string> {
  for (const text of texts) yield await Promise.resolve(text);
}

/** A promise with its resolver, to hold a stage until the test lets it go on. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return {
    opened: promise,
    open: () => {
      resolve(undefined);
    },
  };
}

/** The head of a request that ends its connection. */
export function postHead(path: string, headers: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: acme:write\r\nConnection: close\r\n${headers}\r\n\r\n`;
}
