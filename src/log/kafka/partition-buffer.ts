// What one process has of a consumer group's records: those it received and has not started, those in flight, and how far
// each partition is done. Records are started in the order in which they are scheduled (tenant-queue.ts), not in that of the
// partition: what other tenants have waiting behind a flood is not delayed by it. Independent of the client.
import { scheduleOfKey } from "../../model/record-key.ts";
import type { BatchPriority } from "../../shared/concurrency/priority.ts";
import { createTenantQueue, type Queued } from "../../shared/concurrency/tenant-queue.ts";
import type { RawRecord } from "../record-runner.ts";
import {
  createPartitionWindow,
  type PartitionWindow,
  type ReceivedRecord,
  type WindowLimits,
} from "./partition-window.ts";

/**
 * Records of a partition that are in flight, or done behind one that is. Beyond it no more are started: the commit never
 * lags further behind, and no more is repeated after a crash. One slow record is not felt before that.
 */
const HELD_RECORDS_MAX = 2_000;
/** The same while that one waits for credits: others need not wait for them too. */
const HELD_BY_PAUSE_RECORDS_MAX = 20_000;
/** What a record costs in addition to its bytes: one write to the store. */
const RECORD_COST_BYTES = 1_024;

export interface PartitionBuffer {
  /** Applies a new assignment; partitions that left are dropped, those that stay go on. */
  assign(partitions: readonly number[]): void;
  /**
   * Takes what was read of a partition, without its control records and aborted transactions. Records that were received
   * before are skipped; what a tenant has beyond its share is passed over. False when the partition is not assigned.
   * @param from the offset that was read from; left out, that of the first record
   * @param to the offset behind what was read; left out, behind the last record
   */
  add(partition: number, records: readonly RawRecord[], from?: number, to?: number): boolean;
  /** Nothing was read up to this offset, but control records and aborted transactions. */
  skip(partition: number, offset: number): void;
  /**
   * Starts the next record that is scheduled, of a tenant of which one may start and of partitions that may begin more; null
   * when none waits. Call its `finish` or `postpone` at the end.
   * @param isPaused whether a tenant waits for credits
   */
  take(
    nowMs: number,
    mayStart?: (tenant: string) => boolean,
    isPaused?: (tenant: string) => boolean,
  ): Taken | null;
  /** Records that were received and not started. */
  waiting(priority: BatchPriority): number;
  /** Whether there was an assignment yet, be it of no partition. */
  isAssigned(): boolean;
  partitions(): readonly PartitionWindow[];
  get(partition: number): PartitionWindow | null;
  inFlight(): number;
  oldestStartedAtMs(): number | null;
}

export interface Taken {
  readonly tenant: string;
  readonly record: RawRecord;
  /** `isDone`: the offset may be committed when all before it are done too. */
  finish(isDone: boolean): void;
  /** It waits again, in front of what this tenant has waiting; instead of `finish`. */
  postpone(tenant: string): void;
}

interface WaitingRecord extends ReceivedRecord {
  readonly window: PartitionWindow;
}

/** Whose record it is, and at which priority it waits. */
export type Schedule = (record: RawRecord) => Omit<Queued<never>, "item">;

export function createPartitionBuffer(
  heldMax = HELD_RECORDS_MAX,
  scheduleOf: Schedule = ({ key }) => scheduleOfKey(key),
  limits?: WindowLimits,
): PartitionBuffer {
  const windows = new Map<number, PartitionWindow>();
  const queue = createTenantQueue<WaitingRecord>();
  let inFlight = 0;
  let isAssigned = false;

  return {
    waiting: queue.waiting,
    isAssigned: () => isAssigned,
    assign: (partitions) => {
      isAssigned = true;
      for (const partition of windows.keys()) {
        if (!partitions.includes(partition)) windows.delete(partition);
      }
      for (const partition of partitions) {
        if (!windows.has(partition)) {
          windows.set(partition, createPartitionWindow(partition, limits));
        }
      }
      queue.filter(({ item: { window } }) => windows.get(window.partition) === window);
    },
    add: (partition, records, from, to) => {
      const window = windows.get(partition);
      if (window === undefined) return false;
      const begin = from ?? records[0]?.offset ?? window.next;
      const end = to ?? (records.at(-1)?.offset ?? begin - 1) + 1;
      const read = { from: begin, to: end, records };
      for (const queued of readScheduled(window, read, scheduleOf)) queue.add(queued);
      return true;
    },
    skip: (partition, offset) => {
      const window = windows.get(partition);
      if (window === undefined) return;
      window.read(window.position ?? window.next, offset + 1, [], () => "");
      if (window.position !== null) window.position = offset + 1;
    },
    take: (nowMs, mayStart = () => true, isPaused = () => false) => {
      const taken = queue.take(({ item }) => isWithin(item, heldMax, isPaused), mayStart);
      if (taken === undefined) return null;
      const cost = RECORD_COST_BYTES + taken.item.record.bytes.length;
      queue.charge(taken.tenant, cost);
      inFlight += 1;
      const ended = (): void => {
        inFlight -= 1;
      };
      return start(taken, nowMs, ended, (item) => {
        queue.charge(taken.tenant, -cost);
        // Another assignment has begun meanwhile: it is read again.
        if (windows.get(item.window.partition) !== item.window) return;
        queue.add({ ...taken, tenant: item.tenant, item }, true);
      });
    },
    partitions: () => [...windows.values()],
    get: (partition) => windows.get(partition) ?? null,
    inFlight: () => inFlight,
    oldestStartedAtMs: () => {
      const starts = [...windows.values()].flatMap((window) => window.oldestStartedAtMs() ?? []);
      return starts.length === 0 ? null : Math.min(...starts);
    },
  };
}

/** What is received of what was read, each record scheduled once: that looks at its signature. */
function readScheduled(
  window: PartitionWindow,
  { from, to, records }: { from: number; to: number; records: readonly RawRecord[] },
  scheduleOf: Schedule,
): Queued<WaitingRecord>[] {
  const priorities = new Map<RawRecord, BatchPriority>();
  const received = window.read(from, to, records, (record) => {
    const { tenant, priority } = scheduleOf(record);
    priorities.set(record, priority);
    return tenant;
  });
  return received.map(({ record, tenant }) => {
    const priority = priorities.get(record) ?? "default";
    return { tenant, priority, item: { window, record, tenant } };
  });
}

/** Whether the partition of a record may begin more. */
function isWithin(
  { window, record }: WaitingRecord,
  heldMax: number,
  isPaused: (tenant: string) => boolean,
): boolean {
  const first = window.firstWaiting();
  // One place is kept for the first record that is not done: all that is held waits for it.
  if (first === record.offset) return true;
  if (window.held < heldMax - (first === null ? 0 : 1)) return true;
  const holder = window.held < HELD_BY_PAUSE_RECORDS_MAX ? window.firstWaitingTenant() : null;
  return holder !== null && isPaused(holder);
}

function start(
  { tenant, item }: Queued<WaitingRecord>,
  nowMs: number,
  ended: () => void,
  putBack: (item: WaitingRecord) => void,
): Taken {
  const { window, record } = item;
  window.started(item, nowMs);
  return {
    tenant,
    record,
    finish: (isDone) => {
      ended();
      if (isDone) window.finished(record.offset);
    },
    postpone: (waitsFor) => {
      ended();
      const waiting = { ...item, tenant: waitsFor };
      window.postponed(waiting);
      putBack(waiting);
    },
  };
}
