// Producers outside of two organizations at one partition. The flood of one waits for credits, so that most of it is passed over
// and cannot end; what the other has behind it is done meanwhile, and may not be committed.
import { SchemaRegistry } from "@kafkajs/confluent-schema-registry";
import { CompressionTypes, type Message } from "kafkajs";
import { MongoClient } from "mongodb";
import { readConfig } from "../../src/config/config.ts";
import { UNLIMITED_CREDITS } from "../../src/model/kafka-grant.ts";
import { grantTo, type Key, setRecordCredits } from "../kafka/keys.ts";
import { purchase, signature } from "../kafka/outside.ts";
import { askKafka } from "../services/clients.ts";
import { createTestKafka, distributedEnvironment } from "../support/distributed.ts";
import { until } from "../support/poll.ts";
import type { Installation } from "./installation.ts";

const PARTITION = 0;
const FLOODING = "flooding";
const CALM = "calm";
/** Records of one transaction: several times what a process has of one organization in a partition. */
export const FLOOD_RECORDS = 1_500;
const BEHIND = 20;
/** Of the flood. A bucket holds a whole record of 250 transactions at least; the rest would take twenty minutes. */
const SCARCE_CREDITS = { max: 250, perSecond: 1 };
const STORED_MS_MAX = 180_000;

export interface Flood {
  /** Resolves once what is behind the flood is stored. */
  untilBehindIsStored(): Promise<void>;
  /** Records of the partition that the group would read again. */
  uncommitted(): Promise<number>;
  /** Transactions of the flood that are stored. */
  stored(): Promise<number>;
  /** Lifts the limit; resolves once all of the flood is stored. */
  untilAllIsStored(): Promise<void>;
  close(): Promise<void>;
}

/** Sends the flood and what is behind it. */
export async function floodPartition({ config }: Installation): Promise<Flood> {
  const { brokers, topicPrefix, groupPrefix } = config.kafka;
  const topic = `${topicPrefix}requests`;
  const service = { config: readConfig(distributedEnvironment(config), 1) };
  const keys = await grantTo(service, [FLOODING, CALM]);
  await setRecordCredits(service, FLOODING, SCARCE_CREDITS);
  const mongo = new MongoClient(config.mongodbUrl);
  const storedOf = (org: string): Promise<number> =>
    mongo.db().collection("transactions").countDocuments({ org });
  const untilStored = async (org: string, count: number): Promise<void> => {
    const isThere = async (): Promise<true | null> =>
      (await storedOf(org)) === count ? true : null;
    await until(`all of ${org} is stored`, isThere, STORED_MS_MAX);
  };

  const registry = new SchemaRegistry({ host: config.schemaRegistryUrl });
  const schemaId = await registry.getLatestSchemaId(`${topic}-value`);
  const recordsOf = (org: typeof FLOODING | typeof CALM, count: number): Promise<Message[]> =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const transactions = [purchase(`${org}-${String(index)}`)];
        const value = await registry.encode(schemaId, { org, transactions });
        const key: Key = keys[org];
        return { value, headers: signature(value, key), partition: PARTITION };
      }),
    );
  const producer = createTestKafka(brokers).producer({ idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  try {
    for (const messages of [
      await recordsOf(FLOODING, FLOOD_RECORDS),
      await recordsOf(CALM, BEHIND),
    ])
      await producer.send({ topic, messages, acks: -1, compression: CompressionTypes.GZIP });
  } finally {
    await producer.disconnect();
  }

  return {
    untilBehindIsStored: () => untilStored(CALM, BEHIND),
    uncommitted: () =>
      askKafka(brokers, async (admin) => {
        const groupId = `${groupPrefix}enrich-requests`;
        // The ends first, as in `readLag`: by that the client connects to the brokers.
        const ends = await admin.fetchTopicOffsets(topic);
        const [found] = await admin.fetchOffsets({ groupId, topics: [topic] });
        const ofPartition = <Place extends { readonly partition: number }>(
          places: readonly Place[] | undefined,
        ): Place | undefined => places?.find(({ partition }) => partition === PARTITION);
        // -1: nothing was ever committed there.
        const committed = Math.max(0, Number(ofPartition(found?.partitions)?.offset ?? 0));
        return Number(ofPartition(ends)?.high ?? 0) - committed;
      }),
    stored: () => storedOf(FLOODING),
    untilAllIsStored: async () => {
      await setRecordCredits(service, FLOODING, UNLIMITED_CREDITS);
      await untilStored(FLOODING, FLOOD_RECORDS);
    },
    close: () => mongo.close(),
  };
}
