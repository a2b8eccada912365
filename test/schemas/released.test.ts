// Records outlive the program that wrote them: they stay in the log and among the dead letters while it is updated.
// Each folder next to this file has the schemas of a release, and of a new record type its first version; they never
// change. `test/kafka/compatibility.test.ts` checks them with a real registry.
import { readdirSync, readFileSync } from "node:fs";
import type avro from "avsc";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createWireCodec,
  parseSchema,
  readSchema,
  type SchemaRegistry,
} from "../../src/log/codec.ts";
import { createDeadLetterCodec, createRequestCodec } from "../../src/log/record-codecs.ts";

const released = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: release }) =>
    readdirSync(`${import.meta.dirname}/${release}`).map((file) => ({
      release,
      name: file.replace(".avsc", ""),
      text: readFileSync(`${import.meta.dirname}/${release}/${file}`, "utf8"),
    })),
  );
const WRITER_ID = 1;
const OWN_ID = 2;

/** A registry with this one schema of another version. */
function registryWith(schema: string): SchemaRegistry {
  return {
    register: () => Promise.resolve(OWN_ID),
    schema: (id) => Promise.resolve(id === WRITER_ID ? schema : null),
  };
}

function record(type: avro.Type, value: unknown): Buffer {
  const head = Buffer.from([0, 0, 0, 0, WRITER_ID]);
  return Buffer.concat([head, type.toBuffer(value)]);
}

it("no record is without a release that the schema of today is held against", () => {
  const folder = readdirSync(new URL("../../schemas/", import.meta.url));
  const today = folder.filter((file) => file.endsWith(".avsc"));
  const known = new Set(released.map(({ name }) => `${name}.avsc`));
  expect([...known].toSorted()).toEqual(today.toSorted());
});

describe.each(released)("$name of release $release", ({ name, text }) => {
  it("is read with the schema of today, every field as it was written", async () => {
    const writer = parseSchema(text);
    const codec = await createWireCodec<Record<string, unknown>>(
      registryWith(text),
      "t",
      readSchema(name),
    );
    // Dates and times are made from days and milliseconds that exist, which a random number need not be.
    const days = fc.integer({ min: -719_162, max: 2_932_896 });
    const times = fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) });
    await fc.assert(
      fc.asyncProperty(days, times, async (day, time) => {
        const value = sample(writer, new Date(day * 86_400_000).toISOString().slice(0, 10), time);
        expect(await codec.decode(record(writer, value))).toMatchObject(value as object);
      }),
    );
  });
});

it("a request of release 0.1 means what it meant", async () => {
  const text = released.find((one) => one.release === "0.1" && one.name === "EnrichmentRequest");
  const writer = parseSchema(text?.text ?? "");
  const codec = await createRequestCodec(registryWith(text?.text ?? ""), "requests");
  const createdAt = Date.UTC(2026, 4, 4, 12, 30, 0, 123);
  const wire = { org: "acme", request_id: "r", origin: "batch", total: 1, created_at: createdAt };
  const coffee = { id: "t", description: "d", date: "2026-05-04", amount: 0.1 + 0.2 };
  const transactions = [{ ...coffee, entry_type: "outgoing", currency: "USD" }];
  const value = await codec.decode(record(writer, { ...wire, transactions }));
  expect(value).toMatchObject({ org: "acme", requestId: "r", origin: "batch", createdAt });
  expect(value.transactions[0]).toMatchObject({ date: "2026-05-04", amount: 0.1 + 0.2 });
});

it("a dead letter of release 0.1 keeps its bytes, and what it does not say is empty", async () => {
  const text = released.find((one) => one.release === "0.1" && one.name === "DeadLetter");
  const writer = parseSchema(text?.text ?? "");
  const codec = await createDeadLetterCodec(registryWith(text?.text ?? ""), "dead-letters");
  const original = Buffer.from([0, 1, 254, 255]);
  const place = { topic: "requests", partition: 0, offset: 7 };
  const wire = { ...place, reason: "handler_failed", error: "the handler failed", original };
  const letter = await codec.decode(record(writer, wire));
  expect(letter).toMatchObject({ ...place, key: "", order: "", headers: {}, failedAt: 0 });
  expect(Buffer.from(letter.original)).toEqual(original);
});

/** A value with all that a schema can say: every union is its last branch, every list has two entries. */
function sample(type: avro.Type, date: string, time: number): unknown {
  const inner = (one: avro.Type): unknown => sample(one, date, time);
  if (type.typeName.startsWith("logical:")) return type.typeName === "logical:date" ? date : time;
  const parts = type as unknown as {
    readonly fields: readonly { readonly name: string; readonly type: avro.Type }[];
    readonly types: readonly avro.Type[];
    readonly itemsType: avro.Type;
    readonly symbols: readonly string[];
  };
  switch (type.typeName) {
    case "record":
      return Object.fromEntries(parts.fields.map((field) => [field.name, inner(field.type)]));
    case "array":
      return [inner(parts.itemsType), inner(parts.itemsType)];
    case "enum":
      return parts.symbols.at(-1);
    default:
      if (type.typeName.startsWith("union:")) return inner(parts.types.at(-1) ?? type);
      return {
        string: `text ü ${date}`,
        bytes: Buffer.from(date),
        double: time / 7,
        int: 7,
        long: time,
      }[type.typeName as "string"];
  }
}
