// What every test that uses the services takes for granted about them.
import { SchemaRegistry, SchemaType } from "@kafkajs/confluent-schema-registry";
import { ConfigResourceTypes, Kafka, logLevel } from "kafkajs";
import { MongoClient } from "mongodb";
import { expect, it } from "vitest";
import { describeWithServices, useServices } from "./use-services.ts";

const unique = `services-${String(process.pid)}-${Date.now().toString(36)}`;

describeWithServices("The services", () => {
  it("gives a topic whose records carry the broker's time, and reads back what was acknowledged", async () => {
    const { kafkaBrokers } = useServices();
    const kafka = new Kafka({
      brokers: kafkaBrokers.split(","),
      logLevel: logLevel.NOTHING,
    });
    const admin = kafka.admin();
    const producer = kafka.producer({ idempotent: true });
    const consumer = kafka.consumer({ groupId: unique });
    const configEntries = [{ name: "message.timestamp.type", value: "LogAppendTime" }];
    try {
      await Promise.all([admin.connect(), producer.connect(), consumer.connect()]);
      await admin.createTopics({ topics: [{ topic: unique, numPartitions: 3, configEntries }] });
      const described = await admin.describeConfigs({
        includeSynonyms: false,
        resources: [{ type: ConfigResourceTypes.TOPIC, name: unique }],
      });
      expect(described.resources[0]?.configEntries).toContainEqual(
        expect.objectContaining({
          configName: "message.timestamp.type",
          configValue: "LogAppendTime",
        }),
      );
      const messages = [{ key: "k", value: "v", timestamp: "1" }];
      const [sent] = await producer.send({ topic: unique, acks: -1, messages });
      await consumer.subscribe({ topics: [unique], fromBeginning: true });
      const received = new Promise<{ value: string | undefined; timestamp: string }>((resolve) => {
        void consumer.run({
          eachMessage: ({ message }) => {
            resolve({ value: message.value?.toString(), timestamp: message.timestamp });
            return Promise.resolve();
          },
        });
      });
      const { value, timestamp } = await received;
      expect(value).toBe("v");
      expect(Number(timestamp)).toBeGreaterThan(1);
      expect(timestamp).toBe(sent?.logAppendTime);
    } finally {
      await consumer.disconnect();
      await producer.disconnect();
      await admin.deleteTopics({ topics: [unique] });
      await admin.disconnect();
    }
  });

  it("registers a schema, and refuses the next version when old readers could not read it", async () => {
    const registry = new SchemaRegistry({ host: useServices().schemaRegistryUrl });
    const record = (fields: readonly object[]): string =>
      JSON.stringify({ type: "record", name: "Line", namespace: "test.services", fields });
    const register = (schema: string): Promise<{ id: number }> =>
      registry.register({ type: SchemaType.AVRO, schema }, { subject: unique });
    const { id } = await register(record([{ name: "amount", type: "long" }]));
    const encoded = await registry.encode(id, { amount: 650 });
    expect(encoded.readUInt8(0)).toBe(0);
    expect(encoded.readUInt32BE(1)).toBe(id);
    expect(await registry.decode(encoded)).toEqual({ amount: 650 });
    await expect(register(record([{ name: "amount", type: "string" }]))).rejects.toThrow(
      /incompatible/i,
    );
  });

  it("runs a transaction over two collections and undoes one that fails", async () => {
    const client = new MongoClient(useServices().mongodbUrl);
    try {
      const database = client.db(unique);
      const [left, right] = [database.collection("left"), database.collection("right")];
      const write = (fails: boolean): Promise<void> =>
        client.withSession((session) =>
          session.withTransaction(async () => {
            await left.insertOne({ fails }, { session });
            await right.insertOne({ fails }, { session });
            if (fails) throw new Error("undo");
          }),
        );
      await write(false);
      await expect(write(true)).rejects.toThrow("undo");
      expect(await left.countDocuments()).toBe(1);
      expect(await right.countDocuments()).toBe(1);
      await database.dropDatabase();
    } finally {
      await client.close();
    }
  });
});
