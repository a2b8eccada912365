// The log over Kafka. Order of acceptance is the time at which the broker appended a record, by its own clock
// (`message.timestamp.type=LogAppendTime`), then partition and offset: producers outside need to do nothing for it, and a
// redelivered record keeps its place.
import type { Kafka } from "kafkajs";
import { lastPlaceOrder } from "../../model/acceptance-order.ts";
import { scheduleOfKey } from "../../model/record-key.ts";
import type { SubmittedTopic, WorkTopic, WorkValues } from "../../model/records.ts";
import type { RecordCodec, SchemaRegistry } from "../codec.ts";
import type { ConsumeOptions, DeadLetters, Log, LogReport } from "../log.ts";
import type { DeadLetterRecord } from "../record-codecs.ts";
import type { RawRecord, RecordEdge } from "../record-runner.ts";
import { type AdminClient, createAdminClient } from "./admin.ts";
import { asKafkaUnavailable, createKafkaClient } from "./client.ts";
import { createAnnouncing } from "./announcing.ts";
import { type GroupConsumer, startKafkaConsumer } from "./consumer.ts";
import { createKafkaDeadLetters, keptInLetter, letterId, ORDER_HEADER } from "./dead-letters.ts";
import { createEventPublishing } from "./event-publishing.ts";
import { createGrantTable, type GrantTable, type GrantTablePorts } from "./grant-table.ts";
import { choosePartition } from "./placement.ts";
import { createPrivateTopics, type PrivateTopics } from "./private-topics.ts";
import {
  type LogProgress,
  PROGRESS_TIMING,
  type ProgressTiming,
  startProgress,
} from "./progress.ts";
import {
  createPublisher,
  type Outgoing,
  PACKED_LATE_FROM_BYTES,
  type Publisher,
} from "./publisher.ts";
import { createOwnReader, createReader, toRawRecord } from "./reading.ts";
import { openReplyDesk, type ReplyDesk } from "./reply-desk.ts";
import type { KafkaSettings, TopicName } from "./settings.ts";
import { createKeyIds, createSignatures, SIGNATURE_HEADER, type Signatures } from "./signature.ts";
import { createTopicCodecs, type TopicCodecs } from "./topic-codecs.ts";
import { ensureTopics, type Partitions } from "./topics.ts";

/** Where the partitions of synchronous calls begin when those of all requests are counted. */
const INTERACTIVE_PLACES_FROM = 5_000;
const WORKER_POLL_MS = 5_000;

export interface KafkaLogOptions {
  readonly settings: KafkaSettings;
  readonly registry: SchemaRegistry;
  /** Secret of the installation: signs what Ledgerline writes. */
  readonly secret: string;
  readonly loadGrants: GrantTablePorts["loadGrants"];
  /** Whether this process asks synchronously, and so needs replies. */
  readonly asks: boolean;
  nowMs(): number;
  newId(): string;
  readonly report: LogReport;
  /** The process can do its work no longer; a supervisor should start it again. */
  fatal(reason: string): void;
  readonly timing?: Partial<ProgressTiming>;
}

/**
 * No request runs for longer: its body is read within 120 s, its reply comes within 30 s. The clocks of the machines may
 * differ by the rest.
 */
const REQUEST_MAX_MS = 300_000;

export interface KafkaLog extends Log {
  readonly deadLetters: DeadLetters;
  /** Why Kafka cannot be used just now, or null. */
  failure(): string | null;
  close(): Promise<void>;
}

interface KafkaLogParts extends KafkaLogOptions {
  readonly kafka: Kafka;
  readonly admin: AdminClient;
  readonly partitions: Partitions;
  readonly codecs: TopicCodecs;
  readonly signing: Signatures;
  readonly grants: GrantTable;
  readonly privately: PrivateTopics;
  /** For records with a waiting caller: calls, replies, the clock. */
  readonly quick: Publisher;
  /** For everything else: a large request delays the others to the same broker. */
  readonly bulk: Publisher;
}

/**
 * Connects, makes the topics that are missing and registers the schemas.
 * @throws LedgerlineError `unavailable` or `misconfigured`; nothing stays open then
 */
export async function openKafkaLog(options: KafkaLogOptions): Promise<KafkaLog> {
  const kafka = createKafkaClient(options.settings, options.report);
  const admin = createAdminClient(kafka);
  const quick = createPublisher(kafka, PACKED_LATE_FROM_BYTES);
  const bulk = createPublisher(kafka);
  try {
    const partitions = await admin.ask((asked) =>
      ensureTopics(asked, options.settings, options.report),
    );
    const codecs = await createTopicCodecs(options.registry, options.settings.topicPrefix);
    const grants = createGrantTable({ ...options, ...createKeyIds(options.secret) });
    const signing = createSignatures({ secret: options.secret, grants });
    const { topicPrefix, enrichedCompression: compression } = options.settings;
    const privately = createPrivateTopics({ topicPrefix, grants, publisher: bulk, compression });
    const parts = { ...options, kafka, admin, partitions, codecs, signing, grants, privately };
    return await open({ ...parts, quick, bulk });
  } catch (error) {
    await Promise.all([quick.close(), bulk.close(), admin.close()]);
    throw asKafkaUnavailable(error);
  }
}

async function open(parts: KafkaLogParts): Promise<KafkaLog> {
  const { settings, codecs, quick, bulk } = parts;
  const topicOf = (name: TopicName): string => settings.topicPrefix + name;
  const consumers: GroupConsumer[] = [];
  const tick = (): Promise<number> =>
    quick.send(topicOf("clock"), 0, [{ key: null, value: Buffer.alloc(0) }]);
  const progress = watch(parts, topicOf, tick, consumers);
  const replies = await openReplyDesk(parts, topicOf("replies")).catch(async (error: unknown) => {
    await progress.close();
    throw error;
  });
  const publish = createPublishing(parts, topicOf, progress);
  return {
    replyAddress: replies.address,
    onReply: replies.onReply,
    reply: (address, reply) => replies.send({ address, reply }),
    publish,
    publishEvents: createEventPublishing({
      ...parts,
      topic: topicOf("events"),
      publishing: progress.publishing,
    }),
    consume: (name, consumeOptions) => {
      const consumer = consume(parts, topicOf, name, consumeOptions);
      consumers.push(consumer);
      return consumer;
    },
    pending: (name) => progress.pending(topicOf(name)),
    endOrder: async () => lastPlaceOrder(await tick()),
    doneOrder: progress.doneOrder,
    isOver: (startedAtMs) => {
      const overMs = startedAtMs + REQUEST_MAX_MS;
      return overMs < parts.nowMs() && overMs < progress.doneUntilMs();
    },
    grantedCredits: parts.grants.creditsOf,
    announces: (origin) =>
      settings.enriched === "all" || (settings.enriched === "kafka" && origin === "kafka"),
    announce: createAnnouncing({
      ...parts,
      topic: topicOf("enriched"),
      encode: codecs.enriched,
      partitions: parts.partitions.enriched,
      isShared: settings.isEnrichedShared,
      compression: settings.enrichedCompression,
      publisher: bulk,
    }),
    deadLetters: createKafkaDeadLetters({
      ...parts,
      topic: topicOf("dead-letters"),
      groupId: `${settings.groupPrefix}dead-letters-${parts.newId()}`,
      codec: codecs.deadLetter,
      publisher: bulk,
    }),
    failure: () => progress.failure() ?? replies.failure(),
    close: () => close(parts, progress, replies),
  };
}

type TopicOf = (name: TopicName) => string;

function groupOf(settings: KafkaSettings, topic: WorkTopic): string {
  const groups: Readonly<Record<WorkTopic, string>> = {
    requests: "enrich-requests",
    "requests-interactive": "enrich-requests-interactive",
    statements: "statements",
    events: "dispatch-events",
  };
  return settings.groupPrefix + groups[topic];
}

const codecOf = <Topic extends WorkTopic>(
  { request, statement, event }: TopicCodecs,
  topic: Topic,
): RecordCodec<WorkValues[Topic]> => {
  const codecs: { readonly [Name in keyof WorkValues]: RecordCodec<WorkValues[Name]> } = {
    requests: request,
    "requests-interactive": request,
    statements: statement,
    events: event,
  };
  return codecs[topic];
};

function watch(
  parts: KafkaLogParts,
  topicOf: TopicOf,
  tick: () => Promise<number>,
  consumers: readonly GroupConsumer[],
): LogProgress {
  return startProgress({
    admin: parts.admin,
    groups: (["requests", "requests-interactive", "statements", "events"] as const).map(
      (topic) => ({
        groupId: groupOf(parts.settings, topic),
        topic: topicOf(topic),
        // A document takes minutes, and what is read from it comes as requests of their own. Events change no transaction.
        isRequests: topic === "requests" || topic === "requests-interactive",
      }),
    ),
    tick,
    nowMs: parts.nowMs,
    consumers: () => consumers,
    failed: parts.fatal,
    timing: {
      ...PROGRESS_TIMING,
      // Processes that accept requests need a fresh number of waiting records.
      ...(parts.asks ? {} : { pollMs: WORKER_POLL_MS }),
      ...parts.timing,
    },
  });
}

/** Publishes work: calls and statements to the next partition in turn, batches to where they hold up the least. */
function createPublishing(
  parts: KafkaLogParts,
  topicOf: TopicOf,
  progress: LogProgress,
): Log["publish"] {
  const { partitions, signing, quick, bulk } = parts;
  // Processes that start together do not all begin with the same.
  let count = Math.floor(Math.random() * parts.partitions.requests);

  function partitionOf(name: SubmittedTopic, key: string, waitingRecords: number): number {
    count += 1;
    if (name !== "requests") return count % partitions[name];
    const lags = Array.from({ length: partitions[name] }, (_, partition) =>
      progress.lag(topicOf(name), partition),
    );
    const { tenant: org, priority } = scheduleOfKey(key);
    return choosePartition({ lags, org, priority, waitingRecords, count });
  }

  return async (name, records, waitingRecords = 0) => {
    const [first] = records;
    if (first === undefined) return;
    const codec = codecOf(parts.codecs, name);
    const outgoing = records.map(({ key, value }): Outgoing => {
      const bytes = codec.encode(value);
      return { key, value: bytes, headers: { [SIGNATURE_HEADER]: signing.sign(key, bytes) } };
    });
    const publisher = name === "requests" ? bulk : quick;
    const partition = partitionOf(name, first.key, waitingRecords + records.length);
    await progress.publishing(topicOf(name), partition, records.length, () =>
      publisher.send(topicOf(name), partition, outgoing),
    );
  };
}

function consume<Topic extends WorkTopic>(
  parts: KafkaLogParts,
  topicOf: TopicOf,
  name: Topic,
  options: ConsumeOptions<WorkValues[Topic]>,
): GroupConsumer {
  const places = name === "requests-interactive" ? INTERACTIVE_PLACES_FROM : 0;
  return startKafkaConsumer({
    ...options,
    kafka: parts.kafka,
    groupId: groupOf(parts.settings, name),
    topic: topicOf(name),
    edge: createEdge(parts, topicOf, name),
    toRecord: (partition, message) =>
      toRawRecord(partition, places + partition, message, parts.signing),
    scheduleOf: (record) => ({
      tenant: parts.signing.tenantOf(record),
      priority: scheduleOfKey(record.key).priority,
    }),
    nowMs: parts.nowMs,
    kafkaReport: parts.report,
  });
}

async function close(
  parts: KafkaLogParts,
  progress: LogProgress,
  replies: ReplyDesk,
): Promise<void> {
  await progress.close();
  await replies.close();
  await Promise.all([parts.quick.close(), parts.bulk.close()]);
  await parts.admin.close();
}

function createEdge<Topic extends WorkTopic>(
  parts: KafkaLogParts,
  topicOf: TopicOf,
  name: Topic,
): RecordEdge<WorkValues[Topic]> {
  const { codecs, signing, settings } = parts;
  return {
    read: createReaderOf(name, codecs, signing, settings),
    deadLetter: async (record: RawRecord, reason, error) => {
      const { partition, offset, order } = record;
      const letter: DeadLetterRecord = {
        topic: topicOf(name),
        partition,
        offset,
        reason,
        ...keptInLetter(record, error),
        order,
        failedAt: parts.nowMs(),
      };
      const value = parts.codecs.deadLetter.encode(letter);
      const id = letterId(topicOf(name), partition, offset);
      await parts.bulk.send(topicOf("dead-letters"), 0, [{ key: id, value }]);
      const org = signing.writerOf(record);
      if (org === "") return;
      // A signature of ours is for no program outside: with it, the record could be written again as ours.
      const own = parts.codecs.deadLetter.encode(withoutSignatures(letter));
      await parts.privately.publish("dead-letters", [{ org, key: id, value: own }]);
    },
  };
}

function withoutSignatures(letter: DeadLetterRecord): DeadLetterRecord {
  const kept = Object.entries(letter.headers).filter(
    ([name]) => name !== SIGNATURE_HEADER && name !== ORDER_HEADER,
  );
  return { ...letter, headers: Object.fromEntries(kept) };
}

type Read<Topic extends WorkTopic> = RecordEdge<WorkValues[Topic]>["read"];

function createReaderOf<Topic extends WorkTopic>(
  name: Topic,
  { request, statement, event }: TopicCodecs,
  signing: Signatures,
  { producers }: KafkaSettings,
): Read<Topic> {
  const requests = createReader(request, signing, producers);
  const readers: { readonly [Name in keyof WorkValues]: Read<Name> } = {
    requests,
    "requests-interactive": requests,
    statements: createOwnReader(statement, signing),
    events: createOwnReader(event, signing),
  };
  return readers[name];
}
