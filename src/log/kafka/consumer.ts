// The consumer loop over Kafka. The client's own loop only fetches: it adds records to a bounded buffer and goes
// on, so that no record, however slow, keeps it from fetching others or from its heartbeat. Work, flow control and commits
// are here.
//
// What the client (kafkajs 2.2.4) does not do by itself:
// - It fetches nothing from a broker while a handler runs (https://github.com/tulios/kafkajs/issues/683): handlers here
//   return at once; a partition whose buffer is full is paused.
// - It ignores a commit while it is not running: after each join, what is done is committed again.
// - It can be in the group, send heartbeats and fetch nothing (https://github.com/tulios/kafkajs/issues/1616): `check`
//   compares what it got with what there is.
import type { Batch, EachBatchPayload, KafkaMessage } from "kafkajs";
import type { Consumer } from "../consumer.ts";
import {
  type ConcurrencyLimits,
  createRecordRunner,
  type RawRecord,
  type RecordEdge,
  type RecordEnd,
  type RunnerOptions,
} from "../record-runner.ts";
import { createRecordStarts } from "../record-starts.ts";
import { within } from "./client.ts";
import { joinGroup, type Member, type MemberOptions } from "./member.ts";
import {
  createPartitionBuffer,
  type PartitionBuffer,
  type Schedule,
  type Taken,
} from "./partition-buffer.ts";
import type { PartitionWindow } from "./partition-window.ts";
import { createStallClock, type Stall } from "./stall-clock.ts";

/** Commits are batched for this long: after a crash the records of a lost commit are redelivered. */
const COMMIT_DELAY_MS = 200;
const COMMIT_MAX_MS = 10_000;
/** For the last commit: its records are redelivered when it is lost. */
const CLOSE_MAX_MS = 3_000;

export interface KafkaConsumerOptions<Value>
  extends RunnerOptions<Value>,
    ConcurrencyLimits,
    Pick<MemberOptions, "kafka" | "groupId" | "topic" | "kafkaReport"> {
  readonly edge: RecordEdge<Value>;
  toRecord(partition: number, message: KafkaMessage): RawRecord;
  readonly scheduleOf: Schedule;
  readonly nowMs: () => number;
}

/** End offset and committed offset of a partition, as Kafka reports them. */
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
  /** For how many checks in a row the same attempt at a record has been running; a record that waits for a retry has none. */
  checksOfOneAttempt(): number;
  readonly topic: string;
}

export function startKafkaConsumer<Value>(options: KafkaConsumerOptions<Value>): GroupConsumer {
  const { nowMs, topic } = options;
  const buffer = createPartitionBuffer(undefined, options.scheduleOf);
  const stopping = new AbortController();
  const starts = createRecordStarts(options, pump);
  const [stall, runs] = [createStallClock(nowMs), createRuns(options, stopping.signal)];
  let [joinedAs, lastEndedAtMs]: [string | null, number] = [null, 0];

  function joined(memberId: string, partitions: readonly number[]): void {
    stall.joined();
    // Under a new name it was not in the group for a while: its offsets may be outdated and must not be committed.
    if (memberId !== joinedAs) buffer.assign([]);
    joinedAs = memberId;
    assignFresh(buffer, partitions);
    // The client keeps its pauses over an assignment.
    setFetching(member, topic, !stopping.signal.aborted);
    committer.wake();
  }

  function received({ batch, resolveOffset }: EachBatchPayload): void {
    const part = buffer.get(batch.partition);
    if (part === null) return;
    const isLate = addRead(buffer, part, batch, options.toRecord);
    resolveOffset(batch.lastOffset());
    stall.gotSome();
    steer(part, isLate);
    pump();
  }

  /** While closing everything is paused, which this would undo. */
  function steer(part: PartitionWindow | null, isLate = false): void {
    if (part !== null && !stopping.signal.aborted) steerClient(member, topic, part, isLate);
  }

  function pump(): void {
    while (!stopping.signal.aborted && !starts.isFull()) {
      const taken = buffer.take(nowMs(), starts.mayStart, starts.isPaused);
      if (taken === null) return;
      starts.started(taken);
      steer(buffer.get(taken.record.partition));
      runs.run(taken.record, (end) => {
        lastEndedAtMs = nowMs();
        endTaken(taken, end);
        starts.ended(taken, end);
        committer.wake();
        pump();
      });
    }
  }

  const skipped: MemberOptions["skipped"] = (partition, lastOffset) => {
    buffer.skip(partition, lastOffset);
    steer(buffer.get(partition));
    stall.gotSome();
    committer.wake();
  };
  const member = joinGroup({ ...options, joined, received, skipped });
  const committer = createCommitter(member.client, options, buffer.partitions);
  return {
    topic,
    waiting: buffer.waiting,
    inFlight: buffer.inFlight,
    oldestInFlightMs: () => inFlightFor(buffer, nowMs(), 0),
    stalledMs: () => inFlightFor(buffer, nowMs(), lastEndedAtMs),
    check: (progress) => {
      runs.checked();
      if (dropLost(buffer, progress)) committer.wake();
      return replaceWhenStalled(member, stall.look(isBehind(buffer, progress)));
    },
    checksOfOneAttempt: runs.checksOfOneAttempt,
    pausedTenants: starts.pausedTenants,
    close: () => {
      stopping.abort();
      setFetching(member, topic, false);
      return closeInOrder(runs.ended, starts.close, committer.close, member.close);
    },
  };
}

function endTaken(taken: Taken, end: RecordEnd): void {
  if (typeof end === "string") taken.finish(end === "done");
  else taken.postpone(end.org);
}

async function closeInOrder(...closers: readonly (() => Promise<void> | void)[]): Promise<void> {
  for (const close of closers) await close();
}

/** Milliseconds for which records have been in flight, since `sinceMs` at the earliest. */
function inFlightFor(buffer: PartitionBuffer, nowMs: number, sinceMs: number): number {
  const oldest = buffer.oldestStartedAtMs();
  return oldest === null ? 0 : nowMs - Math.max(oldest, sinceMs);
}

/** Nothing is known yet of what the client does with the partitions of a new assignment. */
function assignFresh(buffer: PartitionBuffer, partitions: readonly number[]): void {
  buffer.assign(partitions);
  for (const part of buffer.partitions()) {
    part.committed = null;
    part.isPaused = false;
    part.position = null;
  }
}

interface Runs extends Pick<GroupConsumer, "checksOfOneAttempt"> {
  /** Processes a record; calls `ended` at its end. */
  run(record: RawRecord, ended: (end: RecordEnd) => void): void;
  checked(): void;
  /** Resolves when none is in flight any more. */
  ended(): Promise<void>;
}

function createRuns<Value>(options: KafkaConsumerOptions<Value>, stopping: AbortSignal): Runs {
  const running = new Set<Promise<void>>();
  const runToEnd = createRecordRunner(options.edge, options, stopping);
  // In checks, not by the clock: clocks jump, and a process that was stopped for a while has done nothing wrong.
  const attempts = new Map<RawRecord, number>();
  return {
    run: (record, ended) => {
      const attempting = (isRunning: boolean): void => {
        if (isRunning) attempts.set(record, 0);
        else attempts.delete(record);
      };
      const run = runToEnd(record, attempting).then((end) => {
        running.delete(run);
        ended(end);
      });
      running.add(run);
    },
    checked: () => {
      for (const [record, checks] of attempts) attempts.set(record, checks + 1);
    },
    checksOfOneAttempt: () => Math.max(0, ...attempts.values()),
    ended: async () => {
      await Promise.all(running);
    },
  };
}

/** Whether this member lacks records that its partitions have, or is not in the group while there is work. */
function isBehind(buffer: PartitionBuffer, progress: readonly PartitionProgress[]): boolean {
  if (!buffer.isAssigned()) return progress.some(({ end, committed }) => committed < end);
  return progress.some(({ partition, end, committed }) => {
    const part = buffer.get(partition);
    return part !== null && !part.isPaused && Math.max(part.next, committed) < end;
  });
}

function replaceWhenStalled(member: Member, { stalledForMs, isClientStalled }: Stall): number {
  if (isClientStalled) member.replace("no records come although there are some");
  return stalledForMs;
}

/** A commit that timed out may arrive after a later one and set the group back. Returns whether to commit again. */
function dropLost(buffer: PartitionBuffer, progress: readonly PartitionProgress[]): boolean {
  let isLost = false;
  for (const { partition, committed } of progress) {
    const part = buffer.get(partition);
    // What was passed over for longer than the topic keeps it.
    part?.beginsAt(committed);
    if (part?.committed === null || part?.committed === undefined) continue;
    if (part.committed <= committed) continue;
    part.committed = null;
    isLost = true;
  }
  return isLost;
}

function setPaused(member: Member, topic: string, part: PartitionWindow, isPaused: boolean): void {
  part.isPaused = isPaused;
  setFetching(member, topic, !isPaused, [part.partition]);
}

/** Returns whether it was asked for before the client was sent elsewhere, where it still goes. */
function addRead(
  buffer: PartitionBuffer,
  part: PartitionWindow,
  batch: Batch,
  toRecord: KafkaConsumerOptions<unknown>["toRecord"],
): boolean {
  const records = batch.messages.map((message) => toRecord(part.partition, message));
  // The client's types leave out where it read from.
  const { fetchedOffset } = batch as Batch & { readonly fetchedOffset: string };
  const [from, to] = [Number(fetchedOffset), Number(batch.lastOffset()) + 1];
  buffer.add(part.partition, records, from, to);
  const isLate = part.position !== null && part.position !== from;
  part.position = isLate ? null : to;
  return isLate;
}

/** Has the client read where the most is to be gained. @param isLate it is not known where it reads now */
function steerClient(member: Member, topic: string, part: PartitionWindow, isLate: boolean): void {
  const aim = part.aim();
  if (part.isPaused !== (aim === null)) setPaused(member, topic, part, aim === null);
  if (aim === null || aim === part.position || (part.position === null && !isLate)) return;
  try {
    member.client()?.seek({ topic, partition: part.partition, offset: String(aim) });
    part.position = aim;
  } catch {
    // The client refuses while it is not running; it begins where the group is then.
  }
}

/** @param partitions all when left out */
function setFetching(
  member: Member,
  topic: string,
  isFetching: boolean,
  partitions?: number[],
): void {
  const place = [partitions === undefined ? { topic } : { topic, partitions }];
  try {
    if (isFetching) member.client()?.resume(place);
    else member.client()?.pause(place);
  } catch {
    // The client refuses while it is not running; then it fetches nothing, and begins unpaused when it does.
  }
}

interface Committer {
  /** Something may be done that is not committed. */
  wake(): void;
  /** Commits what is done now. */
  close(): Promise<void>;
}

function createCommitter(
  client: Member["client"],
  options: Pick<KafkaConsumerOptions<unknown>, "topic" | "kafkaReport">,
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
      const last = (committing ?? Promise.resolve()).then(commit);
      await within(last, CLOSE_MAX_MS).catch(() => undefined);
    },
  };
}
