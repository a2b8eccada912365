// Makes topics, and waits until they can be used. On a busy cluster a request times out after the topic was made, another
// process makes it at the same time, or a broker does not know of it yet: everything is looked at and tried again.
import { setTimeout as delay } from "node:timers/promises";
import type { Admin, ITopicConfig, ITopicMetadata } from "kafkajs";
import { LedgerlineError } from "../../shared/errors.ts";

const CREATION_TRIES = 40;
const CREATION_PAUSE_MS = 100;

export type TopicAdmin = Pick<Admin, "listTopics" | "createTopics" | "fetchTopicMetadata">;

/**
 * Makes those of the topics that are not there. Resolves with all of them once each partition has a leader.
 * @throws LedgerlineError `unavailable` when that takes too long; what the client throws when Kafka refuses a topic
 */
export async function createTopicsUntilLed(
  admin: TopicAdmin,
  topics: readonly ITopicConfig[],
  wait: (ms: number) => Promise<unknown> = delay,
): Promise<readonly ITopicMetadata[]> {
  const names = topics.map(({ topic }) => topic);
  for (let tries = 1; ; tries += 1) {
    try {
      await createMissing(admin, topics);
      const found = (await admin.fetchTopicMetadata({ topics: names })).topics;
      if (names.every((name) => isLed(found.find((topic) => topic.name === name)))) return found;
    } catch (error) {
      if (isRefusal(error) || tries >= CREATION_TRIES) throw error;
    }
    if (tries >= CREATION_TRIES)
      throw new LedgerlineError("unavailable", "New topics of Kafka have no leaders yet.");
    await wait(CREATION_PAUSE_MS);
  }
}

async function createMissing(admin: TopicAdmin, topics: readonly ITopicConfig[]): Promise<void> {
  const existing = new Set(await admin.listTopics());
  const missing = topics.filter(({ topic }) => !existing.has(topic));
  if (missing.length === 0) return;
  // False when another process was faster, which is as good. The client's own waiting for leaders fails where a broker does
  // not know of a topic yet.
  await admin.createTopics({ topics: missing, waitForLeaders: false });
}

const isLed = (topic: ITopicMetadata | undefined): boolean =>
  topic !== undefined &&
  topic.partitions.length > 0 &&
  topic.partitions.every(({ leader }) => leader >= 0);

/** Whether Kafka refuses a topic for good, for example by a policy or because of its replicas. */
function isRefusal(error: unknown): boolean {
  // The client collects what was wrong with each topic.
  if (!(error instanceof Error) || !("errors" in error) || !Array.isArray(error.errors))
    return false;
  return error.errors.some(
    (one: unknown) =>
      one instanceof Error &&
      "retriable" in one &&
      one.retriable === false &&
      !("type" in one && one.type === "TOPIC_ALREADY_EXISTS"),
  );
}
