// The consumer loop, the same for every engine: it hands records over and never waits for one slow record, holds at
// most `inFlightMax` of them, and commits an offset when it and all before it are done, that is: every effect awaited.
//
//   fetched ──▶ decoded ──▶ handled ──▶ done ──▶ committed (contiguous prefix)
//                 │            ├─ retry: something is away; again after a pause, for as long as it takes
//                 │            └─ threw 5 times ─┐
//                 └─ undecodable ────────────────┴──▶ dead letters ──▶ done
import { setTimeout as delay } from "node:timers/promises";
import { LedgerlineError } from "../domain/errors.ts";
import type { DeadLetterReason, Delivered, Handled } from "../domain/records.ts";
import { UndecodableRecord } from "./codec.ts";
import { createInFlight } from "./in-flight.ts";

export interface RawRecord {
  readonly offset: number;
  readonly key: string;
  readonly bytes: Uint8Array;
}

/** What the loop needs of an engine. */
export interface RecordSource<Value> {
  /** Records after `offset` in order. Empty when there are none yet; `wake` is called when there are. */
  fetch(afterOffset: number, limit: number): readonly RawRecord[];
  decode(bytes: Uint8Array): Value;
  order(offset: number): string;
  commit(offset: number): Promise<void>;
  deadLetter(record: RawRecord, reason: DeadLetterReason, error: string): Promise<void>;
}

export interface ConsumerOptions<Value> {
  readonly startAfterOffset: number;
  readonly inFlightMax: number;
  readonly nowMs: () => number;
  handle(record: Delivered<Value>): Promise<Handled>;
  /** Called before a record goes to the dead letters, so that whoever waits for it learns of it. */
  abandoned(key: string, reason: DeadLetterReason): Promise<void>;
  report(event: ConsumerEvent): void;
}

export type ConsumerEvent =
  | {
      readonly kind: "dead_letter";
      readonly offset: number;
      readonly reason: DeadLetterReason;
      readonly error: unknown;
    }
  | { readonly kind: "handler_threw"; readonly offset: number; readonly error: unknown }
  | { readonly kind: "waiting"; readonly offset: number; readonly error: unknown };

export interface Consumer {
  /** Says that records may have been added. */
  wake(): void;
  inFlight(): number;
  /** Milliseconds since the oldest record in flight was handed over; 0 when there is none. */
  oldestInFlightMs(): number;
  /** Stops fetching, waits for the records in flight, commits. Records that are waiting for a retry are left uncommitted. */
  close(): Promise<void>;
}

/** A handler that throws this often on one record has a bug that the record brings out. */
const ATTEMPTS_MAX = 5;
const RETRY_FIRST_MS = 50;
const RETRY_MAX_MS = 5_000;
/** Commits are gathered for this long: a commit that is lost in a crash only means that its records are handed over again. */
const COMMIT_DELAY_MS = 200;
const FETCH_MAX = 64;

export function createConsumer<Value>(
  source: RecordSource<Value>,
  options: ConsumerOptions<Value>,
): Consumer {
  const inFlight = createInFlight();
  const committer = createCommitter(source, options);
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
      options.report({ kind: "waiting", offset: position, error });
      fetchTimer = setTimeout(() => {
        fetchTimer = null;
        pump();
      }, RETRY_MAX_MS);
    }
  }

  function start(record: RawRecord): void {
    position = record.offset;
    inFlight.add(record.offset, options.nowMs());
    const run = process(record, source, options, stopping.signal).then((done) => {
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

function createCommitter<Value>(
  source: RecordSource<Value>,
  options: ConsumerOptions<Value>,
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
      if (!closing) timer ??= setTimeout(() => void commit(), RETRY_MAX_MS);
      options.report({ kind: "waiting", offset, error });
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

/** Brings one record to its end. False: the consumer stops while the record waits for a retry. Never rejects. */
async function process<Value>(
  record: RawRecord,
  source: RecordSource<Value>,
  options: ConsumerOptions<Value>,
  stopping: AbortSignal,
): Promise<boolean> {
  let threw = 0;
  let waitMs = RETRY_FIRST_MS;
  for (;;) {
    const outcome = await attempt(record, source, options, threw + 1 >= ATTEMPTS_MAX);
    if (outcome === "done") return true;
    if (outcome === "threw") threw += 1;
    try {
      await delay(waitMs, undefined, { signal: stopping });
    } catch {
      return false;
    }
    waitMs = Math.min(waitMs * 2, RETRY_MAX_MS);
  }
}

async function attempt<Value>(
  record: RawRecord,
  source: RecordSource<Value>,
  options: ConsumerOptions<Value>,
  last: boolean,
): Promise<"done" | "retry" | "threw"> {
  const { offset, key } = record;
  try {
    const value = source.decode(record.bytes);
    return await options.handle({ key, value, order: source.order(offset) });
  } catch (error) {
    if (error instanceof LedgerlineError && error.retryable) {
      options.report({ kind: "waiting", offset, error });
      return "retry";
    }
    const undecodable = error instanceof UndecodableRecord;
    if (!undecodable && !last) {
      options.report({ kind: "handler_threw", offset, error });
      return "threw";
    }
    return bury(record, source, options, undecodable ? "undecodable" : "handler_failed", error);
  }
}

async function bury<Value>(
  record: RawRecord,
  source: RecordSource<Value>,
  options: ConsumerOptions<Value>,
  reason: DeadLetterReason,
  error: unknown,
): Promise<"done" | "retry"> {
  try {
    await options.abandoned(record.key, reason);
    await source.deadLetter(
      record,
      reason,
      reason === "undecodable" && error instanceof Error ? error.message : "the handler failed",
    );
    options.report({ kind: "dead_letter", offset: record.offset, reason, error });
    return "done";
  } catch (failure) {
    options.report({ kind: "waiting", offset: record.offset, error: failure });
    return "retry";
  }
}
