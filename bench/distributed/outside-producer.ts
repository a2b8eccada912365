// A producer that is not Ledgerline, as a process of its own: signed Avro records straight to the topic of requests, with the
// clients and the steps of examples/kafka/producer.ts. What is sent as fast as possible is encoded and signed before.
import { createHmac } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { SchemaRegistry } from "@kafkajs/confluent-schema-registry";
import { CompressionTypes, type Message } from "kafkajs";
import { createTestKafka } from "../../test/support/distributed.ts";
import { createLines } from "../../test/support/lines.ts";
import {
  type ProducerOrder,
  type ProducerReport,
  type ProducerSetup,
  sharedNowMs,
} from "./outside-orders.ts";

/** Transactions of one request to Kafka. */
const SENT_AT_ONCE = 2_000;
const PACE_MS = 10;
const DAY_MS = 86_400_000;

const report = (message: ProducerReport): void => {
  process.send?.(message);
};

async function open(setup: ProducerSetup): Promise<(order: ProducerOrder) => Promise<void>> {
  const { brokers, schemaRegistryUrl: host, org, holders, partitions, count, chunk } = setup;
  const registry = new SchemaRegistry({ host });
  const schemaId = await registry.getLatestSchemaId(`${org.topic}-value`);
  const producer = createTestKafka(brokers).producer({ idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  const nextLine = createLines(setup.seed);
  const lines = Array.from({ length: Math.min(count, 50_000) }, nextLine);
  let made = 0;
  let turn = 0;

  function nextTransaction(): object {
    const line = lines[made % lines.length];
    if (line === undefined) throw new Error("There are no lines");
    const holder = holders[made % holders.length] ?? null;
    made += 1;
    // Ids come in no order, like those that banks give.
    const scattered = (Math.imul(made, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");
    const id = `${scattered}-${String(made)}`;
    const date = Date.parse(line.date) / DAY_MS;
    return { ...line, id, date, account_holder_id: holder, location: null };
  }

  async function toMessage(length: number, requestId: string): Promise<Message> {
    const transactions = Array.from({ length }, nextTransaction);
    const fields = { org: org.org, request_id: requestId, transactions };
    const value = await registry.encode(schemaId, fields);
    const signed = `v2 ${org.keyId}:${String(Math.floor(Date.now() / 1000))}:`;
    const mac = createHmac("sha256", org.secret).update(signed).update(value).digest("hex");
    return { value, headers: { "ledgerline-signature": signed + mac } };
  }

  /** All to one partition, to each in turn. */
  async function send(messages: readonly Message[]): Promise<void> {
    turn += 1;
    const partition = turn % partitions;
    const compression = CompressionTypes.GZIP;
    const placed = messages.map((one) => ({ ...one, partition }));
    await producer.send({ topic: org.topic, messages: placed, acks: -1, compression });
  }

  const records: Message[] = [];
  for (let index = 0; index < count / chunk; index += 1) records.push(await toMessage(chunk, ""));
  let allowed = 0;
  let sent = 0;
  let isSending = false;

  async function sendAllowed(): Promise<void> {
    if (isSending) return;
    isSending = true;
    while (records.length > 0 && sent < allowed) {
      const messages = records.splice(0, Math.max(1, Math.floor(SENT_AT_ONCE / chunk)));
      await send(messages);
      sent += messages.length * chunk;
    }
    isSending = false;
  }

  async function pace(perSecond: number, forMs: number): Promise<void> {
    const startMs = sharedNowMs();
    const total = Math.floor((perSecond * forMs) / 1_000);
    let done = 0;
    while (done < total) {
      const due = Math.floor(((sharedNowMs() - startMs) * perSecond) / 1_000);
      const messages: Message[] = [];
      for (; done < Math.min(due, total); done += 1) {
        // A late sending counts as waiting.
        const dueMs = startMs + (done * 1_000) / perSecond;
        messages.push(await toMessage(1, String(dueMs)));
      }
      if (messages.length > 0) await send(messages);
      await delay(PACE_MS);
    }
    report({ kind: "paced" });
  }

  return async (order) => {
    if (order.kind === "pace") await pace(order.perSecond, order.forMs);
    else if (order.kind === "upTo") {
      allowed = order.transactions;
      await sendAllowed();
    }
  };
}

let obey: (order: ProducerOrder) => Promise<void> = () => Promise.resolve();

process.on("message", (order: ProducerOrder) => {
  const done =
    order.kind === "setup"
      ? open(order).then((opened) => {
          obey = opened;
          report({ kind: "ready" });
        })
      : obey(order);
  done.catch((error: unknown) => {
    process.stderr.write(`The producer failed: ${String(error)}\n`);
    process.exit(1);
  });
});
process.on("disconnect", () => process.exit());
