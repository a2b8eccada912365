// The consumer loop over Kafka. The client's own loop only fetches: it hands records to a window of bounded size and goes
// on, so that no record, however slow, keeps it from fetching others or from its heartbeat. Work, flow control and commits
// are here.
//
// What the client (kafkajs 2.2.4) does not do by itself:
// - It fetches nothing from a broker while a handler runs (https://github.com/tulios/kafkajs/issues/683): handlers here
//   return at once; a partition whose window is full is paused.
// - It says nothing when it commits while it is not running: after each join, what is done is committed again.
// - It can be in the group, send heartbeats and fetch nothing (https://github.com/tulios/kafkajs/issues/1616): `check`
//   compares what it got with what there is.
import type { EachBatchPayload, KafkaMessage } from "kafkajs";
import type { Consumer } from "../consumer.ts";
import {
  type RawRecord,
  type RecordEdge,
  runRecord,
  type RunnerOptions,
} from "../record-runner.ts";
import { within } from "./client.ts";
import { joinGroup, type Member, type MemberOptions } from "./member.ts";
import { createWindow, type PartitionWindow, type Window } from "./window.ts";

/** A partition that has this much waiting here is paused, and resumed at half of it. */
const WAITING_RECORDS_MAX = 128;
const WAITING_BYTES_MAX = 8 * 1024 * 1024;
/** Commits are gathered for this long: a commit that is lost in a crash only means that its records are handed over again. */
const COMMIT_DELAY_MS = 200;
const COMMIT_MAX_MS = 10_000;
/** Records are there and none comes for this long: the client is replaced. */
const STALLED_AFTER_MS = 20_000;

export interface KafkaConsumerOptions
  extends RunnerOptions,
    Pick<MemberOptions, "kafka" | "groupId" | "topic" | "kafkaReport"> {
  readonly inFlightMax: number;
  readonly edge: RecordEdge;
  toRecord(partition: number, message: KafkaMessage): RawRecord;
  readonly nowMs: () => number;
}

/** How far a partition goes and is done, as Kafka says. */
export interface PartitionProgress {
  readonly partition: number;
  /** The offset after the last record. */
  readonly end: number;
  /** The offset that the group has committed. */
  readonly committed: number;
}

export interface GroupConsumer extends Consumer {
  /** Compares what this member got with what there is. Returns for how many milliseconds it has got nothing of it. */
  check(progress: readonly PartitionProgress[]): number;
  readonly topic: string;
}

export function startKafkaConsumer(options: KafkaConsumerOptions): GroupConsumer {
  const { nowMs, topic } = options;
  const window = createWindow();
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const stall = createStallClock(nowMs);
  let joinedAs: string | null = null;

  function joined(memberId: string, partitions: readonly number[]): void {
    // Under a new name, this process was not in the group for a while: others may have gone on with its partitions, and
    // what it knows of them must not be committed.
    if (memberId !== joinedAs) window.assign([]);
    joinedAs = memberId;
    window.assign(partitions);
    for (const part of window.partitions())
      Object.assign(part, { committed: null, isPaused: false });
    // The client keeps its pauses over an assignment; what is full is paused again when more comes.
    member.client()?.resume([{ topic }]);
    committer.wake();
  }

  function received({ batch, resolveOffset }: EachBatchPayload): void {
    const { partition } = batch;
    const records = batch.messages.map((message) => options.toRecord(partition, message));
    const part = window.get(partition);
    if (part === null || !window.add(partition, records)) return;
    window.skip(partition, Number(batch.lastOffset()));
    resolveOffset(batch.lastOffset());
    stall.gotSome();
    // While closing everything is paused, which pausing one partition would undo.
    if (isFull(part) && !stopping.signal.aborted) setPaused(member, topic, part, true);
    pump();
  }

  function skipped(partition: number, lastOffset: number): void {
    window.skip(partition, lastOffset);
    stall.gotSome();
    committer.wake();
  }

  function pump(): void {
    while (!stopping.signal.aborted && window.inWork() < options.inFlightMax) {
      const taken = window.take(nowMs());
      if (taken === null) return;
      const part = window.get(taken.record.partition);
      if (part?.isPaused === true && isHalfEmpty(part)) setPaused(member, topic, part, false);
      const { record, finish } = taken;
      const run = runRecord(record, options.edge, options, stopping.signal).then((isDone) => {
        running.delete(run);
        finish(isDone);
        committer.wake();
        pump();
      });
      running.add(run);
    }
  }

  const member = joinGroup({ ...options, joined, received, skipped });
  const committer = createCommitter(member.client, options, window.partitions);
  return {
    topic,
    inFlight: window.inWork,
    oldestInFlightMs: () => nowMs() - (window.oldestStartedAtMs() ?? nowMs()),
    check: (progress) => {
      const stalledForMs = stall.look(isBehind(window, progress));
      if (stalledForMs > STALLED_AFTER_MS)
        member.replace("no records come although there are some");
      return stalledForMs;
    },
    close: async () => {
      stopping.abort();
      member.client()?.pause([{ topic }]);
      await Promise.all(running);
      await committer.close();
      await member.close();
    },
  };
}

/** Whether this member lacks records that its partitions have. */
function isBehind(window: Window, progress: readonly PartitionProgress[]): boolean {
  return progress.some(({ partition, end, committed }) => {
    const part = window.get(partition);
    return part !== null && !part.isPaused && Math.max(part.next, committed) < end;
  });
}

/** For how long a member has been behind and got nothing. */
function createStallClock(nowMs: () => number): {
  gotSome(): void;
  look(isBehind: boolean): number;
} {
  let sinceMs: number | null = null;
  return {
    gotSome: () => {
      sinceMs = null;
    },
    look: (isBehindNow) => {
      sinceMs = isBehindNow ? (sinceMs ?? nowMs()) : null;
      return sinceMs === null ? 0 : nowMs() - sinceMs;
    },
  };
}

function setPaused(member: Member, topic: string, part: PartitionWindow, isPaused: boolean): void {
  part.isPaused = isPaused;
  const place = [{ topic, partitions: [part.partition] }];
  if (isPaused) member.client()?.pause(place);
  else member.client()?.resume(place);
}

function isFull(part: PartitionWindow): boolean {
  return part.waitingRecords >= WAITING_RECORDS_MAX || part.waitingBytes >= WAITING_BYTES_MAX;
}

function isHalfEmpty(part: PartitionWindow): boolean {
  return (
    part.waitingRecords <= WAITING_RECORDS_MAX / 2 && part.waitingBytes <= WAITING_BYTES_MAX / 2
  );
}

interface Committer {
  /** Something may be done that is not committed. */
  wake(): void;
  /** Commits what is done now. */
  close(): Promise<void>;
}

function createCommitter(
  client: Member["client"],
  options: Pick<KafkaConsumerOptions, "topic" | "kafkaReport">,
  partitions: () => readonly PartitionWindow[],
): Committer {
  let timer: NodeJS.Timeout | null = null;
  let committing: Promise<void> | null = null;
  let isClosing = false;

  async function commit(): Promise<void> {
    const committable = partitions().flatMap((part) =>
      part.done === null || part.done === part.committed ? [] : [{ part, done: part.done }],
    );
    const to = client();
    if (committable.length === 0 || to === null) return;
    const { topic } = options;
    const offsets = committable.map(({ part: { partition }, done }) => ({
      topic,
      partition,
      offset: String(done),
    }));
    await within(to.commitOffsets(offsets), COMMIT_MAX_MS);
    for (const { part, done } of committable) part.committed = done;
  }

  function start(): void {
    timer = null;
    committing = commit()
      .catch((error: unknown) => {
        options.kafkaReport("warn", "kafka.commit_failed", {
          topic: options.topic,
          reason: String(error),
        });
        wake();
      })
      .finally(() => {
        committing = null;
      });
  }

  function wake(): void {
    if (!isClosing) timer ??= setTimeout(startWhenFree, COMMIT_DELAY_MS);
  }

  function startWhenFree(): void {
    if (committing === null) start();
    else {
      timer = null;
      wake();
    }
  }

  return {
    wake,
    close: async () => {
      isClosing = true;
      if (timer !== null) clearTimeout(timer);
      await committing;
      await commit().catch(() => undefined);
    },
  };
}
