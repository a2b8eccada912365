// A producer that is not Ledgerline: it uses what docs/guides/kafka.md describes, a Kafka client and a registry client,
// and nothing of the code in src/.
import { createHmac, randomUUID } from "node:crypto";
import { SchemaRegistry, SchemaType } from "@kafkajs/confluent-schema-registry";
import {
  type Admin,
  CompressionTypes,
  type IHeaders,
  type Kafka,
  KafkaJSProtocolError,
  type Message,
  type Producer,
} from "kafkajs";
import { onTestFinished } from "vitest";
import type { DistributedConfig } from "../../src/config/config.ts";
import { createTestKafka } from "../support/distributed.ts";
import { until } from "../support/poll.ts";
import type { TestService } from "../support/service.ts";
import { grantTo, type Key } from "./keys.ts";

/** The organization of the key of the setting LEDGERLINE_API_KEY. */
export const ORGANIZATION = "default";
const DAY_MS = 86_400_000;

/** A dead letter with the fields of its schema. */
export interface Letter {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly reason: string;
  readonly error: string;
  readonly original: Buffer;
  readonly key: string;
  readonly headers: Readonly<Record<string, Buffer>>;
  readonly order: string;
}

/** An event with the fields of its schema. */
export interface EventMessage {
  readonly org: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly resource_id: string;
  readonly sequence: number | null;
  readonly body: string;
}

/** A record of a topic with the place where it is. */
export interface Placed<Record> {
  readonly key: string;
  readonly partition: number;
  readonly record: Record;
}

/** An enriched transaction as far as the tests look at it. */
export interface EnrichedMessage {
  readonly org: string;
  readonly id: string;
  readonly order: string;
  readonly request_id: string;
  readonly batch_id: string | null;
  /** Microseconds since 1970. */
  readonly created_at: number;
  /** Days since 1970-01-01. */
  readonly date: number;
  readonly amount: number;
  readonly description: string;
  readonly entities: { readonly counterparty: { readonly name: string } | null } | null;
  readonly error: { readonly code: string } | null;
}

export interface ReplyMessage {
  readonly address: string;
  readonly id: string;
  readonly chunk_index: number;
  readonly outcome: string;
  readonly results: readonly { readonly facts: string | null; readonly error: unknown }[];
}

export interface Outside {
  readonly kafka: Kafka;
  readonly producer: Producer;
  readonly registry: SchemaRegistry;
  topic(name: string): string;
  /** The signing secret of the organization of the tests. */
  readonly key: Key;
  /** The latest schema of the requests. */
  schemaId(): Promise<number>;
  /** Registers a schema of the producer's own, under a subject of its own. */
  registerOwn(schema: object): Promise<number>;
  /** A request with these fields, which has one coffee unless they say otherwise. */
  encode(fields?: object, schemaId?: number): Promise<Buffer>;
  /** A signed record of this value. */
  signed(value: Buffer, key?: Key): Message;
  send(...messages: readonly Message[]): Promise<void>;
  /** Waits until everything that is in the topic of requests now is done for good. */
  settled(): Promise<void>;
  enriched(): Promise<readonly Placed<EnrichedMessage>[]>;
  /** Of the organization of the tests, on its own topic. */
  ownEnriched(): Promise<readonly Placed<EnrichedMessage>[]>;
  /** Of all organizations; only Ledgerline's own are there. */
  replies(): Promise<readonly Placed<ReplyMessage>[]>;
  events(): Promise<readonly Placed<EventMessage>[]>;
  /** Of the organization of the tests. */
  ownReplies(): Promise<readonly Placed<ReplyMessage>[]>;
  /** The dead letters by the id that the commands give them. */
  deadLetters(): Promise<ReadonlyMap<string, Letter>>;
}

/** One transaction as the schema of the requests has it. */
export function purchase(id: string, fields: object = {}): object {
  return {
    id,
    description: "SQ *BLUE BOTTLE COFFEE OAKLAND CA",
    date: Date.UTC(2026, 4, 4) / DAY_MS,
    amount: 6.5,
    entry_type: "outgoing",
    currency: "USD",
    ...fields,
  };
}

/**
 * Signs as docs/guides/kafka.md describes.
 * @param atMs when: milliseconds since 1970
 */
export function signature(
  value: Uint8Array,
  { id, secret }: Key,
  atMs: number = Date.now(),
): IHeaders {
  const prefix = `v2 ${id}:${String(Math.floor(atMs / 1000))}:`;
  const mac = createHmac("sha256", secret).update(prefix).update(value).digest("hex");
  return { "ledgerline-signature": prefix + mac };
}

/** The services of a test that runs on them. */
export function distributedOf({ config }: TestService): DistributedConfig {
  if (config.distributed === null) throw new Error("TEST_ENGINE is not distributed");
  return config.distributed;
}

/** Joins an installation from outside; leaves when the test ends. */
export async function joinFromOutside(service: TestService): Promise<Outside> {
  const config = distributedOf(service);
  const kafka = createTestKafka(config.kafka.brokers);
  const { [ORGANIZATION]: key } = await grantTo(service, [ORGANIZATION]);
  const topic = (name: string): string => config.kafka.topicPrefix + name;
  const registry = new SchemaRegistry({ host: config.schemaRegistryUrl });
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  onTestFinished(() => producer.disconnect());
  const schemaId = (): Promise<number> => registry.getLatestSchemaId(`${topic("requests")}-value`);
  const decoded = async <Record>(name: string): Promise<Placed<Record>[]> => {
    const messages = await readAll(kafka, topic(name));
    return Promise.all(
      messages.map(async ({ key, partition, value }) => ({
        key,
        partition,
        record: (await registry.decode(value)) as Record,
      })),
    );
  };

  return {
    kafka,
    producer,
    registry,
    topic,
    key,
    schemaId,
    registerOwn: async (schema) => {
      const wanted = { type: SchemaType.AVRO as const, schema: JSON.stringify(schema) };
      return (await registry.register(wanted, { subject: `${topic("producer")}-${randomUUID()}` }))
        .id;
    },
    encode: async (fields = {}, id) => {
      const value = { org: ORGANIZATION, transactions: [purchase("t")], ...fields };
      return registry.encode(id ?? (await schemaId()), value);
    },
    signed: (value, by = key) => ({ value, headers: signature(value, by) }),
    send: async (...messages) => {
      const compression = CompressionTypes.GZIP;
      await producer.send({
        topic: topic("requests"),
        messages: [...messages],
        acks: -1,
        compression,
      });
    },
    settled: async () => {
      const group = `${config.kafka.groupPrefix}enrich-requests`;
      await withAdmin(kafka, async (admin) => {
        const ends = await endsOf(admin, topic("requests"));
        await until("the requests are done", async () => {
          const [found] = await admin.fetchOffsets({ groupId: group, topics: [topic("requests")] });
          const places = new Map(found?.partitions.map((one) => [one.partition, one.offset]));
          const isDone = ends.every(
            ({ partition, high, low }) =>
              Math.max(Number(places.get(partition) ?? -1), Number(low)) >= Number(high),
          );
          return isDone ? true : null;
        });
      });
    },
    enriched: () => decoded<EnrichedMessage>("enriched"),
    ownEnriched: () => decoded<EnrichedMessage>(`org.${ORGANIZATION}.enriched`),
    replies: () => decoded<ReplyMessage>("replies"),
    events: () => decoded<EventMessage>("events"),
    ownReplies: () => decoded<ReplyMessage>(`org.${ORGANIZATION}.replies`),
    deadLetters: async () => {
      const letters = new Map<string, Letter>();
      for (const { key, value } of await readAll(kafka, topic("dead-letters"))) {
        letters.delete(key);
        if (value.length > 0) letters.set(key, (await registry.decode(value)) as Letter);
      }
      return letters;
    },
  };
}

interface Read {
  readonly partition: number;
  readonly key: string;
  /** Empty when there is none. */
  readonly value: Buffer;
}

async function withAdmin<T>(kafka: Kafka, use: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await use(admin);
  } finally {
    await admin.disconnect();
  }
}

/** The partitions of a topic with their ends; a topic that was made a moment ago may have no leader yet, which the client does not wait for. */
const endsOf = (admin: Admin, topic: string): ReturnType<Admin["fetchTopicOffsets"]> =>
  until("the topic has a leader", async () => {
    try {
      return await admin.fetchTopicOffsets(topic);
    } catch (error) {
      if (error instanceof KafkaJSProtocolError && error.retriable) return null;
      throw error;
    }
  });

/** Everything that is in a topic now. */
export async function readAll(
  kafka: Kafka,
  topic: string,
  groupId = `outside-${randomUUID()}`,
): Promise<readonly Read[]> {
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 100 });
  return withAdmin(kafka, async (admin) => {
    const ends = await endsOf(admin, topic);
    const found: Read[] = [];
    const places = new Map<number, number>();
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: [topic], fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachBatch: ({ batch }) => {
          const { partition } = batch;
          for (const { key, value } of batch.messages) {
            found.push({
              partition,
              key: key?.toString() ?? "",
              value: value ?? Buffer.alloc(0),
            });
          }
          places.set(partition, Number(batch.lastOffset()) + 1);
          return Promise.resolve();
        },
      });
      await until(`${topic} is read`, () =>
        ends.every(({ partition, high }) => (places.get(partition) ?? 0) >= Number(high))
          ? true
          : null,
      );
      return found;
    } finally {
      await consumer.disconnect();
      await admin.deleteGroups([groupId]).catch(() => undefined);
    }
  });
}
