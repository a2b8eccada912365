import { createRequire } from "node:module";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fixClient } from "./client-fixes.ts";

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

  it("sets no timer while nothing waits: an idle connection wakes nobody", () => {
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
