// The ingest stage: writes what the API accepted to the log, and answers only then. A synchronous call waits for the reply of
// the worker that processes its record.
import { type Batch, type BatchHead, type BatchOptions, BATCH_LENGTH_MAX } from "../model/batch.ts";
import {
  CHUNK_TRANSACTIONS_MAX,
  type EnrichmentReply,
  type EnrichmentRequest,
  type EnrichmentResult,
  type RequestTopic,
} from "../model/records.ts";
import { batchRecordKey } from "../model/record-key.ts";
import type { TransactionInput } from "../model/transaction.ts";
import {
  type AdmissionLimits,
  type AdmissionPorts,
  createBatchAdmission,
} from "./batch-admission.ts";
import { type CallLimits, type CallPorts, createCalls } from "./calls.ts";

/** What the stage needs from the log and the store. */
export interface IngestPorts extends AdmissionPorts, CallPorts {
  publish(
    topic: RequestTopic,
    records: readonly { key: string; value: EnrichmentRequest }[],
    waitingRecords?: number,
  ): Promise<void>;
  insertBatch(head: BatchHead): Promise<void>;
  nowMs(): number;
}

export interface IngestLimits extends AdmissionLimits, CallLimits {}

const INGEST_LIMITS: IngestLimits = {
  replyTimeoutMs: 30_000,
  waitingMax: 2_000,
  // Twice the records in flight of a process: while one half is stored, the other is published, in the same commits.
  atOnceMax: 512,
  // 4 000 records are a million transactions: about half a minute of work for two cores.
  batchRecordsMax: 4_000,
  // Enough for 20 million transactions with usual rules, or for about five of the largest batches with the most expensive
  // rules.
  batchThreadMsMax: 600_000,
};

/**
 * @param isShared whether other processes do the work: if one of them hangs, the calls in its partitions wait until their
 * timeout, and must not take the places of calls that the others would answer
 */
export function ingestLimits(isShared: boolean): IngestLimits {
  return isShared ? { ...INGEST_LIMITS, atOnceMax: INGEST_LIMITS.waitingMax } : INGEST_LIMITS;
}

/** The single result of a synchronous call. `createdAt` in milliseconds since 1970, UTC. */
export interface EnrichedOne extends EnrichmentResult {
  readonly createdAt: number;
}

export interface Ingest {
  /**
   * Accepts one transaction and waits for its result.
   * @throws LedgerlineError `overloaded` or `too_large`: nothing was accepted; `unavailable`: the log did not acknowledge it,
   * it may still be accepted over Kafka; `reply_timeout`: accepted, result not available yet.
   */
  enrichOne(org: string, requestId: string, input: TransactionInput): Promise<EnrichedOne>;
  /**
   * Accepts 1 to 4 000 transactions and waits for all results, which are in the same order.
   * @throws LedgerlineError as `enrichOne`; after `reply_timeout` and `unavailable` a part may be accepted, and repeating the
   * call is safe
   */
  enrichMany(
    org: string,
    requestId: string,
    inputs: readonly TransactionInput[],
  ): Promise<{ readonly createdAt: number; readonly results: readonly EnrichmentResult[] }>;
  /**
   * Re-enriches a stored transaction, unless it has been replaced since it was read at `order`.
   * @returns null when it has been replaced
   */
  enrichAgain(
    org: string,
    requestId: string,
    stored: {
      readonly input: TransactionInput;
      readonly createdAt: number;
      readonly order: string;
    },
  ): Promise<EnrichmentResult | null>;
  /**
   * Accepts 1..24 960 transactions under `options.id`, which must not be the id of a stored batch: published again, it would
   * have two orders of acceptance.
   * @throws LedgerlineError `overloaded` or `too_large`: nothing was accepted; `unavailable`: the log did not acknowledge all
   * of it, and the acknowledged part counts when the batch is submitted again
   */
  submitBatch(
    org: string,
    requestId: string,
    inputs: readonly TransactionInput[],
    options: BatchOptions,
  ): Promise<Batch>;
}

export function createIngest(ports: IngestPorts, limits: IngestLimits = INGEST_LIMITS): Ingest {
  const admission = createBatchAdmission(ports, limits);
  const { call, callAll } = createCalls(ports, limits);

  return {
    enrichOne: async (org, requestId, input) => {
      const createdAt = ports.nowMs();
      const reply = await call(singleRequest(org, requestId, "v3", input, createdAt, null));
      return { createdAt, ...firstResult(reply) };
    },
    enrichMany: async (org, requestId, inputs) => {
      const createdAt = ports.nowMs();
      const chunks = chunksOf(inputs, CALL_CHUNK_TRANSACTIONS);
      const requests = chunks.map((chunk) => callRequest(org, requestId, "v3", chunk, createdAt));
      const replies = await callAll(org, requests);
      const results = replies.flatMap(({ results: found }, index) =>
        // The reply for a record that cannot be processed has one result for all of its transactions.
        (chunks[index] ?? []).map((_, place) => resultAt(found, place)),
      );
      return { createdAt, results };
    },
    enrichAgain: async (org, requestId, { input, createdAt, order }) => {
      const reply = await call(singleRequest(org, requestId, "assign", input, createdAt, order));
      return reply.outcome === "superseded" ? null : firstResult(reply);
    },
    submitBatch: async (org, requestId, inputs, { id, priority }) => {
      if (inputs.length === 0 || inputs.length > BATCH_LENGTH_MAX)
        throw new Error("A batch has 1 to 24 960 transactions");
      const createdAt = ports.nowMs();
      const chunkCount = Math.ceil(inputs.length / CHUNK_TRANSACTIONS_MAX);
      const total = inputs.length;
      const head: BatchHead = { org, id, total, chunkCount, priority, createdAt };
      await admission.admit(head, async (waitingRecords) => {
        await ports.publish("requests", batchRecords(head, requestId, inputs), waitingRecords);
        // After publishing, so that no batch is stored whose transactions are not in the log. It is accepted by now: if this
        // fails, or the process dies before it, the first chunk stores the batch.
        await ports.insertBatch(head).catch(() => undefined);
      });
      const state = { status: "processing", updatedAt: createdAt, progress: 0 } as const;
      return { org, id, priority, createdAt, total, ...state };
    },
  };
}

/**
 * Transactions in one record of a synchronous call: so few that single calls, which are answered in between, do not wait
 * longer than for a few of their own kind.
 */
const CALL_CHUNK_TRANSACTIONS = 100;

function chunksOf<Item>(items: readonly Item[], length: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / length) }, (_, index) =>
    items.slice(index * length, (index + 1) * length),
  );
}

function resultAt(results: readonly EnrichmentResult[], place: number): EnrichmentResult {
  const result = results[place] ?? results[0];
  if (result === undefined) throw new Error("A reply has no result");
  return result;
}

function singleRequest(
  org: string,
  requestId: string,
  origin: "v3" | "assign",
  input: TransactionInput,
  createdAt: number,
  basedOn: string | null,
): Omit<EnrichmentRequest, "replyTo"> {
  return { ...callRequest(org, requestId, origin, [input], createdAt), basedOn };
}

function callRequest(
  org: string,
  requestId: string,
  origin: "v3" | "assign",
  transactions: readonly TransactionInput[],
  createdAt: number,
): Omit<EnrichmentRequest, "replyTo"> {
  return {
    org,
    requestId,
    origin,
    batchId: null,
    chunkIndex: 0,
    chunkCount: 1,
    total: transactions.length,
    createdAt,
    basedOn: null,
    priority: "default",
    transactions,
  };
}

function firstResult(reply: EnrichmentReply): EnrichmentResult {
  const [result] = reply.results;
  if (result === undefined) throw new Error("A reply to one transaction has no result");
  return result;
}

function batchRecords(
  head: BatchHead,
  requestId: string,
  inputs: readonly TransactionInput[],
): { key: string; value: EnrichmentRequest }[] {
  return Array.from({ length: head.chunkCount }, (_, chunkIndex) => ({
    key: batchRecordKey(head.org, head.id, chunkIndex, head.priority),
    value: {
      org: head.org,
      requestId,
      origin: "batch",
      batchId: head.id,
      chunkIndex,
      chunkCount: head.chunkCount,
      total: head.total,
      createdAt: head.createdAt,
      replyTo: null,
      basedOn: null,
      priority: head.priority,
      transactions: inputs.slice(
        chunkIndex * CHUNK_TRANSACTIONS_MAX,
        (chunkIndex + 1) * CHUNK_TRANSACTIONS_MAX,
      ),
    },
  }));
}
