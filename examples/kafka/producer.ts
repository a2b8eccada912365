// Sends transactions to Ledgerline over Kafka. One JSON object of the API a line: node producer.ts < transactions.jsonl
// Prints the id of each batch that they are: GET /v3/batches/{id} follows it, and its event reports its end.
import { createHmac, randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { SchemaRegistry } from "@kafkajs/confluent-schema-registry";
import { CompressionTypes, Kafka } from "kafkajs";

const { KAFKA_BROKERS = "", SCHEMA_REGISTRY_URL = "", KAFKA_TOPIC_PREFIX = "" } = process.env;
const { SIGNING_SECRET = "", SIGNING_KEY_ID = "", ORGANIZATION = "" } = process.env;
const topic = `${KAFKA_TOPIC_PREFIX}requests`;
/** Transactions of a record, and of a batch: the most that Ledgerline takes. */
const CHUNK = 250;
const BATCH = 24_960;

const lines = (await text(process.stdin)).split("\n").filter((line) => line !== "");
const transactions = lines.map((line) => {
  const transaction = JSON.parse(line) as { date: string };
  return { ...transaction, date: Date.parse(transaction.date) / 86_400_000 };
});

const registry = new SchemaRegistry({ host: SCHEMA_REGISTRY_URL });
const schemaId = await registry.getLatestSchemaId(`${topic}-value`);
const kafka = new Kafka({ clientId: "batch-producer", brokers: KAFKA_BROKERS.split(",") });
const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
await producer.connect();
try {
  for (let from = 0; from < transactions.length; from += BATCH) {
    const batch = transactions.slice(from, from + BATCH);
    const batchId = randomUUID();
    // All records of a batch say how many they are, and how many transactions are in them together.
    const [total, chunkCount] = [batch.length, Math.ceil(batch.length / CHUNK)];
    const head = { org: ORGANIZATION, batch_id: batchId, chunk_count: chunkCount, total };
    for (let index = 0; index < chunkCount; index += 1) {
      const chunk = batch.slice(index * CHUNK, (index + 1) * CHUNK);
      // Fields that are left out get the defaults of the schema.
      const record = { ...head, chunk_index: index, transactions: chunk };
      const value = await registry.encode(schemaId, record);
      // Just before it is sent: Kafka must append it within five minutes of this time.
      const signed = `v2 ${SIGNING_KEY_ID}:${String(Math.floor(Date.now() / 1000))}:`;
      const mac = createHmac("sha256", SIGNING_SECRET).update(signed).update(value).digest("hex");
      const headers = { "ledgerline-signature": signed + mac };
      // Resolves when the record is safe, and fails, with exit code 1, when it may not be.
      const messages = [{ value, headers }];
      await producer.send({ topic, acks: -1, compression: CompressionTypes.GZIP, messages });
    }
    process.stdout.write(`${batchId}\n`);
  }
} finally {
  await producer.disconnect();
}
