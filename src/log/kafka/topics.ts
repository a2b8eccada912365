// The topics: made when they are not there, checked when they are, never changed.
import kafkajs, { type Admin, type ITopicConfig, type ITopicMetadata } from "kafkajs";
import { LedgerlineError } from "../../shared/errors.ts";
import type { LogReport } from "../log.ts";
import {
  PRIVATE_KINDS,
  PRIVATE_PARTITIONS,
  type PrivateKind,
  privateTopic,
} from "./private-topics.ts";
import { type KafkaSettings, TOPIC_NAMES, type TopicName } from "./settings.ts";
import { createTopicsUntilLed } from "./topic-creation.ts";

const HOUR_MS = 3_600_000;
/**
 * A batch is one produce request of one record batch, which the broker appends whole or not at all; it must fit. The
 * largest request body is 32 MB of JSON, and Avro is shorter.
 */
export const REQUEST_BATCH_BYTES_MAX = 36 * 1024 * 1024;
/** A dead letter holds a whole record. */
const DEAD_LETTER_BYTES_MAX = REQUEST_BATCH_BYTES_MAX + 1024 * 1024;
/** What one request brings to a partition of `events`, with room for what surrounds the records. */
const EVENT_BATCH_BYTES_MAX = 2 * 1024 * 1024;
const REPLICAS_DEFAULT = 3;
/** Without the clock of the log there is no order of acceptance. */
const ESSENTIAL = { "message.timestamp.type": "LogAppendTime" };
/** What producers outside pack in another way would stop its readers. */
const ESSENTIAL_OF_REQUESTS = { ...ESSENTIAL, "compression.type": "gzip" };

type TopicConfigs = Readonly<Record<string, string>>;

function commonConfigs(
  settings: KafkaSettings,
  replicas: number,
): { readonly shared: TopicConfigs; readonly retention: TopicConfigs } {
  const minInsync = settings.minInsyncReplicas ?? (replicas >= REPLICAS_DEFAULT ? 2 : 1);
  return {
    shared: { ...ESSENTIAL, "min.insync.replicas": String(minInsync) },
    retention: { "retention.ms": String(settings.retentionHours * HOUR_MS) },
  };
}

async function countReplicas(admin: Admin, settings: KafkaSettings): Promise<number> {
  const { brokers } = await admin.describeCluster();
  return settings.replicationFactor ?? Math.min(REPLICAS_DEFAULT, brokers.length);
}

interface TopicPlan {
  readonly name: TopicName;
  readonly partitions: number;
  readonly config: TopicConfigs;
}

/** What each topic should be. */
function topicPlans(settings: KafkaSettings, replicas: number): TopicPlan[] {
  const { shared, retention } = commonConfigs(settings, replicas);
  const configs: Record<TopicName, TopicConfigs> = {
    // The client reads gzip and nothing else: whatever producers outside pack with, the broker packs again.
    requests: {
      ...shared,
      ...retention,
      "compression.type": "gzip",
      "max.message.bytes": String(REQUEST_BATCH_BYTES_MAX),
    },
    // Each record is a single call with a waiting caller: compressing it costs time and memory without a gain.
    "requests-interactive": { ...shared, ...retention, "compression.type": "uncompressed" },
    statements: { ...shared, ...retention },
    events: { ...shared, ...retention, "max.message.bytes": String(EVENT_BATCH_BYTES_MAX) },
    replies: { ...shared, ...retention },
    enriched: { ...shared, ...retention },
    // Compacted, so that one letter can be dropped: its key names the record it came from.
    "dead-letters": {
      ...shared,
      "cleanup.policy": "compact",
      "max.message.bytes": String(DEAD_LETTER_BYTES_MAX),
    },
    clock: { ...shared, "retention.ms": String(HOUR_MS) },
  };
  return TOPIC_NAMES.map((name) => ({
    name,
    partitions: name === "clock" || name === "dead-letters" ? 1 : settings.partitions,
    config: configs[name],
  }));
}

/** Partitions of each topic. */
export type Partitions = Readonly<Record<TopicName, number>>;

/**
 * Makes the topics that are not there and compares those that are; a difference is reported.
 * @throws LedgerlineError `misconfigured` when a topic cannot be used as it is
 */
export async function ensureTopics(
  admin: Admin,
  settings: KafkaSettings,
  report: LogReport,
): Promise<Partitions> {
  const replicas = await countReplicas(admin, settings);
  const plans = topicPlans(settings, replicas);
  const fullName = (plan: TopicPlan): string => settings.topicPrefix + plan.name;
  const found = await createTopicsUntilLed(
    admin,
    plans.map(
      (plan): ITopicConfig => ({
        topic: fullName(plan),
        numPartitions: plan.partitions,
        replicationFactor: replicas,
        configEntries: toEntries(plan.config),
      }),
    ),
  );
  const counts = Object.fromEntries(found.map((topic) => [topic.name, topic.partitions.length]));
  reportShapes(found, plans, { fullName, settings, report });
  await reportDifferences(admin, plans, fullName, report);
  return Object.fromEntries(
    plans.map((plan) => [plan.name, counts[fullName(plan)] ?? plan.partitions]),
  ) as Record<TopicName, number>;
}

const toEntries = (configs: TopicConfigs): { name: string; value: string }[] =>
  Object.entries(configs).map(([name, value]) => ({ name, value }));

/**
 * Makes the topics of an organization that are not there.
 * @throws LedgerlineError `misconfigured` when one has too few partitions to be written to
 */
export async function ensurePrivateTopics(
  admin: Admin,
  settings: KafkaSettings,
  org: string,
): Promise<void> {
  const replicas = await countReplicas(admin, settings);
  const { shared, retention } = commonConfigs(settings, replicas);
  const bytesMax: Partial<Record<PrivateKind, number>> = {
    "dead-letters": DEAD_LETTER_BYTES_MAX,
    events: EVENT_BATCH_BYTES_MAX,
  };
  const configOf = (kind: PrivateKind): TopicConfigs => {
    const bytes = bytesMax[kind];
    const limit = bytes === undefined ? {} : { "max.message.bytes": String(bytes) };
    return { ...shared, ...retention, ...limit };
  };
  const topics = PRIVATE_KINDS.map(
    (kind): ITopicConfig => ({
      topic: privateTopic(settings.topicPrefix, org, kind),
      numPartitions: PRIVATE_PARTITIONS,
      replicationFactor: replicas,
      configEntries: toEntries(configOf(kind)),
    }),
  );
  const found = await createTopicsUntilLed(admin, topics);
  const small = found.find(({ partitions }) => partitions.length < PRIVATE_PARTITIONS);
  if (small !== undefined) {
    throw new LedgerlineError(
      "misconfigured",
      `The topic ${small.name} has ${String(small.partitions.length)} partitions and needs ${String(PRIVATE_PARTITIONS)}: add some, or delete it.`,
    );
  }
}

interface ShapeOptions {
  readonly settings: KafkaSettings;
  readonly report: LogReport;
  fullName(plan: TopicPlan): string;
}

/**
 * Reports topics with another number of partitions than a new one would get, or of replicas than was asked for. What was
 * not asked for is how many brokers there happen to be.
 */
function reportShapes(
  found: readonly ITopicMetadata[],
  plans: readonly TopicPlan[],
  { fullName, settings, report }: ShapeOptions,
): void {
  for (const plan of plans) {
    const topic = fullName(plan);
    const partitions = found.find(({ name }) => name === topic)?.partitions ?? [];
    if (partitions.length === 0) continue;
    const differs = (setting: string, is: number, wanted: number): void => {
      if (is !== wanted) report("warn", "kafka.topic_differs", { topic, setting, is, wanted });
    };
    differs("partitions", partitions.length, plan.partitions);
    const wanted = settings.replicationFactor;
    const replicas = partitions.map((partition) => partition.replicas.length);
    if (wanted !== null) differs("replicas", Math.min(...replicas), wanted);
  }
}

async function reportDifferences(
  admin: Admin,
  plans: readonly TopicPlan[],
  fullName: (plan: TopicPlan) => string,
  report: LogReport,
): Promise<void> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: plans.map((plan) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name: fullName(plan),
    })),
  });
  for (const plan of plans) {
    const name = fullName(plan);
    const entries = resources.find((resource) => resource.resourceName === name)?.configEntries;
    const actual = new Map(entries?.map((entry) => [entry.configName, entry.configValue]));
    for (const [setting, wanted] of Object.entries(plan.config)) {
      const is = actual.get(setting);
      if (is === undefined || is === wanted) continue;
      if (setting in (plan.name === "requests" ? ESSENTIAL_OF_REQUESTS : ESSENTIAL)) {
        throw new LedgerlineError(
          "misconfigured",
          `The topic ${name} has ${setting}=${is}, and Ledgerline cannot do without ${wanted}. Change it, or set another KAFKA_TOPIC_PREFIX.`,
        );
      }
      report("warn", "kafka.topic_differs", { topic: name, setting, is, wanted });
    }
  }
}
