// The embedded log: rows of the one data file. A record's offset is its row number over all topics, so that it is also
// the order of acceptance between them. Records are removed once they are done.
import { setImmediate as nextTurn } from "node:timers/promises";
import { recordOrder } from "../../domain/acceptance-order.ts";
import type { EnrichmentReply, EnrichmentRequest, RequestTopic } from "../../domain/records.ts";
import type { Database } from "../../sqlite/database.ts";
import type { RecordCodec } from "../codec.ts";
import { createConsumer } from "../consumer.ts";
import type { Log, LogReport, RequestRecord } from "../log.ts";
import { createDeadLetterCodec, createRequestCodec } from "../record-codecs.ts";
import { type RawRecord, readOwn, type RecordEdge } from "../record-runner.ts";
import { createDeadLetterWriter, DEAD_LETTERS, startReplays } from "./dead-letters.ts";
import {
  createTableRegistry,
  defineTables,
  insertRecord,
  type NewRecord,
  setCommit,
} from "./tables.ts";
import { HEAD, openTopic, type Topic } from "./topic.ts";

const REQUEST_TOPICS = ["requests", "requests-interactive"] as const;
const REPLY_ADDRESS = "local";
/** Encoding the records of a batch takes longer than this; sockets, timers and threads get their turn in between. */
const ENCODE_SLICE_MS = 4;

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
    REQUEST_TOPICS.map((name) => [name, openTopic(database, name)]),
  ) as Record<RequestTopic, Topic>;
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
    topicOf: (name) => Object.values(topics).find((known) => known.name === name),
  });

  return {
    replyAddress: REPLY_ADDRESS,
    close: stopReplays,
    publish: (name, records) =>
      publishTo(topics[name], records, { database, codec, takeOffset, nowMs }),
    consume: (name, options) => {
      const topic = topics[name];
      const source = {
        read: (record: RawRecord) => readOwn(codec.decode, record),
        take: topic.take,
        remove: topic.remove,
        deadLetter: (...[record, reason, error]: Parameters<RecordEdge["deadLetter"]>) =>
          deadLetter(name, record, { reason, error }),
      };
      topic.consumer = createConsumer(source, { ...options, nowMs });
      topic.consumer.wake();
      return topic.consumer;
    },
    pending: (name) => topics[name].pending(),
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
      const removed = Object.values(topics).map((topic) => topic.removedUpTo() ?? lastOffset);
      return recordOrder(Math.min(...removed));
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
  topic: Topic,
  records: readonly RequestRecord[],
  { database, codec, takeOffset, nowMs }: PublishParts,
): Promise<void> {
  // Before the first pause: whoever asks meanwhile how much waits is not told too little.
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
    await database.write(() => {
      for (const row of rows) insertRecord(database, topic.name, row, nowMs());
    });
  } catch (error) {
    for (const { offset } of rows) topic.dropped(offset);
    throw error;
  }
  for (const { offset } of rows) topic.published(offset);
  topic.consumer?.wake();
}

async function encodeSliced(
  records: readonly RequestRecord[],
  codec: RecordCodec<EnrichmentRequest>,
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

/** Offsets never go back, also when all records up to the last have been removed. */
function readLastOffset(database: Database): number {
  const row = database.get(
    "SELECT max((SELECT coalesce(max(offset), 0) FROM log_records), (SELECT coalesce(max(offset), 0) FROM log_commits)) AS last",
  );
  return Number(row?.["last"] ?? 0);
}
