// What fault tests take for granted about servers that they kill.
import { SchemaRegistry, SchemaType } from "@kafkajs/confluent-schema-registry";
import { Kafka, logLevel, type Message, type Producer } from "kafkajs";
import { MongoClient } from "mongodb";
import { expect, it, onTestFinished } from "vitest";
import { until } from "../../support/poll.ts";
import { describeWithServices } from "../use-services.ts";
import { type KafkaCluster, type KafkaOptions, startKafka } from "./kafka.ts";
import { startMongo } from "./mongo.ts";
import { startRegistry } from "./registry.ts";

const TOPIC = "records";

async function openKafka(
  options: KafkaOptions,
): Promise<{ cluster: KafkaCluster; kafka: Kafka; producer: Producer }> {
  const cluster = await startKafka(options);
  onTestFinished(cluster.stop);
  const kafka = createClient(cluster.brokerList);
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: 3 }], waitForLeaders: true });
  await admin.disconnect();
  return { cluster, kafka, producer: await openProducer(kafka) };
}

function createClient(brokerList: string): Kafka {
  return new Kafka({
    brokers: brokerList.split(","),
    logLevel: logLevel.NOTHING,
    requestTimeout: 2_000,
    retry: { retries: 20, maxRetryTime: 1_000 },
  });
}

async function openProducer(kafka: Kafka): Promise<Producer> {
  const producer = kafka.producer();
  await producer.connect();
  onTestFinished(() => producer.disconnect());
  return producer;
}

/** Resolves when the node leads no partition any more. */
async function untilLeaderless(brokerList: string, nodeId: number): Promise<void> {
  await until(`node ${String(nodeId)} to lose its partitions`, async () => {
    // A new client each time: one that has met the frozen node waits for it.
    const admin = createClient(brokerList).admin();
    try {
      await admin.connect();
      const { topics } = await admin.fetchTopicMetadata({ topics: [TOPIC] });
      const leaders = topics.flatMap(({ partitions }) => partitions.map(({ leader }) => leader));
      return leaders.includes(nodeId) ? null : leaders;
    } finally {
      await admin.disconnect();
    }
  });
}

/** One partition per call: a call over several may lose records of a killed broker without saying so. */
async function send(producer: Producer, partition: number, value: string): Promise<void> {
  const messages: Message[] = [{ value, partition }];
  const [sent] = await producer.send({ topic: TOPIC, acks: -1, messages });
  if (sent?.baseOffset === undefined) throw new Error("The record was not acknowledged");
}

/** The different records; one whose acknowledgement was lost with its broker has been sent again. */
async function readAll(kafka: Kafka, count: number): Promise<string[]> {
  const consumer = kafka.consumer({ groupId: "reader" });
  await consumer.connect();
  await consumer.subscribe({ topics: [TOPIC], fromBeginning: true });
  const values = new Set<string>();
  await new Promise<void>((resolve) => {
    void consumer.run({
      eachMessage: ({ message }) => {
        values.add(String(message.value));
        if (values.size === count) resolve();
        return Promise.resolve();
      },
    });
  });
  await consumer.disconnect();
  return [...values].sort();
}

// Started on their own: nobody else may be using what these tests kill. Minutes, because a loaded machine may need them.
describeWithServices("A killed server", { timeout: 240_000 }, () => {
  it("keeps what a broker acknowledged when it is killed and started again", async () => {
    const { cluster, kafka, producer } = await openKafka({ brokers: 1 });
    for (const partition of [0, 1, 2]) await send(producer, partition, `a${String(partition)}`);
    const [node] = cluster.nodes;
    const before = node?.pid();
    await node?.kill("SIGKILL");
    expect(node?.pid()).toBeNull();
    await node?.restart();
    expect(node?.pid()).not.toBe(before);
    await send(producer, 0, "b0");
    expect(await readAll(kafka, 4)).toEqual(["a0", "a1", "a2", "b0"]);
  });

  it("takes and keeps records with one of three brokers killed, frozen or ended", async () => {
    const { cluster, kafka, producer } = await openKafka({ brokers: 3 });
    const [first, second, third] = cluster.nodes;
    if (first === undefined || second === undefined || third === undefined) {
      throw new Error("There should be three brokers");
    }
    const expected: string[] = [];
    const sendAll = async (name: string, by = producer): Promise<void> => {
      for (const partition of [0, 1, 2]) {
        const value = `${name}${String(partition)}`;
        await send(by, partition, value);
        expected.push(value);
      }
    };
    await sendAll("whole");
    await first.kill("SIGKILL");
    await sendAll("killed");
    await first.restart();
    await cluster.untilInSync();
    await second.kill("SIGSTOP");
    // The cluster goes on, but kafkajs would send to the frozen leader for ever: a timeout tells it nothing about leaders.
    const others = `${first.address},${third.address}`;
    await untilLeaderless(others, second.id);
    await sendAll("frozen", await openProducer(createClient(others)));
    await second.kill("SIGCONT");
    await cluster.untilInSync();
    await third.kill("SIGTERM");
    await sendAll("ended");
    await third.restart();
    await sendAll("whole again");
    expect(await readAll(kafka, expected.length)).toEqual(expected.sort());
  });

  it("keeps schemas and their ids when the registry is killed right after it registered them", async () => {
    const server = await startRegistry();
    onTestFinished(server.stop);
    const schema = JSON.stringify({ type: "record", name: "Line", namespace: "n", fields: [] });
    const register = (): Promise<{ id: number }> =>
      // A new client, because each remembers what it has registered.
      new SchemaRegistry({ host: server.url }).register(
        { type: SchemaType.AVRO, schema },
        { subject: "lines-value" },
      );
    const { id } = await register();
    await server.kill("SIGKILL");
    await server.restart();
    expect(await new SchemaRegistry({ host: server.url }).getLatestSchemaId("lines-value")).toBe(
      id,
    );
    expect(await register()).toEqual({ id });
  });

  it("elects another primary when MongoDB's is killed, and keeps what a majority wrote", async () => {
    const set = await startMongo({ nodes: 3 });
    onTestFinished(set.stop);
    const client = new MongoClient(set.url);
    onTestFinished(() => client.close());
    const lines = client
      .db("faults")
      .collection("lines", { writeConcern: { w: "majority", journal: true } });
    await lines.insertOne({ name: "before" });
    const killed = await set.primary();
    await set.nodes[killed]?.kill("SIGKILL");
    expect(await set.primary()).not.toBe(killed);
    await lines.insertOne({ name: "without" });
    await set.nodes[killed]?.restart();
    await lines.insertOne({ name: "after" });
    const names = (await lines.find().sort({ _id: 1 }).toArray()).map((line) =>
      String(line["name"]),
    );
    expect(names).toEqual(["before", "without", "after"]);
  });
});
