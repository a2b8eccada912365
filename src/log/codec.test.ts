import avro from "avsc";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EnrichmentRequest } from "../model/records.ts";
import type { SchemaRegistry } from "./codec.ts";
import { createDeadLetterCodec, createRequestCodec } from "./record-codecs.ts";
import { BATCH_PRIORITIES } from "../shared/concurrency/priority.ts";

function memoryRegistry(): SchemaRegistry & { readonly texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
    register: (_subject, schema) => {
      if (!texts.includes(schema)) texts.push(schema);
      return Promise.resolve(texts.indexOf(schema) + 1);
    },
    schema: (id) => Promise.resolve(texts[id - 1] ?? null),
  };
}

const text = fc.string({ unit: "grapheme", maxLength: 30 });
const nullable = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary);
const calendarDate = fc
  .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const request: fc.Arbitrary<EnrichmentRequest> = fc.record({
  org: text,
  requestId: text,
  origin: fc.constantFrom("v3", "batch", "assign", "kafka", "statement"),
  batchId: nullable(text),
  chunkIndex: fc.nat(99),
  chunkCount: fc.nat(99),
  total: fc.nat(24_960),
  createdAt: fc.nat(4_102_444_800_000),
  replyTo: nullable(fc.record({ address: text, id: text })),
  basedOn: nullable(text),
  priority: fc.constantFrom(...BATCH_PRIORITIES),
  transactions: fc.array(
    fc.record({
      id: text,
      description: text,
      date: calendarDate,
      amount: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map(Math.abs),
      entryType: fc.constantFrom("incoming", "outgoing"),
      currency: fc.constantFrom("USD", "EUR"),
      accountHolderId: nullable(text),
      location: nullable(fc.record({ rawAddress: nullable(text), country: nullable(text) })),
    }),
    { maxLength: 5 },
  ),
});

describe("record codec", () => {
  it("every request survives Avro unchanged, amounts to the last bit", async () => {
    const codec = await createRequestCodec(memoryRegistry(), "requests");
    await fc.assert(
      fc.asyncProperty(request, async (value) => {
        expect(await codec.decode(codec.encode(value))).toEqual(value);
      }),
    );
  });

  it("bytes begin with the Confluent header: zero, then the schema id, big endian", async () => {
    const registry = memoryRegistry();
    await registry.register("other", '"string"');
    const codec = await createDeadLetterCodec(registry, "dead-letters");
    const letter = {
      topic: "t",
      partition: 0,
      offset: 7,
      reason: "undecodable",
      error: "e",
      original: Buffer.from("x"),
      key: "k",
      headers: { h: Buffer.from("v") },
      order: "1",
      failedAt: 1_700_000_000_123,
    } as const;
    const bytes = codec.encode(letter);
    expect([...bytes.subarray(0, 5)]).toEqual([0, 0, 0, 0, 2]);
    expect(await codec.decode(bytes)).toEqual(letter);
  });

  it("no bytes whatever make it throw anything but UndecodableRecord, and no message quotes them", async () => {
    const codec = await createRequestCodec(memoryRegistry(), "requests");
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), fc.boolean(), async (body, withHeader) => {
        const bytes = withHeader
          ? Buffer.concat([Buffer.from([0, 0, 0, 0, 1]), body])
          : Buffer.from(body);
        try {
          await codec.decode(bytes);
        } catch (error) {
          expect(error).toMatchObject({ name: "UndecodableRecord" });
        }
      }),
      { numRuns: 500 },
    );
    const secret = Buffer.concat([Buffer.from([0, 0, 0, 0, 9]), Buffer.from("account 12345678")]);
    await expect(codec.decode(secret)).rejects.toThrow(/^schema id 9 is unknown$/);
  });

  it("a record written with an older schema is read with the defaults of the newer", async () => {
    const registry = memoryRegistry();
    const codec = await createRequestCodec(registry, "requests");
    const current = JSON.parse(registry.texts[0] ?? "") as { fields: { name: string }[] };
    const older = {
      ...current,
      fields: current.fields.filter((field) => field.name !== "priority"),
    };
    const olderCodecRegistry: SchemaRegistry = {
      register: registry.register,
      schema: (id) => (id === 77 ? Promise.resolve(JSON.stringify(older)) : registry.schema(id)),
    };
    const reader = await createRequestCodec(olderCodecRegistry, "requests");
    const value: EnrichmentRequest = {
      org: "o",
      requestId: "r",
      origin: "v3",
      batchId: null,
      chunkIndex: 0,
      chunkCount: 1,
      total: 0,
      createdAt: 5,
      replyTo: null,
      basedOn: null,
      priority: "default",
      transactions: [],
    };
    const bytes = codec.encode(value);
    // `priority` is the second to last field and its first symbol: one byte before the empty array's single zero.
    const withoutField = Buffer.concat([bytes.subarray(0, -2), bytes.subarray(-1)]);
    withoutField.writeUInt32BE(77, 1);
    expect(await reader.decode(withoutField)).toEqual(value);
  });

  it("an instant that was written in milliseconds, as logs of version 0.1 have it, is the same instant", async () => {
    const registry = memoryRegistry();
    const codec = await createRequestCodec(registry, "requests");
    const millis = (registry.texts[0] ?? "").replace("timestamp-micros", "timestamp-millis");
    const writer = avro.Type.forSchema(JSON.parse(millis) as avro.Schema, { wrapUnions: false });
    const body = writer.toBuffer({
      org: "o",
      created_at: 1_700_000_000_123,
      request_id: "r",
      origin: "v3",
      batch_id: null,
      chunk_index: 0,
      chunk_count: 1,
      total: 1,
      reply_to: null,
      based_on: null,
      transactions: [],
    });
    const id = await registry.register("requests-value", millis);
    const bytes = Buffer.concat([Buffer.from([0, 0, 0, 0, id]), body]);
    expect((await codec.decode(bytes)).createdAt).toBe(1_700_000_000_123);
  });
});
