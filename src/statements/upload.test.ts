import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { STATEMENT_BYTES_MAX } from "../model/bank-statement.ts";
import { checkUpload, RefusedUpload } from "./upload.ts";

const parts = (...bytes: readonly Uint8Array[]): AsyncIterable<Uint8Array> => Readable.from(bytes);

async function receive(...bytes: readonly Uint8Array[]): Promise<unknown> {
  try {
    const checked = await checkUpload(parts(...bytes));
    const received: Uint8Array[] = [];
    for await (const part of checked.bytes) received.push(part);
    return { ...checked.result(), bytes: Buffer.concat(received) };
  } catch (error) {
    return error instanceof RefusedUpload ? error.reason : error;
  }
}

const PNG = Buffer.from("89504e470d0a1a0a0000", "hex");
const JPEG = Buffer.from("ffd8ffe000104a46", "hex");

it.each([
  ["a PDF", Buffer.from("%PDF-1.7\n…")],
  ["a PDF behind other bytes", Buffer.from(`${" ".repeat(1_000)}%PDF-1.4`)],
  ["a PNG", PNG],
  ["a JPEG", JPEG],
])("%s is accepted with its length, however it is cut", async (_name, bytes) => {
  const received = { size: bytes.length, bytes };
  expect(await receive(bytes)).toEqual(received);
  expect(await receive(...Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(received);
});

it.each([
  ["HTML", "<html><body>statement</body></html>"],
  ["a ZIP", "PK\u0003\u0004"],
  ["a PDF header too far behind", `${" ".repeat(1_024)}%PDF-1.4`],
  ["a HEIC", "\0\0\0\u0018ftypheic"],
  ["half of a PDF header", "%PD"],
])("%s is refused by its first bytes", async (_name, text) => {
  expect(await receive(Buffer.from(text))).toBe("unsupported_type");
});

it("an empty upload is refused", async () => {
  expect(await receive()).toBe("empty");
  expect(await receive(Buffer.alloc(0), Buffer.alloc(0))).toBe("empty");
});

it("the largest upload is accepted; one byte more is refused before the rest is read", async () => {
  const head = Buffer.from("%PDF-1.7");
  const rest = Buffer.alloc(STATEMENT_BYTES_MAX - head.length);
  expect(await receive(head, rest)).toMatchObject({ size: STATEMENT_BYTES_MAX });
  let isRead = false;
  function* tooLong(): Iterable<Uint8Array> {
    yield head;
    yield rest;
    yield Buffer.alloc(1);
    yield Buffer.alloc(1);
    yield Buffer.alloc(1);
    isRead = true;
  }
  const { bytes } = await checkUpload(Readable.from(tooLong(), { highWaterMark: 1 }));
  const drain = async (): Promise<void> => {
    for await (const part of bytes) expect(part.length).toBeGreaterThan(0);
  };
  await expect(drain()).rejects.toMatchObject({ reason: "too_large" });
  expect(isRead).toBe(false);
});
