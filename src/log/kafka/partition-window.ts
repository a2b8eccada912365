// What one process has of a partition. A tenant may have so many records waiting here; what it has beyond that is passed over,
// so that the client reads on to what others have behind it, and is read again later, from the first offset that was passed
// over. Nothing is kept of a record that was passed over, and what is committed never goes past it.
//
//   committed     first passed over      next
//   ────┬────────────────┬────────────────┬──▶ offsets
//       │ received, done │ some received, │ not read yet
//       │                │ others not     │
import type { RawRecord } from "../record-runner.ts";
import { createOpenOffsets } from "./open-offsets.ts";

/** What waits of a tenant that is alone in a partition; all tenants together have twice as much. */
const WAITING_RECORDS_MAX = 512;
const WAITING_BYTES_MAX = 16 * 1024 * 1024;
/** Records that are received behind one that was passed over: after a crash they are repeated. */
const AHEAD_RECORDS_MAX = 20_000;

export interface WindowLimits {
  readonly records: number;
  readonly bytes: number;
  readonly ahead: number;
}

const WINDOW_LIMITS: WindowLimits = {
  records: WAITING_RECORDS_MAX,
  bytes: WAITING_BYTES_MAX,
  ahead: AHEAD_RECORDS_MAX,
};

/** One partition while it is assigned to this process; another one after each assignment that it was not part of. */
export interface PartitionWindow {
  readonly partition: number;
  /** The first offset that was not read yet. */
  readonly next: number;
  /** The offset to commit: everything before it is done. Null while nothing is. */
  readonly done: number | null;
  readonly waitingRecords: number;
  readonly waitingBytes: number;
  /** Records that are in flight, or done behind one that is not. */
  readonly held: number;
  /** The first record that is not done, when it was not started yet; else null. */
  firstWaiting(): number | null;
  /** Whose that record is. */
  firstWaitingTenant(): string | null;
  /** When the oldest record in flight was started, or null. */
  oldestStartedAtMs(): number | null;
  committed: number | null;
  isPaused: boolean;
  /** Where the client reads next; null until it has delivered something since it joined. */
  position: number | null;
  /**
   * Takes what the client has read: all records from one offset to before another. Returns those that are received now: not
   * before, and of tenants that may have more waiting.
   */
  read(
    from: number,
    to: number,
    records: readonly RawRecord[],
    tenantOf: (record: RawRecord) => string,
  ): readonly ReceivedRecord[];
  started(received: ReceivedRecord, atMs: number): void;
  finished(offset: number): void;
  /** It was started and waits again, also where its tenant has no room left: no more than were in flight do. */
  postponed(received: ReceivedRecord): void;
  /** Where the client should read next; null: nowhere, because too much is behind what was passed over. */
  aim(): number | null;
  /** The log begins at this offset, or the group is there: what was passed over before it is gone. */
  beginsAt(offset: number): void;
}

export interface ReceivedRecord {
  readonly record: RawRecord;
  readonly tenant: string;
}

export function createPartitionWindow(
  partition: number,
  limits: WindowLimits = WINDOW_LIMITS,
): PartitionWindow {
  const offsets = createOpenOffsets();
  const waiting = createWaiting(limits);
  const left = createPassedOver();
  let next = 0;
  let beganAt: number | null = null;

  return {
    partition,
    committed: null,
    isPaused: false,
    position: null,
    get next() {
      return next;
    },
    get done() {
      const frontier = Math.min(offsets.first ?? Infinity, left.first(), next);
      return frontier > (beganAt ?? -1) && next > 0 ? frontier : null;
    },
    get waitingRecords() {
      return waiting.held.records;
    },
    get waitingBytes() {
      return waiting.held.bytes;
    },
    get held() {
      return offsets.held;
    },
    firstWaiting: offsets.firstWaiting,
    firstWaitingTenant: offsets.firstWaitingTenant,
    oldestStartedAtMs: offsets.oldestStartedAtMs,
    read: (from, to, records, tenantOf) => {
      beganAt ??= from;
      const passed = new Map<string, number>();
      const received: ReceivedRecord[] = [];
      for (const record of records) {
        const { offset } = record;
        if (offset < next && left.isReceived(offset)) continue;
        const tenant = tenantOf(record);
        // Of one tenant in order: not before what was passed over of it, here or before this read.
        const isBehind = passed.has(tenant) || left.of(tenant) < from;
        if (isBehind || !waiting.add(tenant, record.bytes.length)) {
          if (!passed.has(tenant)) passed.set(tenant, offset);
          continue;
        }
        offsets.received(offset, tenant);
        left.received(offset, passed.size > 0);
        received.push({ record, tenant });
      }
      next = Math.max(next, to);
      left.settle({ from, to, next }, passed);
      return received;
    },
    started: ({ record, tenant }, atMs) => {
      waiting.remove(tenant, record.bytes.length);
      offsets.started(record.offset, atMs);
    },
    finished: (offset) => {
      offsets.finished(offset, offset < left.first());
    },
    postponed: ({ record, tenant }) => {
      offsets.postponed(record.offset, tenant);
      waiting.putBack(tenant, record.bytes.length);
    },
    aim: () => wantedFrom(left, waiting) ?? (left.ahead >= limits.ahead ? null : next),
    beginsAt: left.beginsAt,
  };
}

/** Where the first tenant that may have more has some; null: nowhere. */
const wantedFrom = (left: PassedOver, waiting: Waiting): number | null =>
  left.firstOf((tenant, isStuck) =>
    isStuck ? waiting.mayBegin(tenant) : waiting.wantsMore(tenant),
  );

interface PassedOver {
  /** The first record that was passed over is not before it; Infinity when none was. */
  first(): number;
  /** The same of one tenant. */
  of(tenant: string): number;
  /** The first of the tenants that are wanted; null when there is none. `isStuck`: its next record had no room when it had none. */
  firstOf(isWanted: (tenant: string, isStuck: boolean) => boolean): number | null;
  /** Records that were received behind the first. */
  readonly ahead: number;
  /** Whether a record that was read before was received then. */
  isReceived(offset: number): boolean;
  /** @param isBehind another record was passed over in this read, before it */
  received(offset: number, isBehind: boolean): void;
  /**
   * Ends a read.
   * @param passed of each tenant the first of its records that was passed over in it
   */
  settle(
    read: { readonly from: number; readonly to: number; readonly next: number },
    passed: ReadonlyMap<string, number>,
  ): void;
  beginsAt(offset: number): void;
}

/** What was passed over. Which tenant a record is of may be known better when it is read again. */
function createPassedOver(): PassedOver {
  /** Of each tenant an offset before which nothing of it was passed over. */
  const left = new Map<string, number>();
  /** Offsets that were received behind the first that was passed over. */
  const ahead = new Set<number>();
  /** Tenants whose next record is larger than what they may have. */
  const stuck = new Set<string>();

  const first = (): number => Math.min(Infinity, ...left.values());

  function trim(): void {
    const from = first();
    if (from === Infinity) ahead.clear();
    for (const offset of ahead) if (offset < from) ahead.delete(offset);
  }

  return {
    first,
    of: (tenant) => left.get(tenant) ?? Infinity,
    firstOf: (isWanted) => {
      const wanted = [...left].filter(([tenant]) => isWanted(tenant, stuck.has(tenant)));
      return wanted.length === 0 ? null : Math.min(...wanted.map(([, offset]) => offset));
    },
    get ahead() {
      return ahead.size;
    },
    isReceived: (offset) => offset < first() || ahead.has(offset),
    received: (offset, isBehind) => {
      if (isBehind || left.size > 0) ahead.add(offset);
    },
    settle: ({ from, to, next }, passed) => {
      for (const [tenant, offset] of left) {
        if (offset < from || offset >= to) continue;
        const again = passed.get(tenant) ?? to;
        stuck.delete(tenant);
        if (again >= next) left.delete(tenant);
        else left.set(tenant, again);
      }
      for (const [tenant, offset] of passed) {
        left.set(tenant, Math.min(offset, left.get(tenant) ?? Infinity));
        if (offset === from) stuck.add(tenant);
      }
      trim();
    },
    beginsAt: (offset) => {
      if (first() >= offset) return;
      for (const [tenant, of] of left) left.set(tenant, Math.max(of, offset));
      trim();
    },
  };
}

interface Amount {
  readonly records: number;
  readonly bytes: number;
}

interface Waiting {
  readonly held: Amount;
  /** Adds a record if its tenant may have it waiting: never more than it leaves free. */
  add(tenant: string, bytes: number): boolean;
  remove(tenant: string, bytes: number): void;
  /** Adds what was removed, whatever else there is by now. */
  putBack(tenant: string, bytes: number): void;
  /** Whether a tenant has none, and its first one would be taken. */
  mayBegin(tenant: string): boolean;
  /** Whether half of what a tenant may have is free. */
  wantsMore(tenant: string): boolean;
}

const NOTHING: Amount = { records: 0, bytes: 0 };

/** What each tenant has waiting. */
function createWaiting(limits: WindowLimits): Waiting {
  const byTenant = new Map<string, Amount>();
  const capacity = { records: 2 * limits.records, bytes: 2 * limits.bytes };
  let held = NOTHING;

  function change(tenant: string, records: number, bytes: number): void {
    const own = byTenant.get(tenant) ?? NOTHING;
    const changed = { records: own.records + records, bytes: own.bytes + bytes };
    held = { records: held.records + records, bytes: held.bytes + bytes };
    if (changed.records > 0) byTenant.set(tenant, changed);
    else byTenant.delete(tenant);
  }

  return {
    get held() {
      return held;
    },
    add: (tenant, bytes) => {
      const own = byTenant.get(tenant) ?? NOTHING;
      const free = { records: capacity.records - held.records, bytes: capacity.bytes - held.bytes };
      // Its first record is taken whatever its size, while there is any room.
      const fits = own.records === 0 ? free.bytes > 0 : own.bytes + bytes <= free.bytes;
      if (!fits || own.records + 1 > free.records) return false;
      change(tenant, 1, bytes);
      return true;
    },
    remove: (tenant, bytes) => {
      change(tenant, -1, -bytes);
    },
    putBack: (tenant, bytes) => {
      change(tenant, 1, bytes);
    },
    mayBegin: (tenant) =>
      !byTenant.has(tenant) && held.records < capacity.records && held.bytes < capacity.bytes,
    wantsMore: (tenant) => {
      const own = byTenant.get(tenant) ?? NOTHING;
      const share = (of: keyof Amount): number => (capacity[of] - (held[of] - own[of])) / 2;
      return own.records < share("records") / 2 && own.bytes < share("bytes") / 2;
    },
  };
}
