import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeText } from "./decode.ts";

async function decode(bytes: Buffer, chunkBytes: number): Promise<string> {
  async function* chunks(): AsyncGenerator<Buffer, void> {
    for (let at = 0; at < bytes.length; at += chunkBytes)
      yield await Promise.resolve(bytes.subarray(at, at + chunkBytes));
  }
  let text = "";
  for await (const part of decodeText("test", chunks())) text += part;
  return text;
}

test("UTF-8 survives any cut between chunks", async () => {
  const text = fc
    .string({ unit: "grapheme", minLength: 0, maxLength: 40 })
    .map((part) => `line,${part}`);
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 7 }), async (value, size) => {
      expect(await decode(Buffer.from(`\uFEFF${value}`), size)).toBe(value);
    }),
  );
});

test("the first umlaut decides, however late it comes and wherever the chunk ends", async () => {
  const late = `${"a,b\n".repeat(1000)}Müller,Größe €`;
  const windows = Buffer.from(late.replace("€", "\u0080"), "latin1");
  for (const size of [1, 2, 3, 4003, 100_000]) {
    expect(await decode(windows, size)).toBe(late);
    expect(await decode(Buffer.from(late), size)).toBe(late);
  }
});
