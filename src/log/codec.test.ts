import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EnrichmentRequest } from "../domain/records.ts";
import { createDeadLetterCodec, createRequestCodec, type SchemaRegistry } from "./codec.ts";

function memoryRegistry(): SchemaRegistry & { readonly texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
    register: (_subject, schema) => {
      if (!texts.includes(schema)) texts.push(schema);
      return texts.indexOf(schema) + 1;
    },
    schema: (id) => texts[id - 1] ?? null,
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
  origin: fc.constantFrom("v3", "batch", "assign"),
  batchId: nullable(text),
  chunkIndex: fc.nat(99),
  chunkCount: fc.nat(99),
  total: fc.nat(24_960),
  createdAt: fc.nat(4_102_444_800_000),
  replyTo: nullable(fc.record({ address: text, id: text })),
  basedOn: nullable(text),
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
  it("every request survives Avro unchanged, amounts to the last bit", () => {
    const codec = createRequestCodec(memoryRegistry());
    fc.assert(
      fc.property(request, (value) => {
        expect(codec.decode(codec.encode(value))).toEqual(value);
      }),
    );
  });

  it("bytes begin with the Confluent header: zero, then the schema id, big endian", () => {
    const registry = memoryRegistry();
    registry.register("other", '"string"');
    const codec = createDeadLetterCodec(registry);
    const letter = {
      topic: "t",
      partition: 0,
      offset: 7,
      reason: "undecodable",
      error: "e",
      original: Buffer.from("x"),
    } as const;
    const bytes = codec.encode(letter);
    expect([...bytes.subarray(0, 5)]).toEqual([0, 0, 0, 0, 2]);
    expect(codec.decode(bytes)).toEqual(letter);
  });

  it("no bytes whatever make it throw anything but UndecodableRecord, and no message quotes them", () => {
    const codec = createRequestCodec(memoryRegistry());
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (body, withHeader) => {
        const bytes = withHeader
          ? Buffer.concat([Buffer.from([0, 0, 0, 0, 1]), body])
          : Buffer.from(body);
        try {
          codec.decode(bytes);
        } catch (error) {
          expect(error).toMatchObject({ name: "UndecodableRecord" });
        }
      }),
      { numRuns: 500 },
    );
    const secret = Buffer.concat([Buffer.from([0, 0, 0, 0, 9]), Buffer.from("account 12345678")]);
    expect(() => codec.decode(secret)).toThrow(/^schema id 9 is unknown$/);
  });

  it("a record written with an older schema is read with the defaults of the newer", () => {
    const registry = memoryRegistry();
    const codec = createRequestCodec(registry);
    const current = JSON.parse(registry.texts[0] ?? "") as { fields: { name: string }[] };
    const older = {
      ...current,
      fields: current.fields.filter((field) => field.name !== "based_on"),
    };
    const olderCodecRegistry: SchemaRegistry = {
      register: registry.register,
      schema: (id) => (id === 77 ? JSON.stringify(older) : registry.schema(id)),
    };
    const reader = createRequestCodec(olderCodecRegistry);
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
      transactions: [],
    };
    const bytes = codec.encode(value);
    // `based_on` is the second to last field and null: one byte before the empty array's single zero.
    const withoutField = Buffer.concat([bytes.subarray(0, -2), bytes.subarray(-1)]);
    withoutField.writeUInt32BE(77, 1);
    expect(reader.decode(withoutField)).toEqual(value);
  });
});
