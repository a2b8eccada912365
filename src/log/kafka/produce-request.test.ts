import { createRequire } from "node:module";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fixClient } from "./client-fixes.ts";

interface Request {
  readonly apiVersion: number;
  encode(): Promise<{ readonly buffer: Buffer }>;
}

const require = createRequire(import.meta.url);
const produce = require("kafkajs/src/protocol/requests/produce") as {
  protocol(options: { version: number }): (values: object) => { readonly request: Request };
};
/** As the client comes, before anything of it is changed. */
const build = produce.protocol;
fixClient();

beforeEach(() => {
  // Both read the clock.
  vi.useFakeTimers({ toFake: ["Date"], now: 1_785_000_000_123 });
});
afterEach(() => {
  vi.useRealTimers();
});

async function bothOf(version: number, values: object): Promise<{ ours: Buffer; theirs: Buffer }> {
  const [ours, theirs] = await Promise.all([
    produce.protocol({ version })(values).request.encode(),
    build({ version })(values).request.encode(),
  ]);
  return { ours: ours.buffer, theirs: theirs.buffer };
}

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((content) => Buffer.from(content)),
  fc.string({ unit: "grapheme", maxLength: 100 }),
);
const plain = fc.record(
  {
    key: fc.option(bytes),
    value: fc.option(bytes),
    headers: fc.dictionary(fc.string({ unit: "grapheme", maxLength: 10 }), bytes, { maxKeys: 3 }),
  },
  { requiredKeys: ["value"] },
);
const several = fc.record({
  value: bytes,
  headers: fc.constant({ several: [Buffer.from("a"), Buffer.from("b")] }),
});
const timed = fc.record({ value: bytes, timestamp: fc.constant("1785000000000") });
const requestOf = (message: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.record(
    {
      acks: fc.constant(-1),
      timeout: fc.nat(),
      compression: fc.constantFrom(0, 1),
      producerId: fc.constantFrom("7", "123456789012"),
      producerEpoch: fc.nat(99),
      transactionalId: fc.constantFrom(null, "t"),
      topicData: fc.array(
        fc.record({
          topic: fc.string({ maxLength: 20 }),
          partitions: fc.array(
            fc.record({
              partition: fc.nat(99),
              firstSequence: fc.nat(99_999),
              messages: fc.array(message, { minLength: 1, maxLength: 70 }),
            }),
            { maxLength: 3 },
          ),
        }),
        { maxLength: 2 },
      ),
    },
    { requiredKeys: ["acks", "timeout", "topicData"] },
  );

it("every request has the bytes that the client makes of it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(3, 7), requestOf(plain), async (version, values) => {
      const { ours, theirs } = await bothOf(version, values);
      expect(ours.equals(theirs)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

it("the client writes requests with records that this module does not support", async () => {
  const any = fc.oneof(plain, several, timed);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(2, 3, 7), requestOf(any), async (version, values) => {
      const { ours, theirs } = await bothOf(version, values);
      expect(ours.equals(theirs)).toBe(true);
    }),
    { numRuns: 100 },
  );
});

it("keeps its version, and is changed once however often the client is", () => {
  const once = produce.protocol;
  fixClient();
  expect(produce.protocol).toBe(once);
  const values = { acks: -1, timeout: 1, topicData: [] };
  expect(produce.protocol({ version: 7 })(values).request.apiVersion).toBe(7);
});
