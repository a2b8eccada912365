import fc from "fast-check";
import { expect, it } from "vitest";
import { AvroBytes } from "../codec/avro-bytes.ts";
import type { Facts, Intermediary } from "../model/facts.ts";
import { writeFacts } from "../codec/facts-bytes.ts";
import type { EnrichedRecord } from "../model/records.ts";
import type { TransactionInput } from "../model/transaction.ts";
import { createWireCodec, readSchema, type SchemaRegistry } from "./codec.ts";
import { createEnrichedEncoder } from "./enriched-records.ts";

const registry: SchemaRegistry = {
  register: (subject) => Promise.resolve(subject === "enriched-value" ? 0x01020304 : 1),
  schema: () => Promise.resolve(null),
};
const codec = await createWireCodec<Record<string, unknown>>(
  registry,
  "enriched",
  readSchema("EnrichedTransaction"),
);
const encode = await createEnrichedEncoder(registry, "enriched");

/** The record as the schema has it, from which the Avro library makes the bytes that are right. */
function toWire({ input, result, ...record }: EnrichedRecord): Record<string, unknown> {
  const none = { entities: null, categories: null, location: null };
  const facts = result.facts === null ? none : (JSON.parse(result.facts) as Facts);
  return {
    ...facts,
    org: record.org,
    id: input.id,
    order: record.order,
    account_holder_id: input.accountHolderId,
    request_id: record.requestId,
    batch_id: record.batchId,
    created_at: record.createdAt,
    description: input.description,
    date: input.date,
    amount: input.amount,
    entry_type: input.entryType,
    currency: input.currency,
    error: result.error,
  };
}

function encodeFacts(facts: Facts): Uint8Array {
  const bytes = new AvroBytes();
  writeFacts(bytes, facts);
  return bytes.written();
}

// Also texts that are not ASCII, or longer than one byte of length can count.
const text = fc.oneof(
  fc.string({ maxLength: 80 }),
  fc.string({ unit: "grapheme", maxLength: 80 }),
  fc.string({ unit: "binary", maxLength: 80 }),
);
const nullable = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.option(value, { freq: 2 });
const date = fc
  .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10));
const names = {
  id: nullable(text),
  name: nullable(text),
  website: nullable(text),
  phone_number: nullable(text),
  tax_number: nullable(text),
  naics2017: nullable(text),
};
const entity: { readonly [Key in keyof Intermediary]: fc.Arbitrary<Intermediary[Key]> } = {
  ...names,
  logo: nullable(text),
  mccs: fc.array(fc.integer({ min: 0, max: 9_999 }), { maxLength: 3 }),
  parent: nullable(fc.record(names)),
};
// JSON has no negative zero.
const degrees = nullable(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
);
const structured = fc.record({
  street: nullable(text),
  city: nullable(text),
  state: nullable(text),
  postcode: nullable(text),
  country_code: nullable(text),
  country: nullable(text),
  house_number: nullable(text),
  latitude: degrees,
  longitude: degrees,
  google_maps_url: nullable(text),
  apple_maps_url: nullable(text),
  store_number: nullable(text),
});
const facts: fc.Arbitrary<Facts> = fc.record({
  entities: nullable(
    fc.record({
      counterparty: nullable(
        fc.record({ ...entity, type: fc.constantFrom("person", "organization") }),
      ),
      intermediaries: fc.array(fc.record(entity), { maxLength: 2 }),
    }),
  ),
  categories: nullable(
    fc.record({
      general: nullable(text),
      accounting: nullable(fc.constantFrom("revenue", "not enough information")),
    }),
  ),
  location: nullable(fc.record({ raw_address: nullable(text), structured: nullable(structured) })),
});
const input: fc.Arbitrary<TransactionInput> = fc.record({
  id: text,
  description: text,
  date,
  amount: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map(Math.abs),
  entryType: fc.constantFrom("incoming", "outgoing"),
  currency: fc.constantFrom("USD", "EUR"),
  accountHolderId: nullable(text),
  location: fc.constant(null),
});
const result = fc.oneof(
  fc.record({
    facts: fc.constant(null),
    error: fc.record({ code: fc.constant("internal_error" as const), message: text }),
    factsBytes: fc.constant(null),
  }),
  fc.tuple(facts, fc.boolean()).map(([found, isEncoded]) => ({
    facts: JSON.stringify(found),
    error: null,
    factsBytes: isEncoded ? encodeFacts(found) : null,
  })),
);
const record: fc.Arbitrary<EnrichedRecord> = fc.record({
  org: text,
  requestId: text,
  batchId: nullable(text),
  createdAt: fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) }),
  order: text,
  input,
  result,
});

it("every record has the bytes that the Avro library makes of it by the schema, on both paths of the facts", () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 3 }), (records) => {
      expect(encode(records)).toEqual(records.map((one) => codec.encode(toWire(one))));
    }),
    { numRuns: 500 },
  );
});

it("bytes begin with the Confluent header: zero, then the schema id, big endian", () => {
  const [sample] = fc.sample(record, 1);
  const [bytes] = encode(sample === undefined ? [] : [sample]) as [Buffer];
  expect([...bytes.subarray(0, 5)]).toEqual([0, 1, 2, 3, 4]);
});

it("half a character is written as U+FFFD, so that every text is UTF-8", async () => {
  const [sample] = fc.sample(record, 1) as [EnrichedRecord];
  const broken = { ...sample, input: { ...sample.input, description: "CAF\ud83d 12 \ude00" } };
  const [bytes] = encode([broken]) as [Buffer];
  expect((await codec.decode(bytes))["description"]).toBe("CAF\ufffd 12 \ufffd");
});

it("more records than the memory was made for are all there", () => {
  const sample = { ...fc.sample(record, 1)[0], order: "x".repeat(5_000) } as EnrichedRecord;
  const many = Array.from({ length: 50 }, () => sample);
  const expected = codec.encode(toWire(sample));
  for (const bytes of encode(many)) expect(bytes).toEqual(expected);
});
