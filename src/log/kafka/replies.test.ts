import type { Batch, Consumer, ConsumerConfig, EachBatchHandler, Kafka } from "kafkajs";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../../test/support/poll.ts";
import { openReplies } from "./replies.ts";

const PLACE = { topic: "replies", partition: 3 };

/** A client that the test controls. */
interface Opened {
  readonly groupId: string;
  readonly seeks: string[];
  joins(): void;
  receives(offset: string): Promise<void>;
  crashes(): void;
}

function setUp(): { kafka: Kafka; opened: Opened[] } {
  const opened: Opened[] = [];
  const consumer = ({ groupId }: ConsumerConfig): Consumer => {
    const handlers = new Map<string, (event: { payload: object }) => void>();
    const seeks: string[] = [];
    let eachBatch: EachBatchHandler | undefined;
    const batchOf = (offset: string): Batch =>
      ({ lastOffset: () => offset, messages: [{ value: Buffer.from("reply") }] }) as Batch;
    opened.push({
      groupId,
      seeks,
      joins: () => handlers.get("join")?.({ payload: {} }),
      receives: async (offset) => {
        const payload = { batch: batchOf(offset), resolveOffset: () => undefined };
        await eachBatch?.(payload as unknown as Parameters<EachBatchHandler>[0]);
      },
      crashes: () => handlers.get("crash")?.({ payload: { error: new Error("away") } }),
    });
    const fake = {
      events: { GROUP_JOIN: "join", FETCH: "fetch", CRASH: "crash" },
      on: (name: string, handler: (event: { payload: object }) => void) => {
        handlers.set(name, handler);
      },
      connect: () => Promise.resolve(),
      subscribe: () => Promise.resolve(),
      run: (options: { eachBatch: EachBatchHandler }) => {
        eachBatch = options.eachBatch;
        return Promise.resolve();
      },
      seek: ({ offset }: { offset: string }) => {
        seeks.push(offset);
      },
      disconnect: () => Promise.resolve(),
    };
    return fake as unknown as Consumer;
  };
  return { kafka: { consumer } as unknown as Kafka, opened };
}

describe("replies", () => {
  it("are read on by a client that waits for no member that failed, from where that one was", async () => {
    const { kafka, opened } = setUp();
    let isProbed = false;
    const replies = await openReplies({
      ...PLACE,
      kafka,
      groupPrefix: "replies",
      received: () => {
        isProbed = true;
        return Promise.resolve();
      },
      probe: async () => {
        opened[0]?.joins();
        await opened[0]?.receives("41");
      },
      isProbed: () => isProbed,
      wait: () => Promise.resolve(),
      nowMs: () => 0,
      report: () => undefined,
    });
    onTestFinished(replies.close);
    expect(opened[0]?.seeks).toEqual([]);
    opened[0]?.crashes();
    const second = await until("a second client", () => opened[1] ?? null);
    second.joins();
    expect(second.groupId).not.toBe(opened[0]?.groupId);
    expect(second.seeks).toEqual(["42"]);
    // The offsets of the first client do not count any more.
    await second.receives("50");
    await opened[0]?.receives("43");
    second.joins();
    expect(second.seeks).toEqual(["42", "51"]);
    expect(replies.groups()).toEqual(opened.map(({ groupId }) => groupId));
  });
});
