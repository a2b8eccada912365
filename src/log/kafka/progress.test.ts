import type { Admin } from "kafkajs";
import { describe, expect, it } from "vitest";
import { placeOrder } from "../../model/acceptance-order.ts";
import { until } from "../../../test/support/poll.ts";
import type { GroupConsumer, PartitionProgress } from "./consumer.ts";
import { type LogProgress, startProgress } from "./progress.ts";

/** Kafka with one topic of one partition, as the test sets it. */
function setUp(doneAfterMs = 0) {
  const state = {
    end: 0,
    committed: -1,
    clockMs: 1_000,
    nowMs: 50_000,
    isAway: false,
    looks: 0,
    stalledForMs: 5,
    checksOfOneAttempt: 0,
  };
  const checked: (readonly PartitionProgress[])[] = [];
  const failed: string[] = [];
  const admin = {
    fetchTopicOffsets: () => {
      state.looks += 1;
      if (state.isAway) return Promise.reject(new Error("away"));
      return Promise.resolve([{ partition: 0, offset: "0", low: "0", high: String(state.end) }]);
    },
    fetchOffsets: () =>
      Promise.resolve([
        {
          topic: "t",
          partitions: [{ partition: 0, offset: String(state.committed), metadata: null }],
        },
      ]),
  };
  const consumer = {
    topic: "t",
    check: (progress: readonly PartitionProgress[]) => {
      checked.push(progress);
      return state.end > state.committed ? state.stalledForMs : 0;
    },
    checksOfOneAttempt: () => state.checksOfOneAttempt,
  };
  const progress = startProgress({
    admin: { ask: (query) => query(admin as unknown as Admin) },
    groups: [{ groupId: "g", topic: "t", isRequests: true }],
    tick: () => Promise.resolve((state.clockMs += 10)),
    nowMs: () => state.nowMs,
    consumers: () => [consumer as unknown as GroupConsumer],
    failed: (reason) => failed.push(reason),
    timing: { pollMs: 1, roundEveryMs: 0, doneAfterMs: doneAfterMs },
  });
  const looked = (): Promise<true> => {
    const after = state.looks + 2;
    return until("it has looked again", () => (state.looks >= after ? true : null));
  };
  return { state, progress, checked, failed, looked };
}

async function using(progress: LogProgress, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await progress.close();
  }
}

describe("progress of the groups", () => {
  it("counts nothing, not less, when records were done between the two looks", async () => {
    const { state, progress, looked } = setUp();
    await using(progress, async () => {
      state.end = 3;
      state.committed = 5;
      await looked();
      expect(progress.pending("t")).toBe(0);
    });
  });

  it("counts what all producers published and no consumer committed", async () => {
    const { state, progress, looked } = setUp();
    await using(progress, async () => {
      state.end = 7;
      state.committed = 3;
      await looked();
      expect(progress.pending("t")).toBe(4);
      const sent = Promise.withResolvers<undefined>();
      const publishing = progress.publishing("t", 0, 2, () => sent.promise);
      expect(progress.pending("t")).toBe(6);
      sent.resolve(undefined);
      await publishing;
      await looked();
      expect(progress.pending("t")).toBe(4);
    });
  });

  it("passes a moment of the log's clock only when all that was there then is committed", async () => {
    const { state, progress, looked } = setUp();
    await using(progress, async () => {
      state.end = 5;
      state.committed = 4;
      await looked();
      await looked();
      const stuckAt = progress.doneOrder();
      const clockMs = state.clockMs;
      await looked();
      expect(progress.doneOrder()).toBe(stuckAt);
      state.committed = 5;
      await until("it is done", () =>
        progress.doneOrder() >= placeOrder(clockMs - 1, 0, 0) ? true : null,
      );
    });
  });

  it("an order is done only after the time that a stopped process may take to go on", async () => {
    const { state, progress, looked } = setUp(3_600_000);
    await using(progress, async () => {
      await looked();
      await looked();
      expect(progress.doneOrder()).toBe(placeOrder(0, 0, 0));
      expect(progress.doneUntilMs()).toBe(50_000);
      state.nowMs += 3_600_000;
      expect(progress.doneOrder() > placeOrder(1_000, 0, 0)).toBe(true);
    });
  });

  it("tells consumers what there is", async () => {
    const { state, progress, checked, looked } = setUp();
    await using(progress, async () => {
      state.end = 3;
      await looked();
      expect(checked.at(-1)).toEqual([{ partition: 0, end: 3, committed: 0 }]);
    });
  });

  it("a process that gets nothing of what is there for half a minute is not ready, until it gets it", async () => {
    const { state, progress, looked } = setUp();
    await using(progress, async () => {
      state.end = 3;
      state.stalledForMs = 30_000;
      await looked();
      expect(progress.failure()).toBeNull();
      state.stalledForMs = 30_001;
      await looked();
      await until("it is not ready", () => progress.failure());
      expect(progress.failure()).toBe("No records come from t although there are some.");
      state.committed = 3;
      await until("it is ready again", () => (progress.failure() === null ? true : null));
    });
  });

  it("a process without records for 90 s, with new clients, fails", async () => {
    const { state, progress, failed, looked } = setUp();
    await using(progress, async () => {
      state.end = 3;
      state.stalledForMs = 90_000;
      await looked();
      await looked();
      expect(failed).toEqual([]);
      state.stalledForMs = 90_001;
      await until("it fails", () => failed[0] ?? null);
      expect(failed[0]).toBe("no records come from t although there are some");
    });
  });

  it("a process that cannot finish a record in half an hour fails", async () => {
    const { state, progress, failed, looked } = setUp();
    await using(progress, async () => {
      // It looks every millisecond here.
      state.checksOfOneAttempt = 1_800_000;
      await looked();
      await looked();
      expect(failed).toEqual([]);
      state.checksOfOneAttempt = 1_800_001;
      await until("it fails", () => failed[0] ?? null);
      expect(failed[0]).toBe("a record of t has been in flight for half an hour");
    });
  });

  it("reports Kafka as unavailable while it is, and recovers by itself", async () => {
    const { state, progress, looked } = setUp();
    await using(progress, async () => {
      state.isAway = true;
      await looked();
      expect(progress.failure()).toMatch(/Kafka/);
      state.isAway = false;
      await looked();
      await looked();
      expect(progress.failure()).toBeNull();
    });
  });
});
