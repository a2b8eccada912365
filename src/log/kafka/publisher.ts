// Sends records. Records that arrive during a send to the same partition go with the next one, so that many callers
// share few requests; a group of records goes in one request to one partition, which the broker appends whole or
// not at all. Records that need not be there whole may go to several partitions.
//
// Three defects of the client decide the shape of it:
// - A send over partitions on several brokers can resolve although records were dropped, when leadership moves in the
//   middle of it (https://github.com/tulios/kafkajs/issues/1303): so partitions are chosen here, and the answer must say
//   of each of them where its records are.
// - A producer gives the sequence numbers of a send that failed to the next one. Had the broker appended the first after
//   all, it takes the second for its repetition and acknowledges it without appending: so a producer that has failed is
//   never used again.
// - Its waits have no common limit: a send fails after `SEND_MAX_MS`.
import { setTimeout as delay } from "node:timers/promises";
import {
  CompressionTypes,
  type Kafka,
  type Message,
  Partitioners,
  type Producer,
  type RecordMetadata,
} from "kafkajs";
import { LedgerlineError } from "../../shared/errors.ts";
import { asKafkaUnavailable, RETRY, within } from "./client.ts";
import { COMPRESSION_TYPES } from "./compression.ts";
import type { RecordCompression } from "./settings.ts";

const SEND_MAX_MS = 10_000;
const CLOSE_MAX_MS = 2_000;
/** What one request takes along; a group of records may be larger and then goes alone. */
const SEND_BYTES_MAX = 1024 * 1024;
/** Bytes that wait for a partition; beyond: overloaded. */
const WAITING_BYTES_MAX = 128 * 1024 * 1024;
/** Below this, packing costs more than it saves; `PACKED_LATE_FROM_BYTES` where a caller waits for it. */
const PACKED_FROM_BYTES = 4 * 1024;
export const PACKED_LATE_FROM_BYTES = 64 * 1024;
const MESSAGE_TOO_LARGE = "MESSAGE_TOO_LARGE";
/**
 * Two records of which one was accepted after the other must not share a millisecond of the broker's clock, which gives
 * their order. Timers can be a millisecond early.
 */
const CLOCK_TICK_MS = 2;

export interface Outgoing {
  readonly key: Buffer | string | null;
  /** Null removes what the key stands for, in a compacted topic. */
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, Buffer>>;
}

/** A record that goes to a partition of its own. */
export interface OutgoingToPartition extends Outgoing {
  readonly partition: number;
}

export interface Publisher {
  /**
   * Adds records to one partition, all or none; resolves once all replicas in sync have them and the broker's clock has
   * gone on. Returns when they were appended by that clock, in milliseconds since 1970.
   * @throws LedgerlineError `unavailable`: not known to be accepted; `overloaded`, `too_large`: not accepted
   */
  send(topic: string, partition: number, records: readonly Outgoing[]): Promise<number>;
  /**
   * Adds records to the partitions that they name; resolves once all replicas in sync have all of them.
   * @param compression of all requests to this topic; gzip when left out
   * @throws LedgerlineError as `send` does; some of the records may have been added then, however often
   */
  spread(
    topic: string,
    records: readonly OutgoingToPartition[],
    compression?: RecordCompression,
  ): Promise<void>;
  close(): Promise<void>;
}

interface ProduceGroup {
  readonly messages: readonly PlacedMessage[];
  readonly bytes: number;
  resolve(appendedAtMs: number): void;
  reject(error: unknown): void;
}

type PlacedMessage = Message & { readonly partition: number };

interface PartitionQueue {
  readonly topic: string;
  /** Whether its callers want to know when the broker's clock has gone on. */
  readonly isClocked: boolean;
  readonly compression: RecordCompression;
  waiting: ProduceGroup[];
  waitingBytes: number;
  isSending: boolean;
}

/** @param packedFromBytes requests of at least so many bytes are compressed */
export function createPublisher(kafka: Kafka, packedFromBytes = PACKED_FROM_BYTES): Publisher {
  const queues = new Map<string, PartitionQueue>();
  const producers = createProducers(kafka);

  async function drain(queue: PartitionQueue): Promise<void> {
    queue.isSending = true;
    // Calls of the same turn of the event loop go together.
    await Promise.resolve();
    while (queue.waiting.length > 0) {
      const groups = takeGroups(queue);
      try {
        const appendedAtMs = await sendOnce(producers, queue, groups, packedFromBytes);
        void delay(queue.isClocked ? CLOCK_TICK_MS : 0).then(() => {
          for (const group of groups) group.resolve(appendedAtMs);
        });
      } catch (error) {
        const reason = asFailure(error);
        for (const group of groups) group.reject(reason);
      }
    }
    queue.isSending = false;
  }

  function enqueue(queue: PartitionQueue, messages: readonly PlacedMessage[]): Promise<number> {
    return new Promise((resolve, reject) => {
      const bytes = messages.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
      if (queue.waitingBytes + bytes > WAITING_BYTES_MAX) {
        reject(new LedgerlineError("overloaded", "Too much is waiting to be sent to Kafka."));
        return;
      }
      queue.waiting.push({ messages, bytes, resolve, reject });
      queue.waitingBytes += bytes;
      if (!queue.isSending) void drain(queue);
    });
  }

  /** @param partition null: the queue of records for several partitions */
  function queueOf(
    topic: string,
    partition: number | null,
    compression: RecordCompression,
  ): PartitionQueue {
    const name = `${topic}/${String(partition)}/${compression}`;
    const queue = queues.get(name) ?? newQueue(topic, partition !== null, compression);
    queues.set(name, queue);
    return queue;
  }

  return {
    send: (topic, partition, records) => {
      const messages = records.map((one) => toMessage(one, partition));
      return enqueue(queueOf(topic, partition, "gzip"), messages);
    },
    spread: async (topic, records, compression = "gzip") => {
      const messages = records.map((one) => toMessage(one, one.partition));
      await enqueue(queueOf(topic, null, compression), messages);
    },
    close: producers.close,
  };
}

function newQueue(
  topic: string,
  isClocked: boolean,
  compression: RecordCompression,
): PartitionQueue {
  return { topic, isClocked, compression, waiting: [], waitingBytes: 0, isSending: false };
}

function toMessage({ key, value, headers }: Outgoing, partition: number): PlacedMessage {
  if (headers === undefined) return { key, value, partition };
  return { key, value, partition, headers: { ...headers } };
}

/** The groups of the next request: as many as fit, at least one. */
function takeGroups(queue: PartitionQueue): ProduceGroup[] {
  let bytes = 0;
  let count = 0;
  for (const group of queue.waiting) {
    if (count > 0 && bytes + group.bytes > SEND_BYTES_MAX) break;
    bytes += group.bytes;
    count += 1;
  }
  queue.waitingBytes -= bytes;
  return queue.waiting.splice(0, count);
}

/** Returns when the last of the records were appended. */
async function sendOnce(
  producers: Producers,
  { topic, compression }: PartitionQueue,
  groups: readonly ProduceGroup[],
  packedFromBytes: number,
): Promise<number> {
  const producer = producers.current();
  const messages = groups.flatMap((group) => group.messages);
  const byPartition = groupByPartition(messages);
  const bytes = groups.reduce((sum, group) => sum + group.bytes, 0);
  try {
    const connected = await within(producer, SEND_MAX_MS);
    const answers = await within(
      connected.send({
        topic,
        messages: grouped(messages, byPartition),
        acks: -1,
        timeout: SEND_MAX_MS,
        compression:
          bytes < packedFromBytes ? CompressionTypes.None : COMPRESSION_TYPES[compression],
      }),
      SEND_MAX_MS,
    );
    const times = [...byPartition.keys()].map((partition) =>
      appendedAt(answers.find((one) => one.topicName === topic && one.partition === partition)),
    );
    return Math.max(...times);
  } catch (error) {
    producers.discard(producer);
    throw error;
  }
}

/** @throws LedgerlineError `unavailable` unless the answer contains the offsets of its partition */
function appendedAt(answer: RecordMetadata | undefined): number {
  if (answer === undefined || answer.errorCode !== 0 || Number(answer.baseOffset ?? -1) < 0) {
    throw new LedgerlineError("unavailable", "Kafka did not say where it put the records.");
  }
  return Number(answer.logAppendTime);
}

type ByPartition = ReadonlyMap<number, PlacedMessage[]>;

function groupByPartition(messages: readonly PlacedMessage[]): ByPartition {
  const groups = new Map<number, PlacedMessage[]>();
  for (const message of messages) {
    const group = groups.get(message.partition);
    if (group === undefined) groups.set(message.partition, [message]);
    else group.push(message);
  }
  return groups;
}

/**
 * The messages as the client is given them. It would group them by partition in a time that grows with the square of
 * their number, a copy of the group for each message in it; where it reduces them, it gets the groups that it would come to.
 */
function grouped(messages: PlacedMessage[], byPartition: ByPartition): Message[] {
  return Object.defineProperty(messages, "reduce", {
    value: () => Object.fromEntries(byPartition),
  });
}

function asFailure(error: unknown): LedgerlineError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("type" in cause && cause.type === MESSAGE_TOO_LARGE) {
      const message =
        "The request is larger than the topic takes; send fewer transactions at once.";
      return new LedgerlineError("too_large", message, { cause: error });
    }
  }
  return asKafkaUnavailable(error);
}

interface Producers {
  /** The producer that sends now; connects when there is none. */
  current(): Promise<Producer>;
  /** Sees to it that this one sends nothing more. */
  discard(producer: Promise<Producer>): void;
  close(): Promise<void>;
}

function createProducers(kafka: Kafka): Producers {
  let current: Promise<Producer> | null = null;

  async function connect(): Promise<Producer> {
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: RETRY,
    });
    await producer.connect();
    return producer;
  }

  async function disconnect(producer: Promise<Producer>): Promise<void> {
    try {
      await within((await producer).disconnect(), CLOSE_MAX_MS);
    } catch {
      // It is not used any more either way.
    }
  }

  return {
    current: () => (current ??= connect()),
    discard: (producer) => {
      if (current !== producer) return;
      current = null;
      // What it is sending to other partitions may still arrive.
      setTimeout(() => void disconnect(producer), SEND_MAX_MS).unref();
    },
    close: async () => {
      if (current !== null) await disconnect(current);
    },
  };
}
