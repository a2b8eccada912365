// Avro with the Confluent wire format: a zero byte, the schema's id as a 32-bit big-endian number, the Avro body.
// (https://docs.confluent.io/platform/current/schema-registry/fundamentals/serdes-develop/index.html#wire-format)
// A record is read with the schema it was written with, resolved to the one this program knows, so that records that
// waited in the log while the program was updated stay readable.
import { readFileSync } from "node:fs";
import avro from "avsc";
import type { EnrichmentRequest, RequestOrigin } from "../domain/records.ts";
import type { EntryType } from "../domain/transaction.ts";

const MAGIC = 0;
const HEADER_BYTES = 5;
const DAY_MS = 86_400_000;
const DAY_TEXTS_MAX = 4_096;

/** Where schemas get their ids: a table of the embedded log, or a Confluent-compatible schema registry. */
export interface SchemaRegistry {
  /** The id of this schema under this subject, registered when it is new. */
  register(subject: string, schema: string): number;
  /** The text of a schema, or null when the id is unknown. */
  schema(id: number): string | null;
}

export interface DeadLetterRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly reason: "undecodable" | "handler_failed";
  readonly error: string;
  readonly original: Uint8Array;
}

/** Encodes and decodes one kind of record. `decode` throws `UndecodableRecord` on bytes that are not such a record. */
export interface RecordCodec<Value> {
  encode(value: Value): Buffer;
  decode(bytes: Uint8Array): Value;
}

/** The bytes of a record are not what the topic promises. Its message never quotes them. */
export class UndecodableRecord extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "UndecodableRecord";
  }
}

interface WireTransaction {
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
}

interface WireRequest {
  readonly org: string;
  readonly request_id: string;
  readonly origin: RequestOrigin;
  readonly batch_id: string | null;
  readonly chunk_index: number;
  readonly chunk_count: number;
  readonly total: number;
  readonly created_at: number;
  readonly reply_to: { readonly address: string; readonly id: string } | null;
  readonly based_on: string | null;
  readonly transactions: readonly WireTransaction[];
}

/** Avro's `date` is a number of days since 1970-01-01; ours is the text YYYY-MM-DD. */
class DateText extends avro.types.LogicalType {
  // A chunk's transactions share few days, and turning a day into text costs more than reading the rest of its row.
  readonly #texts = new Map<number, string>();
  protected override _fromValue(days: number): string {
    const known = this.#texts.get(days);
    if (known !== undefined) return known;
    if (this.#texts.size >= DAY_TEXTS_MAX) this.#texts.clear();
    const text = new Date(days * DAY_MS).toISOString().slice(0, 10);
    this.#texts.set(days, text);
    return text;
  }
  // How values of another writer's schema are read: as they come from one of this type, converted from a plain number.
  protected override _resolve(writer: avro.Type): ((value: unknown) => string) | undefined {
    if (avro.Type.isType(writer, "logical:date")) return String;
    return avro.Type.isType(writer, "int") ? (days) => this._fromValue(Number(days)) : undefined;
  }
  protected override _toValue(text: unknown): number | undefined {
    const ms = typeof text === "string" ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
    return Number.isNaN(ms) ? undefined : ms / DAY_MS;
  }
}

/** Made anew for every schema: avsc keeps the named types it met in the options it was given. */
function parseSchema(schema: string): avro.Type {
  return avro.Type.forSchema(JSON.parse(schema) as avro.Schema, {
    logicalTypes: { date: DateText },
    wrapUnions: false,
  });
}

function readSchema(name: string): string {
  return readFileSync(new URL(`../../schemas/${name}.avsc`, import.meta.url), "utf8");
}

function createWireCodec<Wire>(
  registry: SchemaRegistry,
  subject: string,
  schema: string,
): RecordCodec<Wire> {
  const type = parseSchema(schema);
  const id = registry.register(subject, JSON.stringify(JSON.parse(schema)));
  const resolvers = new Map<number, avro.Resolver | null>([[id, null]]);

  function resolverFor(writerId: number): avro.Resolver | null {
    const known = resolvers.get(writerId);
    if (known !== undefined) return known;
    const text = registry.schema(writerId);
    if (text === null) throw new UndecodableRecord(`schema id ${String(writerId)} is unknown`);
    try {
      const resolver = type.createResolver(parseSchema(text));
      resolvers.set(writerId, resolver);
      return resolver;
    } catch (error) {
      throw new UndecodableRecord(`schema id ${String(writerId)} does not fit this topic`, error);
    }
  }

  return {
    encode: (value) => {
      const body = type.toBuffer(value);
      const bytes = Buffer.allocUnsafe(HEADER_BYTES + body.length);
      bytes.writeUInt8(MAGIC, 0);
      bytes.writeUInt32BE(id, 1);
      body.copy(bytes, HEADER_BYTES);
      return bytes;
    },
    decode: (bytes) => {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      if (buffer.length < HEADER_BYTES || buffer.readUInt8(0) !== MAGIC) {
        throw new UndecodableRecord("the record has no Confluent header");
      }
      const resolver = resolverFor(buffer.readUInt32BE(1));
      try {
        return type.fromBuffer(buffer.subarray(HEADER_BYTES), resolver ?? undefined) as Wire;
      } catch (error) {
        throw new UndecodableRecord("the record's body does not match its schema", error);
      }
    },
  };
}

/** Codec of the topics `requests` and `requests-interactive`. */
export function createRequestCodec(registry: SchemaRegistry): RecordCodec<EnrichmentRequest> {
  const wire = createWireCodec<WireRequest>(
    registry,
    "requests-value",
    readSchema("EnrichmentRequest"),
  );
  return {
    encode: (request) => wire.encode(toWire(request)),
    decode: (bytes) => fromWire(wire.decode(bytes)),
  };
}

/** Codec of the topic `dead-letters`. */
export function createDeadLetterCodec(registry: SchemaRegistry): RecordCodec<DeadLetterRecord> {
  return createWireCodec<DeadLetterRecord>(
    registry,
    "dead-letters-value",
    readSchema("DeadLetter"),
  );
}

function toWire(request: EnrichmentRequest): WireRequest {
  return {
    org: request.org,
    request_id: request.requestId,
    origin: request.origin,
    batch_id: request.batchId,
    chunk_index: request.chunkIndex,
    chunk_count: request.chunkCount,
    total: request.total,
    created_at: request.createdAt,
    reply_to: request.replyTo,
    based_on: request.basedOn,
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
    })),
  };
}

function fromWire(wire: WireRequest): EnrichmentRequest {
  return {
    org: wire.org,
    requestId: wire.request_id,
    origin: wire.origin,
    batchId: wire.batch_id,
    chunkIndex: wire.chunk_index,
    chunkCount: wire.chunk_count,
    total: wire.total,
    createdAt: wire.created_at,
    replyTo:
      wire.reply_to === null ? null : { address: wire.reply_to.address, id: wire.reply_to.id },
    basedOn: wire.based_on,
    transactions: wire.transactions.map((transaction) => ({
      id: transaction.id,
      description: transaction.description,
      date: transaction.date,
      amount: transaction.amount,
      entryType: transaction.entry_type,
      currency: transaction.currency,
      accountHolderId: transaction.account_holder_id,
      location:
        transaction.location === null
          ? null
          : { rawAddress: transaction.location.raw_address, country: transaction.location.country },
    })),
  };
}
