// Dead letters of the embedded log: rows of a topic of their own. The command line works on them while the service runs,
// which alone assigns offsets: a replay moves the row to another topic, where the service finds it.
import type { Database } from "../../sqlite/database.ts";
import type { DeadLetter, DeadLetters, LogReport } from "../log.ts";
import type { RecordCodec } from "../codec.ts";
import { createDeadLetterCodec, type DeadLetterRecord } from "../record-codecs.ts";
import { readLetter } from "../read-letter.ts";
import type { RawRecord } from "../record-runner.ts";
import {
  createTableRegistry,
  defineTables,
  fetchRecords,
  insertRecord,
  setOrder,
} from "./tables.ts";
import type { Topic } from "./topic.ts";

export const DEAD_LETTERS = "dead-letters";
export const REPLAYS = "dead-letters-replay";
/** The newest dead letters are kept; the oldest beyond this go. */
const DEAD_LETTERS_MAX = 10_000;
const READ_AT_ONCE = 100;
/** How often replays are looked for, which another process asks for. */
const REPLAY_POLL_MS = 1_000;

/** Puts a record of a topic among the dead letters. */
export type DeadLetterWriter = (
  topic: string,
  record: RawRecord,
  failure: Pick<DeadLetterRecord, "reason" | "error">,
) => Promise<void>;

export function createDeadLetterWriter(
  database: Database,
  codec: RecordCodec<DeadLetterRecord>,
  takeOffset: () => number,
  nowMs: () => number,
): DeadLetterWriter {
  return async (topic, record, failure) => {
    const { partition, offset, key, headers, order } = record;
    const original = Buffer.from(record.bytes);
    const place = { topic, partition, offset, key, headers, order };
    const bytes = codec.encode({ ...place, ...failure, original, failedAt: nowMs() });
    await database.write(() => {
      insertRecord(database, DEAD_LETTERS, { offset: takeOffset(), key, bytes }, nowMs());
      database.run(
        `DELETE FROM log_records WHERE topic = ? AND offset <=
          (SELECT offset FROM log_records WHERE topic = ? ORDER BY offset DESC LIMIT 1 OFFSET ?)`,
        [DEAD_LETTERS, DEAD_LETTERS, DEAD_LETTERS_MAX],
      );
    });
  };
}

export interface ReplayOptions {
  readonly database: Database;
  readonly codec: RecordCodec<DeadLetterRecord>;
  takeOffset(): number;
  nowMs(): number;
  /** Where a record is put back. */
  topicOf(name: string): Pick<Topic, "opened" | "dropped" | "published" | "consumer"> | undefined;
  readonly report: LogReport;
}

/** Looks for requested replays once a second. Returns what ends it. */
export function startReplays(options: ReplayOptions): () => void {
  const { database } = options;
  async function replayAll(): Promise<void> {
    for (const row of fetchRecords(database, REPLAYS, 0, READ_AT_ONCE)) await replay(options, row);
  }
  let running = Promise.resolve();
  const timer = setInterval(() => {
    // A data file that cannot be written now is reported by everything else that writes.
    running = running.then(replayAll).catch(() => undefined);
  }, REPLAY_POLL_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}

async function replay(options: ReplayOptions, row: RawRecord): Promise<void> {
  const { database, codec, takeOffset, nowMs } = options;
  const letter = await readLetter(codec, String(row.offset), row.bytes);
  if (!letter.isReadable) {
    // It would stand in front of all other replays.
    const sql = "UPDATE log_records SET topic = ? WHERE offset = ?";
    await database.write(() => database.run(sql, [DEAD_LETTERS, row.offset]));
    options.report("error", "log.replay_failed", { id: letter.id, reason: letter.error });
    return;
  }
  const record = { offset: takeOffset(), key: letter.key, bytes: letter.original };
  const topic = options.topicOf(letter.topic);
  topic?.opened(record.offset, record.key);
  try {
    await database.write(() => {
      database.run("DELETE FROM log_records WHERE offset = ?", [row.offset]);
      insertRecord(database, letter.topic, record, nowMs());
      if (letter.order !== "") setOrder(database, record.offset, letter.order);
    });
  } catch (error) {
    topic?.dropped(record.offset);
    throw error;
  }
  topic?.published(record.offset);
  topic?.consumer?.wake();
}

export async function openSqliteDeadLetters(database: Database): Promise<DeadLetters> {
  defineTables(database);
  const codec = await createDeadLetterCodec(createTableRegistry(database), DEAD_LETTERS);
  const toLetter = (row: RawRecord): Promise<DeadLetter> =>
    readLetter(codec, String(row.offset), row.bytes);
  const offsetOf = (id: string): number => (/^\d{1,15}$/.test(id) ? Number(id) : 0);
  const get = async (id: string): Promise<DeadLetter | null> => {
    const [row] = fetchRecords(database, DEAD_LETTERS, offsetOf(id) - 1, 1);
    return row?.offset === offsetOf(id) ? toLetter(row) : null;
  };
  return {
    list: async function* () {
      let after = 0;
      for (;;) {
        const rows = fetchRecords(database, DEAD_LETTERS, after, READ_AT_ONCE);
        for (const row of rows) yield await toLetter(row);
        const last = rows.at(-1);
        if (last === undefined) return;
        after = last.offset;
      }
    },
    get,
    replay: async (id) => {
      const letter = await get(id);
      if (letter?.isReadable === false) return "unreadable";
      const sql = "UPDATE log_records SET topic = ? WHERE topic = ? AND offset = ?";
      const values = [REPLAYS, DEAD_LETTERS, offsetOf(id)];
      const moved = await database.write(() => database.run(sql, values));
      return moved > 0 ? "replayed" : "not_found";
    },
    drop: async (id) => {
      const sql = "DELETE FROM log_records WHERE topic = ? AND offset = ?";
      return (await database.write(() => database.run(sql, [DEAD_LETTERS, offsetOf(id)]))) > 0;
    },
  };
}
