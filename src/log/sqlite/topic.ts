// What the embedded log keeps in memory of a topic: which records are open, and the queue in which they wait. The records
// themselves are rows of the data file, read when they are scheduled.

import { scheduleOfKey } from "../../model/record-key.ts";
import type { WorkTopic } from "../../model/records.ts";
import type { BatchPriority } from "../../shared/concurrency/priority.ts";
import { createTenantQueue } from "../../shared/concurrency/tenant-queue.ts";
import { LedgerlineError } from "../../shared/errors.ts";
import type { Database } from "../../sqlite/database.ts";
import type { ScheduledRecord, WakingConsumer } from "../consumer.ts";
import type { RawRecord } from "../record-runner.ts";
import { lostRecord, readRecord, removeRecords, setCommit } from "./tables.ts";

/** Row of log_commits that holds the highest offset that was given away. */
export const HEAD = "head";
/** What a record costs in addition to its bytes: reading it, one write to the store. */
const RECORD_COST_BYTES = 1_024;

interface OpenRecord {
  readonly key: string;
  isDone: boolean;
}

export interface Topic {
  readonly name: WorkTopic;
  consumer: WakingConsumer | null;
  /** Records that are published, or about to be, and not removed. */
  pending(): number;
  /** Every record up to this offset is done and removed. Null: of all that have an offset. */
  removedUpTo(): number | null;
  /** Counts records that are about to be published, before they have offsets; negative: they are not. */
  reserve(count: number): void;
  /** A record has an offset from now on. Offsets must grow. */
  opened(offset: number, key: string): void;
  /** A record could not be written. */
  dropped(offset: number): void;
  /** A record is durable: it waits to be scheduled. */
  published(offset: number): void;
  /** Records that wait to be scheduled. */
  waiting(priority: BatchPriority): number;
  /** Schedules the next record of a tenant of which one may start. */
  take(mayStart: (tenant: string) => boolean): ScheduledRecord | null;
  /** Puts a record that was scheduled in front of what this tenant has waiting. */
  postpone(record: RawRecord, tenant: string): void;
  /** Removes records that are done. */
  remove(offsets: readonly number[]): Promise<void>;
}

/** Reads which records of a topic are open. */
export function openTopic(database: Database, name: WorkTopic): Topic {
  const queue = createTenantQueue<number>();
  /** In the order of their offsets. */
  const open = new Map<number, OpenRecord>();
  let reserved = 0;

  const topic: Topic = {
    name,
    consumer: null,
    pending: () => open.size + reserved,
    removedUpTo: () => {
      const [first] = open.keys();
      return first === undefined ? null : first - 1;
    },
    reserve: (count) => {
      reserved += count;
    },
    opened: (offset, key) => {
      open.set(offset, { key, isDone: false });
    },
    dropped: (offset) => {
      open.delete(offset);
    },
    published: (offset) => {
      const { key = "" } = open.get(offset) ?? {};
      queue.add({ ...scheduleOfKey(key), item: offset });
    },
    waiting: queue.waiting,
    take: (mayStart) => {
      const taken = queue.take(undefined, mayStart);
      if (taken === undefined) return null;
      try {
        const record = readOrLost(database, name, taken.item, open.get(taken.item)?.key ?? "");
        queue.charge(taken.tenant, RECORD_COST_BYTES + record.bytes.length);
        return { tenant: taken.tenant, record };
      } catch (error) {
        queue.add(taken, true);
        throw error;
      }
    },
    postpone: ({ key, offset, bytes }, tenant) => {
      queue.charge(tenant, -(RECORD_COST_BYTES + bytes.length));
      queue.add({ tenant, priority: scheduleOfKey(key).priority, item: offset }, true);
    },
    remove: async (offsets) => {
      for (const offset of offsets) {
        const record = open.get(offset);
        if (record !== undefined) record.isDone = true;
      }
      const before = firstUndone(open);
      const beyond = before === null ? [] : offsets.filter((offset) => offset > before);
      const last = Math.max(...offsets);
      const prefixEnd = before === null ? last : before - 1;
      await database.write(() => {
        // A process that starts must not give offsets away again, whatever order records were removed in.
        setCommit(database, HEAD, last);
        setCommit(database, name, prefixEnd);
        removeRecords(database, name, prefixEnd, beyond);
      });
      for (const offset of offsets) open.delete(offset);
    },
  };
  for (const { offset, key } of readOpen(database, name)) {
    topic.opened(offset, key);
    topic.published(offset);
  }
  return topic;
}

/** @throws LedgerlineError `unavailable` when the data file cannot be read now */
function readOrLost(database: Database, name: WorkTopic, offset: number, key: string): RawRecord {
  try {
    return readRecord(database, name, offset) ?? lostRecord(offset, key);
  } catch (error) {
    if (error instanceof LedgerlineError) throw error;
    // It would fail again and again, and hold up all records behind it.
    return lostRecord(offset, key);
  }
}

function firstUndone(open: ReadonlyMap<number, OpenRecord>): number | null {
  for (const [offset, { isDone }] of open) if (!isDone) return offset;
  return null;
}

function readOpen(
  database: Database,
  name: WorkTopic,
): readonly { readonly offset: number; readonly key: string }[] {
  const rows = database.all("SELECT offset, key FROM log_records WHERE topic = ? ORDER BY offset", [
    name,
  ]);
  return rows.map((row) => ({ offset: Number(row["offset"]), key: String(row["key"]) }));
}
