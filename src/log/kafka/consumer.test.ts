import type {
  ConsumerConfig,
  EachBatchPayload,
  Kafka,
  Consumer as KafkaConsumer,
  KafkaMessage,
} from "kafkajs";
import { describe, expect, it } from "vitest";
import { until } from "../../../test/support/poll.ts";
import { placeOrder } from "../../model/acceptance-order.ts";
import type { Handled } from "../../model/records.ts";
import type { ConcurrencyLimits } from "../record-runner.ts";
import { type GroupConsumer, startKafkaConsumer } from "./consumer.ts";

const TOPIC = "t";

/** A client of the group that the test controls. */
class FakeClient {
  readonly events = { GROUP_JOIN: "join", CRASH: "crash" };
  readonly commits: string[] = [];
  readonly paused = new Set<number>();
  readonly resolved: string[] = [];
  /** Where it was sent, and what it then reads next. */
  readonly seeks: string[] = [];
  readonly positions = new Map<number, number>();
  isConnected = true;
  #listeners = new Map<string, (event: { payload: object }) => void>();
  #eachBatch: ((payload: EachBatchPayload) => Promise<void>) | null = null;

  on(event: string, listener: (event: { payload: object }) => void): void {
    this.#listeners.set(event, listener);
  }
  connect(): Promise<void> {
    return Promise.resolve();
  }
  subscribe(): Promise<void> {
    return Promise.resolve();
  }
  run({ eachBatch }: { eachBatch: (payload: EachBatchPayload) => Promise<void> }): Promise<void> {
    this.#eachBatch = eachBatch;
    return Promise.resolve();
  }
  pause(topics: { partitions?: number[] }[]): void {
    if (this.#eachBatch === null) throw new Error("the client is not running");
    for (const partition of topics[0]?.partitions ?? []) this.paused.add(partition);
  }
  resume(topics: { partitions?: number[] }[]): void {
    const partitions = topics[0]?.partitions;
    if (partitions === undefined) this.paused.clear();
    else for (const partition of partitions) this.paused.delete(partition);
  }
  seek({ partition, offset }: { partition: number; offset: string }): void {
    this.seeks.push(`${String(partition)}:${offset}`);
    this.positions.set(partition, Number(offset));
  }
  commitOffsets(offsets: { partition: number; offset: string }[]): Promise<void> {
    for (const { partition, offset } of offsets)
      this.commits.push(`${String(partition)}:${offset}`);
    return Promise.resolve();
  }
  get isRunning(): boolean {
    return this.#eachBatch !== null;
  }
  disconnect(): Promise<void> {
    this.isConnected = false;
    return Promise.resolve();
  }
  join(memberId: string, partitions: number[]): void {
    this.#listeners.get("join")?.({
      payload: { memberId, memberAssignment: { [TOPIC]: partitions } },
    });
  }
  crash(): void {
    this.#listeners.get("crash")?.({ payload: { error: new Error("lost") } });
  }
  /** Delivers what it is to read next of a log that ends at `end`, `count` records at a time, until it has nothing to read. */
  async readOn(partition: number, end: number, count: number): Promise<void> {
    for (;;) {
      const from = this.positions.get(partition) ?? 0;
      if (from >= end || this.paused.has(partition)) return;
      await this.fetch(partition, from, Math.min(count, end - from));
    }
  }
  /** Delivers `count` records from `first`, as the client's fetch loop does. */
  async fetch(partition: number, first: number, count: number): Promise<void> {
    await until("it runs", () => this.#eachBatch);
    const messages = Array.from({ length: count }, (_, index) => ({
      offset: String(first + index),
    }));
    const lastOffset = (): string => String(first + count - 1);
    this.positions.set(partition, first + count);
    await this.#eachBatch?.({
      batch: { topic: TOPIC, partition, messages, fetchedOffset: String(first), lastOffset },
      resolveOffset: (offset: string) => this.resolved.push(offset),
    } as unknown as EachBatchPayload);
  }
}

function setUp(
  handle: (offset: number) => Promise<Handled> = () => Promise.resolve("done"),
  tenantOf: (offset: number) => string = () => "t",
  limits: ConcurrencyLimits = { inFlightMax: 4 },
) {
  const clients: FakeClient[] = [];
  const configs: ConsumerConfig[] = [];
  const handled: number[] = [];
  const clock = { nowMs: 0 };
  const kafka = {
    consumer: (config: ConsumerConfig) => {
      configs.push(config);
      const client = new FakeClient();
      clients.push(client);
      return client as unknown as KafkaConsumer;
    },
  };
  const consumer = startKafkaConsumer({
    kafka: kafka as unknown as Kafka,
    groupId: "g",
    topic: TOPIC,
    kafkaReport: () => undefined,
    ...limits,
    nowMs: () => clock.nowMs,
    scheduleOf: ({ key }) => ({ tenant: tenantOf(Number(key)), priority: "default" }),
    toRecord: (partition: number, { offset }: KafkaMessage) => ({
      partition,
      offset: Number(offset),
      key: offset,
      bytes: Buffer.from("x"),
      headers: {},
      order: placeOrder(1, partition, Number(offset)),
      appendedAtMs: 1,
    }),
    edge: {
      read: () => Promise.resolve({ kind: "request", value: {} as never }),
      deadLetter: () => Promise.resolve(),
    },
    handle: ({ key }) => {
      handled.push(Number(key));
      return handle(Number(key));
    },
    abandoned: () => Promise.resolve(),
    report: () => undefined,
  });
  const client = (index: number): Promise<FakeClient> =>
    until(`client ${String(index)}`, () => clients[index] ?? null);
  return { consumer, client, handled, clock, clients, configs };
}

async function using(consumer: GroupConsumer, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await consumer.close();
  }
}

describe("consumer over Kafka", () => {
  it("ends also while the client is not running, because Kafka is away", async () => {
    const { consumer, client, clients } = setUp();
    const kafka = await client(0);
    kafka.crash();
    await client(1);
    await consumer.close();
    expect(clients.map(({ isConnected }) => isConnected)).toEqual([false, false]);
  });

  it("what one tenant has beyond its share is read again once half is worked off, what others have behind it at once", async () => {
    const gate = Promise.withResolvers<Handled>();
    const { consumer, client, handled } = setUp(
      (offset) => (offset < 2_000 ? gate.promise : Promise.resolve("done")),
      (offset) => (offset < 2_000 ? "flood" : "calm"),
      { inFlightMax: 4, inFlightPerTenantMax: 2 },
    );
    await using(consumer, async () => {
      const kafka = await client(0);
      kafka.join("m", [0]);
      await kafka.readOn(0, 2_001, 100);
      await until("the other one is done", () => (handled.includes(2_000) ? true : null));
      expect(consumer.waiting("default")).toBeLessThanOrEqual(512);
      expect(kafka.commits).toEqual([]);
      gate.resolve("done");
      await until("all are done", async () => {
        await kafka.readOn(0, 2_001, 100);
        return handled.length >= 2_001 ? true : null;
      });
      expect(handled.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 2_001 }, (_, offset) => offset),
      );
      await until("the end is committed", () => (kafka.commits.at(-1) === "0:2001" ? true : null));
    });
  });

  it("a record that is postponed comes again after its wait; others behind it are done first, and none is committed past it", async () => {
    const commitsBefore: string[][] = [];
    let refusals = 0;
    const { consumer, client, handled } = setUp(
      (offset) => {
        if (offset >= 10 || refusals >= 2) return Promise.resolve("done");
        refusals += 1;
        return Promise.resolve({ org: "poor", waitMs: 1 });
      },
      (offset) => (offset < 10 ? "poor" : "calm"),
      { inFlightMax: 1 },
    );
    await using(consumer, async () => {
      const kafka = await client(0);
      kafka.join("m", [0]);
      await kafka.readOn(0, 60, 60);
      await until("the others are done", () =>
        handled.filter((offset) => offset >= 10).length === 50 ? true : null,
      );
      commitsBefore.push([...kafka.commits]);
      await until("the end is committed", () => (kafka.commits.at(-1) === "0:60" ? true : null));
    });
    expect(commitsBefore).toEqual([[]]);
    const poor = handled.filter((offset) => offset < 10);
    expect(poor).toEqual([0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(consumer.pausedTenants()).toBe(0);
  });

  it("the client holds little in memory, gives a broker that died up soon, and never starts again by itself", async () => {
    const { consumer, client, configs } = setUp();
    await using(consumer, async () => {
      await client(0);
      const { maxBytes = Infinity, maxBytesPerPartition = Infinity, retry } = configs[0] ?? {};
      expect(maxBytes).toBeLessThanOrEqual(8 * 1024 * 1024);
      expect(maxBytesPerPartition).toBeLessThanOrEqual(1024 * 1024);
      // With many it stalls for minutes when a broker dies.
      expect(retry?.retries).toBeLessThanOrEqual(8);
      expect(await retry?.restartOnFailure?.(new Error("any"))).toBe(false);
    });
  });

  it("what was passed over when the group was joined anew is read again", async () => {
    const gate = Promise.withResolvers<Handled>();
    const { consumer, client, handled } = setUp(() => gate.promise);
    await using(consumer, async () => {
      const kafka = await client(0);
      kafka.join("m", [0]);
      await kafka.readOn(0, 600, 600);
      // The client begins where the group is, and what it was to read is read late.
      kafka.join("m", [0]);
      await kafka.fetch(0, 0, 300);
      await kafka.fetch(0, 590, 11);
      gate.resolve("done");
      await until("all are done", async () => {
        await kafka.readOn(0, 601, 100);
        return handled.length >= 601 ? true : null;
      });
      expect(new Set(handled).size).toBe(601);
      await until("the end is committed", () => (kafka.commits.at(-1) === "0:601" ? true : null));
    });
  });

  it("records that a rebalance redelivers are not processed again while the partition stays here", async () => {
    const { consumer, client, handled } = setUp();
    await using(consumer, async () => {
      const kafka = await client(0);
      kafka.join("m", [0]);
      await kafka.fetch(0, 0, 3);
      kafka.join("m", [0]);
      await kafka.fetch(0, 0, 5);
      await until("the new ones are done", () => (handled.length === 5 ? true : null));
      expect(handled).toEqual([0, 1, 2, 3, 4]);
    });
  });

  it("a client that the group has removed is replaced, and its offsets are not committed after", async () => {
    const { consumer, client } = setUp();
    await using(consumer, async () => {
      const first = await client(0);
      first.join("m", [0]);
      await first.fetch(0, 0, 3);
      await until("it is committed", () => (first.commits.length > 0 ? true : null));
      first.commits.length = 0;
      first.join("another name", [0]);
      await first.fetch(0, 3, 2);
      const second = await client(1);
      second.join("n", [0]);
      await second.fetch(0, 50, 1);
      await until("the new one is committed", () => (second.commits.length > 0 ? true : null));
      expect([first.commits, second.commits]).toEqual([[], ["0:51"]]);
    });
  });

  it("a client that is replaced while it connects never joins: its partitions would not be read", async () => {
    const { consumer, client, clients } = setUp();
    await using(consumer, async () => {
      const first = clients[0];
      first?.crash();
      await client(1);
      await until("it has gone", () => (first?.isConnected === false ? true : null));
      expect(first?.isRunning).toBe(false);
    });
  });

  it("a commit that Kafka has taken back is made again", async () => {
    const { consumer, client } = setUp();
    await using(consumer, async () => {
      const kafka = await client(0);
      kafka.join("m", [0]);
      await kafka.fetch(0, 0, 3);
      await until("it is committed", () => (kafka.commits.length === 1 ? true : null));
      consumer.check([{ partition: 0, end: 3, committed: 1 }]);
      await until("it is committed again", () => (kafka.commits.length === 2 ? true : null));
      expect(kafka.commits).toEqual(["0:3", "0:3"]);
    });
  });

  it("what was done is committed again after a join: a commit in between may have been lost without a word", async () => {
    const { consumer, client } = setUp();
    await using(consumer, async () => {
      const kafka = await client(0);
      kafka.join("m", [0]);
      await kafka.fetch(0, 0, 3);
      await until("it is committed", () => (kafka.commits.length === 1 ? true : null));
      kafka.join("m", [0]);
      await until("it is committed again", () => (kafka.commits.length === 2 ? true : null));
      expect(kafka.commits).toEqual(["0:3", "0:3"]);
    });
  });

  it("a client that crashes is replaced by a new one, whatever it thinks of it", async () => {
    const { consumer, client, handled } = setUp();
    await using(consumer, async () => {
      const first = await client(0);
      first.join("m", [0]);
      first.crash();
      const second = await client(1);
      expect(first.isConnected).toBe(false);
      second.join("n", [0]);
      await second.fetch(0, 0, 1);
      await until("it is handled", () => (handled.length === 1 ? true : null));
      // Calls of the first one no longer count.
      first.join("m", [1]);
      await second.fetch(0, 1, 1);
      await until("it is handled", () => (handled.length === 2 ? true : null));
    });
  });

  it("checks count how long one attempt runs; an attempt that ends starts the count again", async () => {
    const attempts: PromiseWithResolvers<Handled>[] = [];
    const { consumer, client } = setUp(() => {
      const attempt = Promise.withResolvers<Handled>();
      attempts.push(attempt);
      return attempt.promise;
    });
    const nothingNew = [{ partition: 0, end: 1, committed: 0 }];
    const check = (): number => {
      consumer.check(nothingNew);
      return consumer.checksOfOneAttempt();
    };
    await using(consumer, async () => {
      expect(check()).toBe(0);
      const kafka = await client(0);
      kafka.join("m", [0]);
      await kafka.fetch(0, 0, 1);
      await until("it is in flight", () => attempts[0] ?? null);
      expect([check(), check(), check()]).toEqual([1, 2, 3]);
      // Something is away.
      attempts[0]?.resolve("retry");
      await until("it is tried again", () => attempts[1] ?? null);
      expect(check()).toBe(1);
      attempts[1]?.resolve("done");
      await until("it is done", () => (consumer.inFlight() === 0 ? true : null));
      expect(check()).toBe(0);
    });
  });

  it("a client that gets nothing although there is something is replaced after 20 s", async () => {
    const { consumer, client, clock, clients } = setUp();
    await using(consumer, async () => {
      (await client(0)).join("m", [0]);
      const behind = [{ partition: 0, end: 5, committed: 2 }];
      expect(consumer.check(behind)).toBe(0);
      clock.nowMs = 20_000;
      expect(consumer.check(behind)).toBe(20_000);
      expect(clients).toHaveLength(1);
      clock.nowMs = 20_001;
      consumer.check(behind);
      await client(1);
      expect(consumer.check([{ partition: 0, end: 5, committed: 5 }])).toBe(0);
    });
  });
});
