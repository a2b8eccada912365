// The settings of Kafka, as a part of all settings.
import {
  type KafkaSettings,
  RECORD_COMPRESSIONS,
  SASL_MECHANISMS,
  type SaslSettings,
} from "../log/kafka/settings.ts";
import {
  ConfigError,
  readChoice,
  readInteger,
  readPrefix,
  type ReadSetting,
  readSwitch,
} from "./values.ts";

const PARTITIONS_MAX = 1_000;
const REPLICAS_MAX = 100;
const RETENTION_HOURS_MAX = 87_600;
const BATCH_MINUTES_DEFAULT = 60;
const BATCH_MINUTES_MAX = 10_080;

/** @throws ConfigError that names the setting */
export function readKafka(value: ReadSetting): KafkaSettings {
  const optional = (name: string, max: number): number | null => {
    const text = value(name);
    return text === null ? null : readInteger(name, text, 1, max);
  };
  return {
    brokers: readBrokers(value("KAFKA_BROKERS") ?? ""),
    topicPrefix: readPrefix("KAFKA_TOPIC_PREFIX", value("KAFKA_TOPIC_PREFIX") ?? "ledgerline."),
    groupPrefix: readPrefix("KAFKA_GROUP_PREFIX", value("KAFKA_GROUP_PREFIX") ?? "ledgerline."),
    partitions: readInteger(
      "KAFKA_PARTITIONS",
      value("KAFKA_PARTITIONS") ?? "6",
      1,
      PARTITIONS_MAX,
    ),
    replicationFactor: optional("KAFKA_REPLICATION_FACTOR", REPLICAS_MAX),
    minInsyncReplicas: optional("KAFKA_MIN_INSYNC_REPLICAS", REPLICAS_MAX),
    retentionHours: readInteger(
      "KAFKA_RETENTION_HOURS",
      value("KAFKA_RETENTION_HOURS") ?? "168",
      1,
      RETENTION_HOURS_MAX,
    ),
    batchMinutes: readInteger(
      "KAFKA_BATCH_MINUTES",
      value("KAFKA_BATCH_MINUTES") ?? String(BATCH_MINUTES_DEFAULT),
      1,
      BATCH_MINUTES_MAX,
    ),
    tls: readSwitch("KAFKA_TLS", value("KAFKA_TLS") ?? "off"),
    sasl: readSasl(value),
    producers: readChoice("KAFKA_PRODUCERS", value("KAFKA_PRODUCERS") ?? "signed", [
      "signed",
      "trusted",
    ]),
    enriched: readChoice("KAFKA_ENRICHED", value("KAFKA_ENRICHED") ?? "kafka", [
      "all",
      "kafka",
      "off",
    ]),
    isEnrichedShared: readSwitch("KAFKA_ENRICHED_SHARED", value("KAFKA_ENRICHED_SHARED") ?? "on"),
    enrichedCompression: readChoice(
      "KAFKA_ENRICHED_COMPRESSION",
      value("KAFKA_ENRICHED_COMPRESSION") ?? "gzip",
      RECORD_COMPRESSIONS,
    ),
  };
}

function readBrokers(text: string): string[] {
  const brokers = text.split(",").map((broker) => broker.trim());
  for (const broker of brokers) {
    if (!/^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:]+\]):\d{1,5}$/.test(broker)) {
      throw new ConfigError("KAFKA_BROKERS must be host:port, several separated by commas.");
    }
  }
  return brokers;
}

function readSasl(value: ReadSetting): SaslSettings | null {
  const mechanism = value("KAFKA_SASL_MECHANISM");
  const username = value("KAFKA_SASL_USERNAME");
  const password = value("KAFKA_SASL_PASSWORD");
  if (mechanism === null && username === null && password === null) return null;
  if (mechanism === null || username === null || password === null) {
    throw new ConfigError(
      "KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD belong together: set all or none.",
    );
  }
  return {
    mechanism: readChoice("KAFKA_SASL_MECHANISM", mechanism, SASL_MECHANISMS),
    username,
    password,
  };
}
