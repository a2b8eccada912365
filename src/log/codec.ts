// Avro with the Confluent wire format: a zero byte, the schema's id as a 32-bit big-endian number, the Avro body.
// (https://docs.confluent.io/platform/current/schema-registry/fundamentals/serdes-develop/index.html#wire-format)
// A record is read with the schema it was written with, resolved to the one of this program, so that records that
// waited in the log while the program was updated, and those of producers outside, stay readable.
import { readFileSync } from "node:fs";
import avro from "avsc";
import { boundReading } from "./bounded-reading.ts";
import { logicalTypes } from "./logical-types.ts";

const MAGIC = 0;
const HEADER_BYTES = 5;
/** Schemas of other writers that are kept ready; a producer that sends ever new ids cannot fill the memory. */
const WRITERS_MAX = 256;

/** Where schemas get their ids: a table of the embedded log, or a Confluent-compatible schema registry. */
export interface SchemaRegistry {
  /** The id of this schema under this subject, registered when it is new. */
  register(subject: string, schema: string): Promise<number>;
  /**
   * The text of a schema, or null when the id is unknown.
   * @throws LedgerlineError `unavailable` when it cannot be known now
   */
  schema(id: number): Promise<string | null>;
}

/** Encodes and decodes one kind of record. */
export interface RecordCodec<Value> {
  encode(value: Value): Buffer;
  /**
   * @throws UndecodableRecord on bytes that are not such a record
   * @throws LedgerlineError `unavailable` when their schema cannot be looked up now
   */
  decode(bytes: Uint8Array): Promise<Value>;
}

/** The bytes of a record are not what the topic promises. Its message never quotes them. */
export class UndecodableRecord extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "UndecodableRecord";
  }
}

/** The Avro schema of this name in schemas/, as text. */
export function readSchema(name: string): string {
  return readFileSync(new URL(`../../schemas/${name}.avsc`, import.meta.url), "utf8");
}

/** Made anew for every schema: avsc keeps the named types it met in the options it was given. */
export function parseSchema(schema: string): avro.Type {
  boundReading();
  return avro.Type.forSchema(JSON.parse(schema) as avro.Schema, {
    logicalTypes,
    wrapUnions: false,
  });
}

/** Registers a schema under a topic's subject; returns its id. */
export function registerSchema(
  registry: SchemaRegistry,
  topic: string,
  schema: string,
): Promise<number> {
  return registry.register(`${topic}-value`, JSON.stringify(JSON.parse(schema)));
}

/** What stands before the Avro bytes of a record. */
export function wireHeader(schemaId: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(MAGIC, 0);
  header.writeUInt32BE(schemaId, 1);
  return header;
}

/** The codec of a topic's values: registers `schema` under the topic's subject. `Wire` has the names of the schema. */
export async function createWireCodec<Wire>(
  registry: SchemaRegistry,
  topic: string,
  schema: string,
): Promise<RecordCodec<Wire>> {
  const type = parseSchema(schema);
  const id = await registerSchema(registry, topic, schema);
  const header = wireHeader(id);
  const resolvers = new Map<number, avro.Resolver | null>([[id, null]]);

  async function resolverFor(writerId: number): Promise<avro.Resolver | null> {
    const known = resolvers.get(writerId);
    if (known !== undefined) return known;
    const text = await registry.schema(writerId);
    if (text === null) throw new UndecodableRecord(`schema id ${String(writerId)} is unknown`);
    const resolver = resolve(type, text, writerId);
    if (resolvers.size >= WRITERS_MAX) {
      resolvers.clear();
      resolvers.set(id, null);
    }
    resolvers.set(writerId, resolver);
    return resolver;
  }

  return {
    encode: (value) => Buffer.concat([header, type.toBuffer(value)]),
    decode: async (bytes) => {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      if (buffer.length < HEADER_BYTES || buffer.readUInt8(0) !== MAGIC) {
        throw new UndecodableRecord("the record has no Confluent header");
      }
      const resolver = await resolverFor(buffer.readUInt32BE(1));
      try {
        return type.fromBuffer(buffer.subarray(HEADER_BYTES), resolver ?? undefined) as Wire;
      } catch (error) {
        throw new UndecodableRecord("the record's body does not match its schema", error);
      }
    },
  };
}

function resolve(type: avro.Type, writer: string, writerId: number): avro.Resolver {
  try {
    return type.createResolver(parseSchema(writer));
  } catch (error) {
    throw new UndecodableRecord(`schema id ${String(writerId)} does not fit this topic`, error);
  }
}
