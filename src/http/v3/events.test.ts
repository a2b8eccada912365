import { readFileSync } from "node:fs";
import asyncApiSpecs from "@asyncapi/specs";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { EVENT_TYPES, TEST_EVENT_TYPE } from "../../model/event.ts";
import { startServer } from "../../../test/support/http-server.ts";
import { eventExample, eventSchema, type SentEventType } from "./event-catalog.ts";

interface CatalogEntry {
  readonly event_type: SentEventType;
  readonly sent: boolean;
  readonly description: string;
  readonly schema?: object;
  readonly example?: object;
}

interface Message {
  readonly headers: { readonly $ref: string };
  readonly payload: { readonly $ref: string };
  readonly examples?: readonly { readonly payload: unknown }[];
}
interface AsyncApi {
  readonly asyncapi: string;
  readonly channels: Readonly<
    Record<string, { readonly messages: Readonly<Record<string, unknown>> }>
  >;
  readonly components: {
    readonly messages: Readonly<Record<string, Message>>;
    readonly schemas: Readonly<Record<string, { readonly properties?: object }>>;
  };
}

/** Messages of the topics for other programs. */
const RECORDS = ["EnrichmentRequest", "EnrichmentReply", "EnrichedTransaction", "Event"];

async function read(path: string): Promise<unknown> {
  await using server = await startServer();
  const answer = await server.call("GET", path, { key: null });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toBe("application/json");
  return answer.json;
}

test("the catalog has every type that can be subscribed to, and all of them are sent", async () => {
  const { events } = (await read("/events/catalog")) as { events: readonly CatalogEntry[] };
  expect(events.map((event) => event.event_type)).toEqual(EVENT_TYPES);
  for (const event of events) expect(event).toMatchObject({ sent: true, schema: {}, example: {} });
});

test("the examples of the catalog are what their schemas describe", async () => {
  const { events } = (await read("/events/catalog")) as { events: readonly CatalogEntry[] };
  for (const { event_type: type, example } of events) {
    expect(eventSchema(type).parse(example)).toEqual(example);
    const other = type === "batches.error" ? "batches.completed" : "batches.error";
    expect(eventSchema(other).safeParse(example).success).toBe(false);
  }
});

test("a schema of the catalog can be taken out as it is", async () => {
  const { events } = (await read("/events/catalog")) as { events: readonly CatalogEntry[] };
  const { schema } = events.find((event) => event.event_type === "batches.completed") ?? {};
  expect(JSON.stringify(schema)).not.toContain("$ref");
  expect(schema).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    required: ["event_id", "event_type", "data"],
    properties: {
      event_type: { enum: ["batches.completed"] },
      data: { properties: { status: { enum: ["processing", "completed", "error"] } } },
    },
  });
});

test("the AsyncAPI document has a message for every type, with the headers of a call", async () => {
  const document = (await read("/asyncapi.json")) as AsyncApi;
  expect(document.asyncapi).toBe("3.0.0");
  const types = [...EVENT_TYPES, TEST_EVENT_TYPE];
  expect(Object.keys(document.channels["webhook"]?.messages ?? {})).toEqual(types);
  expect(Object.keys(document.components.messages)).toEqual([...types, ...RECORDS]);
  const headers = document.components.schemas["EventHeaders"]?.properties ?? {};
  expect(Object.keys(headers)).toEqual([
    "webhook-id",
    "webhook-timestamp",
    "webhook-sequence",
    "webhook-signature",
    "X-Request-ID",
    "X-Service-Token",
    "X-Service-Token-Previous",
    "webhook-replay",
  ]);
});

test("every message of the AsyncAPI document has its own type in its payload, and the catalog's example", async () => {
  const { components } = (await read("/asyncapi.json")) as AsyncApi;
  for (const [type, message] of Object.entries(components.messages)) {
    if (RECORDS.some((name) => name === type)) continue;
    const name = message.payload.$ref.replace("#/components/schemas/", "");
    expect(components.schemas[name]).toMatchObject({
      properties: { event_type: { enum: [type] } },
    });
    const example = eventExample(type as SentEventType);
    expect(message.examples ?? null).toEqual(example === null ? null : [{ payload: example }]);
  }
});

test("the AsyncAPI document is valid by the schema of the specification", async () => {
  const document = await read("/asyncapi.json");
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(
    asyncApiSpecs.schemasWithoutId["3.0.0"] as object,
  );
  validate(document);
  expect(validate.errors ?? []).toEqual([]);
  expect(validate({ ...(document as object), channels: { events: { address: 1 } } })).toBe(false);
});

test("the AsyncAPI document has the Avro schema of every topic for other programs, with its key", async () => {
  const { channels, components } = (await read("/asyncapi.json")) as AsyncApi;
  expect(Object.keys(channels)).toEqual(["webhook", "requests", "replies", "enriched", "events"]);
  expect(channels["events"]?.messages).toEqual({
    Event: { $ref: "#/components/messages/Event" },
  });
  for (const name of RECORDS) {
    const text = readFileSync(new URL(`../../../schemas/${name}.avsc`, import.meta.url), "utf8");
    expect(components.messages[name]?.payload).toMatchObject({
      schema: JSON.parse(text) as object,
    });
  }
  expect(components.messages["Event"]).toMatchObject({
    bindings: { kafka: { key: { description: "JSON text of [organization, resource id]." } } },
  });
});

test("every reference of the AsyncAPI document leads somewhere", async () => {
  const document = await read("/asyncapi.json");
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(20);
  for (const [, path = ""] of references) {
    const found = path.split("/").reduce<unknown>((node, key) => {
      return (node as Readonly<Record<string, unknown>> | undefined)?.[key];
    }, document);
    expect([path, typeof found]).toEqual([path, "object"]);
  }
});

test("the public key of signatures needs no API key", async () => {
  await using without = await startServer();
  expect((await without.call("GET", "/webhooks/public-key", { key: null })).status).toBe(404);
  await using server = await startServer({ publicKey: "whpk_AAAA" });
  const answer = await server.call("GET", "/webhooks/public-key", { key: null });
  expect([answer.status, answer.json]).toEqual([200, { public_key: "whpk_AAAA" }]);
  expect((await server.call("POST", "/webhooks/public-key", { key: null })).status).toBe(405);
});
