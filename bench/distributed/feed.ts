// A producer outside, in the process of the benchmark: it writes signed chunks to the topic of requests as in docs/guides/kafka.md,
// and is never further ahead of what is stored than `AHEAD_MAX`.
import { createHmac } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { CompressionTypes, type Kafka, type Message } from "kafkajs";
import { type DistributedConfig, readConfig } from "../../src/config/config.ts";
import type { TransactionInput } from "../../src/model/transaction.ts";
import { createConfluentRegistry } from "../../src/log/kafka/registry.ts";
import { SIGNATURE_HEADER } from "../../src/log/kafka/signature.ts";
import { createRequestCodec } from "../../src/log/record-codecs.ts";
import { grantTo } from "../../test/kafka/keys.ts";
import { distributedEnvironment } from "../../test/support/distributed.ts";
import { createLines, type Line } from "../../test/support/lines.ts";
import { HOLDERS } from "./installation.ts";

export const CHUNK = 250;
/** Seconds of work: the producer never limits the rate, and a stalled group is still noticed. */
const AHEAD_MAX = 40_000;
/** Chunks of one request to Kafka, all to one partition. */
const CHUNKS_PER_SEND = 8;
const PAUSE_MS = 5;
/** Different lines, which repeat after this many where there are more: nothing keeps as many in a cache. */
const LINES_MAX = 100_000;
/** Makes the records of a feed. */
export type MakeRecord = () => Message;

export interface Feed {
  /** Transactions that Kafka has taken. */
  sent(): number;
  /** How few there were at least that waited, once it was as far ahead as it goes; null when it never was. */
  aheadMin(): number | null;
  /** Sends nothing more. */
  stop(): void;
  /** Rejects when Kafka refuses a record. */
  readonly finished: Promise<void>;
}

/** @param lines how many different ones are worth their making */
export async function createRecords(
  distributed: DistributedConfig,
  lines: number,
): Promise<MakeRecord> {
  const { kafka, schemaRegistryUrl } = distributed;
  const registry = createConfluentRegistry({
    url: schemaRegistryUrl,
    nowMs: Date.now,
    random: Math.random,
    wait: delay,
  });
  const codec = await createRequestCodec(registry, `${kafka.topicPrefix}requests`);
  const nextLine = createLines(2027);
  const pool = Array.from({ length: Math.min(lines, LINES_MAX) }, nextLine);
  const config = readConfig(distributedEnvironment(distributed), 1);
  const { default: key } = await grantTo({ config }, ["default"]);
  let made = 0;
  return () => {
    const requestId = `feed-${String(made / CHUNK)}`;
    const transactions = Array.from({ length: CHUNK }, () => {
      made += 1;
      return toInput(made, pool[made % pool.length]);
    });
    const value = codec.encode({
      org: "default",
      requestId,
      origin: "kafka",
      batchId: null,
      chunkIndex: 0,
      chunkCount: 1,
      total: 0,
      createdAt: 0,
      replyTo: null,
      basedOn: null,
      priority: "default",
      transactions,
    });
    // A feed is sent within the minutes for which a signature is new.
    const signed = `v2 ${key.id}:${String(Math.floor(Date.now() / 1000))}:`;
    const mac = createHmac("sha256", key.secret).update(signed).update(value).digest("hex");
    return { key: requestId, value, headers: { [SIGNATURE_HEADER]: signed + mac } };
  };
}

/** Ids come in no order, like those that banks give. */
function toInput(index: number, line: Line | undefined): TransactionInput {
  if (line === undefined) throw new Error("There are no lines");
  const scattered = (Math.imul(index, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");
  return {
    id: `${scattered}-${String(index)}`,
    description: line.description,
    date: line.date,
    amount: line.amount,
    entryType: line.entry_type,
    currency: line.currency,
    accountHolderId: HOLDERS[index % HOLDERS.length] ?? null,
    location: null,
  };
}

/**
 * Sends these records; those that are made already cost it little.
 * @param stored how many transactions are in MongoDB
 */
export function startFeed(
  kafka: Kafka,
  { kafka: { topicPrefix, partitions } }: DistributedConfig,
  records: Iterator<Message>,
  stored: () => number,
): Feed {
  const topic = `${topicPrefix}requests`;
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
  let sent = 0;
  let aheadMin: number | null = null;
  const stopping = new AbortController();

  async function run(): Promise<void> {
    await producer.connect();
    try {
      for (let turn = 0; ; turn += 1) {
        const messages = take(records, CHUNKS_PER_SEND, turn % partitions);
        while (!stopping.signal.aborted && sent - stored() > AHEAD_MAX) await delay(PAUSE_MS);
        if (messages.length === 0 || stopping.signal.aborted) return;
        const ahead = sent - stored();
        if (sent > AHEAD_MAX) aheadMin = Math.min(aheadMin ?? ahead, ahead);
        // As large as they are, packing them is what a producer does, and the topic is kept packed.
        await producer.send({ topic, messages, acks: -1, compression: CompressionTypes.GZIP });
        sent += messages.length * CHUNK;
      }
    } finally {
      await producer.disconnect();
    }
  }

  const finished = run();
  finished.catch(() => undefined);
  return {
    sent: () => sent,
    aheadMin: () => aheadMin,
    stop: () => {
      stopping.abort();
    },
    finished,
  };
}

function take(records: Iterator<Message>, count: number, partition: number): Message[] {
  const taken: Message[] = [];
  while (taken.length < count) {
    const next = records.next();
    if (next.done === true) break;
    taken.push({ ...next.value, partition });
  }
  return taken;
}
