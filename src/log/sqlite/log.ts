// The embedded log: rows of the one data file. A record's offset is its row number over all topics, so that it is also
// the order of acceptance between them. Records are removed once they are done.
import { setImmediate as nextTurn } from "node:timers/promises";
import { recordOrder } from "../../domain/acceptance-order.ts";
import type { EnrichmentReply, EnrichmentRequest, RequestTopic } from "../../domain/records.ts";
import type { Database } from "../../sqlite/database.ts";
import type { RecordCodec } from "../codec.ts";
import { createConsumer, type RecordSource, type WakingConsumer } from "../consumer.ts";
import type { Log, LogReport, RequestRecord } from "../log.ts";
import { createDeadLetterCodec, createRequestCodec } from "../record-codecs.ts";
import { readOwn } from "../record-runner.ts";
import {
  createDeadLetterWriter,
  DEAD_LETTERS,
  type DeadLetterWriter,
  startReplays,
} from "./dead-letters.ts";
import {
  createTableRegistry,
  defineTables,
  fetchRecords,
  insertRecord,
  type NewRecord,
  setCommit,
} from "./tables.ts";

const REQUEST_TOPICS = ["requests", "requests-interactive"] as const;
const REPLY_ADDRESS = "local";
/** Row of log_commits that holds the highest order anybody was given by `head`. */
const HEAD = "head";
/** Encoding the records of a batch takes longer than this; sockets, timers and threads get their turn in between. */
const ENCODE_SLICE_MS = 4;

/** What the log keeps in memory of a topic. */
interface TopicState {
  readonly name: RequestTopic;
  /** Everything up to this offset is done and removed. */
  committed: number;
  /** Records that are published, or about to be, and not removed. */
  pending: number;
  consumer: WakingConsumer | null;
}

/** The embedded log. */
export interface SqliteLog extends Log {
  /** Ends what the log does by itself. */
  close(): void;
}

/**
 * Opens the log in the tables of `database`, which stays open: its opener closes it.
 * @param report called with what happens beside the records that are consumed
 */
export async function openSqliteLog(
  database: Database,
  nowMs: () => number,
  report: LogReport = () => undefined,
): Promise<SqliteLog> {
  defineTables(database);
  const registry = createTableRegistry(database);
  const codec = await createRequestCodec(registry, "requests");
  const letterCodec = await createDeadLetterCodec(registry, DEAD_LETTERS);
  const topics = Object.fromEntries(
    REQUEST_TOPICS.map((name) => [name, readTopic(database, name)]),
  ) as Record<RequestTopic, TopicState>;
  let lastOffset = readLastOffset(database);
  let replyHandler: (reply: EnrichmentReply) => void = () => undefined;

  const takeOffset = (): number => (lastOffset += 1);
  const deadLetter = createDeadLetterWriter(database, letterCodec, takeOffset, nowMs);
  const stopReplays = startReplays({
    database,
    codec: letterCodec,
    takeOffset,
    nowMs,
    report,
    replayed: (name) => {
      const topic = Object.values(topics).find((known) => known.name === name);
      if (topic !== undefined) topic.pending += 1;
      topic?.consumer?.wake();
    },
  });

  return {
    replyAddress: REPLY_ADDRESS,
    close: stopReplays,
    publish: (name, records) =>
      publishTo(topics[name], records, { database, codec, takeOffset, nowMs }),
    consume: (name, options) => {
      const topic = topics[name];
      const source = createSource(database, topic, codec, deadLetter);
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
      return recordOrder(Math.min(lastOffset, ...open.map((topic) => topic.committed)));
    },
    // The ledger is beside it: whoever wants results asks the API.
    announces: () => false,
    announce: () => Promise.resolve(),
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

interface PublishParts {
  readonly database: Database;
  readonly codec: RecordCodec<EnrichmentRequest>;
  takeOffset(): number;
  nowMs(): number;
}

/** Adds all records or none; resolves once they are durable. */
async function publishTo(
  topic: TopicState,
  records: readonly RequestRecord[],
  { database, codec, takeOffset, nowMs }: PublishParts,
): Promise<void> {
  // Before the first pause: whoever asks meanwhile how much waits is not told too little.
  topic.pending += records.length;
  try {
    const encoded: Omit<NewRecord, "offset">[] = [];
    let endMs = performance.now() + ENCODE_SLICE_MS;
    for (const { key, value } of records) {
      if (performance.now() >= endMs) {
        await nextTurn();
        endMs = performance.now() + ENCODE_SLICE_MS;
      }
      encoded.push({ key, bytes: codec.encode(value) });
    }
    // Offsets are taken here and not in the write, so that `head` already covers what waits for the next commit.
    // Writes are done in the order they were asked for; the offset of a write that fails stays unused.
    const rows = encoded.map((record) => ({ offset: takeOffset(), ...record }));
    await database.write(() => {
      for (const row of rows) insertRecord(database, topic.name, row, nowMs());
    });
  } catch (error) {
    topic.pending -= records.length;
    throw error;
  }
  topic.consumer?.wake();
}

function createSource(
  database: Database,
  topic: TopicState,
  codec: RecordCodec<EnrichmentRequest>,
  deadLetter: DeadLetterWriter,
): RecordSource {
  return {
    fetch: (after, limit) => fetchRecords(database, topic.name, after, limit),
    read: (record) => readOwn(codec.decode, record),
    commit: async (offset) => {
      // Two statements: what is subtracted from is read after the write, which others publish during.
      const removed = await database.write(() => commitOffset(database, topic.name, offset));
      topic.pending -= removed;
      topic.committed = offset;
    },
    deadLetter: (record, reason, error) => deadLetter(topic.name, record, { reason, error }),
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

/** Moves the commit of a topic to `offset` and removes the records that are done with it. Returns how many. */
function commitOffset(database: Database, topic: string, offset: number): number {
  setCommit(database, topic, offset);
  // Of this topic alone: a replayed record of another one may still wait, and must keep its order.
  database.run(
    `DELETE FROM log_orders WHERE offset <= ? AND EXISTS
      (SELECT 1 FROM log_records WHERE log_records.offset = log_orders.offset AND topic = ?)`,
    [offset, topic],
  );
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
