/** How to reach Kafka and what to call things there. */
export interface KafkaSettings {
  /** host:port each. */
  readonly brokers: readonly string[];
  /** Stands before the name of every topic. */
  readonly topicPrefix: string;
  /** Stands before the name of every consumer group. */
  readonly groupPrefix: string;
  /** Of topics that are made. */
  readonly partitions: number;
  /** Of topics that are made; null takes 3, or as many as there are brokers. */
  readonly replicationFactor: number | null;
  /** Of topics that are made; null takes 2 where there are at least 3 replicas, else 1. */
  readonly minInsyncReplicas: number | null;
  /** Of topics that are made: how long requests, replies, events and enriched transactions stay. */
  readonly retentionHours: number;
  /** The records of a batch of an outside producer count that are appended within so many minutes of its first. */
  readonly batchMinutes: number;
  readonly tls: boolean;
  readonly sasl: SaslSettings | null;
  /** `signed`: records of producers outside must be signed; `trusted`: every producer with write access to the topic is trusted. */
  readonly producers: "signed" | "trusted";
  /** Which enriched transactions are published: all, those of requests that came over Kafka, none. */
  readonly enriched: "all" | "kafka" | "off";
  /** Whether they are on the topic of all organizations too, and not only on those of organizations with a grant. */
  readonly isEnrichedShared: boolean;
  /** How enriched transactions are packed. */
  readonly enrichedCompression: RecordCompression;
}

export const RECORD_COMPRESSIONS = ["gzip", "zstd"] as const;
export type RecordCompression = (typeof RECORD_COMPRESSIONS)[number];

export const SASL_MECHANISMS = ["plain", "scram-sha-256", "scram-sha-512"] as const;

export interface SaslSettings {
  readonly mechanism: (typeof SASL_MECHANISMS)[number];
  readonly username: string;
  readonly password: string;
}

export const TOPIC_NAMES = [
  "requests",
  "requests-interactive",
  "statements",
  "events",
  "replies",
  "enriched",
  "dead-letters",
  "clock",
] as const;
export type TopicName = (typeof TOPIC_NAMES)[number];
