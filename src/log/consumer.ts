// The consumer loop of the embedded log: it hands records over and never waits for one slow record, holds at most
// `inFlightMax` of them, and commits an offset when it and all before it are done, that is: every effect awaited.
import { createInFlight } from "./in-flight.ts";
import {
  type ConsumerEvent,
  type RawRecord,
  type RecordEdge,
  runRecord,
  type RunnerOptions,
} from "./record-runner.ts";

/** What the loop needs of the log. */
export interface RecordSource extends RecordEdge {
  /** Records after `offset` in order. Empty when there are none yet; `wake` is called when there are. */
  fetch(afterOffset: number, limit: number): readonly RawRecord[];
  commit(offset: number): Promise<void>;
}

export interface ConsumerOptions extends RunnerOptions {
  readonly startAfterOffset: number;
  readonly inFlightMax: number;
  readonly nowMs: () => number;
}

export interface Consumer {
  inFlight(): number;
  /** Milliseconds since the oldest record in flight was handed over; 0 when there is none. */
  oldestInFlightMs(): number;
  /** Stops fetching, waits for the records in flight, commits. Records that are waiting for a retry are left uncommitted. */
  close(): Promise<void>;
}

/** A consumer that is told when records may have been added. */
export interface WakingConsumer extends Consumer {
  wake(): void;
}

/** Pause after a fetch or a commit that failed. */
const RETRY_MS = 5_000;
/** Commits are gathered for this long: a commit that is lost in a crash only means that its records are handed over again. */
const COMMIT_DELAY_MS = 200;
const FETCH_MAX = 64;
/** The log of a data folder has one. */
const ONLY_PARTITION = 0;

export function createConsumer(source: RecordSource, options: ConsumerOptions): WakingConsumer {
  const inFlight = createInFlight();
  const committer = createCommitter(source, options.report);
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  let position = options.startAfterOffset;
  let fetchTimer: NodeJS.Timeout | null = null;

  function finish(offset: number): void {
    const last = inFlight.finish(offset);
    if (last !== null) committer.done(last);
  }

  function pump(): void {
    if (stopping.signal.aborted || fetchTimer !== null) return;
    try {
      while (inFlight.size < options.inFlightMax) {
        const records = source.fetch(
          position,
          Math.min(FETCH_MAX, options.inFlightMax - inFlight.size),
        );
        if (records.length === 0) return;
        for (const record of records) start(record);
      }
    } catch (error) {
      options.report({ kind: "waiting", partition: ONLY_PARTITION, offset: position, error });
      fetchTimer = setTimeout(() => {
        fetchTimer = null;
        pump();
      }, RETRY_MS);
    }
  }

  function start(record: RawRecord): void {
    position = record.offset;
    inFlight.add(record.offset, options.nowMs());
    const run = runRecord(record, source, options, stopping.signal).then((done) => {
      running.delete(run);
      if (done) finish(record.offset);
      pump();
    });
    running.add(run);
  }

  return {
    wake: pump,
    inFlight: () => inFlight.size,
    oldestInFlightMs: () => {
      const startedAt = inFlight.oldestStartedAtMs();
      return startedAt === null ? 0 : options.nowMs() - startedAt;
    },
    close: async () => {
      stopping.abort();
      if (fetchTimer !== null) clearTimeout(fetchTimer);
      await Promise.all(running);
      await committer.close();
    },
  };
}

interface Committer {
  /** Everything up to this offset is done. */
  done(offset: number): void;
  /** Commits what is done now. */
  close(): Promise<void>;
}

function createCommitter(
  source: Pick<RecordSource, "commit">,
  report: (event: ConsumerEvent) => void,
): Committer {
  let waiting: number | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closing = false;

  async function commit(): Promise<void> {
    timer = null;
    const offset = waiting;
    if (offset === null) return;
    waiting = null;
    try {
      await source.commit(offset);
    } catch (error) {
      waiting ??= offset;
      if (!closing) timer ??= setTimeout(() => void commit(), RETRY_MS);
      report({ kind: "waiting", partition: ONLY_PARTITION, offset, error });
    }
  }

  return {
    done: (offset) => {
      waiting = offset;
      timer ??= setTimeout(() => void commit(), COMMIT_DELAY_MS);
    },
    close: async () => {
      closing = true;
      if (timer !== null) clearTimeout(timer);
      await commit();
    },
  };
}
