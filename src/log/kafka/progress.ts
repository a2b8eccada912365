// What Kafka reports about the groups: how much is waiting, what all members have done, and whether this process gets
// records. Read every few seconds, because outside producers do not report what they write.
import type { Admin } from "kafkajs";
import { lastPlaceOrder, placeOrder } from "../../model/acceptance-order.ts";
import type { AdminClient } from "./admin.ts";
import { within } from "./client.ts";
import type { GroupConsumer, PartitionProgress } from "./consumer.ts";
import { createLags } from "./lags.ts";

const CLOSE_MAX_MS = 1_000;
/** A consumer that got nothing for this long has been replaced once without success. */
const NOT_READY_AFTER_MS = 30_000;
/** One that was replaced several times and still gets nothing ends the process, so that the supervisor restarts it. */
const FATAL_AFTER_MS = 90_000;
/**
 * Everything that a record waits for has a limit of its own, and an attempt takes minutes at most, where many tasks are
 * lost at the same time. One that takes longer has met an unknown fault, and blocks its partition for ever.
 */
const HUNG_AFTER_MS = 1_800_000;

/** How often what is looked at. */
export interface ProgressTiming {
  readonly pollMs: number;
  /** How often the log's clock is read, to learn what is done by then. */
  readonly roundEveryMs: number;
  /**
   * A record may still be in flight in a process that was stopped and goes on later. `doneOrder` counts it as done after
   * this long: no stopped process is expected to wake up after it.
   */
  readonly doneAfterMs: number;
}

export const PROGRESS_TIMING: ProgressTiming = {
  pollMs: 2_000,
  roundEveryMs: 15_000,
  doneAfterMs: 3_600_000,
};

export interface ProgressOptions {
  readonly admin: Pick<AdminClient, "ask">;
  /** `isRequests`: `doneOrder` waits for its records. */
  readonly groups: readonly {
    readonly groupId: string;
    readonly topic: string;
    readonly isRequests: boolean;
  }[];
  /** Appends to the log's clock and returns its time. */
  tick(): Promise<number>;
  nowMs(): number;
  /** The consumers of this process. */
  consumers(): readonly GroupConsumer[];
  /**
   * A consumer gets nothing of what is there and another client did not help, or it does not come to the end of a record:
   * another process may. The reason has no end of a sentence.
   */
  failed(reason: string): void;
  readonly timing: ProgressTiming;
}

export interface LogProgress {
  pending(topic: string): number;
  /** Records of a partition that are published, or are being published, and not done. */
  lag(topic: string, partition: number): number;
  /** Counts records as pending while `send` publishes them, and those that it published until Kafka counts them. */
  publishing(
    topic: string,
    partition: number,
    count: number,
    send: () => Promise<unknown>,
  ): Promise<void>;
  doneOrder(): string;
  /** Everything that was in the log at this time (milliseconds since 1970, this machine's clock) is done. */
  doneUntilMs(): number;
  /** Why Kafka cannot be asked, or why this process does not get its share of the work, or null. */
  failure(): string | null;
  close(): Promise<void>;
}

/** A moment of the log's clock, and where the topics ended after it: when that is done, everything before is. */
interface Round {
  readonly clockMs: number;
  readonly begunAtMs: number;
  readonly ends: ReadonlyMap<string, number>;
}

export function startProgress(options: ProgressOptions): LogProgress {
  const { groups } = options;
  const lags = createLags();
  const rounds = createRounds(options);
  let failure: string | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  /** Resolves with why this process gets nothing of what is there, or null. */
  async function look(): Promise<string | null> {
    let stall: string | null = null;
    const begun = await rounds.begin();
    const places = new Map<string, PartitionProgress>();
    for (const { groupId, topic, isRequests } of groups) {
      const settle = lags.look(topic);
      const progress = await options.admin.ask((admin) => readProgress(admin, groupId, topic));
      settle(progress);
      if (isRequests)
        for (const one of progress) places.set(`${topic}/${String(one.partition)}`, one);
      const consumer = options.consumers().find((one) => one.topic === topic);
      const stalledForMs = consumer?.check(progress) ?? 0;
      if (stalledForMs > FATAL_AFTER_MS)
        options.failed(`no records come from ${topic} although there are some`);
      if ((consumer?.checksOfOneAttempt() ?? 0) * options.timing.pollMs > HUNG_AFTER_MS)
        options.failed(`a record of ${topic} has been in flight for half an hour`);
      if (stalledForMs > NOT_READY_AFTER_MS)
        stall = `No records come from ${topic} although there are some.`;
    }
    rounds.look(places, begun);
    return stall;
  }

  async function poll(): Promise<void> {
    try {
      failure = await look();
    } catch {
      failure = "Kafka cannot be reached just now.";
    }
    if (!isClosed) timer = setTimeout(pollAgain, options.timing.pollMs);
  }
  function pollAgain(): void {
    polling = poll();
  }
  let polling = poll();

  return {
    pending: lags.pending,
    lag: lags.lag,
    publishing: async (topic, partition, count, send) => {
      const published = lags.publishing(topic, partition, count);
      try {
        await send();
        published(true);
      } catch (error) {
        published(false);
        throw error;
      }
    },
    doneOrder: rounds.doneOrder,
    doneUntilMs: rounds.doneUntilMs,
    failure: () => failure,
    close: async () => {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      // Its result is not needed any more.
      await within(polling, CLOSE_MAX_MS).catch(() => undefined);
    },
  };
}

interface Rounds extends Pick<LogProgress, "doneOrder" | "doneUntilMs"> {
  /** Reads the log's clock when that is due. What ends after it is to be looked at after. */
  begin(): Promise<Omit<Round, "ends"> | null>;
  /** Finishes the open round when all of it is done, and opens the one that was begun. */
  look(places: ReadonlyMap<string, PartitionProgress>, begun: Omit<Round, "ends"> | null): void;
}

function createRounds({ tick, nowMs, timing }: ProgressOptions): Rounds {
  const { roundEveryMs, doneAfterMs: passedAfterMs } = timing;
  let open: Round | null = null;
  let done: Round[] = [];

  function finish(round: Round): void {
    open = null;
    done.push(round);
    // The last that is old enough, and those after it.
    const firstKept = done.findLastIndex(({ begunAtMs }) => begunAtMs <= nowMs() - passedAfterMs);
    done = done.slice(Math.max(0, firstKept));
  }

  return {
    begin: async () => {
      const last = done.at(-1);
      if (open !== null || (last !== undefined && nowMs() - last.begunAtMs < roundEveryMs)) {
        return null;
      }
      const begunAtMs = nowMs();
      return { begunAtMs, clockMs: await tick() };
    },
    look: (places, begun) => {
      const round = open;
      const isDone = [...(round?.ends ?? [])].every(
        ([place, end]) => (places.get(place)?.committed ?? 0) >= end,
      );
      if (round !== null && isDone) finish(round);
      if (begun === null) return;
      open = { ...begun, ends: new Map([...places].map(([place, { end }]) => [place, end])) };
    },
    doneOrder: () => {
      const round = done.findLast(({ begunAtMs }) => begunAtMs <= nowMs() - passedAfterMs);
      // What was appended in the very millisecond of the round may have come after it.
      return round === undefined ? placeOrder(0, 0, 0) : lastPlaceOrder(round.clockMs - 1);
    },
    doneUntilMs: () => done.at(-1)?.begunAtMs ?? 0,
  };
}

async function readProgress(
  admin: Admin,
  groupId: string,
  topic: string,
): Promise<PartitionProgress[]> {
  // The ends first: a commit that is read later can only be further.
  const ends = await admin.fetchTopicOffsets(topic);
  const [commits] = await admin.fetchOffsets({ groupId, topics: [topic] });
  const committed = new Map(
    commits?.partitions.map(({ partition, offset }) => [partition, Number(offset)]),
  );
  return ends.map(({ partition, low, high }) => ({
    partition,
    end: Number(high),
    // Nothing was ever committed: everything that is still there is to be done.
    committed: Math.max(committed.get(partition) ?? -1, Number(low)),
  }));
}
