// The records of the log as they are written: names of the Avro schemas on one side, of the domain on the other.
import type { StoredEvent } from "../model/event.ts";
import type {
  DeadLetterReason,
  EnrichmentReply,
  EnrichmentRequest,
  RequestOrigin,
  StatementSubmitted,
} from "../model/records.ts";
import type {
  EntryType,
  HolderType,
  TransactionDetails,
  TransactionErrorCode,
  TransactionInput,
} from "../model/transaction.ts";
import { createWireCodec, readSchema, type RecordCodec, type SchemaRegistry } from "./codec.ts";
import type { BatchPriority } from "../shared/concurrency/priority.ts";

/** A record that could not be processed. */
export interface DeadLetterRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly reason: DeadLetterReason;
  /** One sentence without payload. */
  readonly error: string;
  readonly original: Uint8Array;
  readonly key: string;
  readonly headers: Readonly<Record<string, Uint8Array>>;
  /** Order of acceptance, which the record keeps when it is replayed. */
  readonly order: string;
  /** Milliseconds since 1970, UTC. */
  readonly failedAt: number;
}

/** A reply with the address of the process that sent the request. */
export interface AddressedReply {
  readonly address: string;
  readonly reply: EnrichmentReply;
}

interface AvroTransaction {
  readonly id: string;
  readonly description: string;
  readonly date: string;
  readonly amount: number;
  readonly entry_type: EntryType;
  readonly currency: string;
  readonly account_holder_id: string | null;
  readonly location: {
    readonly raw_address: string | null;
    readonly country: string | null;
  } | null;
  readonly details: {
    readonly mcc: number | null;
    readonly account_holder_name: string | null;
    readonly account_holder_type: HolderType | null;
    readonly model: string | null;
  } | null;
}

interface AvroRequest {
  readonly org: string;
  readonly request_id: string;
  readonly origin: Exclude<RequestOrigin, "statement">;
  readonly batch_id: string | null;
  readonly chunk_index: number;
  readonly chunk_count: number;
  readonly total: number;
  readonly created_at: number;
  readonly reply_to: { readonly address: string; readonly id: string } | null;
  readonly based_on: string | null;
  readonly priority: BatchPriority;
  readonly from_statement: boolean;
  readonly transactions: readonly AvroTransaction[];
}

interface AvroReply {
  readonly address: string;
  readonly id: string;
  readonly chunk_index: number;
  readonly outcome: "stored" | "superseded";
  readonly results: readonly {
    readonly facts: string | null;
    readonly error: { readonly code: TransactionErrorCode; readonly message: string } | null;
  }[];
}

interface AvroStatement {
  readonly org: string;
  readonly statement_id: string;
  readonly created_at: number;
}

interface AvroEvent {
  readonly org: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly resource_id: string;
  readonly sequence: number | null;
  readonly created_at: number;
  readonly body: string;
}

type AvroDeadLetter = Omit<DeadLetterRecord, "failedAt"> & { readonly failed_at: number };

async function mapped<Wire, Value>(
  wire: Promise<RecordCodec<Wire>>,
  toWire: (value: Value) => Wire,
  fromWire: (wire: Wire) => Value,
): Promise<RecordCodec<Value>> {
  const codec = await wire;
  return {
    encode: (value) => codec.encode(toWire(value)),
    decode: async (bytes) => fromWire(await codec.decode(bytes)),
  };
}

/** Codec of the topics of requests. */
export function createRequestCodec(
  registry: SchemaRegistry,
  topic: string,
): Promise<RecordCodec<EnrichmentRequest>> {
  const wire = createWireCodec<AvroRequest>(registry, topic, readSchema("EnrichmentRequest"));
  return mapped(wire, requestToWire, requestFromWire);
}

/** Codec of the topic of bank statements. */
export function createStatementCodec(
  registry: SchemaRegistry,
  topic: string,
): Promise<RecordCodec<StatementSubmitted>> {
  const wire = createWireCodec<AvroStatement>(registry, topic, readSchema("StatementSubmitted"));
  return mapped(
    wire,
    ({ org, id, createdAt }) => ({ org, statement_id: id, created_at: createdAt }),
    ({ org, statement_id: id, created_at: createdAt }) => ({ org, id, createdAt }),
  );
}

/** Codec of the topic of events. */
export function createEventCodec(
  registry: SchemaRegistry,
  topic: string,
): Promise<RecordCodec<StoredEvent>> {
  const wire = createWireCodec<AvroEvent>(registry, topic, readSchema("Event"));
  return mapped(
    wire,
    ({ org, eventId, eventType, resourceId, sequence, createdAt, body }) => ({
      org,
      event_id: eventId,
      event_type: eventType,
      resource_id: resourceId,
      sequence,
      created_at: createdAt,
      body,
    }),
    ({ org, event_id: eventId, resource_id: resourceId, ...rest }) => ({
      org,
      eventId,
      // A type of a newer version is one that no webhook here subscribes to.
      eventType: rest.event_type as StoredEvent["eventType"],
      resourceId,
      sequence: rest.sequence,
      createdAt: rest.created_at,
      body: rest.body,
    }),
  );
}

/** Codec of the topic of replies. */
export function createReplyCodec(
  registry: SchemaRegistry,
  topic: string,
): Promise<RecordCodec<AddressedReply>> {
  const wire = createWireCodec<AvroReply>(registry, topic, readSchema("EnrichmentReply"));
  return mapped(
    wire,
    ({ address, reply }) => ({
      address,
      id: reply.id,
      chunk_index: reply.chunkIndex,
      outcome: reply.outcome,
      results: reply.results,
    }),
    ({ address, id, chunk_index: chunkIndex, outcome, results }) => ({
      address,
      reply: {
        id,
        chunkIndex,
        outcome,
        results: results.map(({ facts, error }) => ({
          facts,
          error: error === null ? null : { code: error.code, message: error.message },
        })),
      },
    }),
  );
}

/** Codec of the topic of dead letters. */
export function createDeadLetterCodec(
  registry: SchemaRegistry,
  topic: string,
): Promise<RecordCodec<DeadLetterRecord>> {
  const wire = createWireCodec<AvroDeadLetter>(registry, topic, readSchema("DeadLetter"));
  return mapped(
    wire,
    ({ failedAt, ...letter }) => ({ ...letter, failed_at: failedAt }),
    ({ failed_at: failedAt, topic: from, partition, offset, reason, error, ...rest }) => {
      const { original, key, headers, order } = rest;
      return {
        topic: from,
        partition,
        offset,
        reason,
        error,
        original,
        key,
        headers: { ...headers },
        order,
        failedAt,
      };
    },
  );
}

function requestToWire(request: EnrichmentRequest): AvroRequest {
  return {
    org: request.org,
    request_id: request.requestId,
    // A new symbol of the enumeration could not be read by a version that does not know it.
    origin: request.origin === "statement" ? "batch" : request.origin,
    from_statement: request.origin === "statement",
    batch_id: request.batchId,
    chunk_index: request.chunkIndex,
    chunk_count: request.chunkCount,
    total: request.total,
    created_at: request.createdAt,
    reply_to: request.replyTo,
    based_on: request.basedOn,
    priority: request.priority,
    transactions: request.transactions.map((transaction) => ({
      id: transaction.id,
      description: transaction.description,
      date: transaction.date,
      amount: transaction.amount,
      entry_type: transaction.entryType,
      currency: transaction.currency,
      account_holder_id: transaction.accountHolderId,
      location:
        transaction.location === null
          ? null
          : { raw_address: transaction.location.rawAddress, country: transaction.location.country },
      details: detailsToWire(transaction.details),
    })),
  };
}

function requestFromWire(wire: AvroRequest): EnrichmentRequest {
  return {
    org: wire.org,
    requestId: wire.request_id,
    origin: wire.from_statement ? "statement" : wire.origin,
    batchId: wire.batch_id,
    chunkIndex: wire.chunk_index,
    chunkCount: wire.chunk_count,
    total: wire.total,
    createdAt: wire.created_at,
    replyTo:
      wire.reply_to === null ? null : { address: wire.reply_to.address, id: wire.reply_to.id },
    basedOn: wire.based_on,
    priority: wire.priority,
    transactions: wire.transactions.map(transactionFromWire),
  };
}

function transactionFromWire(wire: AvroTransaction): TransactionInput {
  return {
    id: wire.id,
    description: wire.description,
    date: wire.date,
    amount: wire.amount,
    entryType: wire.entry_type,
    currency: wire.currency,
    accountHolderId: wire.account_holder_id,
    location:
      wire.location === null
        ? null
        : { rawAddress: wire.location.raw_address, country: wire.location.country },
    ...(wire.details === null ? {} : { details: detailsFromWire(wire.details) }),
  };
}

function detailsToWire(details: TransactionDetails | undefined): AvroTransaction["details"] {
  if (details === undefined) return null;
  return {
    mcc: details.mcc,
    account_holder_name: details.accountHolderName,
    account_holder_type: details.accountHolderType,
    model: details.model ?? null,
  };
}

function detailsFromWire(wire: NonNullable<AvroTransaction["details"]>): TransactionDetails {
  return {
    mcc: wire.mcc,
    accountHolderName: wire.account_holder_name,
    accountHolderType: wire.account_holder_type,
    ...(wire.model === null ? {} : { model: wire.model }),
  };
}
