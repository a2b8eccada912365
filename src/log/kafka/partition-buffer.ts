// What one process has of a consumer group's records: those it received and has not started, those in flight, and how far
// each partition is done. Records are started in the order in which they are scheduled (tenant-queue.ts), not in that of the
// partition: what other tenants have waiting behind a flood is not delayed by it, as far as the buffer reaches. Independent
// of the client.
import { scheduleOfKey } from "../../model/record-key.ts";
import type { BatchPriority } from "../../shared/concurrency/priority.ts";
import { createTenantQueue, type Queued } from "../../shared/concurrency/tenant-queue.ts";
import type { RawRecord } from "../record-runner.ts";
import { createInFlight, type InFlight } from "../in-flight.ts";

/**
 * Records of a partition that are in flight, or done behind one that is. Beyond it no more are started: the commit never
 * lags further behind, and no more is repeated after a crash. One slow record is not felt before that.
 */
const HELD_RECORDS_MAX = 2_000;
/** What a record costs in addition to its bytes: one write to the store. */
const RECORD_COST_BYTES = 1_024;

/** One partition while it is assigned to this process; another one after each assignment that it was not part of. */
export interface PartitionWindow {
  readonly partition: number;
  /** The next offset that was not delivered yet. */
  next: number;
  /** The offset to commit: everything before it is done. Null while nothing is. */
  done: number | null;
  committed: number | null;
  waitingRecords: number;
  waitingBytes: number;
  readonly inFlight: InFlight;
  isPaused: boolean;
}

export interface PartitionBuffer {
  /** Applies a new assignment; partitions that left are dropped, those that stay go on. */
  assign(partitions: readonly number[]): void;
  /** Adds records; those that were delivered before are skipped. False when the partition is not assigned. */
  add(partition: number, records: readonly RawRecord[]): boolean;
  /** Nothing more up to this offset will be delivered: the rest are control records and aborted transactions. */
  skip(partition: number, offset: number): void;
  /**
   * Starts the next record that is scheduled, of a tenant of which one may start and of partitions that may begin more; null
   * when none waits. Call its `finish` at the end.
   */
  take(nowMs: number, mayStart?: (tenant: string) => boolean): Taken | null;
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
}

interface WaitingRecord {
  readonly buffer: PartitionWindow;
  readonly record: RawRecord;
}

/** Whose record it is, and at which priority it waits. */
export type Schedule = (record: RawRecord) => Omit<Queued<never>, "item">;

export function createPartitionBuffer(
  heldMax = HELD_RECORDS_MAX,
  scheduleOf: Schedule = ({ key }) => scheduleOfKey(key),
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
        if (!windows.has(partition)) windows.set(partition, newWindow(partition));
      }
      queue.filter(({ item: { buffer: window } }) => windows.get(window.partition) === window);
    },
    add: (partition, records) => {
      const buffer = windows.get(partition);
      if (buffer === undefined) return false;
      for (const record of records) {
        if (record.offset < buffer.next) continue;
        buffer.next = record.offset + 1;
        buffer.waitingRecords += 1;
        buffer.waitingBytes += record.bytes.length;
        buffer.inFlight.received(record.offset);
        queue.add({ ...scheduleOf(record), item: { buffer: buffer, record } });
      }
      return true;
    },
    skip: (partition, offset) => {
      const buffer = windows.get(partition);
      if (buffer === undefined || offset < buffer.next) return;
      buffer.next = offset + 1;
      settleRecord(buffer);
    },
    take: (nowMs, mayStart = () => true) => {
      const isWithin = ({ buffer: { inFlight }, record }: WaitingRecord): boolean => {
        const first = inFlight.firstWaiting();
        // One place is kept for the first record that is not done: all that is held waits for it.
        return first === record.offset || inFlight.held < heldMax - (first === null ? 0 : 1);
      };
      const taken = queue.take(({ tenant, item }) => isWithin(item) && mayStart(tenant));
      if (taken === undefined) return null;
      queue.charge(taken.tenant, RECORD_COST_BYTES + taken.item.record.bytes.length);
      inFlight += 1;
      return start(taken, nowMs, () => {
        inFlight -= 1;
      });
    },
    partitions: () => [...windows.values()],
    get: (partition) => windows.get(partition) ?? null,
    inFlight: () => inFlight,
    oldestStartedAtMs: () => {
      const starts = [...windows.values()].flatMap(
        ({ inFlight }) => inFlight.oldestStartedAtMs() ?? [],
      );
      return starts.length === 0 ? null : Math.min(...starts);
    },
  };
}

function start(
  { tenant, item: { buffer: window, record } }: Queued<WaitingRecord>,
  nowMs: number,
  ended: () => void,
): Taken {
  window.waitingRecords -= 1;
  window.waitingBytes -= record.bytes.length;
  window.inFlight.started(record.offset, nowMs);
  return {
    tenant,
    record,
    finish: (isDone) => {
      ended();
      if (!isDone) return;
      const last = window.inFlight.finish(record.offset);
      if (last !== null) window.done = last + 1;
      settleRecord(window);
    },
  };
}

/** Once nothing that was delivered is open, everything before `next` is done, also offsets without a record. */
function settleRecord(buffer: PartitionWindow): void {
  if (buffer.waitingRecords === 0 && buffer.inFlight.size === 0) buffer.done = buffer.next;
}

function newWindow(partition: number): PartitionWindow {
  return {
    partition,
    next: 0,
    done: null,
    committed: null,
    waitingRecords: 0,
    waitingBytes: 0,
    inFlight: createInFlight(),
    isPaused: false,
  };
}
