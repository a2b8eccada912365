// The embedded log: rows of the one data file. A record's offset is its row number over all topics, so that it is also
// the order of acceptance between them. Records are removed once they are done.
import { recordOrder } from "../../domain/acceptance-order.ts";
import type { EnrichmentReply, EnrichmentRequest, RequestTopic } from "../../domain/records.ts";
import type { Database } from "../../sqlite/database.ts";
import {
  createDeadLetterCodec,
  createRequestCodec,
  type RecordCodec,
  type SchemaRegistry,
} from "../codec.ts";
import { type Consumer, createConsumer, type RawRecord, type RecordSource } from "../consumer.ts";
import type { Log } from "../log.ts";

const REQUEST_TOPICS = ["requests", "requests-interactive"] as const;
/** The newest dead letters are kept; the oldest beyond this go. */
const DEAD_LETTERS_MAX = 10_000;
const REPLY_ADDRESS = "local";
/** Row of log_commits that holds the highest order anybody was given by `head`. */
const HEAD = "head";

/** What the log keeps in memory of a topic. */
interface TopicState {
  readonly name: RequestTopic;
  /** Everything up to this offset is done and removed. */
  committed: number;
  /** Records that are published, or about to be, and not removed. */
  pending: number;
  consumer: Consumer | null;
}

/** Opens the log in the tables of `database`, which stays open: its opener closes it. */
export function createSqliteLog(database: Database, nowMs: () => number): Log {
  defineTables(database);
  const registry = createTableRegistry(database);
  const codec = createRequestCodec(registry);
  const topics = Object.fromEntries(
    REQUEST_TOPICS.map((name) => [name, readTopic(database, name)]),
  ) as Record<RequestTopic, TopicState>;
  const deadLetters = createDeadLetterWriter(database, registry, takeOffset, nowMs);
  let lastOffset = readLastOffset(database);
  let replyHandler: (reply: EnrichmentReply) => void = () => undefined;

  function takeOffset(): number {
    lastOffset += 1;
    return lastOffset;
  }

  return {
    replyAddress: REPLY_ADDRESS,
    publish: async (name, records) => {
      const topic = topics[name];
      // Offsets are taken here and not in the write, so that `head` already covers what waits for the next commit.
      // Writes are done in the order they were asked for; the offset of a write that fails stays unused.
      const rows = records.map(({ key, value }) => ({
        offset: takeOffset(),
        key,
        bytes: codec.encode(value),
      }));
      topic.pending += rows.length;
      try {
        await database.write(() => {
          for (const row of rows) insertRecord(database, name, row, nowMs());
        });
      } catch (error) {
        topic.pending -= rows.length;
        throw error;
      }
      topic.consumer?.wake();
    },
    consume: (name, options) => {
      const topic = topics[name];
      const source = createSource(database, topic, codec, deadLetters);
      topic.consumer = createConsumer(source, {
        ...options,
        startAfterOffset: topic.committed,
        nowMs,
      });
      topic.consumer.wake();
      return topic.consumer;
    },
    pending: (name) => topics[name].pending,
    head: async () => {
      // Written down before it is used: an order that somebody relies on must stay below all later ones after a restart,
      // even if the records that took these offsets never made it to the disk.
      const offset = lastOffset;
      await database.write(() => {
        setCommit(database, HEAD, offset);
      });
      return recordOrder(offset);
    },
    passed: () => {
      // A topic without records has nothing left to hand over, however old its last commit is.
      const open = Object.values(topics).filter((topic) => topic.pending > 0);
      return recordOrder(
        open.length === 0 ? lastOffset : Math.min(...open.map((topic) => topic.committed)),
      );
    },
    reply: (address, reply) => {
      // A reply to an earlier life of this process finds nobody who waits for it.
      if (address === REPLY_ADDRESS) replyHandler(reply);
      return Promise.resolve();
    },
    onReply: (handler) => {
      replyHandler = handler;
    },
  };
}

type DeadLetterWriter = RecordSource<EnrichmentRequest>["deadLetter"];

function createSource(
  database: Database,
  topic: TopicState,
  codec: RecordCodec<EnrichmentRequest>,
  deadLetters: (topic: string) => DeadLetterWriter,
): RecordSource<EnrichmentRequest> {
  return {
    fetch: (after, limit) => fetchRecords(database, topic.name, after, limit),
    decode: codec.decode,
    order: recordOrder,
    commit: async (offset) => {
      // Two statements: what is subtracted from is read after the write, which others publish during.
      const removed = await database.write(() => commitOffset(database, topic.name, offset));
      topic.pending -= removed;
      topic.committed = offset;
    },
    deadLetter: deadLetters(topic.name),
  };
}

function readTopic(database: Database, name: RequestTopic): TopicState {
  const row = database.get("SELECT count(*) AS count FROM log_records WHERE topic = ?", [name]);
  return {
    name,
    committed: readCommitted(database, name),
    pending: Number(row?.["count"] ?? 0),
    consumer: null,
  };
}

function defineTables(database: Database): void {
  database.define(`CREATE TABLE IF NOT EXISTS log_records
    (offset INTEGER PRIMARY KEY, topic TEXT NOT NULL, key TEXT NOT NULL, bytes BLOB NOT NULL, appended_at INTEGER NOT NULL)`);
  database.define("CREATE INDEX IF NOT EXISTS log_records_topic ON log_records (topic, offset)");
  database.define(
    "CREATE TABLE IF NOT EXISTS log_commits (topic TEXT PRIMARY KEY, offset INTEGER NOT NULL)",
  );
  database.define(
    "CREATE TABLE IF NOT EXISTS log_schemas (id INTEGER PRIMARY KEY, subject TEXT NOT NULL, schema TEXT NOT NULL, UNIQUE (subject, schema))",
  );
}

/** The registry of the embedded log: ids are row numbers, given once and never changed. */
function createTableRegistry(database: Database): SchemaRegistry {
  return {
    register: (subject, schema) => {
      database.run(
        "INSERT INTO log_schemas (subject, schema) VALUES (?, ?) ON CONFLICT DO NOTHING",
        [subject, schema],
      );
      const row = database.get("SELECT id FROM log_schemas WHERE subject = ? AND schema = ?", [
        subject,
        schema,
      ]);
      return Number(row?.["id"]);
    },
    schema: (id) => {
      const text = database.get("SELECT schema FROM log_schemas WHERE id = ?", [id])?.["schema"];
      return typeof text === "string" ? text : null;
    },
  };
}

function createDeadLetterWriter(
  database: Database,
  registry: SchemaRegistry,
  takeOffset: () => number,
  nowMs: () => number,
): (topic: string) => DeadLetterWriter {
  const codec = createDeadLetterCodec(registry);
  return (topic) => async (record, reason, error) => {
    const original = Buffer.from(record.bytes);
    const letter = { topic, partition: 0, offset: record.offset, reason, error, original };
    const bytes = codec.encode(letter);
    await database.write(() => {
      insertRecord(
        database,
        "dead-letters",
        { offset: takeOffset(), key: record.key, bytes },
        nowMs(),
      );
      database.run(
        `DELETE FROM log_records WHERE topic = 'dead-letters' AND offset <=
          (SELECT offset FROM log_records WHERE topic = 'dead-letters' ORDER BY offset DESC LIMIT 1 OFFSET ?)`,
        [DEAD_LETTERS_MAX],
      );
    });
  };
}

function insertRecord(
  database: Database,
  topic: string,
  record: RawRecord,
  appendedAt: number,
): void {
  database.run(
    "INSERT INTO log_records (offset, topic, key, bytes, appended_at) VALUES (?, ?, ?, ?, ?)",
    [record.offset, topic, record.key, record.bytes, appendedAt],
  );
}

function fetchRecords(
  database: Database,
  topic: string,
  after: number,
  limit: number,
): RawRecord[] {
  const sql =
    "SELECT offset, key, bytes FROM log_records WHERE topic = ? AND offset > ? ORDER BY offset LIMIT ?";
  return database.all(sql, [topic, after, limit]).map((row) => ({
    offset: Number(row["offset"]),
    key: String(row["key"]),
    bytes: row["bytes"] instanceof Uint8Array ? row["bytes"] : new Uint8Array(),
  }));
}

function setCommit(database: Database, name: string, offset: number): void {
  database.run(
    "INSERT INTO log_commits (topic, offset) VALUES (?, ?) ON CONFLICT (topic) DO UPDATE SET offset = max(offset, excluded.offset)",
    [name, offset],
  );
}

/** Moves the commit of a topic to `offset` and removes the records that are done with it. Returns how many. */
function commitOffset(database: Database, topic: string, offset: number): number {
  setCommit(database, topic, offset);
  return database.run("DELETE FROM log_records WHERE topic = ? AND offset <= ?", [topic, offset]);
}

function readCommitted(database: Database, topic: string): number {
  return Number(
    database.get("SELECT offset FROM log_commits WHERE topic = ?", [topic])?.["offset"] ?? 0,
  );
}

/** Offsets never go back, also when all records up to the last have been removed. */
function readLastOffset(database: Database): number {
  const row = database.get(
    "SELECT max((SELECT coalesce(max(offset), 0) FROM log_records), (SELECT coalesce(max(offset), 0) FROM log_commits)) AS last",
  );
  return Number(row?.["last"] ?? 0);
}
