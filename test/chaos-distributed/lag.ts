// The lag of the consumer groups of an installation, as Kafka reports it.
import type { DistributedConfig } from "../../src/config/config.ts";
import { askKafka } from "../services/clients.ts";

/** Topics with the groups that consume them. */
const GROUPS = [
  ["requests", "enrich-requests"],
  ["requests-interactive", "enrich-requests-interactive"],
  ["statements", "statements"],
  ["events", "dispatch-events"],
] as const;

/** Records that are published and not committed, over all groups. */
export async function readLag({ kafka }: DistributedConfig): Promise<number> {
  return askKafka(kafka.brokers, async (admin) => {
    let lag = 0;
    for (const [name, group] of GROUPS) {
      const topic = kafka.topicPrefix + name;
      // The ends first: what is committed after them can only be further.
      const ends = await admin.fetchTopicOffsets(topic);
      const groupId = kafka.groupPrefix + group;
      const [commits] = await admin.fetchOffsets({ groupId, topics: [topic] });
      for (const { partition, low, high } of ends) {
        const commit = commits?.partitions.find((one) => one.partition === partition);
        // -1: nothing was ever committed there.
        const committed = Math.max(Number(commit?.offset ?? -1), Number(low));
        lag += Number(high) - committed;
      }
    }
    return lag;
  });
}
