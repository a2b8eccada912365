import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { emptyRecords, packRecords, unpackRecords } from "./compression.ts";
import { RECORD_COMPRESSIONS } from "./settings.ts";

interface Decoder {
  readVarIntBytes(): Buffer;
}

it("in the place of a batch that is too large unpacked, the client reads empty records at all its offsets", () => {
  const require = createRequire(import.meta.url);
  const DecoderClass = require("kafkajs/src/protocol/decoder") as new (bytes: Buffer) => Decoder;
  const decodeRecord = require("kafkajs/src/protocol/recordBatch/record/v0/decoder") as (
    decoder: Decoder,
    context: object,
  ) => object;
  const decoder = new DecoderClass(emptyRecords());
  const context = { firstOffset: "1000", firstTimestamp: "5", magicByte: 2 };
  for (let index = 0; index < 120_000; index += 1) {
    const record = decodeRecord(new DecoderClass(decoder.readVarIntBytes()), context);
    if (index % 997 > 0 && index < 119_999) continue;
    expect(record).toMatchObject({
      offset: String(1000 + index),
      key: null,
      value: null,
      headers: {},
    });
  }
});

describe.each(RECORD_COMPRESSIONS)("%s", (as) => {
  it("batches of every size are packed and unpacked to the same bytes, also where little grows to much", async () => {
    // At once, in another thread, and packed to a little that grows to more than is unpacked at once.
    for (const bytes of [randomBytes(100), randomBytes(100_000), Buffer.alloc(300_000, "ab")])
      expect((await unpackRecords(await packRecords(bytes, as), as)).equals(bytes)).toBe(true);
  });

  it("a batch that is packed differently, or is cut off, is read as empty records", async () => {
    const cut = (await packRecords(randomBytes(100), as)).subarray(0, 60);
    for (const bytes of [Buffer.from("not packed"), cut])
      expect((await unpackRecords(bytes, as)).equals(emptyRecords())).toBe(true);
  });
});
