// A small typed client of the v3 API. What a call means for what the service accepted is in the outcome: a test that
// kills the service must distinguish "rejected" from "unknown".
import type { WireTransaction } from "./lines.ts";

export interface TransactionFailure {
  readonly code: string;
  readonly message: string;
}

export interface Enriched {
  readonly id: string;
  readonly created_at: string;
  readonly entities: unknown;
  readonly categories: { readonly general: string | null } | null;
  readonly location: unknown;
  readonly error: TransactionFailure | null;
}

export interface StoredTransaction extends Enriched {
  readonly description: string;
  readonly date: string;
  readonly amount: number;
  readonly account_holder_id: string | null;
}

export interface BatchResource {
  readonly id: string;
  readonly status: "processing" | "completed" | "error";
  readonly priority: "default" | "low";
  readonly progress: number;
  readonly total: number;
}

export interface BatchResults {
  readonly id: string;
  readonly total: number;
  readonly status: string;
  readonly results: readonly Enriched[];
}

export interface HolderResource {
  readonly id: string;
  readonly type: "consumer" | "business";
}

interface PageOf<Row> {
  readonly next_cursor: string | null;
  readonly data: readonly Row[];
}

/**
 * `answered`: any answer came. `refused`: the connection was never made, so nothing can have been accepted. `broken`:
 * the connection ended before the answer did.
 */
export type Outcome<Body> =
  | { readonly kind: "answered"; readonly status: number; readonly body: Body }
  | { readonly kind: "refused" }
  | { readonly kind: "broken"; readonly error: unknown };

export interface Client {
  call<Body = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Outcome<Body>>;
  createHolder(id: string, type: "consumer" | "business"): Promise<Outcome<HolderResource>>;
  deleteHolder(id: string): Promise<Outcome<unknown>>;
  enrich(transaction: WireTransaction): Promise<Outcome<Enriched>>;
  getTransaction(id: string): Promise<Outcome<StoredTransaction>>;
  deleteTransaction(id: string): Promise<Outcome<unknown>>;
  assign(id: string, accountHolderId: string): Promise<Outcome<StoredTransaction>>;
  submitBatch(
    transactions: readonly WireTransaction[],
    idempotencyKey?: string,
  ): Promise<Outcome<BatchResource>>;
  getBatch(id: string): Promise<Outcome<BatchResource>>;
  results(id: string): Promise<Outcome<BatchResults>>;
  /** Walks a list to its end with the largest pages. */
  listAll<Row>(path: string): Promise<Row[]>;
}

export const API_KEY = "key-of-the-tests";
const PAGE_LIMIT = 1_000;

export function createClient(url: string, apiKey = API_KEY): Client {
  const call: Client["call"] = async <Body>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Outcome<Body>> => {
    try {
      const response = await fetch(url + path, {
        method,
        headers: {
          "X-Api-Key": apiKey,
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const parsed: unknown = text === "" ? null : JSON.parse(text);
      return { kind: "answered", status: response.status, body: parsed as Body };
    } catch (error) {
      return wasRefused(error) ? { kind: "refused" } : { kind: "broken", error };
    }
  };
  const at = (id: string): string => encodeURIComponent(id);
  return {
    call,
    createHolder: (id, type) => call("POST", "/v3/account_holders", { id, type }),
    deleteHolder: (id) => call("DELETE", `/v3/account_holders/${at(id)}`),
    enrich: (transaction) => call("POST", "/v3/transactions", transaction),
    getTransaction: (id) => call("GET", `/v3/transactions/${at(id)}`),
    deleteTransaction: (id) => call("DELETE", `/v3/transactions/${at(id)}`),
    assign: (id, accountHolderId) =>
      call("POST", `/v3/transactions/${at(id)}/assign`, { account_holder_id: accountHolderId }),
    submitBatch: (transactions, idempotencyKey) =>
      call(
        "POST",
        "/v3/batches",
        { operation: "POST /v3/transactions", data: transactions },
        idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey },
      ),
    getBatch: (id) => call("GET", `/v3/batches/${at(id)}`),
    results: (id) => call("GET", `/v3/batches/${at(id)}/results`),
    listAll: async <Row>(path: string) => {
      const rows: Row[] = [];
      let cursor: string | null = null;
      do {
        const after: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
        const joint = path.includes("?") ? "&" : "?";
        const page: Outcome<PageOf<Row>> = await call(
          "GET",
          `${path}${joint}limit=${String(PAGE_LIMIT)}${after}`,
        );
        const { data, next_cursor: next } = answered(page, 200);
        rows.push(...data);
        cursor = next;
      } while (cursor !== null);
      return rows;
    },
  };
}

/** The body of an answer that must have this status. */
export function answered<Body>(outcome: Outcome<Body>, status: number): Body {
  if (outcome.kind !== "answered") throw new Error(`No answer: ${outcome.kind}`);
  if (outcome.status !== status) {
    throw new Error(`Status ${String(outcome.status)}: ${JSON.stringify(outcome.body)}`);
  }
  return outcome.body;
}

function wasRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
}
