// What a real registry accepts: schemas of releases one after the other, and no change that would break a reader or a writer;
// and producers and consumers of other versions next to a real service.
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { createWireCodec, readSchema, type SchemaRegistry } from "../../src/log/codec.ts";
import { createConfluentRegistry } from "../../src/log/kafka/registry.ts";
import { readReleases } from "../schemas/releases.ts";
import { answered } from "../support/client.ts";
import { realServices } from "../support/distributed.ts";
import { startService } from "../support/service.ts";
import { joinFromOutside, purchase, readAll } from "./outside.ts";

const { schemaRegistryUrl: url } = realServices("compatibility");

function openRegistry(pause: (ms: number) => Promise<void> = wait): SchemaRegistry {
  return createConfluentRegistry({ url, nowMs: Date.now, random: Math.random, wait: pause });
}

/** Tries as often as any other, at once: what is refused for what it is stays refused. */
const openImpatientRegistry = (): SchemaRegistry => openRegistry(() => Promise.resolve());

/** What fields are for is registered with them, and makes no other schema. */
function isSame(schema: string, other: string): boolean {
  const withoutDocs = (text: string): string =>
    JSON.stringify(JSON.parse(text), (name, value: unknown) =>
      name === "doc" ? undefined : value,
    );
  return withoutDocs(schema) === withoutDocs(other);
}

interface RecordSchema {
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly type: unknown }[];
}

it.each(readReleases())(
  "$name of release $release, then of today: taken; both are then read by their ids; what breaks either side: refused",
  async ({ name, text: released }) => {
    const registry = openRegistry();
    const subject = `${name}-${randomUUID()}-value`;
    const first = await registry.register(subject, released);
    const current = readSchema(name);
    const second = await registry.register(subject, current);
    // One that has not changed since is the same.
    expect(second === first).toBe(isSame(released, current));
    // Again, by another process that starts at the same time, and after that.
    const others = await Promise.all(
      [1, 2, 3].map(() => openRegistry().register(subject, current)),
    );
    expect(new Set([...others, second]).size).toBe(1);

    const config = await fetch(`${url}/config/${subject}`);
    expect(await config.json()).toMatchObject({ compatibilityLevel: "FULL_TRANSITIVE" });
    const text = await openRegistry().schema(first);
    const names = (JSON.parse(released) as RecordSchema).fields.map((field) => field.name);
    const read = JSON.parse(text ?? "") as RecordSchema;
    expect(read.fields.map((field) => field.name)).toEqual(names);

    const schema = JSON.parse(current) as RecordSchema;
    const added = { name: "new_field_without_default", type: "string" };
    const changes: RecordSchema[] = [
      { ...schema, fields: [...schema.fields, added] },
      // What today reads, and those of before could not.
      { ...schema, fields: schema.fields.slice(1) },
      {
        ...schema,
        fields: schema.fields.map((field, index) =>
          index === 0 ? { ...field, type: "boolean" } : field,
        ),
      },
    ];
    const impatient = openImpatientRegistry();
    for (const change of changes) {
      await expect(impatient.register(subject, JSON.stringify(change))).rejects.toMatchObject({
        code: "misconfigured",
      });
    }
  },
);

it("a subject of an earlier version, which is BACKWARD, becomes FULL_TRANSITIVE", async () => {
  const subject = `raised-${randomUUID()}-value`;
  const schema = readSchema("DeadLetter");
  await openRegistry().register(subject, schema);
  const level = async (): Promise<unknown> => (await fetch(`${url}/config/${subject}`)).json();
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ compatibility: "BACKWARD" });
  await fetch(`${url}/config/${subject}`, { method: "PUT", headers, body });
  expect(await level()).toMatchObject({ compatibilityLevel: "BACKWARD" });
  await openRegistry().register(subject, schema);
  expect(await level()).toMatchObject({ compatibilityLevel: "FULL_TRANSITIVE" });
});

/** A later version of a schema, as far as the rules allow one. */
function nextVersion(text: string): object {
  const schema = JSON.parse(text) as RecordSchema;
  const added = { name: "of_a_later_version", type: ["null", "string"], default: null };
  return { ...schema, fields: [added, ...schema.fields] };
}

/** What the topics of an installation contain, by the schema that it is read with. */
const TOPICS = {
  requests: "EnrichmentRequest",
  "requests-interactive": "EnrichmentRequest",
  replies: "EnrichmentReply",
  enriched: "EnrichedTransaction",
  "dead-letters": "DeadLetter",
} as const;

it("producers of released and of later versions write for the service of today, and consumers of each read all of it", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  const releases = readReleases();
  const latest = readSchema("EnrichmentRequest");
  const writers = [
    ...releases.filter(({ name }) => name === "EnrichmentRequest").map(({ text }) => text),
    JSON.stringify(nextVersion(latest)),
  ];
  for (const [index, text] of writers.entries()) {
    const id = await outside.registerOwn(JSON.parse(text) as object);
    const transactions = [purchase(`of writer ${String(index)}`)];
    const reply = { reply_to: { address: "1.test", id: String(index) } };
    const fields = { of_a_later_version: "x", batch_id: `b${String(index)}`, ...reply };
    await outside.send(outside.signed(await outside.encode({ transactions, ...fields }, id)));
  }
  await outside.send({ key: "unsigned", value: await outside.encode() });
  const call = { description: "d", date: "2026-05-04", amount: 1, currency: "USD" };
  answered(await service.client.enrich({ id: "call", entry_type: "outgoing", ...call }), 200);
  await outside.settled();
  const rows = await service.client.listAll<{ id: string }>("/v3/transactions");
  expect(rows.map(({ id }) => id).toSorted()).toEqual(
    ["call", ...writers.map((_, index) => `of writer ${String(index)}`)].toSorted(),
  );
  expect([...(await outside.deadLetters()).values()].map(({ key }) => key)).toEqual(["unsigned"]);

  for (const [topic, name] of Object.entries(TOPICS)) {
    const records = await readAll(outside.kafka, outside.topic(topic));
    const values = records.map(({ value }) => value).filter((value) => value.length > 0);
    expect([topic, values.length > 0]).toEqual([topic, true]);
    const readers = [
      ...releases.filter((release) => release.name === name).map(({ text }) => text),
      JSON.stringify(nextVersion(readSchema(name))),
    ];
    for (const reader of readers) {
      const codec = await createWireCodec<object>(ownSubject(openRegistry()), topic, reader);
      for (const value of values) expect(await codec.decode(value)).toBeTypeOf("object");
    }
  }
});

/** Consumers register nothing under the subjects of the topics. */
function ownSubject(registry: SchemaRegistry): SchemaRegistry {
  return {
    ...registry,
    register: (_subject, schema) => registry.register(`reader-${randomUUID()}`, schema),
  };
}

it("an unknown schema id fails, and an id that is registered later works after ten seconds", async () => {
  const clock = { nowMs: 0 };
  const registry = createConfluentRegistry({
    url,
    nowMs: () => clock.nowMs,
    random: Math.random,
    wait,
  });
  expect(await registry.schema(2_000_000_001)).toBeNull();
  const id = await openRegistry().register(`late-${randomUUID()}-value`, readSchema("DeadLetter"));
  clock.nowMs = 10_001;
  expect(await registry.schema(id)).not.toBeNull();
});
