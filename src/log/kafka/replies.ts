// Replies to this process. It reads one partition of the topic of replies, which few other processes or none share: the
// partition and a name of the process make its address. The client reads only as a member of a group, so each client has
// a group of its own, whose only member gives itself that one partition: in the group of a client that failed, the next
// one would wait until the session of the first is over, and each that times out is one more to wait for.
import {
  AssignerProtocol,
  type Batch,
  type Consumer as KafkaConsumer,
  type EachBatchPayload,
  type Kafka,
  type PartitionAssigner,
} from "kafkajs";
import type { LogReport } from "../log.ts";
import { RETRY, within } from "./client.ts";
import { leave } from "./member.ts";

const SESSION_TIMEOUT_MS = 30_000;
const HEARTBEAT_MS = 5_000;
const FETCH_WAIT_MS = 500;
const START_MAX_MS = 30_000;
const START_PROBE_MS = 100;
const RESTART_MS = 500;
const CLOSE_MAX_MS = 3_000;
/** Of those that are removed in the end; what is left of others the broker removes by itself. */
const GROUPS_MAX = 100;
/** The client fetches every half second; when it has not for this long, it is replaced. */
const SILENT_AFTER_MS = 15_000;

export interface RepliesOptions {
  readonly kafka: Kafka;
  /** What the names of the groups begin with. */
  readonly groupPrefix: string;
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
  readonly report: LogReport;
}

export interface Replies {
  /** Why replies do not come just now, or null. */
  failure(): string | null;
  /** The groups that were made last. */
  groups(): readonly string[];
  close(): Promise<void>;
}

/** Starts to read; resolves once what is written from now on is sure to be read. */
export async function openReplies(options: RepliesOptions): Promise<Replies> {
  let client: KafkaConsumer | null = null;
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;
  let [openedAtMs, fetchedAtMs] = [options.nowMs(), options.nowMs()];
  let opens = 0;
  const groups: string[] = [];
  let starting: Promise<void> = Promise.resolve();
  /** Where the next client goes on, so that it misses nothing in between. */
  let nextOffset: string | null = null;

  function open(): void {
    opens += 1;
    openedAtMs = options.nowMs();
    const groupId = `${options.groupPrefix}-${String(opens)}`;
    const opened = newClient(options, groupId);
    client = opened;
    opened.on(opened.events.GROUP_JOIN, () => {
      if (groups.at(-1) !== groupId) groups.push(groupId);
      if (groups.length > GROUPS_MAX) groups.shift();
      const { topic, partition } = options;
      // Nothing is committed, so that without this it would begin at the end.
      if (nextOffset !== null) opened.seek({ topic, partition, offset: nextOffset });
    });
    opened.on(opened.events.FETCH, () => {
      if (client === opened) fetchedAtMs = options.nowMs();
    });
    opened.on(opened.events.CRASH, ({ payload }) => {
      restart(opened, payload.error);
    });
    const received = (batch: Batch): void => {
      if (client === opened) nextOffset = String(BigInt(batch.lastOffset()) + 1n);
    };
    const isWanted = (): boolean => client === opened && !isClosed;
    starting = runReplies(opened, options, received, isWanted).catch((error: unknown) => {
      restart(opened, error);
    });
  }

  function restart(failed: KafkaConsumer | null, reason: unknown): void {
    if (client !== failed || isClosed || failed === null) return;
    options.report("warn", "kafka.replies_restart", { reason: String(reason) });
    client = null;
    void leave(failed, starting);
    timer = setTimeout(open, RESTART_MS);
  }

  async function close(): Promise<void> {
    isClosed = true;
    clearInterval(watch);
    if (timer !== null) clearTimeout(timer);
    const left = client === null ? Promise.resolve() : leave(client, starting);
    await within(left, CLOSE_MAX_MS).catch(() => undefined);
  }

  const isSilentSince = (ms: number): boolean => options.nowMs() - ms > SILENT_AFTER_MS;
  const watch = setInterval(() => {
    if (isSilentSince(Math.max(openedAtMs, fetchedAtMs))) restart(client, "nothing is fetched");
  }, SILENT_AFTER_MS);
  watch.unref();
  open();
  try {
    await within(
      untilReading(options, () => isClosed),
      START_MAX_MS,
    );
  } catch (error) {
    await close();
    throw error;
  }
  return {
    groups: () => groups,
    failure: () => (isSilentSince(fetchedAtMs) ? "Replies do not come from Kafka just now." : null),
    close,
  };
}

/** Nothing tells when a new group has found its place; what comes back was written after it. */
async function untilReading(options: RepliesOptions, isClosed: () => boolean): Promise<void> {
  while (!options.isProbed() && !isClosed()) {
    await options.probe();
    await options.wait(START_PROBE_MS);
  }
}

function newClient({ kafka, partition }: RepliesOptions, groupId: string): KafkaConsumer {
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

async function runReplies(
  client: KafkaConsumer,
  options: RepliesOptions,
  received: (batch: Batch) => void,
  isWanted: () => boolean,
): Promise<void> {
  await client.connect();
  if (!isWanted()) return;
  await client.subscribe({ topics: [options.topic], fromBeginning: false });
  if (!isWanted()) return;
  await client.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    eachBatch: async ({ batch, resolveOffset }: EachBatchPayload) => {
      resolveOffset(batch.lastOffset());
      for (const { value } of batch.messages) {
        if (value !== null) await options.received(value);
      }
      received(batch);
    },
  });
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
