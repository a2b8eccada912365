// Compares what an installation shows, and what is in MongoDB and Kafka, with what the oracles allow.
import { SchemaRegistry } from "@kafkajs/confluent-schema-registry";
import { type Document, MongoClient } from "mongodb";
import { eventId } from "../../src/events/events.ts";
import { type Complain, createComplaints, judgeApi, type Tally } from "../chaos/judge.ts";
import type { LoadResult } from "../chaos/load.ts";
import { type EnrichedMessage, type EventMessage, readAll } from "../kafka/outside.ts";
import { askKafka } from "../services/clients.ts";
import type { BatchResource } from "../support/client.ts";
import { createTestKafka } from "../support/distributed.ts";
import type { Installation } from "./installation.ts";
import { readLag } from "./lag.ts";

export interface Judgement extends Tally {
  /** What is not as it must be. */
  readonly problems: readonly string[];
  readonly events: number;
  /** Records that tell of results, repetitions included. */
  readonly announced: number;
}

/** The installation is stopped here. */
export async function judgeServices(
  installation: Installation,
  results: readonly LoadResult[],
): Promise<Judgement> {
  const { problems, complain } = createComplaints();
  const { config } = installation;
  const { batches, tally } = await judgeApi(installation.nextClient(), results, complain);
  for (const end of await installation.stop("SIGTERM")) complain(`after SIGTERM ${end}`);
  // Whatever was committed last was committed before the end.
  const lag = await readLag(config);
  if (lag !== 0) complain(`${String(lag)} records are not committed in the end`);
  const letters = await countRecords(installation, "dead-letters");
  if (letters > 0) complain(`${String(letters)} records are among the dead letters`);
  const mongo = new MongoClient(config.mongodbUrl);
  try {
    const events = await judgeEvents(mongo, batches, complain);
    await judgeLeftovers(mongo, complain);
    const announced = await judgeEnriched(installation, mongo, complain);
    return { problems, ...tally, events, announced };
  } finally {
    await mongo.close();
  }
}

/** Every stored event was published to `events`, with its body, and nothing else was. Returns how many records there are. */
export async function judgePublished(
  { config }: Pick<Installation, "config">,
  mongo: MongoClient,
  complain: Complain,
): Promise<number> {
  const kafka = createTestKafka(config.kafka.brokers);
  const registry = new SchemaRegistry({ host: config.schemaRegistryUrl });
  const records = await readAll(kafka, `${config.kafka.topicPrefix}events`);
  const published = new Map<string, string>();
  for (const { value } of records) {
    const { event_id: id, body } = (await registry.decode(value)) as EventMessage;
    if ((published.get(id) ?? body) !== body) complain(`${id} was published with several bodies`);
    published.set(id, body);
  }
  const stored = mongo.db().collection("events").find<Document>({});
  for await (const { eventId: id, body } of stored) {
    if (published.get(String(id)) !== String(body)) complain(`${String(id)} was never published`);
    published.delete(String(id));
  }
  for (const id of published.keys()) complain(`${id} was published and is not stored`);
  return records.length;
}

async function judgeEvents(
  mongo: MongoClient,
  batches: readonly BatchResource[],
  complain: Complain,
): Promise<number> {
  const events = await mongo.db().collection("events").find<Document>({}).toArray();
  const found = events.map((event) => String(event["eventId"])).sort();
  const expected = batches.map(({ id }) => eventId("default", "batches.completed", id)).sort();
  if (JSON.stringify(found) !== JSON.stringify(expected))
    complain(`${String(found.length)} events, not those of ${String(expected.length)} batches`);
  for (const event of events) {
    const body = String(event["body"]);
    const { data } = JSON.parse(body) as { data: BatchResource };
    if (data.status !== "completed" || data.progress !== data.total)
      complain(`an event contains ${body}`);
  }
  return events.length;
}

/** What a crash could leave behind, and no list of the API shows. */
async function judgeLeftovers(mongo: MongoClient, complain: Complain): Promise<void> {
  const database = mongo.db();
  const deleting = await database.collection("holders").countDocuments({ deleting: 1 });
  const deletions = await database.collection("holderDeletions").countDocuments({});
  if (deleting + deletions > 0)
    complain(`${String(deleting + deletions)} holders are half deleted`);
  const holders = (await database.collection("holders").distinct("id")) as readonly string[];
  const orphans = await database
    .collection("transactions")
    .countDocuments({ deleted: 0, holderId: { $nin: [null, ...holders] } });
  if (orphans > 0) complain(`${String(orphans)} transactions are without their holder`);
}

/** Every stored transaction was published to `enriched`, as it is stored. Returns how many records there are. */
async function judgeEnriched(
  { config }: Installation,
  mongo: MongoClient,
  complain: Complain,
): Promise<number> {
  const kafka = createTestKafka(config.kafka.brokers);
  const registry = new SchemaRegistry({ host: config.schemaRegistryUrl });
  const records = await readAll(kafka, `${config.kafka.topicPrefix}enriched`);
  const published = new Set<string>();
  for (const { key, value } of records) {
    const record = (await registry.decode(value)) as EnrichedMessage;
    const [, holderId] = JSON.parse(key) as readonly [string, string | null];
    published.add(JSON.stringify([record.id, record.order, holderId, record.description]));
  }
  const stored = mongo.db().collection("transactions").find<Document>({ deleted: 0 });
  for await (const { id, order, holderId, description } of stored) {
    const what = JSON.stringify([id, order, holderId, description]);
    if (!published.has(what)) complain(`never published: ${what}`);
  }
  return records.length;
}

async function countRecords({ config }: Installation, name: string): Promise<number> {
  const { brokers, topicPrefix } = config.kafka;
  const places = await askKafka(brokers, (admin) => admin.fetchTopicOffsets(topicPrefix + name));
  return places.reduce((sum, { low, high }) => sum + Number(high) - Number(low), 0);
}
