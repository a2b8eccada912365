// What may cross between the main thread and a worker thread: plain data, one union on `kind`, a chunk at a time.
// The input of a chunk is laid out by column: arrays of primitives are cloned several times faster than an array of
// objects, and the facts come back as JSON text, which nobody on the main thread needs to parse.

/** Longest chunk of one task. Crossing costs 20-45 µs, so one transaction alone would pay more for it than for the work. */
export const CHUNK_LENGTH_MAX = 250;

/** Values of `EnrichTask.accountTypes`. */
export const ACCOUNT_TYPE_CODES = { none: 0, consumer: 1, business: 2 } as const;

/** Given to every thread once, at its start. */
export interface WorkerSetup {
  /** The whole knowledge file, see `src/domain/knowledge-file.ts`. Shared, never written to. */
  readonly knowledge: SharedArrayBuffer;
  /** Where the API is reached, which answers the logos, without a slash at its end; null: answers have none. */
  readonly publicUrl: string | null;
}

/** Enrich a chunk: entry i of every column belongs to transaction i. */
export interface EnrichTask {
  readonly kind: "enrich";
  readonly descriptions: readonly string[];
  /** Units of the currency, never negative. */
  readonly amounts: Float64Array;
  /** 1 = money leaving the account, 0 = money entering it. */
  readonly outgoing: Uint8Array;
  /** ISO 4217. */
  readonly currencies: readonly string[];
  /** See ACCOUNT_TYPE_CODES; with `none` no category is decided. */
  readonly accountTypes: Uint8Array;
  readonly rawAddresses: readonly (string | null)[];
  /** ISO 3166-1 alpha-2 as sent by the customer. */
  readonly countries: readonly (string | null)[];
}

/** Explain one transaction: rare, and only ever asked by a person. */
export interface ExplainTask {
  readonly kind: "explain";
  readonly description: string;
  /** Units of the currency, never negative. */
  readonly amount: number;
  /** Money leaves the account. */
  readonly outgoing: boolean;
  /** ISO 4217. */
  readonly currency: string;
  /** With `none` no category is decided. */
  readonly accountType: keyof typeof ACCOUNT_TYPE_CODES;
  readonly rawAddress: string | null;
  /** ISO 3166-1 alpha-2 as sent by the customer. */
  readonly country: string | null;
}

/** `facts[i]` is the JSON text of `Facts` (src/domain/facts.ts) of transaction i, null where the recogniser threw. */
export interface EnrichDone {
  readonly ok: true;
  readonly kind: "enrich";
  readonly facts: readonly (string | null)[];
}

/** `explanation` is the JSON text of `Explanation` (src/domain/explanation.ts), null where the recogniser threw. */
export interface ExplainDone {
  readonly ok: true;
  readonly kind: "explain";
  readonly explanation: string | null;
}

/** Errors cross as data: a thrown class would arrive as a plain Error without its code. */
export interface TaskFailed {
  readonly ok: false;
  readonly code: "bad_task";
  readonly message: string;
}

export type WorkerTask = EnrichTask | ExplainTask;
export type WorkerAnswer = EnrichDone | ExplainDone | TaskFailed;
