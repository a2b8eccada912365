// The consumer loop of the embedded log. It starts records in the order in which they are scheduled (tenant-queue.ts), never
// waits for one slow record, and bounds how many are in flight, in all and of each tenant. A record is removed from the log
// when it is done, that is: every effect awaited.

import type { ConsumerEvent } from "../model/process-events.ts";
import type { BatchPriority } from "../shared/concurrency/priority.ts";
import {
  type ConcurrencyLimits,
  createRecordRunner,
  type RawRecord,
  type RecordEdge,
  type RunnerOptions,
} from "./record-runner.ts";
import { createRecordStarts } from "./record-starts.ts";

/** A record that was scheduled. */
export interface ScheduledRecord {
  readonly tenant: string;
  readonly record: RawRecord;
}

/** What the loop needs of the log. */
export interface RecordSource<Value> extends RecordEdge<Value> {
  /** The next record, of a tenant of which one may start. Null when there is none yet; `wake` is called when there may be. */
  take(mayStart: (tenant: string) => boolean): ScheduledRecord | null;
  /** Puts a record that was taken in front of what this tenant has waiting. */
  postpone(record: RawRecord, tenant: string): void;
  /** Records that can be taken and are not. */
  waiting(priority: BatchPriority): number;
  /** Removes records that are done. */
  remove(offsets: readonly number[]): Promise<void>;
}

export interface ConsumerOptions<Value> extends RunnerOptions<Value>, ConcurrencyLimits {
  readonly nowMs: () => number;
}

export interface Consumer {
  /** Records that this process has received and not started. */
  waiting(priority: BatchPriority): number;
  inFlight(): number;
  /** Milliseconds since the oldest record in flight was delivered; 0 when there is none. */
  oldestInFlightMs(): number;
  /** Milliseconds in which records were in flight and none of them ended; 0 when there is none. */
  stalledMs(): number;
  /** Organizations whose records wait for credits. */
  pausedTenants(): number;
  /** Stops starting records, waits for those in flight, commits. Records that wait for a retry are left uncommitted. */
  close(): Promise<void>;
}

/** The consumers of a process together. */
export interface WatchedConsumers {
  /** Records that this process has received and not started. */
  waitingRecords(): {
    readonly interactive: number;
    readonly default: number;
    readonly low: number;
  };
  /** Milliseconds since the oldest record in flight was delivered; 0 when there is none. */
  oldestInFlightMs(): number;
  /** Milliseconds in which records of a topic were in flight and none of them ended; 0 when there is none. */
  stalledMs(): number;
  /** Organizations whose records wait for credits. */
  pausedTenants(): number;
  close(): Promise<void>;
}

export function watchConsumers(interactive: Consumer, batch: Consumer): WatchedConsumers {
  return {
    waitingRecords: () => ({
      // Synchronous calls all have the same priority.
      interactive: interactive.waiting("default"),
      default: batch.waiting("default"),
      low: batch.waiting("low"),
    }),
    oldestInFlightMs: () => Math.max(interactive.oldestInFlightMs(), batch.oldestInFlightMs()),
    stalledMs: () => Math.max(interactive.stalledMs(), batch.stalledMs()),
    pausedTenants: () => interactive.pausedTenants() + batch.pausedTenants(),
    close: async () => {
      await Promise.all([interactive.close(), batch.close()]);
    },
  };
}

/** A consumer with a call for when records may have been added. */
export interface WakingConsumer extends Consumer {
  wake(): void;
}

/** Pause after a read or a removal that failed. */
const RETRY_MS = 5_000;
/** Removals are grouped for this long: after a crash the records of a lost one are redelivered. */
const REMOVAL_DELAY_MS = 200;
/** The log of a data folder has one. */
const ONLY_PARTITION = 0;

export function createConsumer<Value>(
  source: RecordSource<Value>,
  options: ConsumerOptions<Value>,
): WakingConsumer {
  const { nowMs, report } = options;
  const starts = createRecordStarts(options, pump);
  const remover = createRemover(source, report);
  const running = new Set<Promise<void>>();
  /** In the order in which they were started. */
  const startedAtMs = new Map<number, number>();
  const stopping = new AbortController();
  const run = createRecordRunner(source, options, stopping.signal);
  let retryTimer: NodeJS.Timeout | null = null;
  let lastEndedAtMs = 0;

  function pump(): void {
    if (stopping.signal.aborted || retryTimer !== null) return;
    try {
      while (!starts.isFull()) {
        const scheduled = source.take(starts.mayStart);
        if (scheduled === null) return;
        start(scheduled);
      }
    } catch (error) {
      report({ kind: "dependency_unavailable", partition: ONLY_PARTITION, offset: 0, error });
      retryTimer = setTimeout(() => {
        retryTimer = null;
        pump();
      }, RETRY_MS);
    }
  }

  function start(scheduled: ScheduledRecord): void {
    const { record } = scheduled;
    const { offset } = record;
    starts.started(scheduled);
    startedAtMs.set(offset, nowMs());
    const ended = run(record).then((end) => {
      running.delete(ended);
      startedAtMs.delete(offset);
      lastEndedAtMs = nowMs();
      if (end === "done") remover.done(offset);
      if (typeof end === "object") source.postpone(record, end.org);
      starts.ended(scheduled, end);
      pump();
    });
    running.add(ended);
  }

  function inFlightSince(sinceMs: number): number {
    const [oldest] = startedAtMs.values();
    return oldest === undefined ? 0 : nowMs() - Math.max(oldest, sinceMs);
  }

  return {
    wake: pump,
    waiting: source.waiting,
    inFlight: starts.inFlight,
    oldestInFlightMs: () => inFlightSince(0),
    stalledMs: () => inFlightSince(lastEndedAtMs),
    pausedTenants: starts.pausedTenants,
    close: async () => {
      stopping.abort();
      if (retryTimer !== null) clearTimeout(retryTimer);
      await Promise.all(running);
      starts.close();
      await remover.close();
    },
  };
}

interface Remover {
  /** This record is done. */
  done(offset: number): void;
  /** Removes what is done now. */
  close(): Promise<void>;
}

function createRemover(
  source: Pick<RecordSource<unknown>, "remove">,
  report: (event: ConsumerEvent) => void,
): Remover {
  let waiting: number[] = [];
  let timer: NodeJS.Timeout | null = null;
  let removing = Promise.resolve();
  let closing = false;

  async function remove(): Promise<void> {
    timer = null;
    const offsets = waiting;
    if (offsets.length === 0) return;
    waiting = [];
    try {
      await source.remove(offsets);
    } catch (error) {
      waiting.push(...offsets);
      if (!closing) timer ??= setTimeout(start, RETRY_MS);
      report({
        kind: "dependency_unavailable",
        partition: ONLY_PARTITION,
        offset: offsets[0] ?? 0,
        error,
      });
    }
  }

  function start(): void {
    removing = remove();
  }

  return {
    done: (offset) => {
      waiting.push(offset);
      timer ??= setTimeout(start, REMOVAL_DELAY_MS);
    },
    close: async () => {
      closing = true;
      if (timer !== null) clearTimeout(timer);
      await removing;
      await remove();
    },
  };
}
