// The same suites on the real services: each data folder stands for an installation with topics, groups and a database of
// its own, named after it, so that files run side by side and a restart finds what was there.
import { basename } from "node:path";
import { Kafka, logLevel } from "kafkajs";
import { MongoClient } from "mongodb";
import type { DistributedConfig } from "../../src/config/config.ts";
import { fixClient } from "../../src/log/kafka/client-fixes.ts";
import type { KafkaSettings } from "../../src/log/kafka/settings.ts";

/** Whether the suites run on Kafka, a schema registry and MongoDB; `test/services` provides their addresses. */
const IS_DISTRIBUTED = process.env["TEST_ENGINE"] === "distributed";

const TEST_PARTITIONS = 2;
/** Shared by all installations of the tests, so that a restarted one can decrypt its secrets. */
export const ENCRYPTION_KEY = Buffer.alloc(32, "test").toString("base64");

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") {
    throw new Error(`${name} is not set: run the tests with npm run test:distributed`);
  }
  return value;
}

/** The installation of this folder, or null where the suites run on the embedded engine. */
export function distributedConfig(
  dataFolder: string,
  kafka: Partial<KafkaSettings> = {},
): DistributedConfig | null {
  return IS_DISTRIBUTED ? realServices(basename(dataFolder), kafka) : null;
}

/** An installation of this name on the real services. */
export function realServices(name: string, kafka: Partial<KafkaSettings> = {}): DistributedConfig {
  // Several hosts make it no URL in the sense of the URL standard.
  const mongodbUrl = required("TEST_MONGODB_URL").replace(
    /^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?[^?]*/,
    `$1/${name}`,
  );
  return {
    kafka: {
      brokers: required("TEST_KAFKA_BROKERS").split(","),
      topicPrefix: `${name}.`,
      groupPrefix: `${name}.`,
      partitions: TEST_PARTITIONS,
      replicationFactor: null,
      minInsyncReplicas: null,
      retentionHours: 1,
      batchMinutes: 60,
      tls: false,
      sasl: null,
      producers: "signed",
      enriched: "all",
      isEnrichedShared: true,
      enrichedCompression: "gzip",
      ...kafka,
    },
    schemaRegistryUrl: required("TEST_SCHEMA_REGISTRY_URL"),
    mongodbUrl,
  };
}

/** Tests and benchmarks send tens of thousands of transactions a second with one key. */
const NO_LIMITS = { RATE_PER_S: "0", CREDITS_MAX: "0" } as const;

/** The environment of a process of this installation. */
export function distributedEnvironment(config: DistributedConfig): Record<string, string> {
  const { kafka } = config;
  return {
    KAFKA_BROKERS: kafka.brokers.join(","),
    KAFKA_TOPIC_PREFIX: kafka.topicPrefix,
    KAFKA_GROUP_PREFIX: kafka.groupPrefix,
    KAFKA_PARTITIONS: String(kafka.partitions),
    KAFKA_BATCH_MINUTES: String(kafka.batchMinutes),
    KAFKA_RETENTION_HOURS: String(kafka.retentionHours),
    KAFKA_PRODUCERS: kafka.producers,
    KAFKA_ENRICHED: kafka.enriched,
    KAFKA_ENRICHED_SHARED: kafka.isEnrichedShared ? "on" : "off",
    KAFKA_ENRICHED_COMPRESSION: kafka.enrichedCompression,
    SCHEMA_REGISTRY_URL: config.schemaRegistryUrl,
    MONGODB_URL: config.mongodbUrl,
    ENCRYPTION_KEYS: ENCRYPTION_KEY,
    ...NO_LIMITS,
  };
}

/** A client of its own for what a test does on Kafka itself. */
export function createTestKafka(brokers: readonly string[]): Kafka {
  fixClient();
  return new Kafka({
    clientId: "ledgerline-test",
    brokers: [...brokers],
    logLevel: logLevel.NOTHING,
    retry: { initialRetryTime: 100, retries: 8 },
  });
}

/** Removes the topics and the database of an installation; what is gone already is fine. */
export async function dropInstallation(config: DistributedConfig | null): Promise<void> {
  if (config === null) return;
  const admin = createTestKafka(config.kafka.brokers).admin();
  const mongo = new MongoClient(config.mongodbUrl);
  try {
    await admin.connect();
    const names = await admin.listTopics();
    const topics = names.filter((name) => name.startsWith(config.kafka.topicPrefix));
    // Brokers may list topics that another clean-up of the same installation has deleted a moment ago.
    if (topics.length > 0) await admin.deleteTopics({ topics }).catch(ignoreGone);
    await mongo.db().dropDatabase();
  } finally {
    await admin.disconnect();
    await mongo.close();
  }
}

/** @throws the error, unless it is that a topic is gone */
function ignoreGone(error: unknown): void {
  const causes = error instanceof Error ? [error, error.cause] : [];
  const isGone = causes.some(
    (one) => one instanceof Error && "type" in one && one.type === "UNKNOWN_TOPIC_OR_PARTITION",
  );
  if (!isGone) throw error;
}
