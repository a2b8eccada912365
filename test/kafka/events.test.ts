// Events as programs outside read them, and what Ledgerline makes of records that it did not write.
import { beforeAll, expect, it } from "vitest";
import { type Config, readConfig } from "../../src/config/config.ts";
import { eventId } from "../../src/events/events.ts";
import { answered } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { until } from "../support/poll.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { startService, type TestService } from "../support/service.ts";
import { findPython, type Language, runProgram } from "./languages.ts";
import { distributedOf, joinFromOutside } from "./outside.ts";

const BATCHES = 12;
const WEBHOOKS: Config["webhooks"] = {
  ...readConfig({}, 1).webhooks,
  allowCidrs: ["127.0.0.0/8"],
  allowHttp: true,
};

let python: Language;

beforeAll(async () => {
  python = await findPython();
}, 600_000);

async function startSubscribed(): Promise<{ service: TestService; receiver: Receiver }> {
  const service = await startService({ config: { webhooks: WEBHOOKS } });
  const receiver = await startReceiver();
  const body = { url: `${receiver.url}/hook`, events: ["batches.completed"] };
  answered(await service.client.call("POST", "/v3/webhooks", body), 200);
  return { service, receiver };
}

it("every event is on `events` with the id and the bytes that webhooks get, the events of a resource under one key", async () => {
  const { service, receiver } = await startSubscribed();
  const outside = await joinFromOutside(service);
  const batches: string[] = [];
  for (let index = 0; index < BATCHES; index += 1)
    batches.push(answered(await service.client.submitBatch([coffee(`t${String(index)}`)]), 200).id);
  await until("all calls", () =>
    new Set(receiver.calls.map(({ body }) => body)).size >= BATCHES ? true : null,
  );
  const bodies = new Map(receiver.calls.map(({ headers, body }) => [headers["webhook-id"], body]));

  const records = await outside.events();
  expect(new Set(records.map(({ record }) => record.resource_id))).toEqual(new Set(batches));
  for (const { key, record } of records) {
    const id = eventId("default", "batches.completed", record.resource_id);
    expect(key).toBe(JSON.stringify(["default", record.resource_id]));
    expect(record).toMatchObject({ org: "default", event_id: id, sequence: 1 });
    expect(record.event_type).toBe("batches.completed");
    expect(record.body).toBe(bodies.get(id));
  }

  const { kafka, schemaRegistryUrl } = distributedOf(service);
  const printed = await runProgram(python, "../../examples/kafka/events.py", {
    KAFKA_BROKERS: kafka.brokers.join(","),
    EVENTS_TOPIC: outside.topic("org.default.events"),
    SCHEMA_REGISTRY_URL: schemaRegistryUrl,
    GROUP_PREFIX: `${kafka.groupPrefix}org.default.`,
    COUNT: String(BATCHES),
  });
  expect(printed.trim().split("\n").toSorted()).toEqual([...bodies.values()].toSorted());
});

it("a record on `events` that Ledgerline did not write is a dead letter and makes no call; those behind it do", async () => {
  const { service, receiver } = await startSubscribed();
  const outside = await joinFromOutside(service);
  const first = answered(await service.client.submitBatch([coffee("t1")]), 200).id;
  await until("the first call", () => receiver.calls[0] ?? null);
  const [own] = await outside.events();
  const schemaId = await outside.registry.getLatestSchemaId(`${outside.topic("events")}-value`);
  const forged = await outside.registry.encode(schemaId, { ...own?.record, event_id: "forged" });
  const messages = [0, 1].flatMap((partition) => [
    { partition, key: own?.key ?? null, value: forged },
    { partition, key: own?.key ?? null, value: Buffer.from("no Avro") },
  ]);
  await outside.producer.send({ topic: outside.topic("events"), messages });
  const second = answered(await service.client.submitBatch([coffee("t2")]), 200).id;
  await until("the second call", () => receiver.calls[1] ?? null);
  const letters = await until("the dead letters", async () => {
    const all = [...(await outside.deadLetters()).values()];
    return all.length >= messages.length ? all : null;
  });
  expect(letters.map(({ topic, reason }) => [topic, reason])).toEqual(
    messages.map(() => [outside.topic("events"), "unsigned"]),
  );
  expect(receiver.events().map(({ data }) => data.id)).toEqual([first, second]);
});
