// Replies to this process. It reads one partition of the topic of replies, which it shares with few others or nobody: the
// partition and a name of the process make its address. The client reads only as a member of a group, so the process has
// a group of its own, whose only member gives itself that one partition.
import {
  AssignerProtocol,
  type Consumer as KafkaConsumer,
  type EachBatchPayload,
  type Kafka,
  type PartitionAssigner,
} from "kafkajs";
import { type KafkaReport, RETRY, within } from "./client.ts";

const SESSION_TIMEOUT_MS = 30_000;
const HEARTBEAT_MS = 5_000;
const FETCH_WAIT_MS = 500;
const START_MAX_MS = 30_000;
const START_PROBE_MS = 100;
const RESTART_MS = 500;
const CLOSE_MAX_MS = 3_000;
const COMMIT_DELAY_MS = 500;
/** The client fetches every half second; when it has not for this long, it is replaced. */
const SILENT_AFTER_MS = 15_000;

export interface RepliesOptions {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topic: string;
  readonly partition: number;
  /** Called with each record of the partition. */
  received(value: Buffer): Promise<void>;
  /** Writes to the partition something that `received` counts as a probe. */
  probe(): Promise<void>;
  /** Whether a probe has come back. */
  isProbed(): boolean;
  wait(ms: number): Promise<void>;
  nowMs(): number;
  readonly report: KafkaReport;
}

export interface Replies {
  /** Why replies do not come just now, or null. */
  failure(): string | null;
  close(): Promise<void>;
}

/** Starts to read; resolves once what is written from now on is sure to be read. */
export async function openReplies(options: RepliesOptions): Promise<Replies> {
  let client: KafkaConsumer | null = null;
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;
  let fetchedAtMs = options.nowMs();

  function open(): void {
    const opened = newClient(options);
    client = opened;
    opened.on(opened.events.FETCH, () => {
      if (client === opened) fetchedAtMs = options.nowMs();
    });
    opened.on(opened.events.CRASH, ({ payload }) => {
      restart(opened, payload.error);
    });
    run(opened, options).catch((error: unknown) => {
      restart(opened, error);
    });
  }

  function restart(failed: KafkaConsumer | null, reason: unknown): void {
    if (client !== failed || isClosed || failed === null) return;
    options.report("warn", "kafka.replies_restart", { reason: String(reason) });
    client = null;
    failed.disconnect().catch(() => undefined);
    timer = setTimeout(open, RESTART_MS);
  }

  open();
  await within(untilReading(options), START_MAX_MS);
  const isSilent = (): boolean => options.nowMs() - fetchedAtMs > SILENT_AFTER_MS;
  const watch = setInterval(() => {
    if (isSilent()) restart(client, "nothing is fetched");
  }, SILENT_AFTER_MS);
  watch.unref();
  return {
    failure: () => (isSilent() ? "Replies do not come from Kafka just now." : null),
    close: async () => {
      isClosed = true;
      clearInterval(watch);
      if (timer !== null) clearTimeout(timer);
      await within(client?.disconnect() ?? Promise.resolve(), CLOSE_MAX_MS).catch(() => undefined);
    },
  };
}

/** Nothing tells when a new group has found its place; what comes back was written after it. */
async function untilReading(options: RepliesOptions): Promise<void> {
  while (!options.isProbed()) {
    await options.probe();
    await options.wait(START_PROBE_MS);
  }
}

function newClient({ kafka, groupId, partition }: RepliesOptions): KafkaConsumer {
  return kafka.consumer({
    groupId,
    sessionTimeout: SESSION_TIMEOUT_MS,
    heartbeatInterval: HEARTBEAT_MS,
    maxWaitTimeInMs: FETCH_WAIT_MS,
    minBytes: 1,
    allowAutoTopicCreation: false,
    partitionAssigners: [onePartition(partition)],
    retry: { ...RETRY, restartOnFailure: () => Promise.resolve(false) },
  });
}

async function run(client: KafkaConsumer, options: RepliesOptions): Promise<void> {
  await client.connect();
  await client.subscribe({ topics: [options.topic], fromBeginning: false });
  const commit = createLateCommit(client, options);
  await client.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    eachBatch: async ({ batch, resolveOffset }: EachBatchPayload) => {
      resolveOffset(batch.lastOffset());
      for (const { value } of batch.messages) {
        if (value !== null) await options.received(value);
      }
      commit.later(String(BigInt(batch.lastOffset()) + 1n));
    },
  });
}

/** Commits now and then, so that a client that replaces this one goes on there and misses nothing in between. */
function createLateCommit(
  client: KafkaConsumer,
  { topic, partition }: RepliesOptions,
): { later(next: string): void } {
  let offset: string | null = null;
  return {
    later: (next) => {
      const isTimed = offset !== null;
      offset = next;
      if (isTimed) return;
      setTimeout(() => {
        const place = { topic, partition, offset: offset ?? next };
        offset = null;
        client.commitOffsets([place]).catch(() => undefined);
      }, COMMIT_DELAY_MS).unref();
    },
  };
}

/** Gives the one member of the group one partition. */
function onePartition(partition: number): PartitionAssigner {
  const name = "one-partition";
  return () => ({
    name,
    version: 0,
    assign: ({ members, topics }) =>
      Promise.resolve(
        members.map(({ memberId }) => ({
          memberId,
          memberAssignment: AssignerProtocol.MemberAssignment.encode({
            version: 0,
            assignment: Object.fromEntries(topics.map((topic) => [topic, [partition]])),
            userData: Buffer.alloc(0),
          }),
        })),
      ),
    protocol: ({ topics }) => ({
      name,
      metadata: AssignerProtocol.MemberMetadata.encode({
        version: 0,
        topics,
        userData: Buffer.alloc(0),
      }),
    }),
  });
}
