import fc from "fast-check";
import { expect, it } from "vitest";
import { parseSchema } from "./codec.ts";
import { processorMs } from "../../test/support/processor-time.ts";

const named = (type: object | string): string =>
  JSON.stringify({ type: "record", name: "R", fields: [{ name: "f", type }] });
const strings = named({ type: "array", items: "string" });
const counts = named({ type: "map", values: "int" });
const empty = JSON.stringify({ type: "record", name: "R", fields: [] });

/** A whole number as Avro writes it. */
function long(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value < 0n ? -value * 2n - 1n : value * 2n;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}

it.each([strings, counts])(
  "announced items that are not there end the reading at once, also where it skips: %s",
  (schema) => {
    const type = parseSchema(schema);
    const reader = parseSchema(empty);
    const skipping = reader.createResolver(type);
    for (const announced of [2n, 10_000_000n, 2_000_000_000n, 2n ** 53n - 1n, -(2n ** 40n)]) {
      const bytes = Buffer.from([...long(announced), 2, 97]);
      const startedAt = processorMs();
      expect(() => type.fromBuffer(bytes) as unknown).toThrow("announces more");
      expect(() => reader.fromBuffer(bytes, skipping) as unknown).toThrow("announces more");
      expect(processorMs() - startedAt).toBeLessThan(1_000);
    }
  },
);

it("lists and maps are read as they were written, in one block or several, with their sizes or without", () => {
  const type = parseSchema(strings);
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { maxLength: 200 }), (f) => {
      expect(type.fromBuffer(type.toBuffer({ f }))).toEqual({ f });
    }),
  );
  const map = parseSchema(counts);
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.integer({ min: -9, max: 9 })), (f) => {
      const read = map.fromBuffer(map.toBuffer({ f })) as { readonly f: Record<string, number> };
      expect(Object.entries(read.f)).toEqual(Object.entries(f));
    }),
  );
  const blocks = Buffer.from([...long(1n), 2, 97, ...long(-2n), ...long(4n), 2, 98, 2, 99, 0]);
  expect(type.fromBuffer(blocks)).toEqual({ f: ["a", "b", "c"] });
  const reader = parseSchema(empty);
  expect(reader.fromBuffer(blocks, reader.createResolver(type))).toEqual({});
});
