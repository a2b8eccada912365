// How many records of each partition are published and not done: what Kafka reported at the last look, and what this process
// has published since. What is published during a look may count twice until the next one, but always counts.
import type { PartitionProgress } from "./consumer.ts";

export interface Lags {
  /** Records of a topic. */
  pending(topic: string): number;
  lag(topic: string, partition: number): number;
  /** Counts records that are about to be sent. To be called when they are sent: whether they were accepted. */
  publishing(topic: string, partition: number, count: number): (isAccepted: boolean) => void;
  /** To be called before Kafka is queried about a topic. What it returns takes the response. */
  look(topic: string): (progress: readonly PartitionProgress[]) => void;
}

interface PartitionLag {
  reported: number;
  /** Published before the running look, so that its response contains them. */
  beforeLook: number;
  /** Published since the last look began. */
  sinceLook: number;
  sending: number;
}

export function createLags(): Lags {
  const topics = new Map<string, Map<number, PartitionLag>>();

  function lagOf(topic: string, partition: number): PartitionLag {
    const partitions = topics.get(topic) ?? new Map<number, PartitionLag>();
    topics.set(topic, partitions);
    const lag = partitions.get(partition) ?? {
      reported: 0,
      beforeLook: 0,
      sinceLook: 0,
      sending: 0,
    };
    partitions.set(partition, lag);
    return lag;
  }

  return {
    pending: (topic) => [...(topics.get(topic)?.values() ?? [])].map(sum).reduce(add, 0),
    lag: (topic, partition) => {
      const lag = topics.get(topic)?.get(partition);
      return lag === undefined ? 0 : sum(lag);
    },
    publishing: (topic, partition, count) => {
      const lag = lagOf(topic, partition);
      lag.sending += count;
      return (isAccepted) => {
        lag.sending -= count;
        if (isAccepted) lag.sinceLook += count;
      };
    },
    look: (topic) => {
      for (const lag of topics.get(topic)?.values() ?? []) {
        lag.beforeLook += lag.sinceLook;
        lag.sinceLook = 0;
      }
      return (progress) => {
        for (const { partition, end, committed } of progress) {
          const lag = lagOf(topic, partition);
          // The commits are read after the ends, and may be further.
          lag.reported = Math.max(0, end - committed);
          lag.beforeLook = 0;
        }
      };
    },
  };
}

function sum({ reported, beforeLook, sinceLook, sending }: PartitionLag): number {
  return reported + beforeLook + sinceLook + sending;
}

function add(a: number, b: number): number {
  return a + b;
}
