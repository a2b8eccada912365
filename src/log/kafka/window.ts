// What one process has of a consumer group's records: those it was handed and has not started, those in work, and how far
// each partition is done. Knows nothing of the client.
import type { RawRecord } from "../record-runner.ts";
import { createInFlight, type InFlight } from "../in-flight.ts";

/**
 * Records of a partition that are in work, or done behind one that is. Beyond, no more of it are begun: what is committed
 * never lags further behind what was begun, and no more is done again after a crash. One slow record is not felt before.
 */
const HELD_RECORDS_MAX = 2_000;

/** One partition while it is assigned to this process; another one after each assignment that it was not part of. */
export interface PartitionWindow {
  readonly partition: number;
  /** The next offset that was not handed over yet. */
  next: number;
  /** The offset to commit: everything before it is done. Null while nothing is. */
  done: number | null;
  committed: number | null;
  waitingRecords: number;
  waitingBytes: number;
  readonly inFlight: InFlight;
  isPaused: boolean;
}

export interface Window {
  /** Takes on the partitions of a new assignment; what belongs to others is forgotten, what stays goes on. */
  assign(partitions: readonly number[]): void;
  /** Takes records in; those that were handed over before are left out. False when the partition is not assigned. */
  add(partition: number, records: readonly RawRecord[]): boolean;
  /** Nothing more up to this offset will be handed over: what is left of it are marks and undone records of transactions. */
  skip(partition: number, offset: number): void;
  /**
   * Starts the next record in the order of their coming, of partitions that may begin more; null when none waits. Its
   * `finish` is told the end.
   */
  take(nowMs: number): Taken | null;
  /** Whether there was an assignment yet, be it of no partition. */
  isAssigned(): boolean;
  partitions(): readonly PartitionWindow[];
  get(partition: number): PartitionWindow | null;
  inWork(): number;
  oldestStartedAtMs(): number | null;
}

export interface Taken {
  readonly record: RawRecord;
  /** `isDone`: the offset may be committed when all before it are done too. */
  finish(isDone: boolean): void;
}

interface Waiting {
  readonly window: PartitionWindow;
  readonly record: RawRecord;
}

export function createWindow(heldMax = HELD_RECORDS_MAX): Window {
  const windows = new Map<number, PartitionWindow>();
  let waiting: Waiting[] = [];
  let inWork = 0;
  let isAssigned = false;

  return {
    isAssigned: () => isAssigned,
    assign: (partitions) => {
      isAssigned = true;
      for (const partition of windows.keys()) {
        if (!partitions.includes(partition)) windows.delete(partition);
      }
      for (const partition of partitions) {
        if (!windows.has(partition)) windows.set(partition, newWindow(partition));
      }
      waiting = waiting.filter(({ window }) => windows.get(window.partition) === window);
    },
    add: (partition, records) => {
      const window = windows.get(partition);
      if (window === undefined) return false;
      for (const record of records) {
        if (record.offset < window.next) continue;
        window.next = record.offset + 1;
        window.waitingRecords += 1;
        window.waitingBytes += record.bytes.length;
        waiting.push({ window, record });
      }
      return true;
    },
    skip: (partition, offset) => {
      const window = windows.get(partition);
      if (window === undefined || offset < window.next) return;
      window.next = offset + 1;
      settle(window);
    },
    take: (nowMs) => {
      const place = waiting.findIndex(({ window }) => window.inFlight.held < heldMax);
      const [next] = place === -1 ? [] : waiting.splice(place, 1);
      if (next === undefined) return null;
      const { window, record } = next;
      window.waitingRecords -= 1;
      window.waitingBytes -= record.bytes.length;
      window.inFlight.add(record.offset, nowMs);
      inWork += 1;
      return {
        record,
        finish: (isDone) => {
          inWork -= 1;
          if (!isDone) return;
          const last = window.inFlight.finish(record.offset);
          if (last !== null) window.done = last + 1;
          settle(window);
        },
      };
    },
    partitions: () => [...windows.values()],
    get: (partition) => windows.get(partition) ?? null,
    inWork: () => inWork,
    oldestStartedAtMs: () => {
      const starts = [...windows.values()].flatMap(
        ({ inFlight }) => inFlight.oldestStartedAtMs() ?? [],
      );
      return starts.length === 0 ? null : Math.min(...starts);
    },
  };
}

/** Once nothing that was handed over is open, everything before `next` is done, also what never comes. */
function settle(window: PartitionWindow): void {
  if (window.waitingRecords === 0 && window.inFlight.size === 0) window.done = window.next;
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
