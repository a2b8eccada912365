// What every log promises the stages. Each engine's own test file opens it and runs this suite.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Consumer } from "../../src/log/consumer.ts";
import type { DeadLetters, Log, RequestRecord } from "../../src/log/log.ts";
import type { ConcurrencyLimits } from "../../src/log/record-runner.ts";
import type { EventHead, StoredEvent } from "../../src/model/event.ts";
import type { ConsumerEvent } from "../../src/model/process-events.ts";
import { batchRecordKey, scheduleOfKey, statementRecordKey } from "../../src/model/record-key.ts";
import type { Delivered, EnrichmentRequest, Handled } from "../../src/model/records.ts";
import type { BatchPriority } from "../../src/shared/concurrency/priority.ts";
import { LedgerlineError } from "../../src/shared/errors.ts";
import { until as poll } from "../support/poll.ts";

/** A log that can be closed and opened again on the same data, as after a crash or a restart. */
export interface LogUnderTest {
  open(): Promise<{ log: Log; close: () => Promise<void> }>;
  /** Adds a signed record with invalid bytes. */
  damaged(topic: "requests" | "requests-interactive", key: string): Promise<void>;
  /** The dead letters of the log that is open. */
  letters(): Promise<DeadLetters>;
  /** Replaces a dead letter by bytes that cannot be decoded. */
  damageLetter(id: string): Promise<void>;
  remove(): Promise<void>;
}

export function request(id: string, overrides: Partial<EnrichmentRequest> = {}): EnrichmentRequest {
  return {
    org: "o",
    requestId: `r-${id}`,
    origin: "v3",
    batchId: null,
    chunkIndex: 0,
    chunkCount: 1,
    total: 1,
    createdAt: 1_700_000_000_123,
    replyTo: { address: "local", id },
    basedOn: null,
    priority: "default",
    transactions: [
      {
        id,
        description: "SQ *CAFÉ \u{1F600}",
        date: "2024-02-29",
        amount: 12.34,
        entryType: "outgoing",
        currency: "USD",
        accountHolderId: "h",
        location: { rawAddress: "1 Main St", country: null },
      },
    ],
    ...overrides,
  };
}

function headOf(resourceId: string, sequence: number): EventHead {
  const eventId = `${resourceId}-${String(sequence)}`;
  const createdAt = 1_700_000_000_123;
  return { org: "o", eventId, eventType: "reports.pending", resourceId, sequence, createdAt };
}

const eventOf = (resourceId: string, sequence: number): StoredEvent => ({
  ...headOf(resourceId, sequence),
  body: "{}",
});

/** Resolves once `condition` holds. */
async function until(condition: () => boolean): Promise<void> {
  await poll("the condition of the test", () => (condition() ? true : null));
}

export function logContract(name: string, make: () => Promise<LogUnderTest>): void {
  describe(`log contract: ${name}`, () => {
    let subject: LogUnderTest;
    let log: Log;
    let close: () => Promise<void>;
    const consumers: Consumer[] = [];

    beforeEach(async () => {
      subject = await make();
      ({ log, close } = await subject.open());
    });
    afterEach(async () => {
      await Promise.all(consumers.splice(0).map((consumer) => consumer.close()));
      await close();
      await subject.remove();
    });

    async function reopen(): Promise<void> {
      await Promise.all(consumers.splice(0).map((consumer) => consumer.close()));
      await close();
      ({ log, close } = await subject.open());
    }

    function consume(
      handle: (record: Delivered<EnrichmentRequest>) => Promise<Handled>,
      extra: Partial<ConcurrencyLimits> & {
        abandoned?: (key: string) => Promise<void>;
        report?: (event: ConsumerEvent) => void;
      } = {},
    ): Consumer {
      const consumer = log.consume("requests", {
        inFlightMax: 8,
        ...extra,
        handle,
        abandoned: ({ key }) => extra.abandoned?.(key) ?? Promise.resolve(),
        report: extra.report ?? (() => undefined),
      });
      consumers.push(consumer);
      return consumer;
    }

    async function countLetters(): Promise<number> {
      let count = 0;
      for await (const { id } of (await subject.letters()).list()) count += id === "" ? 0 : 1;
      return count;
    }

    const publish = (...ids: string[]): Promise<void> =>
      log.publish(
        "requests",
        ids.map((id) => ({ key: id, value: request(id) })),
      );

    const chunks = (org: string, count: number, priority: BatchPriority): RequestRecord[] =>
      Array.from({ length: count }, (_, index) => ({
        key: batchRecordKey(org, "b", index, priority),
        value: request(`${priority}-${String(index)}`, { org, origin: "batch", priority }),
      }));

    it("a record is delivered as it was published", async () => {
      const seen: Delivered<EnrichmentRequest>[] = [];
      consume((record) => {
        seen.push(record);
        return Promise.resolve("done");
      });
      await publish("a");
      await until(() => seen.length === 1);
      expect(seen[0]).toMatchObject({ key: "a", value: request("a") });
    });

    it("a record that is postponed comes again, after those of others, and a restart in between loses nothing", async () => {
      const order: string[] = [];
      const postponing: string[] = [];
      const chunk = (org: string, id: string): RequestRecord => ({
        key: batchRecordKey(org, id, 0),
        value: request(id, { org, origin: "batch" }),
      });
      const handle =
        (waitMs: number, refusals: number) =>
        ({ value: { requestId, org } }: Delivered<EnrichmentRequest>): Promise<Handled> => {
          if (org === "poor" && postponing.length < refusals) {
            postponing.push(requestId);
            return Promise.resolve({ org, waitMs });
          }
          order.push(requestId);
          return Promise.resolve("done");
        };
      const waiting = consume(handle(3_600_000, 1), { inFlightMax: 1 });
      await log.publish("requests", [chunk("poor", "a"), chunk("poor", "b")]);
      await until(() => postponing.length === 1);
      await log.publish("requests", [chunk("rich", "c")]);
      await until(() => order.length === 1);
      expect([order, waiting.pausedTenants()]).toEqual([["r-c"], 1]);
      await reopen();
      consume(handle(1, 2), { inFlightMax: 1 });
      await until(() => order.includes("r-a") && order.includes("r-b"));
      expect(postponing).toHaveLength(2);
      await until(() => log.pending("requests") === 0);
    });

    it("a statement is delivered as it was published, again after a restart, and holds no request back", async () => {
      const value = { org: "acme", id: "d1", createdAt: 1_700_000_000_123 };
      const key = statementRecordKey("acme", "d1");
      await log.publish("statements", [{ key, value }]);
      await publish("a");
      const seen: unknown[] = [];
      const statementsConsumer = (outcome: Handled): Consumer => {
        const consumer = log.consume("statements", {
          inFlightMax: 2,
          handle: (record) => {
            seen.push([record.key, record.value]);
            return Promise.resolve(outcome);
          },
          abandoned: () => Promise.resolve(),
          report: () => undefined,
        });
        consumers.push(consumer);
        return consumer;
      };
      statementsConsumer("retry");
      await until(() => seen.length > 0);
      // What is published during a look at Kafka counts twice until the next one.
      await until(() => log.pending("statements") === 1);
      const end = await log.endOrder();
      consume(() => Promise.resolve("done"));
      await until(() => log.doneOrder() >= end);
      await reopen();
      seen.length = 0;
      statementsConsumer("done");
      await until(() => seen.length > 0);
      expect(seen[0]).toEqual([key, value]);
      await until(() => log.pending("statements") === 0);
    });

    it("events are delivered in the order of their resource, also when one is retried, and hold no request back", async () => {
      const all = ["r1", "r2", "r3"].flatMap((resourceId) =>
        [1, 2, 3].map((sequence) => eventOf(resourceId, sequence)),
      );
      await log.publishEvents(all);
      const end = await log.endOrder();
      consume(() => Promise.resolve("done"));
      await until(() => log.doneOrder() >= end);
      const tried = new Set<string>();
      const done: EventHead[] = [];
      consumers.push(
        log.consume("events", {
          inFlightMax: 9,
          isKeyOrdered: true,
          handle: ({ value }) => {
            const isFirst = !tried.has(value.eventId);
            tried.add(value.eventId);
            if (isFirst && value.sequence !== 3) return Promise.resolve("retry");
            done.push(value);
            return Promise.resolve("done");
          },
          abandoned: () => Promise.resolve(),
          report: () => undefined,
        }),
      );
      await until(() => done.length === all.length);
      const byResource = Map.groupBy(done, ({ resourceId }) => resourceId);
      for (const [resourceId, events] of byResource)
        expect(events).toMatchObject([1, 2, 3].map((sequence) => headOf(resourceId, sequence)));
      await until(() => log.pending("events") === 0);
    });

    it("orders grow with acceptance, over topics, and the end is at or after the last of them", async () => {
      const orders: string[] = [];
      const handle = (record: Delivered<EnrichmentRequest>): Promise<Handled> => {
        orders.push(record.order);
        return Promise.resolve("done");
      };
      await publish("a");
      await log.publish("requests-interactive", [{ key: "b", value: request("b") }]);
      await publish("c", "d");
      const head = await log.endOrder();
      consume(handle);
      consumers.push(
        log.consume("requests-interactive", {
          inFlightMax: 8,
          handle,
          abandoned: () => Promise.resolve(),
          report: () => undefined,
        }),
      );
      await until(() => orders.length === 4);
      expect(new Set(orders).size).toBe(4);
      for (const order of orders) expect(order <= head).toBe(true);
      await publish("e");
      await until(() => orders.length === 5);
      expect((orders.at(-1) ?? "") > head).toBe(true);
    });

    it("orders never go back over a restart, also when everything is done and removed", async () => {
      const orders: string[] = [];
      const handle = (record: Delivered<EnrichmentRequest>): Promise<Handled> => {
        orders.push(record.order);
        return Promise.resolve("done");
      };
      for (let round = 0; round < 3; round += 1) {
        consume(handle);
        await publish(`a${String(round)}`);
        await until(() => orders.length === round + 1);
        orders[round] ??= "";
        await reopen();
        expect((await log.endOrder()) >= (orders[round] ?? "")).toBe(true);
      }
      expect([...orders].sort()).toEqual(orders);
      expect(new Set(orders).size).toBe(3);
    });

    it("records that were not done before a restart are redelivered, done ones are not", async () => {
      const first: string[] = [];
      consume((record) => {
        first.push(record.key);
        return Promise.resolve(record.key === "b" ? "retry" : "done");
      });
      await publish("a", "b", "c");
      await until(() => first.includes("c"));
      await reopen();
      const second: string[] = [];
      consume((record) => {
        second.push(record.key);
        return Promise.resolve("done");
      });
      await until(() => second.includes("b"));
      await until(() => log.pending("requests") === 0);
      // `c` was done. Kafka commits no offset before all earlier ones: handing over twice is allowed, losing is not.
      expect(second.filter((key) => key !== "c")).toEqual(["b"]);
    });

    it("at most inFlightMax records are in flight", async () => {
      let running = 0;
      let most = 0;
      let done = 0;
      consume(
        async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
          done += 1;
          return "done";
        },
        { inFlightMax: 3 },
      );
      await publish(...Array.from({ length: 40 }, (_, index) => `k${String(index)}`));
      await until(() => done === 40);
      expect(most).toBe(3);
    });

    it("one slow record delays no other", async () => {
      let release: () => void = () => undefined;
      const slow = new Promise<void>((resolve) => {
        release = resolve;
      });
      const done: string[] = [];
      consume(async (record) => {
        if (record.key === "slow") await slow;
        done.push(record.key);
        return "done";
      });
      await publish("slow", "a", "b", "c");
      await until(() => done.length === 3);
      expect(done).toEqual(["a", "b", "c"]);
      release();
      await until(() => done.length === 4);
    });

    it("a handler whose store is away gets its record again until it is back", async () => {
      let tries = 0;
      consume(() => {
        tries += 1;
        return tries < 4
          ? Promise.reject(new LedgerlineError("unavailable", "away"))
          : Promise.resolve("done");
      });
      await publish("a");
      await until(() => tries === 4);
      expect(await countLetters()).toBe(0);
    });

    it("invalid bytes go to the dead letters at once, and their neighbours are done", async () => {
      const done: string[] = [];
      const abandoned: string[] = [];
      await subject.damaged("requests", "bad");
      await publish("a");
      consume(
        (record) => {
          done.push(record.key);
          return Promise.resolve("done");
        },
        {
          abandoned: (key) => {
            abandoned.push(key);
            return Promise.resolve();
          },
        },
      );
      await until(() => done.length === 1 && abandoned.length === 1);
      await reopen();
      expect(abandoned).toEqual(["bad"]);
      expect(await countLetters()).toBe(1);
      await until(() => log.pending("requests") === 0);
    });

    it("a record that makes its handler throw again and again ends in the dead letters, its neighbours are done", async () => {
      const done: string[] = [];
      let throws = 0;
      let gone = false;
      consume(
        (record) => {
          if (record.key === "bad") {
            throws += 1;
            return Promise.reject(new TypeError("a bug"));
          }
          done.push(record.key);
          return Promise.resolve("done");
        },
        {
          report: (event) => {
            if (event.kind === "dead_letter") gone = true;
          },
        },
      );
      await publish("bad", "a");
      await until(() => gone);
      expect(throws).toBe(5);
      expect(done).toEqual(["a"]);
      expect(await countLetters()).toBe(1);
    });

    it("records that are published while others are being committed are counted", async () => {
      consume(() => Promise.resolve("done"));
      // Commits are batched; publishing all the time makes sure that some fall into one.
      let published = 0;
      for (let round = 0; round < 300; round += 1) {
        await Promise.all([publish(`a${String(round)}`), publish(`b${String(round)}`)]);
        published += 2;
        expect(log.pending("requests")).toBeGreaterThanOrEqual(0);
        // What is published during a look at the end offsets may be in both counts, until the next look.
        expect(log.pending("requests")).toBeLessThanOrEqual(2 * published);
      }
      await until(() => log.pending("requests") === 0);
      const head = await log.endOrder();
      await until(() => log.doneOrder() >= head);
    });

    it("pending() counts records from the moment that their publishing starts", async () => {
      const publishing = publish("a", "b", "c");
      expect(log.pending("requests")).toBe(3);
      await publishing;
    });

    it("a record behind another organization's flood is delivered while one record of the flood is in flight", async () => {
      const delivered: string[] = [];
      const calm = Promise.withResolvers<undefined>();
      await log.publish("requests", chunks("flood", 40, "default"));
      await log.publish("requests", chunks("calm", 1, "default"));
      consume(
        async ({ key }) => {
          const { tenant } = scheduleOfKey(key);
          delivered.push(tenant);
          if (tenant === "calm") calm.resolve(undefined);
          await calm.promise;
          return "done";
        },
        { inFlightMax: 2, inFlightPerTenantMax: 1 },
      );
      await until(() => delivered.length === 41);
      expect(delivered.indexOf("calm")).toBeLessThanOrEqual(1);
    });

    it("low records of an organization are delivered behind its default ones, and are never starved", async () => {
      const delivered: string[] = [];
      await log.publish("requests", [...chunks("o", 3, "low"), ...chunks("o", 30, "default")]);
      consume(
        ({ key }) => {
          delivered.push(scheduleOfKey(key).priority);
          return Promise.resolve("done");
        },
        { inFlightMax: 1 },
      );
      await until(() => delivered.length === 33);
      const places = delivered.flatMap((priority, place) => (priority === "low" ? [place] : []));
      expect(places).toEqual([8, 17, 26]);
    });

    it("records that were received and not started are counted by priority", async () => {
      const held = Promise.withResolvers<undefined>();
      const consumer = consume(
        async () => {
          await held.promise;
          return "done";
        },
        { inFlightMax: 1 },
      );
      await log.publish("requests", [...chunks("o", 3, "low"), ...chunks("o", 5, "default")]);
      // One of them is in flight, whichever was received first.
      await until(() => consumer.waiting("default") + consumer.waiting("low") === 7);
      expect([2, 3]).toContain(consumer.waiting("low"));
      held.resolve(undefined);
      await until(() => consumer.waiting("default") + consumer.waiting("low") === 0);
    });

    it("records that end are progress, however old another one in flight is", async () => {
      const held = Promise.withResolvers<undefined>();
      const done: string[] = [];
      const consumer = consume(async ({ key }) => {
        if (key === "held") await held.promise;
        done.push(key);
        return "done";
      });
      await publish("held");
      await until(() => consumer.stalledMs() >= 20);
      await publish("a");
      await until(() => done.includes("a") && consumer.inFlight() === 1);
      expect(consumer.oldestInFlightMs() - consumer.stalledMs()).toBeGreaterThanOrEqual(20);
      held.resolve(undefined);
      await until(() => consumer.inFlight() === 0);
      expect([consumer.oldestInFlightMs(), consumer.stalledMs()]).toEqual([0, 0]);
    });

    it("doneOrder() never goes past a record that is not done, and goes past it when it is", async () => {
      let order = "";
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await publish("a");
      const head = await log.endOrder();
      consume(async (record) => {
        order = record.order;
        await held;
        return "done";
      });
      await until(() => order !== "");
      // Others that are done in between must not hide it.
      await publish("b", "c");
      await log.endOrder();
      expect(log.doneOrder() < order).toBe(true);
      release();
      await until(() => log.doneOrder() >= head);
    });

    it("a reply reaches only the process that sent the request", async () => {
      const seen: string[] = [];
      log.onReply((reply) => seen.push(reply.id));
      await log.reply("another process", {
        id: "y",
        chunkIndex: 0,
        outcome: "stored",
        results: [],
      });
      await log.reply(log.replyAddress, { id: "x", chunkIndex: 0, outcome: "stored", results: [] });
      await until(() => seen.length > 0);
      expect(seen).toEqual(["x"]);
    });
  });
}
