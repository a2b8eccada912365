import { createRequire } from "node:module";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fixClient } from "./client-fixes.ts";
import { processorMs } from "../../../test/support/processor-time.ts";

interface Queue {
  pending: unknown[];
  throttledUntil: number;
  scheduleCheckPendingRequests(): void;
  checkPendingRequests(): void;
}

const require = createRequire(import.meta.url);

function newQueue(): Queue {
  fixClient();
  const RequestQueue = require("kafkajs/src/network/requestQueue") as new (
    options: object,
  ) => Queue;
  return new RequestQueue({
    maxInFlightRequests: null,
    requestTimeout: 1_000,
    enforceRequestTimeout: false,
    clientId: "test",
    broker: "none:0",
    logger: { debug: () => undefined },
  });
}

describe("the client's request queue", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("sets no timer while nothing waits: an idle connection causes no wake-ups", () => {
    const queue = newQueue();
    queue.checkPendingRequests();
    queue.scheduleCheckPendingRequests();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("looks again when what waits was throttled, and no more after it is sent", () => {
    const queue = newQueue();
    const sent: number[] = [];
    queue.throttledUntil = Date.now() + 500;
    queue.pending.push({ expectResponse: true, send: () => sent.push(Date.now()) });
    queue.checkPendingRequests();
    const nowMs = Date.now();
    vi.advanceTimersByTime(499);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(50);
    expect(sent[0]).toBeGreaterThanOrEqual(nowMs + 500);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the client's wait for an assignment", () => {
  it("is longer than the session of the member that it comes from", () => {
    fixClient();
    fixClient();
    const { protocol } = require("kafkajs/src/protocol/requests/syncGroup") as {
      protocol(options: object): (values: object) => { request: object; requestTimeout: number };
    };
    for (const version of [0, 3]) {
      const values = { groupId: "g", generationId: 1, memberId: "m", groupAssignment: [] };
      const { request, requestTimeout } = protocol({ version })(values);
      expect(request).toMatchObject({ apiName: "SyncGroup" });
      expect(requestTimeout).toBeGreaterThan(30_000);
    }
  });
});

describe("the client's records", () => {
  interface Encoder {
    writeVarIntBytes(bytes: Buffer): Encoder;
    readonly buffer: Buffer;
  }
  const Record = require("kafkajs/src/protocol/recordBatch/record/v0") as (
    record: object,
  ) => Promise<Encoder> | Encoder;
  const Decoder = require("kafkajs/src/protocol/decoder") as new (
    bytes: Buffer,
  ) => { readVarIntBytes(): Buffer };
  const decode = require("kafkajs/src/protocol/recordBatch/record/v0/decoder") as (
    decoder: object,
    batch: object,
  ) => { readonly value: Buffer; readonly headers: Readonly<globalThis.Record<string, Buffer>> };

  /** What is read of a record with this many headers, and for how long. */
  async function readBack(count: number): Promise<ReturnType<typeof decode> & { tookMs: number }> {
    fixClient();
    const headers = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`h${String(index)}`, "x"]),
    );
    const encoded = await Record({ value: Buffer.from("v"), headers, timestampDelta: 0 });
    const bytes = new Decoder(encoded.buffer).readVarIntBytes();
    const batch = { firstOffset: "0", firstTimestamp: "0", magicByte: 2 };
    const startedAt = processorMs();
    const record = decode(new Decoder(bytes), batch);
    return { ...record, tookMs: processorMs() - startedAt };
  }

  it.each([0, 2, 256])("have all of their %d headers", async (count) => {
    const { value, headers } = await readBack(count);
    expect(value.toString()).toBe("v");
    expect(Object.keys(headers)).toHaveLength(count);
  });

  it("are read in no time when they have very many, of which 256 are taken", async () => {
    const { value, headers, tookMs } = await readBack(20_000);
    expect(tookMs).toBeLessThan(500);
    expect(value.toString()).toBe("v");
    expect(Object.keys(headers)).toHaveLength(256);
  });
});
