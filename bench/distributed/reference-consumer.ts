// The simplest consumer: `eachMessage` of the Kafka client, the decoder of the registry's client, the recogniser
// in the same thread, and one insert for each transaction, waited for. It checks no signature, publishes nothing, keeps no
// order and does not ask for account holders. It reads the records that Ledgerline reads and writes the same rows.
import { SchemaRegistry } from "@kafkajs/confluent-schema-registry";
import { Kafka, logLevel } from "kafkajs";
import { MongoClient } from "mongodb";
import { loadKnowledge } from "../../src/pool/knowledge.ts";
import { createRecogniser } from "../../workers/recogniser/recogniser.ts";
import { openKnowledge } from "../../workers/knowledge/knowledge.ts";

interface Transaction {
  readonly id: string;
  readonly description: string;
  readonly date: number;
  readonly amount: number;
  readonly entry_type: "incoming" | "outgoing";
  readonly currency: string;
  readonly account_holder_id: string | null;
}

const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
};

const recognise = createRecogniser(openKnowledge((await loadKnowledge()).bytes));
const registry = new SchemaRegistry({ host: setting("SCHEMA_REGISTRY_URL") });
const mongo = await new MongoClient(setting("MONGODB_URL")).connect();
const transactions = mongo.db().collection<{ _id: object }>("transactions");
const kafka = new Kafka({
  brokers: setting("KAFKA_BROKERS").split(","),
  logLevel: logLevel.ERROR,
});
const consumer = kafka.consumer({ groupId: setting("KAFKA_GROUP") });
await consumer.connect();
await consumer.subscribe({ topics: [setting("KAFKA_TOPIC")], fromBeginning: true });
await consumer.run({
  eachMessage: async ({ partition, message }) => {
    if (message.value === null) return;
    const request = (await registry.decode(message.value)) as {
      readonly org: string;
      readonly transactions: readonly Transaction[];
    };
    for (const {
      id,
      entry_type: entryType,
      account_holder_id: holderId,
      ...one
    } of request.transactions) {
      const facts = recognise({
        description: one.description,
        amount: one.amount,
        entryType,
        currency: one.currency,
        accountType: "consumer",
        rawAddress: null,
        country: null,
      });
      await transactions.insertOne({
        _id: { org: request.org, id },
        ...{ org: request.org, id, holderId, ...one, entryType, location: null },
        createdAt: Number(message.timestamp),
        order: `${message.timestamp}-${String(partition)}-${message.offset}-${id}`,
        ...{ deleted: 0, error: null, facts: JSON.stringify(facts) },
      } as { _id: object });
    }
  },
});
