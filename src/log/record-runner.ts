// Brings one record to its end, the same for every engine.
//
//   read ──▶ handled ──▶ done
//     │          ├─ retry: something is away; again after a pause, for as long as it takes
//     │          ├─ postponed: its organization has too few credits; back to where it waited
//     │          └─ refused, or threw 5 times ─┐
//     └─ refused or undecodable ───────────────┴──▶ dead letters ──▶ done

import { setTimeout as delay } from "node:timers/promises";
import type { ConsumerEvent } from "../model/process-events.ts";
import type {
  Abandoned,
  DeadLetterReason,
  Delivered,
  EnrichmentRequest,
  Handled,
  PostponedRecord,
} from "../model/records.ts";
import { createLocks } from "../shared/concurrency/keyed-mutex.ts";
import { createTenantBudget, type TenantBudget } from "../shared/concurrency/tenant-budget.ts";
import { LedgerlineError } from "../shared/errors.ts";
import { UndecodableRecord } from "./codec.ts";

export interface RawRecord {
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, Uint8Array>>;
  /** Order of acceptance. */
  readonly order: string;
  /** When it was appended: milliseconds since 1970, UTC. */
  readonly appendedAtMs: number;
}

/**
 * The content of a record, or why it is refused. `isOwn`: Ledgerline itself wrote it, so that its key can be trusted even
 * when its bytes cannot be read.
 */
export type RecordReading<Value = EnrichmentRequest> =
  | {
      readonly kind: "request";
      readonly value: Value;
      /** The organization whose signature it has; left out: Ledgerline's own, or not signed. */
      readonly chargedTo?: string;
    }
  | {
      readonly kind: "refused";
      readonly reason: DeadLetterReason;
      /** One sentence without payload. */
      readonly error: string;
      readonly isOwn: boolean;
      /** Its content, when its sender may send it. */
      readonly value: Value | null;
    };

/** What the runner needs of an engine. */
export interface RecordEdge<Value = EnrichmentRequest> {
  /** @throws LedgerlineError `unavailable` when it cannot be known now */
  read(record: RawRecord): Promise<RecordReading<Value>>;
  deadLetter(record: RawRecord, reason: DeadLetterReason, error: string): Promise<void>;
}

export interface ConcurrencyLimits {
  /** Records in flight at a time. */
  readonly inFlightMax: number;
  /** Records of one tenant in flight; `inFlightMax` when left out. */
  readonly inFlightPerTenantMax?: number;
  /**
   * Of a record that counts as one in flight; a smaller one counts as a part of it, at least a sixteenth. All count as one when
   * left out.
   */
  readonly fullBytes?: number;
}

/** A small record counts as one of so many parts at least: each costs something, however small it is. */
const PARTS = 16;

/** A tenant with none in flight may start a record while any slot is left, and one that is alone may have its maximum. */
export const createInFlightBudget = (limits: ConcurrencyLimits): TenantBudget =>
  createTenantBudget(limits.inFlightMax, {
    perTenantMax: limits.inFlightPerTenantMax ?? limits.inFlightMax,
    isAllForOne: true,
  });

/** What a record counts as in a budget of records in flight. The parts are a power of two, so that sums of them are exact. */
export function slotsOf(
  { fullBytes }: ConcurrencyLimits,
  { bytes }: Pick<RawRecord, "bytes">,
): number {
  if (fullBytes === undefined || bytes.length >= fullBytes) return 1;
  return Math.max(1, Math.ceil((bytes.length * PARTS) / fullBytes)) / PARTS;
}

export interface RunnerOptions<Value = EnrichmentRequest> {
  handle(record: Delivered<Value>): Promise<Handled>;
  /** Called before a record goes to the dead letters, so that a waiting caller gets the error. */
  abandoned(record: Abandoned<Value>): Promise<void>;
  report(event: ConsumerEvent): void;
  /** Whether a record waits until those of its key that were started before are done; they are done in any order by default. */
  readonly isKeyOrdered?: boolean;
}

/** A handler that throws this often on one record has a bug that the record brings out. */
const ATTEMPTS_MAX = 5;
const RETRY_FIRST_MS = 50;
const RETRY_MAX_MS = 5_000;

/** `left`: `stopping` while the record waits for a retry. Postponed: it is to be put back where it waited. */
export type RecordEnd = "done" | "left" | PostponedRecord;

/** Brings one record to its end. Never rejects. Calls `attempting` when an attempt begins (true) and ends. */
async function runRecord<Value>(
  record: RawRecord,
  edge: RecordEdge<Value>,
  options: RunnerOptions<Value>,
  stopping: AbortSignal,
  attempting: (isRunning: boolean) => void = () => undefined,
): Promise<RecordEnd> {
  let threw = 0;
  let waitMs = RETRY_FIRST_MS;
  for (;;) {
    attempting(true);
    const outcome = await attempt(record, edge, options, threw + 1 >= ATTEMPTS_MAX);
    attempting(false);
    if (outcome === "done" || typeof outcome === "object") return outcome;
    if (outcome === "threw") threw += 1;
    try {
      await delay(waitMs, undefined, { signal: stopping });
    } catch {
      return "left";
    }
    waitMs = Math.min(waitMs * 2, RETRY_MAX_MS);
  }
}

/** Brings a record to its end, see `runRecord`. */
export type RecordRunner = (
  record: RawRecord,
  attempting?: (isRunning: boolean) => void,
) => Promise<RecordEnd>;

/**
 * `runRecord` for the records of a consumer, in the order of their keys where the options require it; such records must not be
 * postponed, because those behind them would go first.
 */
export function createRecordRunner<Value>(
  edge: RecordEdge<Value>,
  options: RunnerOptions<Value>,
  stopping: AbortSignal,
): RecordRunner {
  const run: RecordRunner = (record, attempting) =>
    runRecord(record, edge, options, stopping, attempting);
  if (options.isKeyOrdered !== true) return run;
  const locks = createLocks();
  return async (record, attempting) => {
    const lock = locks.lock([record.key]);
    try {
      await lock.acquired;
      // The one before it may be left for the next process: then this one is left too.
      return stopping.aborted ? "left" : await run(record, attempting);
    } finally {
      lock.release();
    }
  };
}

async function attempt<Value>(
  record: RawRecord,
  edge: RecordEdge<Value>,
  options: RunnerOptions<Value>,
  last: boolean,
): Promise<"done" | "retry" | "threw" | PostponedRecord> {
  const { partition, offset, key, order } = record;
  let value: Value | null = null;
  try {
    const reading = await edge.read(record);
    if (reading.kind === "refused") {
      const abandoned =
        reading.isOwn || reading.value !== null ? { key, value: reading.value } : null;
      return await deadLetter(record, edge, options, reading.reason, reading.error, abandoned);
    }
    ({ value } = reading);
    const { chargedTo } = reading;
    const handled = await options.handle({
      ...{ key, value, order },
      ...(chargedTo === undefined ? {} : { chargedTo }),
    });
    if (typeof handled === "string" || "waitMs" in handled) return handled;
    return await deadLetter(record, edge, options, handled.reason, handled.error, { key, value });
  } catch (error) {
    if (error instanceof LedgerlineError && error.retryable) {
      options.report({ kind: "dependency_unavailable", partition, offset, error });
      return "retry";
    }
    if (!last) {
      options.report({ kind: "handler_failed", partition, offset, error });
      return "threw";
    }
    const abandoned = value === null ? null : { key, value };
    return deadLetter(record, edge, options, "handler_failed", error, abandoned);
  }
}

async function deadLetter<Value>(
  record: RawRecord,
  edge: RecordEdge<Value>,
  options: RunnerOptions<Value>,
  reason: DeadLetterReason,
  error: unknown,
  abandoned: Abandoned<Value> | null,
): Promise<"done" | "retry"> {
  const { partition, offset } = record;
  try {
    if (abandoned !== null) await options.abandoned(abandoned);
    await edge.deadLetter(record, reason, typeof error === "string" ? error : "the handler failed");
    options.report({ kind: "dead_letter", partition, offset, reason, error });
    return "done";
  } catch (failure) {
    options.report({ kind: "dependency_unavailable", partition, offset, error: failure });
    return "retry";
  }
}

/** Decodes a record of Ledgerline; invalid bytes are refused. */
export async function readOwn<Value>(
  decode: (bytes: Uint8Array) => Promise<Value>,
  record: RawRecord,
): Promise<RecordReading<Value>> {
  try {
    return { kind: "request", value: await decode(record.bytes) };
  } catch (error) {
    if (!(error instanceof UndecodableRecord)) throw error;
    return {
      kind: "refused",
      reason: "undecodable",
      error: error.message,
      isOwn: true,
      value: null,
    };
  }
}
