// Copies records of an installation's topic of batches back into it, as a mirror or an operator's tool would.
import type { KafkaMessage } from "kafkajs";
import { MongoClient } from "mongodb";
import type { DistributedConfig } from "../../src/config/config.ts";
import { placeOrder } from "../../src/model/acceptance-order.ts";
import { ORDER_HEADER } from "../../src/log/kafka/dead-letters.ts";
import { createSignatures, type Signatures } from "../../src/log/kafka/signature.ts";
import { createTestKafka } from "../support/distributed.ts";
import type { Random } from "../support/random.ts";

/** A record of the topic with its place. */
export interface Placed {
  readonly partition: number;
  readonly message: KafkaMessage;
}

export interface Copier {
  /** All records that are in the topic now. */
  read(): Promise<readonly Placed[]>;
  /** Those of them that are done for good. */
  done(records: readonly Placed[]): Promise<readonly Placed[]>;
  /**
   * Appends copies in another order to other partitions, with their signatures. With `keepsOrder` they also say their
   * place in the log, in the name of the installation: without it a copy of a record that waits is a new submission.
   */
  append(records: readonly Placed[], keepsOrder: boolean): Promise<void>;
}

export function createCopier(config: DistributedConfig, random: Random): Copier {
  const { kafka: settings } = config;
  const kafka = createTestKafka(settings.brokers);
  const topic = `${settings.topicPrefix}requests`;
  let reads = 0;

  async function withAdmin<T>(
    use: (admin: ReturnType<typeof kafka.admin>) => Promise<T>,
  ): Promise<T> {
    const admin = kafka.admin();
    await admin.connect();
    try {
      return await use(admin);
    } finally {
      await admin.disconnect();
    }
  }

  async function read(): Promise<readonly Placed[]> {
    const ends = await withAdmin((admin) => admin.fetchTopicOffsets(topic));
    let left = ends.reduce((sum, { low, high }) => sum + Number(high) - Number(low), 0);
    const endOf = new Map(ends.map(({ partition, high }) => [partition, Number(high)]));
    const records: Placed[] = [];
    if (left === 0) return records;
    reads += 1;
    const consumer = kafka.consumer({ groupId: `${settings.groupPrefix}copies-${String(reads)}` });
    await consumer.connect();
    try {
      await consumer.subscribe({ topics: [topic], fromBeginning: true });
      await new Promise<void>((resolve, reject) => {
        const eachMessage = ({ partition, message }: Placed): Promise<void> => {
          if (Number(message.offset) >= (endOf.get(partition) ?? 0)) return Promise.resolve();
          records.push({ partition, message });
          left -= 1;
          if (left === 0) resolve();
          return Promise.resolve();
        };
        consumer.run({ autoCommit: false, eachMessage }).catch(reject);
      });
    } finally {
      await consumer.disconnect();
    }
    return records;
  }

  return {
    read,
    done: async (records) => {
      const groupId = `${settings.groupPrefix}enrich-requests`;
      const [commits] = await withAdmin((admin) =>
        admin.fetchOffsets({ groupId, topics: [topic] }),
      );
      const doneOf = new Map(
        commits?.partitions.map(({ partition, offset }) => [partition, Number(offset)]),
      );
      return records.filter(
        ({ partition, message }) => Number(message.offset) < (doneOf.get(partition) ?? -1),
      );
    },
    append: async (records, keepsOrder) => {
      const signatures = await openSignatures(config.mongodbUrl);
      const producer = kafka.producer();
      await producer.connect();
      try {
        for (const record of shuffled(records, random)) {
          const partition = random.integer(0, settings.partitions - 1);
          const { key, value } = record.message;
          const headers = { ...record.message.headers };
          if (keepsOrder) headers[ORDER_HEADER] ??= orderHeader(signatures, record);
          await producer.send({ topic, messages: [{ key, value, headers, partition }] });
        }
      } finally {
        await producer.disconnect();
      }
    },
  };
}

/** Signs as the installation does: with the secret in its database. */
async function openSignatures(mongodbUrl: string): Promise<Signatures> {
  const mongo = new MongoClient(mongodbUrl);
  try {
    const setting = await mongo.db().collection("settings").findOne({ name: "record_secret" });
    const secret: unknown = setting?.["value"];
    if (typeof secret !== "string") throw new Error("The installation has no secret for records");
    const grants = { find: () => Promise.resolve(null), known: () => null };
    return createSignatures({ secret, grants });
  } finally {
    await mongo.close();
  }
}

function orderHeader(signatures: Signatures, { partition, message }: Placed): Buffer {
  const order = placeOrder(Number(message.timestamp), partition, Number(message.offset));
  const value = message.value ?? Buffer.alloc(0);
  return signatures.signOrder(order, message.key?.toString("utf8") ?? "", value);
}

function shuffled<T>(all: readonly T[], random: Random): T[] {
  return all
    .map((one) => ({ one, at: random.next() }))
    .sort((left, right) => left.at - right.at)
    .map(({ one }) => one);
}
