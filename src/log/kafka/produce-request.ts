// The request to append records, written into few pieces. The client (kafkajs 2.2.4) takes memory of its own for every
// record, every header and every number in them, which costs more than all else that is done with a small record.
// (https://kafka.apache.org/documentation/#recordbatch)
import { createRequire } from "node:module";

/** What the client hands to the part of it that makes the bytes of such a request. */
interface ProduceValues {
  readonly acks: number;
  readonly timeout: number;
  readonly compression?: number;
  readonly transactionalId?: string | null;
  readonly producerId?: unknown;
  readonly producerEpoch?: number;
  readonly topicData: readonly {
    readonly topic: string;
    readonly partitions: readonly PartitionValues[];
  }[];
}

interface PartitionValues {
  readonly partition: number;
  readonly firstSequence?: number;
  readonly messages: readonly object[];
}

interface ProduceKind {
  protocol(options: {
    readonly version: number;
  }): (values: ProduceValues) => { readonly request: object };
  isInFewPieces?: true;
}

/** The client's writer of numbers and bytes. */
interface Encoder {
  readonly buffer: Buffer;
  size(): number;
  writeInt8(value: number): Encoder;
  writeInt16(value: number): Encoder;
  writeInt32(value: number): Encoder;
  writeUInt32(value: number): Encoder;
  writeInt64(value: unknown): Encoder;
  writeString(value: string | null): Encoder;
  writeBytes(value: Buffer): Encoder;
  writeBuffer(value: Buffer): Encoder;
  writeEncoder(value: Encoder): Encoder;
  writeArray(values: readonly Encoder[]): Encoder;
}

/** Parts of the client that are used as they are. */
interface ClientParts {
  readonly Encoder: new (bytes?: number) => Encoder;
  crc32C(bytes: Buffer): number;
  lookupCodec(compression: number): { compress(from: { buffer: Buffer }): Promise<Buffer> } | null;
}

/** The first version of the request whose records are laid out like this. */
const BATCHES_FROM_VERSION = 3;
/** Of the layout of a batch. */
const MAGIC = 2;
const NOT_COMPRESSED = 0;
/** The id of a producer that has none. */
const NO_PRODUCER = -1;
/** The numbers of a batch and of the request around it take less. */
const BATCH_NUMBERS_BYTES = 128;
/** The place of the first record, and the length of the rest. */
const BATCH_HEAD_BYTES = 12;

/** Has the client make these requests by `encodeRequest`; again is harmless. Those with other records it makes itself. */
export function produceInFewPieces(): void {
  const require = createRequire(import.meta.url);
  const produce = require("kafkajs/src/protocol/requests/produce") as ProduceKind;
  if (produce.isInFewPieces === true) return;
  const { protocol } = produce;
  const { lookupCodec } = require("kafkajs/src/protocol/message/compression") as ClientParts;
  const parts: ClientParts = {
    Encoder: require("kafkajs/src/protocol/encoder") as ClientParts["Encoder"],
    crc32C: require("kafkajs/src/protocol/recordBatch/crc32C") as ClientParts["crc32C"],
    lookupCodec,
  };
  produce.isInFewPieces = true;
  produce.protocol = (options) => {
    const build = protocol(options);
    return (values) => {
      const built = build(values);
      if (options.version < BATCHES_FROM_VERSION || !isPlainRequest(values)) return built;
      return {
        ...built,
        request: { ...built.request, encode: () => encodeRequest(parts, values) },
      };
    };
  };
}

function isPlainRequest({ transactionalId, topicData }: ProduceValues): boolean {
  if (transactionalId !== undefined && transactionalId !== null) return false;
  return topicData.every(({ partitions }) =>
    partitions.every(({ messages }) => messages.length > 0 && messages.every(isPlain)),
  );
}

async function encodeRequest(parts: ClientParts, values: ProduceValues): Promise<Encoder> {
  const { Encoder } = parts;
  const topics: Encoder[] = [];
  for (const { topic, partitions } of values.topicData) {
    const encoded: Encoder[] = [];
    for (const one of partitions) encoded.push(await encodePartition(parts, values, one));
    topics.push(new Encoder().writeString(topic).writeArray(encoded));
  }
  return new Encoder()
    .writeString(null)
    .writeInt16(values.acks)
    .writeInt32(values.timeout)
    .writeArray(topics);
}

async function encodePartition(
  { Encoder, crc32C, lookupCodec }: ClientParts,
  { compression = NOT_COMPRESSED, producerId = NO_PRODUCER, producerEpoch = 0 }: ProduceValues,
  { partition, firstSequence = 0, messages }: PartitionValues,
): Promise<Encoder> {
  const nowMs = Date.now();
  const records = encodeRecords(messages as readonly PlainMessage[]);
  const codec = compression === NOT_COMPRESSED ? null : lookupCodec(compression);
  const packed = codec === null ? records : await codec.compress({ buffer: records });
  const body = new Encoder(packed.length + BATCH_NUMBERS_BYTES)
    .writeInt16(compression)
    .writeInt32(messages.length - 1)
    .writeInt64(nowMs)
    .writeInt64(nowMs)
    .writeInt64(producerId)
    .writeInt16(producerEpoch)
    .writeInt32(firstSequence)
    .writeInt32(messages.length)
    .writeBuffer(packed);
  const batch = new Encoder(packed.length + BATCH_NUMBERS_BYTES)
    .writeInt32(0)
    .writeInt8(MAGIC)
    .writeUInt32(crc32C(body.buffer))
    .writeEncoder(body);
  const bytes = BATCH_HEAD_BYTES + batch.size();
  return new Encoder(bytes + BATCH_NUMBERS_BYTES)
    .writeInt32(partition)
    .writeInt32(bytes)
    .writeInt64(0)
    .writeBytes(batch.buffer);
}

/** A record as the client is given it. Others than these are left to the client. */
interface PlainMessage {
  readonly key?: Buffer | string | null;
  readonly value: Buffer | string | null;
  readonly headers?: Readonly<Record<string, Buffer | string>>;
}

/** Bytes that numbers and lengths of a record take at most, without its headers. */
const RECORD_NUMBERS_BYTES = 32;
const HEADER_NUMBERS_BYTES = 10;
/** In UTF-8, of a UTF-16 unit. */
const BYTES_PER_UNIT_MAX = 3;
const NO_HEADERS = {};

/** Whether `encodeRecords` can write it: a time of its own, or a header with several values, it cannot. */
function isPlain(message: object): message is PlainMessage {
  const { key, value, headers, timestamp } = message as Readonly<Record<string, unknown>>;
  if (timestamp !== undefined && timestamp !== null) return false;
  if (!isBytesOrNone(key) || !isBytesOrNone(value)) return false;
  return Object.values(headers ?? NO_HEADERS).every(isBytes);
}

const isBytes = (value: unknown): boolean => typeof value === "string" || Buffer.isBuffer(value);
const isBytesOrNone = (value: unknown): boolean =>
  value === null || value === undefined || isBytes(value);

/** The records of a batch, before they are compressed. All have the time of the batch, and places from 0 on. */
function encodeRecords(messages: readonly PlainMessage[]): Buffer {
  const to = new Records(messages.reduce((sum, message) => sum + bytesMax(message), 0));
  for (const [index, message] of messages.entries()) to.record(message, index);
  return to.written();
}

function bytesMax({ key, value, headers = NO_HEADERS }: PlainMessage): number {
  let bytes = RECORD_NUMBERS_BYTES + bytesMaxOf(key) + bytesMaxOf(value);
  for (const [name, content] of Object.entries(headers)) {
    bytes += HEADER_NUMBERS_BYTES + bytesMaxOf(name) + bytesMaxOf(content);
  }
  return bytes;
}

function bytesMaxOf(content: Buffer | string | null | undefined): number {
  if (content === null || content === undefined) return 0;
  return typeof content === "string" ? content.length * BYTES_PER_UNIT_MAX : content.length;
}

class Records {
  readonly #bytes: Buffer;
  #length = 0;

  constructor(bytesMaximum: number) {
    this.#bytes = Buffer.allocUnsafe(bytesMaximum);
  }

  written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  record({ key, value, headers = NO_HEADERS }: PlainMessage, index: number): void {
    const fields = Object.entries(headers);
    // Attributes and the difference of time take a byte each.
    let size =
      2 +
      numberBytes(index) +
      messageSizeOf(key) +
      messageSizeOf(value) +
      numberBytes(fields.length);
    for (const [name, content] of fields) size += messageSizeOf(name) + messageSizeOf(content);
    this.#number(size);
    this.#number(0);
    this.#number(0);
    this.#number(index);
    this.#content(key);
    this.#content(value);
    this.#number(fields.length);
    for (const [name, content] of fields) {
      this.#content(name);
      this.#content(content);
    }
  }

  #content(content: Buffer | string | null | undefined): void {
    if (content === null || content === undefined) {
      this.#number(-1);
      return;
    }
    const length = byteLength(content);
    this.#number(length);
    if (typeof content === "string") this.#bytes.write(content, this.#length, "utf8");
    else content.copy(this.#bytes, this.#length);
    this.#length += length;
  }

  /** A number of 32 bits, zigzag, in groups of seven bits. */
  #number(value: number): void {
    let rest = zigzag(value);
    for (; rest > 0x7f; rest >>>= 7) this.#byte((rest & 0x7f) | 0x80);
    this.#byte(rest);
  }

  #byte(byte: number): void {
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }
}

const zigzag = (value: number): number => ((value << 1) ^ (value >> 31)) >>> 0;

function numberBytes(value: number): number {
  let bytes = 1;
  for (let rest = zigzag(value); rest > 0x7f; rest >>>= 7) bytes += 1;
  return bytes;
}

function messageSizeOf(content: Buffer | string | null | undefined): number {
  if (content === null || content === undefined) return 1;
  const length = byteLength(content);
  return numberBytes(length) + length;
}

const byteLength = (content: Buffer | string): number =>
  typeof content === "string" ? Buffer.byteLength(content) : content.length;
