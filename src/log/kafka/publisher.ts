// Sends records. What is asked for while a send to the same partition is under way goes with the next one, so that many
// callers share few requests; a group of records goes in one request to one partition, which the broker appends whole or
// not at all.
//
// Three defects of the client decide the shape of it:
// - A send over partitions on several brokers can resolve although records were dropped, when leadership moves in the
//   middle of it (https://github.com/tulios/kafkajs/issues/1303): so a send names one partition, chosen here, and its
//   answer must say where the records are.
// - A producer gives the sequence numbers of a send that failed to the next one. Had the broker appended the first after
//   all, it takes the second for its repetition and acknowledges it without appending: so a producer that has failed is
//   never used again.
// - Its waits have no common limit: a send is given up after `SEND_MAX_MS`.
import { setTimeout as delay } from "node:timers/promises";
import { CompressionTypes, type Kafka, type Message, Partitioners, type Producer } from "kafkajs";
import { LedgerlineError } from "../../domain/errors.ts";
import { asUnavailable, RETRY, within } from "./client.ts";

const SEND_MAX_MS = 10_000;
const CLOSE_MAX_MS = 2_000;
/** What one request takes along; a group of records may be larger and then goes alone. */
const SEND_BYTES_MAX = 1024 * 1024;
/** Bytes that wait for a partition; beyond: overloaded. */
const WAITING_BYTES_MAX = 128 * 1024 * 1024;
/** Below this, packing costs more than it saves. */
const PACKED_FROM_BYTES = 4 * 1024;
const MESSAGE_TOO_LARGE = "MESSAGE_TOO_LARGE";
/**
 * Two records of which one was accepted after the other must not share a millisecond of the broker's clock, which says
 * which came first. Timers can be a millisecond early.
 */
const CLOCK_TICK_MS = 2;

export interface Outgoing {
  readonly key: string | null;
  /** Null removes what the key stands for, in a compacted topic. */
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, Buffer>>;
}

export interface Publisher {
  /**
   * Adds records to one partition, all or none; resolves once all replicas in sync have them and the broker's clock has
   * gone on. Returns when they were appended by that clock, in milliseconds since 1970.
   * @throws LedgerlineError `unavailable`: not known to be accepted; `overloaded`, `too_large`: not accepted
   */
  send(topic: string, partition: number, records: readonly Outgoing[]): Promise<number>;
  close(): Promise<void>;
}

interface Group {
  readonly messages: readonly Message[];
  readonly bytes: number;
  resolve(appendedAtMs: number): void;
  reject(error: unknown): void;
}

interface Lane {
  readonly topic: string;
  readonly partition: number;
  waiting: Group[];
  waitingBytes: number;
  isSending: boolean;
}

export function createPublisher(kafka: Kafka): Publisher {
  const lanes = new Map<string, Lane>();
  const producers = createProducers(kafka);

  async function drain(lane: Lane): Promise<void> {
    lane.isSending = true;
    // Whoever asks in the same turn of the event loop goes along.
    await Promise.resolve();
    while (lane.waiting.length > 0) {
      const groups = takeGroups(lane);
      try {
        const appendedAtMs = await sendOnce(producers, lane, groups);
        void delay(CLOCK_TICK_MS).then(() => {
          for (const group of groups) group.resolve(appendedAtMs);
        });
      } catch (error) {
        const reason = asFailure(error);
        for (const group of groups) group.reject(reason);
      }
    }
    lane.isSending = false;
  }

  return {
    send: (topic, partition, records) =>
      new Promise((resolve, reject) => {
        const name = `${topic}/${String(partition)}`;
        const lane = lanes.get(name) ?? newLane(topic, partition);
        lanes.set(name, lane);
        const bytes = records.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
        if (lane.waitingBytes + bytes > WAITING_BYTES_MAX) {
          reject(new LedgerlineError("overloaded", "Too much is waiting to be sent to Kafka."));
          return;
        }
        lane.waiting.push({
          messages: records.map((one) => toMessage(one, partition)),
          bytes,
          resolve,
          reject,
        });
        lane.waitingBytes += bytes;
        if (!lane.isSending) void drain(lane);
      }),
    close: producers.close,
  };
}

function newLane(topic: string, partition: number): Lane {
  return { topic, partition, waiting: [], waitingBytes: 0, isSending: false };
}

function toMessage({ key, value, headers }: Outgoing, partition: number): Message {
  return { key, value, partition, ...(headers === undefined ? {} : { headers: { ...headers } }) };
}

/** The groups of the next request: as many as fit, at least one. */
function takeGroups(lane: Lane): Group[] {
  let bytes = 0;
  let count = 0;
  for (const group of lane.waiting) {
    if (count > 0 && bytes + group.bytes > SEND_BYTES_MAX) break;
    bytes += group.bytes;
    count += 1;
  }
  lane.waitingBytes -= bytes;
  return lane.waiting.splice(0, count);
}

async function sendOnce(
  producers: Producers,
  lane: Lane,
  groups: readonly Group[],
): Promise<number> {
  const producer = producers.current();
  const { topic, partition } = lane;
  const messages = groups.flatMap((group) => group.messages);
  const bytes = groups.reduce((sum, group) => sum + group.bytes, 0);
  try {
    const connected = await within(producer, SEND_MAX_MS);
    const answers = await within(
      connected.send({
        topic,
        messages,
        acks: -1,
        timeout: SEND_MAX_MS,
        compression: bytes < PACKED_FROM_BYTES ? CompressionTypes.None : CompressionTypes.GZIP,
      }),
      SEND_MAX_MS,
    );
    const answer = answers.find((one) => one.topicName === topic && one.partition === partition);
    if (answer === undefined || answer.errorCode !== 0 || Number(answer.baseOffset ?? -1) < 0) {
      throw new LedgerlineError("unavailable", "Kafka did not say where it put the records.");
    }
    return Number(answer.logAppendTime);
  } catch (error) {
    producers.discard(producer);
    throw error;
  }
}

function asFailure(error: unknown): LedgerlineError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("type" in cause && cause.type === MESSAGE_TOO_LARGE) {
      const message =
        "The request is larger than the topic takes; send fewer transactions at once.";
      return new LedgerlineError("too_large", message, { cause: error });
    }
  }
  return asUnavailable(error);
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
