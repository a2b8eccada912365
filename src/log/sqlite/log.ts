// The embedded log: rows of the one data file. A record's offset is its row number over all topics, so that it is also
// the order of acceptance between them. Records are removed once they are done.
import { recordOrder } from "../../model/acceptance-order.ts";
import type { EventHead } from "../../model/event.ts";
import { eventRecordKey } from "../../model/record-key.ts";
import type { EnrichmentReply, WorkTopic, WorkValues } from "../../model/records.ts";
import type { Database } from "../../sqlite/database.ts";
import type { RecordCodec, SchemaRegistry } from "../codec.ts";
import {
  type Consumer,
  type ConsumerOptions,
  createConsumer,
  type RecordSource,
} from "../consumer.ts";
import type { Log, LogReport, WorkRecord } from "../log.ts";
import {
  createDeadLetterCodec,
  createEventCodec,
  createRequestCodec,
  createStatementCodec,
} from "../record-codecs.ts";
import { type RecordReading, readOwn } from "../record-runner.ts";
import {
  createDeadLetterWriter,
  DEAD_LETTERS,
  type DeadLetterWriter,
  startReplays,
} from "./dead-letters.ts";
import { publishTo } from "./publish.ts";
import { createTableRegistry, defineTables, removeAllIncomplete, setCommit } from "./tables.ts";
import { HEAD, openTopic, type Topic } from "./topic.ts";

const WORK_TOPICS = ["requests", "requests-interactive", "statements", "events"] as const;
const REPLY_ADDRESS = "local";
/** What is read of a record without bytes, which none has that was published. */
const LOST: RecordReading<never> = {
  kind: "refused",
  reason: "undecodable",
  error: "the row of the record is missing from the data file or cannot be read",
  isOwn: true,
  value: null,
};

/** The embedded log. */
export interface SqliteLog extends Log {
  /** Ends what the log does by itself. */
  close(): void;
}

/**
 * Opens the log in the tables of `database`, which stays open: its opener closes it.
 * @param report called for events outside the consumed records
 */
export async function openSqliteLog(
  database: Database,
  nowMs: () => number,
  report: LogReport = () => undefined,
): Promise<SqliteLog> {
  defineTables(database);
  await removeAllIncomplete(database);
  const registry = createTableRegistry(database);
  const codecs = await createWorkCodecs(registry);
  const letterCodec = await createDeadLetterCodec(registry, DEAD_LETTERS);
  const topics = openTopics(database);
  let lastOffset = readLastOffset(database);
  // A data folder has one owner at a time: requests of the one before are over when this one has done all that it left.
  const opened = { atMs: nowMs(), order: recordOrder(lastOffset) };
  let replyHandler: (reply: EnrichmentReply) => void = () => undefined;

  const takeOffset = (): number => (lastOffset += 1);
  const doneOrder = (): string => {
    // A document takes minutes, and what is read from it comes as requests of their own: it holds nothing back.
    const requests = [topics.requests, topics["requests-interactive"]];
    const removed = requests.map((topic) => topic.removedUpTo() ?? lastOffset);
    return recordOrder(Math.min(...removed));
  };
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
      publishTo(topics[name], records, { database, codec: codecs[name], takeOffset, nowMs }),
    publishEvents: (events) =>
      publishTo(topics.events, events.map(toEventRecord), {
        database,
        codec: codecs.events,
        takeOffset,
        nowMs,
      }),
    consume: (name, options) => {
      const codec: RecordCodec<WorkValues[typeof name]> = codecs[name];
      return startConsumer(topics[name], codec, deadLetter, { ...options, nowMs });
    },
    pending: (name) => topics[name].pending(),
    endOrder: async () => {
      // Stored before it is used: it must stay below all later orders after a restart, even if the records with these
      // offsets never reached the disk.
      const offset = lastOffset;
      await database.write(() => {
        setCommit(database, HEAD, offset);
      });
      return recordOrder(offset);
    },
    doneOrder,
    isOver: (startedAtMs) => startedAtMs < opened.atMs && doneOrder() >= opened.order,
    // There are no producers but Ledgerline.
    grantedCredits: () => Promise.resolve(null),
    // The API on the same data answers with the results.
    announces: () => false,
    announce: () => Promise.resolve(),
    reply: (address, reply) => {
      // A reply to an earlier run of this process has no waiting caller.
      if (address === REPLY_ADDRESS) replyHandler(reply);
      return Promise.resolve();
    },
    onReply: (handler) => {
      replyHandler = handler;
    },
  };
}

function startConsumer<Value>(
  topic: Topic,
  codec: RecordCodec<Value>,
  deadLetter: DeadLetterWriter,
  options: ConsumerOptions<Value>,
): Consumer {
  const source: RecordSource<Value> = {
    read: async (record) =>
      record.bytes.length === 0 ? LOST : readOwn((bytes) => codec.decode(bytes), record),
    take: topic.take,
    postpone: topic.postpone,
    waiting: topic.waiting,
    remove: topic.remove,
    deadLetter: (record, reason, error) => deadLetter(topic.name, record, { reason, error }),
  };
  topic.consumer = createConsumer(source, options);
  topic.consumer.wake();
  return topic.consumer;
}

const toEventRecord = (value: EventHead): WorkRecord<EventHead> => ({
  key: eventRecordKey(value.org, value.resourceId),
  value,
});

/** Offsets never go back, also when all records up to the last have been removed. */
function readLastOffset(database: Database): number {
  const row = database.get(
    "SELECT max((SELECT coalesce(max(offset), 0) FROM log_records), (SELECT coalesce(max(offset), 0) FROM log_commits)) AS last",
  );
  return Number(row?.["last"] ?? 0);
}

const openTopics = (database: Database): Readonly<Record<WorkTopic, Topic>> =>
  Object.fromEntries(WORK_TOPICS.map((name) => [name, openTopic(database, name)])) as Record<
    WorkTopic,
    Topic
  >;

type WorkCodecs = { readonly [Topic in keyof WorkValues]: RecordCodec<WorkValues[Topic]> };

async function createWorkCodecs(registry: SchemaRegistry): Promise<WorkCodecs> {
  const request = await createRequestCodec(registry, "requests");
  const statements = await createStatementCodec(registry, "statements");
  const event = await createEventCodec(registry, "events");
  const events: WorkCodecs["events"] = {
    // No other program reads this log, and the body is in the same data file already, where erasures find it.
    encode: (value) => event.encode({ ...value, body: "" }),
    decode: event.decode,
  };
  return { requests: request, "requests-interactive": request, statements, events };
}
