// What an ordered webhook is promised, over every store and with several dispatchers; and the sequence that every webhook
// gets.
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { COMMAND_LINE } from "../../src/model/audit.ts";
import { createEventRepository } from "../../src/store/repositories/events.ts";
import { until } from "../support/poll.ts";
import { createRandom } from "../support/random.ts";
import {
  type Call,
  DAY,
  type Dispatching,
  HOUR,
  MINUTE,
  openDispatching,
  type OpenStore,
  ORG,
  SECOND,
  startAll,
} from "./dispatching.ts";

const A = "https://a.example.com/hook";
const B = "https://b.example.com/hook";
const LEASE_MS = 30 * SECOND;
const CHANGE_MS = 2 * SECOND;

const sequenceOf = ({ headers }: Call): number => Number(headers["webhook-sequence"]);
const resourceOf = ({ body }: Call): string => (JSON.parse(body) as { resource: string }).resource;

/**
 * Slow endpoints that fail now and then, and record which events of a resource were in flight together or out of order.
 * They fail no event twice: each failure delays the next attempt more, in the end longer than the tests wait.
 */
function watch(on: Dispatching, seed: number) {
  const random = createRandom(seed);
  const inFlight = new Set<string>();
  const delivered = new Set<string>();
  const failed = new Set<string>();
  const together: string[] = [];
  const outOfTurn: string[] = [];
  on.answer(async (call) => {
    const resource = `${call.url} ${resourceOf(call)}`;
    const sequence = sequenceOf(call);
    if (inFlight.has(resource)) together.push(resource);
    const isBehind = sequence > 1 && !delivered.has(`${resource} ${String(sequence - 1)}`);
    if (isBehind) outOfTurn.push(`${resource} ${String(sequence)}`);
    inFlight.add(resource);
    for (let left = random.integer(0, 4); left > 0; left -= 1) await turnOfLoop();
    inFlight.delete(resource);
    const event = `${resource} ${String(sequence)}`;
    if (random.integer(0, 5) === 0 && !failed.has(event)) {
      failed.add(event);
      return 500;
    }
    delivered.add(event);
    return 200;
  });
  return { delivered, together, outOfTurn };
}

export function orderContract(name: string, open: OpenStore): void {
  describe(`order contract: ${name}`, () => {
    it.each([1, 2, 4])(
      "events of one resource come to an ordered webhook one at a time and in their order (%i dispatchers)",
      async (count) => {
        const on = await openDispatching(open);
        await on.register(A, { ordered: true });
        const processes = await startAll(on, count);
        const { delivered, together, outOfTurn } = watch(on, count);
        const resources = Array.from({ length: 40 }, (_, index) => `r${String(index)}`);
        await Promise.all(resources.map((resource) => on.happenTo(resource, 4)));
        for (let turns = 0; turns < 2_000 && delivered.size < 160; turns += 1)
          await on.pass(SECOND, ...processes);
        expect([delivered.size, together, outOfTurn]).toEqual([160, [], []]);
      },
    );

    it.each([200, 410, 500])(
      "the next event of a resource is sent when the outcome of the one before (%i) is recorded, at once",
      async (status) => {
        const on = await openDispatching(open);
        await on.register(A, { ordered: true });
        const process = await on.start("one");
        const hanging = Promise.withResolvers<number>();
        on.answer((call) => (sequenceOf(call) === 1 ? hanging.promise : 200));
        await on.happenTo("r", 4);
        await process.dispatcher.turn();
        await until("the first call", () => on.calls[0] ?? null);
        // The others are claimed and rescheduled by now.
        for (let looks = 0; looks < 3; looks += 1) await process.dispatcher.turn();
        hanging.resolve(status);
        await process.dispatcher.settled();
        expect(on.calls.map(sequenceOf)).toEqual(status === 200 ? [1, 2, 3, 4] : [1]);
      },
    );

    it("deliveries that another process rescheduled go when the one before is recorded, at once", async () => {
      const on = await openDispatching(open);
      await on.register(A, { ordered: true });
      const [one, other] = [await on.start("one"), await on.start("other")];
      const hanging = Promise.withResolvers<number>();
      on.answer((call) => (sequenceOf(call) === 1 ? hanging.promise : 200));
      const [, second = ""] = await on.happenTo("r", 2);
      await one.dispatcher.turn();
      await until("the first call", () => on.calls[0] ?? null);
      // Longer than the one that took it has put it off.
      on.clock.now += 2 * SECOND;
      for (let looks = 0; looks < 3; looks += 1) await other.dispatcher.turn();
      await other.dispatcher.settled();
      expect(on.calls.map(sequenceOf)).toEqual([1]);
      hanging.resolve(200);
      await one.dispatcher.settled();
      expect(on.calls.map(({ eventId, by }) => [eventId, by]).at(-1)).toEqual([second, "one"]);
    });

    it("any other webhook gets the sequence of its events, and waits for none", async () => {
      const on = await openDispatching(open);
      await on.register(B);
      const process = await on.start("one");
      on.answer((call) => (sequenceOf(call) === 1 ? 500 : 200));
      await on.happenTo("r", 3);
      await on.pass(0, process);
      expect(on.calls.map(sequenceOf).toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
    });

    it("what waits behind an event that fails keeps nothing else waiting, and comes when that one has ended", async () => {
      const on = await openDispatching(open);
      const webhook = await on.register(A, { ordered: true });
      const process = await on.start("one");
      on.answer((call) => (resourceOf(call) === "bad" && sequenceOf(call) === 1 ? 500 : 200));
      const from = on.clock.now;
      const [first = ""] = await on.happenTo("bad", 1);
      await on.pass(MINUTE, process);
      const writes = await on.happenTo("good", 2);
      const events = createEventRepository(on.store);
      const stored = await events.get(ORG, first);
      if (stored === null) throw new Error("The event should be there");
      const second = { ...stored, eventId: "second", sequence: 2, createdAt: on.clock.now };
      await on.store.write(events.insertSteps(second));
      await on.pass(0, process);
      await on.pass(2 * SECOND, process);
      for (const id of writes)
        expect((await on.delivery(webhook, id)).delivery.state).toBe("delivered");
      while (on.clock.now < from + DAY - HOUR) await on.pass(10 * MINUTE, process);
      while (on.clock.now < from + DAY + HOUR) await on.pass(MINUTE, process);
      const { delivery, attempts } = await on.delivery(webhook, first);
      expect(delivery.state).toBe("exhausted");
      // Slots that passed between two looks are not made up for.
      expect(attempts.length).toBeGreaterThan(8);
      const after = await on.delivery(webhook, "second");
      expect([after.delivery.state, after.attempts.length]).toEqual(["delivered", 1]);
      expect(on.calls.slice(-2).map(({ eventId }) => eventId)).toEqual([first, "second"]);
    });

    it("an event that is sent again waits while a later one is in flight, in any process", async () => {
      const on = await openDispatching(open);
      const webhook = await on.register(A, { ordered: true });
      const [one, other] = [await on.start("one"), await on.start("other")];
      const [first = ""] = await on.happenTo("r", 2);
      const hanging = Promise.withResolvers<number>();
      on.answer((call) => (sequenceOf(call) === 2 ? hanging.promise : 200));
      await one.dispatcher.turn();
      await until("the second call", () => on.calls[1] ?? null);
      await other.webhooks.resend(ORG, webhook, first);
      for (let turns = 0; turns < 5; turns += 1) await on.pass(SECOND, other);
      expect(on.calls.map(sequenceOf)).toEqual([1, 2]);
      hanging.resolve(200);
      await one.dispatcher.settled();
      await on.pass(SECOND, other);
      expect(on.calls.map(sequenceOf)).toEqual([1, 2, 1]);
    });

    it("what a dispatcher held when it died holds the next ones back until its lease has ended", async () => {
      const on = await openDispatching(open);
      await on.register(A, { ordered: true });
      const [dead, alive] = [await on.start("dead"), await on.start("alive")];
      const never = Promise.withResolvers<number>();
      on.answer(({ by }) => (by === "dead" ? never.promise : 200));
      await on.happenTo("r", 2);
      await dead.dispatcher.turn();
      await until("the first call", () => on.calls[0] ?? null);
      for (let at = SECOND; at < LEASE_MS; at += SECOND) await on.pass(SECOND, alive);
      expect(on.calls.map(sequenceOf)).toEqual([1]);
      for (let turns = 0; turns < 5; turns += 1) await on.pass(SECOND, alive);
      expect(on.calls.map(sequenceOf)).toEqual([1, 1, 2]);
      never.resolve(200);
      await dead.dispatcher.settled();
    });

    it("order can be switched on and off later", async () => {
      const on = await openDispatching(open);
      const webhook = await on.register(A);
      const process = await on.start("one");
      on.answer((call) => (sequenceOf(call) === 1 ? 500 : 200));
      await process.webhooks.patch(ORG, webhook, { ordered: true }, COMMAND_LINE);
      const [, second = ""] = await on.happenTo("r", 2);
      for (let turns = 0; turns < 90; turns += 1) await on.pass(SECOND, process);
      expect((await on.delivery(webhook, second)).delivery.attempts).toBe(0);
      await process.webhooks.patch(ORG, webhook, { ordered: false }, COMMAND_LINE);
      await on.pass(CHANGE_MS, process);
      for (let turns = 0; turns < 60; turns += 1) await on.pass(SECOND, process);
      expect((await on.delivery(webhook, second)).delivery.state).toBe("delivered");
    });
  });
}
