// The records of the log, as the stages see them. Their Avro schemas are in schemas/; src/log translates.

import type { BatchPriority } from "../shared/concurrency/priority.ts";
import type { EventHead } from "./event.ts";
import type { TransactionError, TransactionInput } from "./transaction.ts";

/** The topics of requests. Synchronous calls have one of their own, so that no amount of batch work stands before them. */
export type RequestTopic = "requests" | "requests-interactive";

/** What each topic whose records are worked on carries. */
export interface WorkValues {
  readonly requests: EnrichmentRequest;
  readonly "requests-interactive": EnrichmentRequest;
  readonly statements: StatementSubmitted;
  readonly events: EventHead;
}

export type WorkTopic = keyof WorkValues;
/** Topics to which work is submitted; events are published from the outbox. */
export type SubmittedTopic = Exclude<WorkTopic, "events">;

/**
 * Which way a request came in. `assign` re-enriches a stored transaction for another account holder; `kafka` was written
 * to the log by an outside producer; `statement` was read from a bank statement.
 */
export type RequestOrigin = "v3" | "batch" | "assign" | "kafka" | "statement";

/** Longest chunk of one record: one record is one pool task and one bulk write. */
export const CHUNK_TRANSACTIONS_MAX = 250;

/** A chunk of transactions to enrich. */
export interface EnrichmentRequest {
  readonly org: string;
  /** The X-Request-ID of the call. */
  readonly requestId: string;
  readonly origin: RequestOrigin;
  /** Null unless the chunk belongs to a batch. */
  readonly batchId: string | null;
  /** 0-based. */
  readonly chunkIndex: number;
  readonly chunkCount: number;
  /** Transactions in all chunks together. */
  readonly total: number;
  /** Milliseconds since 1970, UTC: `created_at` of the transactions in it. */
  readonly createdAt: number;
  /** Where the reply goes: `address` names the process, `id` its call. Null without a waiting caller. */
  readonly replyTo: { readonly address: string; readonly id: string } | null;
  /** Order of the stored transaction that this request was made from; it is dropped when that one has been replaced since. */
  readonly basedOn: string | null;
  readonly priority: BatchPriority;
  readonly transactions: readonly TransactionInput[];
}

/** A bank statement to read. Its file and what belongs to it are in the store. */
export interface StatementSubmitted {
  readonly org: string;
  /** Of the document. */
  readonly id: string;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
}

/** The result of a request with a waiting caller. Entry i belongs to transaction i. */
export interface EnrichmentReply {
  readonly id: string;
  readonly chunkIndex: number;
  /** `superseded`: the transaction named by `basedOn` was replaced meanwhile; nothing was stored. */
  readonly outcome: "stored" | "superseded";
  readonly results: readonly EnrichmentResult[];
}

/** Exactly one of the two is set. */
export interface EnrichmentResult {
  /** JSON text of `Facts`. */
  readonly facts: string | null;
  readonly error: TransactionError | null;
}

/** A result that may be announced. */
export interface EncodedResult extends EnrichmentResult {
  /** The facts as Avro, see `facts-bytes.ts`; null without facts, or when they are not published. */
  readonly factsBytes: Uint8Array | null;
}

/**
 * Why a record could not be processed. `undecodable`: its bytes are not a record; `handler_failed`: Ledgerline failed
 * on it repeatedly. The others are faults of a producer outside: `unsigned` (no valid signature), `wrong_organization`
 * (signed with another organization's key), `too_large`, `invalid` (breaks a rule for transactions).
 */
export const DEAD_LETTER_REASONS = [
  "undecodable",
  "handler_failed",
  "unsigned",
  "wrong_organization",
  "too_large",
  "invalid",
] as const;
export type DeadLetterReason = (typeof DEAD_LETTER_REASONS)[number];

/** An enriched transaction for those who read the log instead of asking the API. */
export interface EnrichedRecord {
  readonly org: string;
  readonly requestId: string;
  readonly batchId: string | null;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  /** Order of acceptance: of two records of one transaction the one with the greater text counts. */
  readonly order: string;
  readonly input: TransactionInput;
  readonly result: EncodedResult;
}

/** A record that goes to the dead letters: its waiting caller gets an error. */
export interface Abandoned<Value = EnrichmentRequest> {
  readonly key: string;
  /** Null when its bytes could not be read. */
  readonly value: Value | null;
}

/** A record as the log hands it to a stage. */
export interface Delivered<Value> {
  readonly key: string;
  readonly value: Value;
  /** Order of acceptance of the record, see `acceptance-order.ts`. */
  readonly order: string;
  /** The organization whose signature it has, and whose credits it costs; left out: it costs none, or they were taken before. */
  readonly chargedTo?: string;
}

/** Why a stage refuses a record, which becomes a dead letter. */
export interface RefusedRecord {
  readonly reason: DeadLetterReason;
  /** One sentence without payload. */
  readonly error: string;
}

/** A record for which its organization has too few credits: it is delivered again once there may be enough. */
export interface PostponedRecord {
  readonly org: string;
  /** Milliseconds in which no other record of the organization needs to be tried. */
  readonly waitMs: number;
}

/**
 * The outcome of a record. `retry`: nothing was done, because a dependency is unavailable; it is redelivered later. Refused:
 * nothing was done, and it is not. Postponed: nothing was done, and others of its organization wait with it.
 */
export type Handled = "done" | "retry" | RefusedRecord | PostponedRecord;
