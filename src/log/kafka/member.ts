// Membership in a consumer group: one client at a time, and a new one when that has failed.
//
// After a failure the client (kafkajs 2.2.4) starts again with what it has kept of the cluster, or stops in silence when
// it finds the failure not worth it (https://github.com/tulios/kafkajs/issues/1299): here it never restarts by itself. Its
// stop waits for ever (https://github.com/tulios/kafkajs/issues/1168): it gets `CLOSE_MAX_MS`. A disconnect while it
// connects does not stop it from joining, and it would keep partitions that are not read: each step checks again, and
// disconnects once it is idle.
import type { Consumer as KafkaConsumer, EachBatchPayload, Kafka } from "kafkajs";
import type { LogReport } from "../log.ts";
import { RETRY, within } from "./client.ts";

const SESSION_TIMEOUT_MS = 15_000;
const REBALANCE_TIMEOUT_MS = 30_000;
const HEARTBEAT_MS = 3_000;
/** Also how long a client that is to read elsewhere may wait at the end of a partition; the buffer is half full then. */
const FETCH_WAIT_MS = 100;
const FETCH_BYTES = 8 * 1024 * 1024;
const FETCH_PARTITION_BYTES = 1024 * 1024;
const RESTART_FIRST_MS = 200;
const RESTART_MAX_MS = 5_000;
const CLOSE_MAX_MS = 5_000;

export interface MemberOptions {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topic: string;
  readonly kafkaReport: LogReport;
  /** This process is in the group as `memberId` and has these partitions of the topic. */
  joined(memberId: string, partitions: readonly number[]): void;
  /** Must return at once: nothing is fetched from the broker meanwhile. */
  received(payload: EachBatchPayload): void;
  /** Nothing that was fetched up to this offset is delivered: control records and aborted transactions. */
  skipped(partition: number, lastOffset: number): void;
}

export interface Member {
  /** The client in the group; null while there is none. */
  client(): KafkaConsumer | null;
  /** Puts a new client in the place of this one. */
  replace(reason: unknown): void;
  close(): Promise<void>;
}

export function joinGroup(options: MemberOptions): Member {
  let client: KafkaConsumer | null = null;
  let restartMs = RESTART_FIRST_MS;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;
  /** Settles when the client of now is in the group, or will never be. */
  let starting: Promise<void> = Promise.resolve();

  function open(): void {
    timer = null;
    let joinedAs: string | null = null;
    const opened = newClient(options, {
      joined: (memberId, partitions) => {
        if (client !== opened) return;
        if (joinedAs !== null && joinedAs !== memberId) {
          // What it still fetches was asked for as the member before, and would be taken for what it has now.
          restart(opened, "the group has removed this member");
          return;
        }
        joinedAs = memberId;
        options.joined(memberId, partitions);
      },
      skipped: (partition, lastOffset) => {
        if (client === opened) options.skipped(partition, lastOffset);
      },
      crashed: (error) => {
        restart(opened, error);
      },
    });
    client = opened;
    const isWanted = (): boolean => client === opened && !isClosed;
    const receive = (payload: EachBatchPayload): void => {
      if (client !== opened) return;
      restartMs = RESTART_FIRST_MS;
      options.received(payload);
    };
    starting = runMember(opened, options, receive, isWanted).catch((error: unknown) => {
      restart(opened, error);
    });
  }

  function restart(failed: KafkaConsumer, error: unknown): void {
    if (client !== failed || isClosed) return;
    client = null;
    options.kafkaReport("warn", "kafka.consumer_restarts", {
      topic: options.topic,
      reason: String(error),
    });
    void leave(failed, starting);
    timer = setTimeout(open, restartMs);
    restartMs = Math.min(restartMs * 2, RESTART_MAX_MS);
  }

  open();
  return {
    client: () => client,
    replace: (reason) => {
      if (client !== null) restart(client, reason);
    },
    close: async () => {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      const left = client === null ? Promise.resolve() : leave(client, starting);
      await within(left, CLOSE_MAX_MS).catch(() => undefined);
    },
  };
}

interface ClientEvents {
  joined(memberId: string, partitions: readonly number[]): void;
  skipped(partition: number, lastOffset: number): void;
  crashed(error: unknown): void;
}

function newClient(options: MemberOptions, events: ClientEvents): KafkaConsumer {
  const client = options.kafka.consumer({
    groupId: options.groupId,
    sessionTimeout: SESSION_TIMEOUT_MS,
    rebalanceTimeout: REBALANCE_TIMEOUT_MS,
    heartbeatInterval: HEARTBEAT_MS,
    minBytes: 1,
    maxBytes: FETCH_BYTES,
    maxBytesPerPartition: FETCH_PARTITION_BYTES,
    maxWaitTimeInMs: FETCH_WAIT_MS,
    allowAutoTopicCreation: false,
    retry: { ...RETRY, restartOnFailure: () => Promise.resolve(false) },
  });
  client.on(client.events.GROUP_JOIN, ({ payload }) => {
    events.joined(payload.memberId, payload.memberAssignment[options.topic] ?? []);
  });
  // The client tells a handler of records alone, but its own watchers of what it passes over too.
  client.on(client.events.START_BATCH_PROCESS, ({ payload }) => {
    const { batchSize, partition, lastOffset } = payload;
    if (batchSize === 0) events.skipped(partition, Number(lastOffset));
  });
  client.on(client.events.CRASH, ({ payload }) => {
    events.crashed(payload.error);
  });
  return client;
}

async function runMember(
  client: KafkaConsumer,
  options: MemberOptions,
  receive: (payload: EachBatchPayload) => void,
  isWanted: () => boolean,
): Promise<void> {
  await client.connect();
  if (!isWanted()) return;
  await client.subscribe({ topics: [options.topic], fromBeginning: true });
  if (!isWanted()) return;
  await client.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    eachBatch: (payload) => {
      receive(payload);
      return Promise.resolve();
    },
  });
}

/** Takes a client out of the group once it has come to rest. The group notices by itself when this does not help. */
export async function leave(client: KafkaConsumer, starting: Promise<void>): Promise<void> {
  await starting;
  await within(client.disconnect(), CLOSE_MAX_MS).catch(() => undefined);
}
