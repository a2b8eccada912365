// The topics of an installation: made as the settings say when they are not there, reported when they differ, never
// changed, and refused where Ledgerline cannot work with them.
import { randomUUID } from "node:crypto";
import { type Admin, ConfigResourceTypes } from "kafkajs";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import type { KafkaSettings } from "../../src/log/kafka/settings.ts";
import { createTopicsUntilLed } from "../../src/log/kafka/topic-creation.ts";
import { ensureTopics, type Partitions } from "../../src/log/kafka/topics.ts";
import { withKafkaAdmin } from "../services/clients.ts";
import { dropInstallation, realServices } from "../support/distributed.ts";

const HOUR_MS = 3_600_000;
/** Topics with the partitions and the retention of the settings. */
const MANY = ["requests", "requests-interactive", "statements", "events", "replies", "enriched"];

let name = "";
beforeEach(() => {
  name = `topics-${randomUUID()}`;
  onTestFinished(() => dropInstallation(realServices(name)));
});

function settingsOf(changes: Partial<KafkaSettings> = {}): KafkaSettings {
  return realServices(name, { replicationFactor: 1, minInsyncReplicas: 1, ...changes }).kafka;
}

function withAdmin<T>(use: (admin: Admin) => Promise<T>): Promise<T> {
  return withKafkaAdmin(settingsOf().brokers, use);
}

interface Ensured {
  readonly partitions: Partitions;
  /** What was reported, as `topic setting is wanted` without the prefix. */
  readonly reported: readonly string[];
}

async function ensure(changes: Partial<KafkaSettings> = {}): Promise<Ensured> {
  const reported: string[] = [];
  const partitions = await withAdmin((admin) =>
    ensureTopics(admin, settingsOf(changes), (level, event, { topic, setting, is, wanted }) => {
      expect([level, event]).toEqual(["warn", "kafka.topic_differs"]);
      const plain = String(topic).slice(settingsOf().topicPrefix.length);
      reported.push([plain, setting, is, wanted].join(" "));
    }),
  );
  return { partitions, reported: reported.toSorted() };
}

async function configOf(topic: string): Promise<ReadonlyMap<string, string>> {
  const { resources } = await withAdmin((admin) =>
    admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: ConfigResourceTypes.TOPIC, name: settingsOf().topicPrefix + topic }],
    }),
  );
  const entries = resources[0]?.configEntries ?? [];
  return new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
}

async function makeTopic(topic: string, config: Readonly<Record<string, string>>): Promise<void> {
  const configEntries = Object.entries(config).map(([key, value]) => ({ name: key, value }));
  const made = { topic: settingsOf().topicPrefix + topic, numPartitions: 2, configEntries };
  // The client's own waiting for leaders fails where the broker does not know of the topic yet.
  await withAdmin((admin) => createTopicsUntilLed(admin, [made]));
}

it("topics are made with the partitions, the retention and the replicas in sync that the settings name", async () => {
  const { partitions, reported } = await ensure({ partitions: 3, retentionHours: 5 });
  expect(reported).toEqual([]);
  expect(partitions).toEqual({
    requests: 3,
    "requests-interactive": 3,
    statements: 3,
    events: 3,
    replies: 3,
    enriched: 3,
    "dead-letters": 1,
    clock: 1,
  });
  for (const topic of MANY) {
    const config = await configOf(topic);
    expect(config.get("retention.ms")).toBe(String(5 * HOUR_MS));
    expect(config.get("min.insync.replicas")).toBe("1");
    expect(config.get("message.timestamp.type")).toBe("LogAppendTime");
  }
  // A dead letter stays until it is dropped.
  expect((await configOf("dead-letters")).get("cleanup.policy")).toBe("compact");
  expect((await ensure({ partitions: 3, retentionHours: 5 })).reported).toEqual([]);
});

it("topics that differ from the settings are reported, each with what differs, and stay as they are", async () => {
  await ensure({ partitions: 2, retentionHours: 1 });
  const { partitions, reported } = await ensure({
    partitions: 4,
    retentionHours: 2,
    replicationFactor: 3,
    minInsyncReplicas: 2,
  });
  const all = [...MANY, "dead-letters", "clock"];
  expect(reported).toEqual(
    [
      ...MANY.map((topic) => `${topic} partitions 2 4`),
      ...MANY.map((topic) => `${topic} retention.ms ${String(HOUR_MS)} ${String(2 * HOUR_MS)}`),
      ...all.map((topic) => `${topic} replicas 1 3`),
      ...all.map((topic) => `${topic} min.insync.replicas 1 2`),
    ].toSorted(),
  );
  // It works with what is there.
  expect(partitions.requests).toBe(2);
  expect((await configOf("requests")).get("retention.ms")).toBe(String(HOUR_MS));
  expect((await ensure({ partitions: 2, retentionHours: 1 })).reported).toEqual([]);
});

it.each([
  ["replies", { "message.timestamp.type": "CreateTime" }, "message.timestamp.type"],
  [
    "requests",
    { "message.timestamp.type": "LogAppendTime", "compression.type": "zstd" },
    "compression.type",
  ],
])(
  "a topic %s with %j is refused with a sentence that names both, and left as it is",
  async (topic, config, setting) => {
    await makeTopic(topic, config);
    const fullName = settingsOf().topicPrefix + topic;
    await expect(ensure()).rejects.toMatchObject({
      code: "misconfigured",
      message: expect.stringContaining(`The topic ${fullName} has ${setting}=`) as string,
    });
    expect((await configOf(topic)).get(setting)).toBe(
      (config as Readonly<Record<string, string>>)[setting],
    );
  },
);
