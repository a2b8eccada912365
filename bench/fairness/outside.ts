// Producers outside, who write signed records to Kafka themselves, as docs/guides/kafka.md describes.
import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { CompressionTypes, type Message } from "kafkajs";
import type { DistributedConfig } from "../../src/config/config.ts";
import { createConfluentRegistry } from "../../src/log/kafka/registry.ts";
import { SIGNATURE_HEADER } from "../../src/log/kafka/signature.ts";
import { createRequestCodec } from "../../src/log/record-codecs.ts";
import type { WireTransaction } from "../../test/support/lines.ts";
import type { Key } from "../../test/kafka/keys.ts";
import { createTestKafka } from "../../test/support/distributed.ts";

const CHUNK = 250;
/** Records of one request to Kafka. */
const SENT_AT_ONCE = 40;

/** The organization and the signing secret of a producer. */
export interface Signer {
  readonly org: string;
  readonly key: Key;
}

export interface OutsideProducer {
  /** Sends a batch to the partitions in turn, and returns its id once Kafka has it. */
  submit(transactions: readonly WireTransaction[], signer: Signer): Promise<string>;
  close(): Promise<void>;
}

export async function openProducer(config: DistributedConfig): Promise<OutsideProducer> {
  const { kafka, schemaRegistryUrl: url } = config;
  const registry = createConfluentRegistry({
    url,
    nowMs: Date.now,
    random: Math.random,
    wait: delay,
  });
  const topic = `${kafka.topicPrefix}requests`;
  const codec = await createRequestCodec(registry, topic);
  const producer = createTestKafka(kafka.brokers).producer({
    idempotent: true,
    maxInFlightRequests: 1,
  });
  await producer.connect();
  let sent = 0;

  function toRecords(
    all: readonly WireTransaction[],
    { org, key }: Signer,
    batchId: string,
  ): Message[] {
    const chunkCount = Math.ceil(all.length / CHUNK);
    return Array.from({ length: chunkCount }, (_, chunkIndex) => {
      const chunk = all.slice(chunkIndex * CHUNK, (chunkIndex + 1) * CHUNK);
      const transactions = chunk.map((one) => ({
        id: one.id,
        description: one.description,
        date: one.date,
        amount: one.amount,
        entryType: one.entry_type,
        currency: one.currency,
        accountHolderId: null,
        location: null,
      }));
      const value = codec.encode({
        ...{ org, requestId: batchId, origin: "kafka", batchId, chunkIndex, chunkCount },
        ...{ total: all.length, createdAt: 0, replyTo: null, basedOn: null },
        ...{ priority: "default", transactions },
      });
      const signed = `v2 ${key.id}:${String(Math.floor(Date.now() / 1000))}:`;
      const mac = createHmac("sha256", key.secret).update(signed).update(value).digest("hex");
      sent += 1;
      const partition = sent % kafka.partitions;
      return { value, partition, headers: { [SIGNATURE_HEADER]: signed + mac } };
    });
  }

  return {
    submit: async (transactions, signer) => {
      const batchId = randomUUID();
      const records = toRecords(transactions, signer, batchId);
      for (let begin = 0; begin < records.length; begin += SENT_AT_ONCE) {
        const messages = records.slice(begin, begin + SENT_AT_ONCE);
        await producer.send({ topic, messages, acks: -1, compression: CompressionTypes.GZIP });
      }
      return batchId;
    },
    close: () => producer.disconnect(),
  };
}
