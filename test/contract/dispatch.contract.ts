// What subscribers are promised, over every store, against dispatchers that die, wake up late or work at the same time,
// and a store that fails in the middle of a write.
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ATTEMPT_OFFSETS_MS, attemptDueAt } from "../../src/webhooks/schedule.ts";
import { COMMAND_LINE } from "../../src/model/audit.ts";
import { createDeliveryRepository } from "../../src/store/repositories/deliveries.ts";
import { createEventRepository } from "../../src/store/repositories/events.ts";
import {
  type AttemptRow,
  attemptSpec,
  type DeliveryRow,
  deliverySpec,
} from "../../src/store/specs/webhook-specs.ts";
import { until } from "../support/poll.ts";
import { createRandom } from "../support/random.ts";
import {
  breakingOff,
  DAY,
  HOUR,
  MINUTE,
  openDispatching,
  type OpenStore,
  ORG,
  type Process,
  SECOND,
  startAll,
  UNREACHABLE,
  walk,
} from "./dispatching.ts";
import type { DispatchEvent } from "../../src/model/process-events.ts";

const A = "https://a.example.com/hook";
const B = "https://b.example.com/hook";
/** Of what a dispatcher has taken. */
const LEASE_MS = 30 * SECOND;
/** A change of a webhook counts after this. */
const CHANGE_MS = 2 * SECOND;
const MONTH = 30 * DAY;
const ALL_TIME = { since: 0, until: Number.MAX_SAFE_INTEGER };

const countsOf = (keys: readonly string[]): Map<string, number> =>
  new Map([...Map.groupBy(keys, (key) => key)].map(([key, all]) => [key, all.length]));

const reportsOf = <Kind extends DispatchEvent["kind"]>(
  processes: readonly Process[],
  kind: Kind,
): Extract<DispatchEvent, { kind: Kind }>[] =>
  processes
    .flatMap(({ reports }) => reports)
    .filter((event): event is Extract<DispatchEvent, { kind: Kind }> => event.kind === kind);

export function dispatchContract(name: string, open: OpenStore): void {
  describe(`dispatch contract: ${name}`, () => {
    describe("the schedule", () => {
      it("a failing endpoint is called 14 times in 24 hours, each on time, over restarts", async () => {
        const on = await openDispatching(open);
        on.answer(() => 500);
        const webhook = await on.register(A);
        let process = await on.start("before");
        const from = on.clock.now;
        const events = await on.happen(10);
        let callsBefore = -1;
        const ahead = (): void => {
          // Nothing is sent between two moments at which something is due.
          if (callsBefore >= 0) expect(on.calls).toHaveLength(callsBefore);
        };
        const running = (): readonly Process[] => {
          callsBefore = on.calls.length;
          return [process];
        };
        await walk(on, webhook, from + 5 * HOUR, running, ahead);
        process = await on.start("after");
        await walk(on, webhook, from + 2 * DAY, running, ahead);
        for (const eventId of events) {
          const { delivery, attempts } = await on.delivery(webhook, eventId);
          expect(delivery).toMatchObject({ state: "exhausted", attempts: 14, lastStatus: 500 });
          const numbers = ATTEMPT_OFFSETS_MS.map((_, index) => index + 1);
          expect(attempts.map((attempt) => attempt.number)).toEqual(numbers);
          const key = `${eventId}/${webhook}`;
          const due = numbers.map((number) => attemptDueAt(from, number, key));
          expect(attempts.map(({ at }) => at)).toEqual(due);
          expect(Math.max(...due)).toBeLessThan(from + DAY);
        }
        expect(on.calls).toHaveLength(14 * events.length);
        expect(new Set(on.calls.map(({ by }) => by))).toEqual(new Set(["before", "after"]));
      });

      it("attempts that were missed while no dispatcher ran are replaced by one", async () => {
        const on = await openDispatching(open);
        on.answer(() => 500);
        const webhook = await on.register(A);
        const before = await on.start("before");
        const from = on.clock.now;
        const [eventId = ""] = await on.happen(1);
        await walk(on, webhook, from + 20 * MINUTE, () => [before]);
        expect(on.calls).toHaveLength(5);
        on.clock.now = from + 12 * HOUR;
        const after = await on.start("after");
        await on.pass(0, after);
        await on.pass(MINUTE, after);
        expect(on.calls).toHaveLength(6);
        await walk(on, webhook, from + 2 * DAY, () => [after]);
        const { delivery, attempts } = await on.delivery(webhook, eventId);
        // Slots of 16, 20 and nearly 24 hours are left.
        expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
        expect(delivery.state).toBe("exhausted");
      });

      it("there is no call later than 24 hours after the event, however late a dispatcher comes", async () => {
        const on = await openDispatching(open);
        const webhook = await on.register(A);
        const [eventId = ""] = await on.happen(1);
        on.clock.now += DAY;
        const process = await on.start("late");
        await on.pass(0, process);
        await on.pass(MINUTE, process);
        expect(on.calls).toHaveLength(0);
        expect((await on.delivery(webhook, eventId)).delivery).toMatchObject({
          state: "exhausted",
          attempts: 0,
        });
      });
    });

    describe("several dispatchers", () => {
      it.each([2, 5])(
        "%i at once attempt each of 2 000 deliveries once, and never one twice at the same time",
        async (count) => {
          const on = await openDispatching(open);
          const inFlight = new Set<string>();
          const doubled: string[] = [];
          const random = createRandom(count);
          on.answer(async ({ url, eventId }) => {
            const key = `${url} ${eventId}`;
            if (inFlight.has(key)) doubled.push(key);
            inFlight.add(key);
            for (let left = random.integer(0, 3); left > 0; left -= 1) await turnOfLoop();
            inFlight.delete(key);
            return 200;
          });
          const urls = [1, 2, 3, 4].map((index) => `https://${String(index)}.example.com/`);
          for (const url of urls) await on.register(url);
          const processes = await startAll(on, count);
          const events = await on.happen(500);
          const from = on.clock.now;
          // All of it before a lease could run out.
          while (on.calls.length < 2_000 && on.clock.now < from + LEASE_MS / 2)
            await on.pass(250, ...processes);
          await on.pass(0, ...processes);
          const calls = countsOf(on.calls.map(({ url, eventId }) => `${url} ${eventId}`));
          expect(doubled).toEqual([]);
          expect(calls).toEqual(
            new Map(urls.flatMap((url) => events.map((id) => [`${url} ${id}`, 1]))),
          );
          const busy = countsOf(on.calls.map(({ by }) => by));
          process.stdout.write(`${JSON.stringify({ store: name, ...Object.fromEntries(busy) })}\n`);
          await on.pass(DAY, ...processes);
          expect(on.calls).toHaveLength(2_000);
        },
      );

      it("what a dispatcher held when it died is delivered by another after its lease; its late word changes nothing", async () => {
        const on = await openDispatching(open);
        const webhook = await on.register(A);
        const [dead, alive] = [await on.start("dead"), await on.start("alive")];
        const late = Promise.withResolvers<number>();
        on.answer(({ by }) => (by === "dead" ? late.promise : 200));
        const [eventId = ""] = await on.happen(1);
        await dead.dispatcher.turn();
        await until("the call", () => on.calls[0] ?? null);
        await on.pass(LEASE_MS - 1, alive);
        expect(on.calls).toHaveLength(1);
        await on.pass(1, alive);
        expect(on.calls.map(({ by }) => by)).toEqual(["dead", "alive"]);
        const before = await on.delivery(webhook, eventId);
        expect(before).toMatchObject({
          delivery: { state: "delivered", attempts: 1 },
          attempts: [{ number: 1, status: 200 }],
        });
        late.resolve(500);
        await dead.dispatcher.settled();
        expect(await on.delivery(webhook, eventId)).toEqual(before);
        await walk(on, webhook, on.clock.now + DAY, () => [dead, alive]);
        expect(on.calls).toHaveLength(2);
      });

      it("a late outcome while another attempt is in flight does not count either", async () => {
        const on = await openDispatching(open);
        const webhook = await on.register(A);
        const [dead, alive] = [await on.start("dead"), await on.start("alive")];
        const answers = {
          dead: Promise.withResolvers<number>(),
          alive: Promise.withResolvers<number>(),
        };
        on.answer(({ by }) => answers[by === "dead" ? "dead" : "alive"].promise);
        const [eventId = ""] = await on.happen(1);
        await dead.dispatcher.turn();
        await until("the first call", () => on.calls[0] ?? null);
        on.clock.now += LEASE_MS;
        await alive.dispatcher.turn();
        await until("the second call", () => on.calls[1] ?? null);
        answers.dead.resolve(500);
        await dead.dispatcher.settled();
        const { delivery } = await on.delivery(webhook, eventId);
        expect(delivery).toMatchObject({ state: "pending", attempts: 0 });
        answers.alive.resolve(200);
        await alive.dispatcher.settled();
        const after = await on.delivery(webhook, eventId);
        expect(after.delivery).toMatchObject({ state: "delivered", attempts: 1, lastStatus: 200 });
        expect(after.attempts).toMatchObject([{ number: 1, status: 200 }]);
      });

      it("what could not be written down is written later, and is not sent again", async () => {
        const on = await openDispatching(open);
        const webhook = await on.register(A);
        let isAway = false;
        const process = await on.start(
          "one",
          breakingOff(on.store, () => (isAway ? 0 : null)),
        );
        on.answer(() => {
          isAway = true;
          return 200;
        });
        const [eventId = ""] = await on.happen(1);
        await on.pass(0, process);
        // Also not once the lease has ended.
        for (let turns = 0; turns < 8; turns += 1) await on.pass(10 * SECOND, process);
        expect((await on.delivery(webhook, eventId)).delivery.state).toBe("pending");
        isAway = false;
        await until("the record", async () => {
          const { delivery } = await on.delivery(webhook, eventId);
          return delivery.state === "delivered" ? true : null;
        });
        await walk(on, webhook, on.clock.now + DAY, () => [process]);
        expect(on.calls).toHaveLength(1);
      });

      it("what waits in a dispatcher that was frozen beyond its lease is not sent by it any more", async () => {
        const on = await openDispatching(open);
        const webhook = await on.register(A);
        const [slow, other] = [await on.start("slow"), await on.start("other")];
        const hanging = Promise.withResolvers<number>();
        // It is quick until the dispatcher has taken many in advance.
        on.answer(({ by }) => (by === "other" || on.calls.length < 30 ? 200 : hanging.promise));
        await on.happen(120);
        await slow.dispatcher.turn();
        const isFull = (): true | null => (slow.dispatcher.state().inFlight === 16 ? true : null);
        await until("as many calls that hang as may", isFull);
        // What was answered and is not written down is called again too, and is not what this is about.
        await until("what was answered to be written down", async () => {
          const page = { limit: 200, createdAfter: null, createdBefore: null, after: null };
          const ended = await slow.webhooks.deliveries(ORG, webhook, { state: "delivered" }, page);
          return ended?.rows.length === on.calls.length - 16 ? true : null;
        });
        await on.pass(LEASE_MS, other);
        // The first thing that it sees is the end of its calls.
        hanging.resolve(200);
        await slow.dispatcher.settled();
        await on.pass(SECOND, slow, other);
        const counts = countsOf(on.calls.map(({ eventId }) => eventId));
        expect(counts.size).toBe(120);
        expect([...counts.values()].filter((count) => count > 1)).toEqual(Array(16).fill(2));
      });
    });

    describe("endpoints that fail", () => {
      it.each([1, 4])(
        "50 failures in a row and 24 hours without a success disable a webhook once; each warning is given once (%i dispatchers)",
        async (count) => {
          const on = await openDispatching(open, { failuresMax: 50, failingMs: DAY });
          on.answer(() => 500);
          const webhook = await on.register(A);
          const processes = await startAll(on, count);
          const from = on.clock.now;
          await on.happen(10);
          while (on.clock.now < from + DAY - MINUTE) await on.pass(10 * MINUTE, ...processes);
          const levels = (): readonly number[] =>
            reportsOf(processes, "warning")
              .map(({ level }) => level)
              .toSorted((a, b) => a - b);
          expect(levels()).toEqual([50, 80, 100]);
          expect(await processes[0]?.webhooks.get(ORG, webhook)).toMatchObject({ enabled: true });
          on.clock.now = from + DAY;
          const held = await on.happen(30);
          for (let turns = 0; turns < 10; turns += 1) await on.pass(SECOND, ...processes);
          expect(levels()).toEqual([50, 80, 100]);
          expect(reportsOf(processes, "disabled")).toEqual([
            { kind: "disabled", org: ORG, webhookId: webhook, reason: "failures" },
          ]);
          const seen = await processes[0]?.webhooks.get(ORG, webhook);
          expect(seen?.enabled).toBe(false);
          expect(seen?.health.disabledReason).toBe("failures");
          const calls = on.calls.length;
          for (let turns = 0; turns < 10; turns += 1) await on.pass(MINUTE, ...processes);
          expect(on.calls).toHaveLength(calls);
          for (const eventId of held)
            expect((await on.delivery(webhook, eventId)).delivery.state).toBe("held");
        },
      );

      it("nothing is sent for 30 s to an endpoint that could not be reached five times, then one call; others go on", async () => {
        const on = await openDispatching(open);
        let isUp = false;
        on.answer(({ url }) => (url === A && !isUp ? UNREACHABLE : 200));
        const webhook = await on.register(A);
        await on.register(B);
        const process = await on.start("one");
        const events = await on.happen(40);
        await on.pass(0, process);
        // Two may be in flight at once while the state of an endpoint is unknown.
        const first = on.callsTo(A).length;
        expect([5, 6]).toContain(first);
        for (let second = 1; second < 30; second += 1) await on.pass(SECOND, process);
        expect(on.callsTo(A)).toHaveLength(first);
        expect(countsOf(on.callsTo(B).map(({ eventId }) => eventId))).toEqual(
          new Map(events.map((id) => [id, 1])),
        );
        await on.pass(SECOND, process);
        expect(on.callsTo(A)).toHaveLength(first + 1);
        for (let second = 1; second < 60; second += 1) await on.pass(SECOND, process);
        expect(on.callsTo(A)).toHaveLength(first + 1);
        isUp = true;
        // Those that were tried wait for their next slot.
        await walk(on, webhook, on.clock.now + 10 * MINUTE, () => [process]);
        const waited = await Promise.all(events.map((id) => on.delivery(webhook, id)));
        expect(new Set(waited.map(({ delivery }) => delivery.state))).toEqual(
          new Set(["delivered"]),
        );
        // Those that waited have used no attempt up.
        const used = waited.reduce((sum, { delivery }) => sum + delivery.attempts, 0);
        expect(used).toBe(events.length + first + 1);
      });
    });

    describe("webhooks that are disabled or deleted", () => {
      it("what waits is held and goes on when the webhook is enabled within 24 hours", async () => {
        const on = await openDispatching(open);
        const webhook = await on.register(A);
        const process = await on.start("one");
        await process.webhooks.patch(ORG, webhook, { enabled: false }, COMMAND_LINE);
        const [eventId = ""] = await on.happen(1);
        await on.pass(0, process);
        await on.pass(10 * HOUR, process);
        expect((await on.delivery(webhook, eventId)).delivery).toMatchObject({
          state: "held",
          attempts: 0,
        });
        await process.webhooks.patch(ORG, webhook, { enabled: true }, COMMAND_LINE);
        await on.pass(CHANGE_MS, process);
        expect((await on.delivery(webhook, eventId)).delivery).toMatchObject({
          state: "delivered",
          attempts: 1,
        });
      });

      it("what is held for 24 hours after its event has ended, attempted before or not", async () => {
        const on = await openDispatching(open);
        on.answer(() => 500);
        const webhook = await on.register(A);
        const process = await on.start("one");
        const from = on.clock.now;
        const [tried = ""] = await on.happen(1);
        await walk(on, webhook, from + 5 * HOUR, () => [process]);
        const calls = on.calls.length;
        await process.webhooks.patch(ORG, webhook, { enabled: false }, COMMAND_LINE);
        const [untried = ""] = await on.happen(1);
        const states = async (): Promise<readonly string[]> =>
          Promise.all(
            [tried, untried].map(async (id) => (await on.delivery(webhook, id)).delivery.state),
          );
        await on.pass(CHANGE_MS, process);
        on.clock.now = from + DAY - MINUTE;
        await on.pass(0, process);
        expect(await states()).toEqual(["held", "held"]);
        await on.pass(2 * MINUTE, process);
        expect(await states()).toEqual(["exhausted", "held"]);
        await on.pass(5 * HOUR, process);
        expect(await states()).toEqual(["exhausted", "exhausted"]);
        await process.webhooks.patch(ORG, webhook, { enabled: true }, COMMAND_LINE);
        await on.pass(CHANGE_MS, process);
        await on.pass(MINUTE, process);
        expect(on.calls).toHaveLength(calls);
      });

      it.each([
        { what: "waits", status: 500 },
        { what: "has ended", status: 200 },
      ])("of a webhook that is deleted nothing is left that $what", async ({ status }) => {
        const on = await openDispatching(open);
        on.answer(({ url }) => (url === A ? status : 200));
        const [gone, kept] = [await on.register(A), await on.register(B)];
        const process = await on.start("one");
        const [eventId = ""] = await on.happen(700);
        for (let turns = 0; turns < 5; turns += 1) await on.pass(SECOND, process);
        await process.webhooks.delete(ORG, gone, COMMAND_LINE);
        const calls = on.callsTo(A).length;
        // Every process with knowledge of it is gone too.
        const after = await on.start("another");
        for (let turns = 0; turns < 10; turns += 1) await on.pass(10 * MINUTE, after);
        expect(on.callsTo(A)).toHaveLength(calls);
        const left = (webhookId: string): Promise<readonly (readonly object[])[]> => {
          const where = { org: ORG, webhookId };
          return Promise.all([
            on.store.collection<DeliveryRow>(deliverySpec).find({ where, limit: 1_000 }),
            on.store.collection<AttemptRow>(attemptSpec).find({ where, limit: 1_000 }),
          ]);
        };
        expect((await left(gone)).map(({ length }) => length)).toEqual([0, 0]);
        expect((await left(kept)).map(({ length }) => length)).toEqual([700, 700]);
        expect((await on.delivery(kept, eventId)).delivery.state).toBe("delivered");
      });
    });

    describe("writes that are broken off", () => {
      it("an event whose deliveries were made in part is relayed again, and sent once", async () => {
        const on = await openDispatching(open);
        for (const url of [A, B]) await on.register(url);
        const random = createRandom(7);
        const broken = { outbox: 0, deliveries: 0 };
        const flaky = breakingOff(on.store, ([first, ...others]) => {
          const isDelivery = first?.collection === "deliveries" && first.kind === "insert";
          const what = isDelivery ? "deliveries" : "outbox";
          if ((!isDelivery && first?.collection !== "outbox") || broken[what] === 12) return null;
          broken[what] += 1;
          return random.integer(0, 1 + others.length);
        });
        const process = await on.start("one", flaky);
        const events = await on.happen(150);
        for (let turns = 0; turns < 30; turns += 1) await on.pass(SECOND, process);
        expect(broken.deliveries).toBe(12);
        expect(broken.outbox).toBeGreaterThan(0);
        // The log reports what fails while deliveries are made.
        expect(reportsOf([process], "failed")).toHaveLength(broken.outbox);
        const counts = countsOf(on.calls.map(({ url, eventId }) => `${url} ${eventId}`));
        expect(counts).toEqual(
          new Map([A, B].flatMap((url) => events.map((id) => [`${url} ${id}`, 1]))),
        );
        expect(await createEventRepository(on.store).outbox(10)).toEqual({
          entries: [],
          more: false,
        });
      });

      it("a recovery of 1 000 that is interrupted and goes on in another process sends each again once", async () => {
        const on = await openDispatching(open);
        const webhook = await on.register(A);
        let broken = 0;
        let isFlaky = false;
        const flaky = breakingOff(on.store, (steps) => {
          const isRecovery = steps.some(({ collection }) => collection === "recoveries");
          if (!isRecovery || !isFlaky) return null;
          broken += 1;
          // Not done, done without the caller hearing of it, done, not done.
          return [0, steps.length, null, 0][broken - 1] ?? null;
        });
        const before = await on.start("before", flaky);
        await before.webhooks.patch(ORG, webhook, { enabled: false }, COMMAND_LINE);
        const events = await on.happen(1_000);
        await on.pass(0, before);
        await on.pass(DAY + SECOND, before);
        for (let turns = 0; turns < 5; turns += 1) await on.pass(SECOND, before);
        const states = ["exhausted"] as const;
        expect(
          await before.webhooks.countRecoverable(ORG, webhook, { ...ALL_TIME, states }),
        ).toEqual({ count: 1_000, capped: false });
        await before.webhooks.patch(ORG, webhook, { enabled: true }, COMMAND_LINE);
        await on.pass(CHANGE_MS, before);
        await before.webhooks.recover(ORG, webhook, { ...ALL_TIME, states }, "r");
        isFlaky = true;
        for (let turns = 0; turns < 4; turns += 1) await on.pass(SECOND, before);
        expect(broken).toBe(4);
        const recovered = on.calls.length;
        expect(recovered).toBe(400);
        const after = await startAll(on, 2);
        for (let turns = 0; turns < 10; turns += 1) await on.pass(SECOND, ...after);
        expect(await after[0]?.webhooks.recovery(ORG, webhook, "r")).toMatchObject({
          status: "completed",
          resent: 1_000,
        });
        expect(countsOf(on.calls.map(({ eventId }) => eventId))).toEqual(
          new Map(events.map((id) => [id, 1])),
        );
        const { delivery } = await on.delivery(webhook, events[0] ?? "");
        expect(delivery).toMatchObject({ state: "delivered", replay: true });
      });
    });

    it("an organization that floods the outbox does not delay the events of others", async () => {
      const on = await openDispatching(open);
      await on.happen(500, "flood");
      on.clock.now += SECOND;
      const [calm] = await on.happen(1, "calm");
      const { entries, more } = await createEventRepository(on.store).outbox(100);
      expect(entries.map(({ eventId }) => eventId)).toContain(calm);
      expect([entries.length > 50, more]).toEqual([true, true]);
    });

    it("more organizations than one page of the outbox has places are served in turn", async () => {
      const on = await openDispatching(open);
      const orgs = ["a", "b", "c", "d", "e", "f", "g"];
      for (const org of orgs) await on.happen(3, org);
      const events = createEventRepository(on.store);
      const served: string[] = [];
      for (;;) {
        const { entries, more } = await events.outbox(3);
        served.push(...entries.map(({ org }) => org));
        await on.store.write(entries.map(events.relayedStep));
        if (!more) break;
      }
      expect(served.slice(0, orgs.length).toSorted()).toEqual(orgs);
      expect(countsOf(served)).toEqual(new Map(orgs.map((org) => [org, 3])));
    });

    it("a clock that leaps 40 days deletes no delivery history", async () => {
      const on = await openDispatching(open);
      await on.register(A);
      const process = await on.start("one");
      const [eventId = ""] = await on.happen(1);
      await on.pass(0, process);
      on.clock.leaptMs += 40 * DAY;
      await on.pass(40 * DAY, process);
      for (let turns = 0; turns < 5; turns += 1) await on.pass(MINUTE + 1, process);
      const events = createEventRepository(on.store);
      expect(await events.get(ORG, eventId)).toMatchObject({ eventId });
      // What has passed by the uptime too is over.
      await on.pass(31 * DAY, process);
      for (let turns = 0; turns < 3; turns += 1) await on.pass(MINUTE + 1, process);
      expect(await events.get(ORG, eventId)).toBeNull();
    });

    it("a clock that was 40 days ahead holds up no delivery once it is right", async () => {
      const on = await openDispatching(open);
      const failing = await on.register(A);
      on.answer(() => 500);
      const process = await on.start("one");
      await on.pass(0, process);
      on.clock.now += 40 * DAY;
      on.clock.leaptMs += 40 * DAY;
      const [tried = ""] = await on.happen(1);
      await on.pass(0, process);
      expect(on.calls.map(({ eventId }) => eventId)).toEqual([tried]);
      const [held = ""] = await on.happen(1);
      // Another process takes the second and is killed; the third is not even relayed.
      await on.pass(SECOND, process);
      const deliveries = createDeliveryRepository(on.store);
      const until = on.clock.now + MINUTE;
      await deliveries.take(failing, on.clock.now + MINUTE, until, "killed", 2);
      const [waiting = ""] = await on.happen(1);
      const late = await on.register(B);
      on.clock.now -= 40 * DAY;
      on.clock.leaptMs -= 40 * DAY;
      const [after = ""] = await on.happen(1);
      on.answer(() => 200);
      for (let minutes = 0; minutes < 5; minutes += 1) await on.pass(MINUTE, process);
      for (const eventId of [tried, held, waiting, after])
        expect((await on.delivery(failing, eventId)).delivery.state).toBe("delivered");
      expect((await on.delivery(late, after)).delivery.state).toBe("delivered");
    });

    it("a clock that is behind for a while ends and hastens no delivery", async () => {
      const on = await openDispatching(open);
      const webhook = await on.register(A);
      on.answer(() => 500);
      const process = await on.start("one");
      const [eventId = ""] = await on.happen(1);
      await on.pass(0, process);
      await on.pass(10 * MINUTE, process);
      const before = await on.delivery(webhook, eventId);
      on.clock.now -= 40 * DAY;
      on.clock.leaptMs -= 40 * DAY;
      for (let minutes = 0; minutes < 3; minutes += 1) await on.pass(MINUTE, process);
      expect((await on.delivery(webhook, eventId)).delivery).toEqual(before.delivery);
      on.clock.now += 40 * DAY;
      on.clock.leaptMs += 40 * DAY;
      on.answer(() => 200);
      await on.pass(DAY / 2, process);
      expect((await on.delivery(webhook, eventId)).delivery.state).toBe("delivered");
    });

    it("events older than 30 days are purged with their deliveries and attempts", async () => {
      const on = await openDispatching(open);
      on.answer(({ url }) => (url === A ? 200 : 500));
      const webhooks = [await on.register(A), await on.register(B)];
      const process = await on.start("one");
      const old = await on.happen(700);
      await on.pass(0, process);
      await on.pass(DAY, process);
      for (let turns = 0; turns < 10; turns += 1) await on.pass(SECOND, process);
      const [young = ""] = await on.happen(1);
      await on.pass(0, process);
      await on.pass(MONTH - DAY - 10 * SECOND, process);
      await on.pass(MINUTE + 1, process);
      await on.pass(MINUTE, process);
      const events = createEventRepository(on.store);
      const deliveries = createDeliveryRepository(on.store);
      expect(await events.getMany(ORG, old.slice(0, 500))).toEqual([]);
      expect(await events.getMany(ORG, old.slice(500))).toEqual([]);
      expect(await events.get(ORG, young)).toMatchObject({ eventId: young });
      for (const webhook of webhooks) {
        const where = { org: ORG, webhookId: webhook };
        const rows = await on.store
          .collection<DeliveryRow>(deliverySpec)
          .find({ where, limit: 1_000 });
        expect(rows.map(({ eventId }) => eventId)).toEqual([young]);
        const attempts = await on.store
          .collection<AttemptRow>(attemptSpec)
          .find({ where, limit: 1_000 });
        expect(new Set(attempts.map(({ eventId }) => eventId))).toEqual(new Set([young]));
        expect(await deliveries.attempts(ORG, webhook, old[0] ?? "")).toEqual([]);
      }
    });
  });
}
