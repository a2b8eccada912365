// Publishing to the embedded log: records are encoded and written in parts, so that a large batch stops nothing else, and
// still are in the log all or not at all.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "../../sqlite/database.ts";
import type { RecordCodec } from "../codec.ts";
import type { WorkRecord } from "../log.ts";
import {
  insertRecord,
  markIncomplete,
  markComplete,
  type NewRecord,
  removeIncomplete,
} from "./tables.ts";
import type { Topic } from "./topic.ts";

/** Encoding the records of a batch takes longer than this; sockets, timers and threads get their turn in between. */
const ENCODE_SLICE_MS = 4;
/** Bytes of records that one commit writes: three milliseconds a MiB, during which nothing else is done. */
export const COMMIT_BYTES_MAX = 8 * 1024 * 1024;

export interface PublishParts<Value> {
  readonly database: Database;
  readonly codec: RecordCodec<Value>;
  takeOffset(): number;
  nowMs(): number;
}

/** Adds all records or none; resolves once they are durable. */
export async function publishTo<Value>(
  topic: Topic,
  records: readonly WorkRecord<Value>[],
  { database, codec, takeOffset, nowMs }: PublishParts<Value>,
): Promise<void> {
  // Before the first pause, so that the number of waiting records is never too low.
  topic.reserve(records.length);
  let rows: NewRecord[] = [];
  try {
    const encoded = await encodeSliced(records, codec);
    // Offsets are taken here and not in the write, so that `head` already covers what waits for the next commit.
    // Writes are done in the order they were asked for; the offset of a write that fails stays unused.
    rows = encoded.map((record) => ({ offset: takeOffset(), ...record }));
    for (const { offset, key } of rows) topic.opened(offset, key);
  } finally {
    topic.reserve(-records.length);
  }
  try {
    await writeAll(database, topic.name, rows, nowMs());
  } catch (error) {
    for (const { offset } of rows) topic.dropped(offset);
    throw error;
  }
  for (const { offset } of rows) topic.published(offset);
  topic.consumer?.wake();
}

async function encodeSliced<Value>(
  records: readonly WorkRecord<Value>[],
  codec: RecordCodec<Value>,
): Promise<readonly Omit<NewRecord, "offset">[]> {
  const encoded: Omit<NewRecord, "offset">[] = [];
  let endMs = performance.now() + ENCODE_SLICE_MS;
  for (const { key, value } of records) {
    if (performance.now() >= endMs) {
      await nextTurn();
      endMs = performance.now() + ENCODE_SLICE_MS;
    }
    encoded.push({ key, bytes: codec.encode(value) });
  }
  return encoded;
}

/** Writes rows whose offsets follow each other. In several commits, they are marked as incomplete until the last. */
async function writeAll(
  database: Database,
  topic: string,
  rows: readonly NewRecord[],
  appendedAt: number,
): Promise<void> {
  const parts = partsOf(rows);
  const first = rows[0]?.offset ?? 0;
  const last = rows.at(-1)?.offset ?? first;
  try {
    for (const [index, part] of parts.entries()) {
      await database.write(() => {
        if (parts.length > 1 && index === 0) markIncomplete(database, first, last);
        for (const row of part) insertRecord(database, topic, row, appendedAt);
        if (parts.length > 1 && index === parts.length - 1) markComplete(database, first);
      });
    }
  } catch (error) {
    // What stays because this fails too is removed when the log is opened next.
    if (parts.length > 1)
      await database
        .write(() => {
          removeIncomplete(database, first);
        })
        .catch(() => undefined);
    throw error;
  }
}

function partsOf(rows: readonly NewRecord[]): readonly (readonly NewRecord[])[] {
  const parts: NewRecord[][] = [];
  let bytes = COMMIT_BYTES_MAX;
  for (const row of rows) {
    bytes += row.bytes.length;
    if (bytes > COMMIT_BYTES_MAX) {
      parts.push([]);
      bytes = row.bytes.length;
    }
    parts.at(-1)?.push(row);
  }
  return parts;
}
