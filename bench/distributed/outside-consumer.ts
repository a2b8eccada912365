// A consumer that is not Ledgerline, as a process of its own: it reads the topics of results of some organizations.
import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import { SchemaRegistry } from "@kafkajs/confluent-schema-registry";
import kafkajs, { CompressionTypes, type TopicPartitionOffset } from "kafkajs";
import { createTestKafka } from "../../test/support/distributed.ts";
import {
  type ConsumerOrder,
  type ConsumerReport,
  type ConsumerSetup,
  sharedNowMs,
} from "./outside-orders.ts";

const REPORT_EVERY_MS = 50;
/** As the clients for Java and Python do by default. This client itself would commit after each batch, dozens of times a second. */
const COMMIT_EVERY_MS = 5_000;

// As docs/guides/kafka.md has it.
kafkajs.CompressionCodecs[CompressionTypes.ZSTD] = () => ({
  decompress: promisify(zstdDecompress),
});

const report = (message: ConsumerReport): void => {
  process.send?.(message);
};

let records = 0;
let isTiming = false;
let times: number[] = [];

async function open({ brokers, schemaRegistryUrl: host, topics, groupId }: ConsumerSetup) {
  const registry = new SchemaRegistry({ host });
  const consumer = createTestKafka(brokers).consumer({ groupId });
  const read = new Map<string, TopicPartitionOffset>();
  await consumer.connect();
  await consumer.subscribe({ topics: [...topics], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatch: async ({ batch }) => {
      const { topic, partition, messages } = batch;
      const atMs = sharedNowMs();
      const offset = String(Number(batch.lastOffset()) + 1);
      read.set(`${topic}/${String(partition)}`, { topic, partition, offset });
      records += messages.length;
      if (!isTiming) return;
      for (const { value } of messages) {
        if (value === null) continue;
        const { request_id: due } = (await registry.decode(value)) as { request_id: string };
        if (due !== "") times.push(atMs - Number(due));
      }
    },
  });
  setInterval(() => {
    report({ kind: "read", records });
  }, REPORT_EVERY_MS);
  setInterval(() => {
    // The next one has what this one may leave out.
    consumer.commitOffsets([...read.values()]).catch(() => undefined);
  }, COMMIT_EVERY_MS);
}

process.on("message", (order: ConsumerOrder) => {
  if (order.kind === "time") isTiming = true;
  else if (order.kind === "times") {
    report({ kind: "times", ms: times });
    times = [];
  } else {
    open(order).catch((error: unknown) => {
      process.stderr.write(`The consumer failed: ${String(error)}\n`);
      process.exit(1);
    });
  }
});
process.on("disconnect", () => process.exit());
