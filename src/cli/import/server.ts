// Calls of the v3 API as a program outside makes them, with what went wrong in plain words.
import type { AccountType } from "../../model/transaction.ts";
import { InputError } from "../enrich/input-error.ts";
import { printable } from "../enrich/values/printable.ts";
import type { ApiTransaction } from "./transactions.ts";

export interface ImportServer {
  /** The account holder's type; null: no account holder has this id. */
  holderType(id: string): Promise<AccountType | null>;
  createHolder(id: string, type: AccountType): Promise<void>;
  /** The same key and transactions again are the same batch. Returns its id. */
  submit(transactions: readonly ApiTransaction[], idempotencyKey: string): Promise<string>;
  progress(batchId: string): Promise<{ readonly status: string; readonly progress: number }>;
  /** Codes of the transactions that could not be enriched. */
  errors(batchId: string): Promise<readonly string[]>;
}

export interface ServerDeps {
  readonly fetch: typeof fetch;
  /** Resolves after so many milliseconds, rejects when the run is aborted. */
  readonly wait: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** The server cannot be used as asked. The message is for the user. */
export class ServerError extends Error {
  readonly code = "import_failed";
  readonly retryable = false;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ServerError";
  }
}

const TRIES_MAX = 5;
const CALL_MS_MAX = 120_000;
const WAIT_MS = 1_000;
/** Of Retry-After: credits of a whole batch come back within it. */
const WAIT_MS_MAX = 60_000;
const RETRIED = new Set([429, 502, 503, 504]);
const AGAIN = "Run the same command again: nothing is created twice.";

/** Throws InputError when `url` is not an address of a server. */
export function connectServer(url: string, apiKey: string, deps: ServerDeps): ImportServer {
  const call = connectCaller(url, apiKey, deps);
  const at = encodeURIComponent;
  return {
    holderType: async (id) => {
      const { status, body } = await call("GET", `/v3/account_holders/${at(id)}`, null, {});
      if (status === 404) return null;
      return textOf(body, "type") === "business" ? "business" : "consumer";
    },
    createHolder: async (id, type) => {
      await call("POST", "/v3/account_holders", { id, type }, {});
    },
    submit: async (data, key) => {
      const body = { operation: "POST /v3/transactions", data };
      const answer = await call("POST", "/v3/batches", body, { "Idempotency-Key": key });
      return textOf(answer.body, "id");
    },
    progress: async (id) => {
      const { body } = await call("GET", `/v3/batches/${at(id)}`, null, {});
      const { progress } = fieldsOf(body);
      return { status: textOf(body, "status"), progress: Number(progress) };
    },
    errors: async (id) => {
      const { body } = await call("GET", `/v3/batches/${at(id)}/results`, null, {});
      const { results } = fieldsOf(body);
      const list: readonly unknown[] = Array.isArray(results) ? results : [];
      return list.flatMap((result) => {
        const { error } = fieldsOf(result);
        return error == null ? [] : [textOf(error, "code")];
      });
    },
  };
}

interface ServerAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * A call; a GET of what does not exist is answered with its 404.
 * @throws ServerError with what is wrong
 */
export type CallServer = (
  method: "GET" | "POST" | "DELETE",
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
) => Promise<ServerAnswer>;

/** Calls that wait and try again where that may help. Throws InputError when `url` is not an address of a server. */
export function connectCaller(
  url: string,
  apiKey: string,
  { fetch, wait, signal }: ServerDeps,
): CallServer {
  const base = checkUrl(url);
  return async (method, path, body, headers) => {
    for (let attempt = 1; ; attempt += 1) {
      let problem: ServerError;
      let waitMs = WAIT_MS * attempt;
      try {
        const response = await fetch(base + path, {
          method,
          headers: {
            "X-Api-Key": apiKey,
            ...(body === null ? {} : { "Content-Type": "application/json" }),
            ...headers,
          },
          ...(body === null ? {} : { body: JSON.stringify(body) }),
          // The key must not be taken to another server.
          redirect: "manual",
          signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS_MAX)]),
        });
        const answer = { status: response.status, body: parse(await response.text()) };
        if (response.ok || (method === "GET" && response.status === 404)) return answer;
        problem = new ServerError(describe(base, answer));
        if (!RETRIED.has(response.status)) throw problem;
        waitMs = Math.max(waitMs, Number(response.headers.get("Retry-After") ?? 0) * 1_000);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ServerError) throw error;
        problem = unreachable(base, error);
      }
      if (attempt >= TRIES_MAX) throw problem;
      await wait(Math.min(waitMs, WAIT_MS_MAX));
    }
  };
}

function checkUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/u.test(parsed.protocol) || parsed.username !== "")
    throw new InputError(
      `--url: '${printable(url)}' is not an address such as http://127.0.0.1:8080.`,
    );
  return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/u, "");
}

function unreachable(base: string, error: unknown): ServerError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = fieldsOf(cause)["code"];
  const why =
    code === "ECONNREFUSED"
      ? "nothing answers there. Is the service running?"
      : code === "ENOTFOUND"
        ? "the host name is unknown"
        : printable(cause instanceof Error ? cause.message : String(cause), 120);
  return new ServerError(`Cannot reach ${base}: ${why} ${AGAIN}`, error);
}

function describe(base: string, { status, body }: ServerAnswer): string {
  const { detail } = fieldsOf(body);
  const reply = typeof detail === "string" ? detail : JSON.stringify(detail ?? "");
  const reason = `${base} answered ${String(status)}: ${printable(reply, 300)}`;
  switch (status) {
    case 401:
      return `${reason} Give an API key with --key or LEDGERLINE_API_KEY; \`ledgerline keys create\` makes one.`;
    case 403:
      return `${reason} The API key needs the roles read and write.`;
    case 413:
      return `${reason} The key has fewer credits than a batch needs.`;
    case 404:
      return `${reason} Is this the address of a Ledgerline server?`;
    default:
      return status >= 500 || status === 429 ? `${reason} ${AGAIN}` : reason;
  }
}

function parse(text: string): unknown {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return { detail: text.slice(0, 200) };
  }
}

const fieldsOf = (value: unknown): Partial<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

function textOf(value: unknown, field: string): string {
  const text = fieldsOf(value)[field];
  if (typeof text !== "string")
    throw new ServerError(
      `The server's answer has no '${field}'. Is this the address of a Ledgerline server?`,
    );
  return text;
}
