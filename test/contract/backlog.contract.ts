// What dispatchers do when a lot waits, or waits for something: nothing that waits stands in the way of anything else.
import { describe, expect, it } from "vitest";
import { COMMAND_LINE } from "../../src/model/audit.ts";
import type { Store } from "../../src/store/collection.ts";
import { until } from "../support/poll.ts";
import {
  DAY,
  HOUR,
  MINUTE,
  openDispatching,
  type OpenStore,
  ORG,
  SECOND,
  UNREACHABLE,
} from "./dispatching.ts";

const A = "https://a.example/hook";
const B = "https://b.example/hook";
/** How long a change of a webhook may take to count. */
const CHANGE_MS = 3 * SECOND;

/** A store that returns no deliveries. */
const withoutClaims = (store: Store): Store => ({
  ...store,
  collection: (spec) => ({
    ...store.collection(spec),
    claim: () => Promise.reject(new Error("No delivery is claimed")),
  }),
});

/** A store that writes down no attempts before `until` resolves, and counts those that wait for it. */
function withLateRecords(store: Store, until: Promise<null>) {
  const records = { asked: 0 };
  const apply: Store["apply"] = async (steps) => {
    for (const step of steps)
      if (step.kind === "upsertMany" && step.collection === "attempts") {
        records.asked += step.rows.length;
        await until;
      }
    return store.apply(steps);
  };
  return { records, late: { ...store, apply } };
}

/** A store whose writes hang until `until` resolves, and how many there were. */
function withWritesThatHang(store: Store, until: Promise<null>) {
  const writes = { hanging: 0 };
  const apply: Store["apply"] = async (steps) => {
    writes.hanging += 1;
    await until;
    return store.apply(steps);
  };
  return { writes, asleep: { ...store, apply } };
}

export function backlogContract(name: string, open: OpenStore): void {
  describe(`backlog contract: ${name}`, () => {
    it("deliveries without time left end at once and block no other delivery", async () => {
      const on = await openDispatching(open);
      const webhook = await on.register(A);
      const [old = ""] = await on.happen(700);
      on.clock.now += DAY + HOUR;
      const [fresh] = await on.happen(1);
      const process = await on.start("one");
      // Events are relayed in parts.
      for (let turns = 0; turns < 6; turns += 1) await on.pass(SECOND, process);
      expect(on.calls.map(({ eventId }) => eventId)).toEqual([fresh]);
      expect((await on.delivery(webhook, old)).delivery.state).toBe("exhausted");
      expect(await on.nextDueAt(webhook)).toBeNull();
    });

    it("what a kill would have made again has a bound: calls that are answered and not written down take places too", async () => {
      const on = await openDispatching(open);
      await on.register(A);
      const later = Promise.withResolvers<null>();
      const { records, late } = withLateRecords(on.store, later.promise);
      const process = await on.start("one", late);
      await on.happen(400);
      // In addition to the 16 calls of an endpoint, calls that only wait for their batched write.
      const bound = on.storeBatches ? 16 : 80;
      const look = async (): Promise<true | null> => {
        on.clock.now += 250;
        await process.dispatcher.turn();
        return on.calls.length >= bound ? true : null;
      };
      await until("as many calls as there may be", look);
      for (let looks = 0; looks < 10; looks += 1) await look();
      expect(on.calls).toHaveLength(bound);
      expect(records.asked).toBeGreaterThan(0);
      later.resolve(null);
      await process.dispatcher.settled();
      while (on.calls.length < 400) await on.pass(250, process);
      expect(new Set(on.calls.map(({ eventId }) => eventId)).size).toBe(400);
    });

    it("behind a breaker they do not take the place of the one call that finds out", async () => {
      const on = await openDispatching(open);
      await on.register(A);
      const process = await on.start("one");
      on.answer(() => UNREACHABLE);
      await on.happen(20);
      await on.pass(0, process);
      expect(process.dispatcher.state().breakers.open).toBe(1);
      on.clock.now += DAY + HOUR;
      on.answer(() => 200);
      const before = on.calls.length;
      const [fresh] = await on.happen(1);
      for (let turns = 0; turns < 3; turns += 1) await on.pass(SECOND, process);
      expect(on.calls.slice(before).map(({ eventId }) => eventId)).toEqual([fresh]);
      expect(process.dispatcher.state().breakers.closed).toBe(1);
    });

    it("a dispatcher that is stuck reports for how long, and stops reporting once it goes on", async () => {
      const on = await openDispatching(open);
      await on.register(A);
      await on.happen(1);
      const over = Promise.withResolvers<null>();
      const { writes, asleep } = withWritesThatHang(on.store, over.promise);
      const { dispatcher } = await on.start("one", asleep);
      dispatcher.start();
      await until("a write that hangs", () => (writes.hanging > 0 ? true : null));
      on.clock.now += 2 * MINUTE;
      expect(dispatcher.state().stalledMs).toBe(2 * MINUTE);
      over.resolve(null);
      await until("the next turn", () => (dispatcher.state().stalledMs === 0 ? true : null));
      await until("the call", () => (on.callsTo(A).length === 1 ? true : null));
      await dispatcher.close();
    });

    it("an endpoint whose URL is corrected is called there at once, however the one before failed", async () => {
      const on = await openDispatching(open);
      const webhook = await on.register(A);
      const process = await on.start("one");
      on.answer(({ url }) => (url === A ? UNREACHABLE : 200));
      await on.happen(20);
      await on.pass(0, process);
      await process.webhooks.patch(ORG, webhook, { url: B }, COMMAND_LINE);
      await on.happen(1);
      await on.pass(CHANGE_MS, process);
      await on.pass(SECOND, process);
      expect(on.callsTo(B).length).toBeGreaterThan(0);
    });

    it("a webhook that is deleted or disabled while much waits for it is called no more after a moment", async () => {
      const on = await openDispatching(open, { ratePerSecond: 5 });
      const [gone, off] = [await on.register(A), await on.register(B)];
      const process = await on.start("one");
      await on.happen(200);
      await on.pass(0, process);
      await on.pass(SECOND, process);
      await process.webhooks.delete(ORG, gone, COMMAND_LINE);
      await process.webhooks.patch(ORG, off, { enabled: false }, COMMAND_LINE);
      const changedAt = on.clock.now;
      for (let turns = 0; turns < 15; turns += 1) await on.pass(SECOND, process);
      const late = on.calls.filter(({ at }) => at > changedAt + CHANGE_MS);
      expect(late).toEqual([]);
      expect(on.calls.length).toBeGreaterThan(10);
    });

    it("an endpoint whose calls all hang has two of them, and another gets every event meanwhile", async () => {
      const on = await openDispatching(open);
      for (const url of [A, B]) await on.register(url);
      const process = await on.start("one");
      const hanging = Promise.withResolvers<number>();
      on.answer(({ url }) => (url === A ? hanging.promise : 200));
      await on.happen(150);
      await process.dispatcher.turn();
      await until("all calls to the other", () => (on.callsTo(B).length === 150 ? true : null));
      expect(on.callsTo(A)).toHaveLength(2);
      hanging.resolve(200);
      await process.dispatcher.settled();
    });

    it("at most 1 024 calls are in flight; further ones wait for a free place", async () => {
      const on = await openDispatching(open);
      const orgs = Array.from({ length: 7 }, (_, index) => `o${String(index)}`);
      for (const org of orgs)
        for (let index = 0; index < 10; index += 1)
          await on.register(`https://${org}-${String(index)}.example/`, {}, org);
      const process = await on.start("one");
      // All of them have won as many calls as there may be to one.
      for (const org of orgs) await on.happen(20, org);
      await on.pass(0, process);
      await on.pass(SECOND, process);
      expect(on.calls).toHaveLength(1_400);
      const hanging: PromiseWithResolvers<number>[] = [];
      on.answer(() => {
        const call = Promise.withResolvers<number>();
        hanging.push(call);
        return call.promise;
      });
      for (const org of orgs) await on.happen(20, org);
      const inFlight = (): number => process.dispatcher.state().inFlight;
      await process.dispatcher.turn();
      await until("all places to be taken", () => (inFlight() === 1_024 ? true : null));
      const called = (): number => new Set(on.calls.slice(1_400).map(({ url }) => url)).size;
      await until("a call to each endpoint", () => {
        expect(inFlight()).toBeLessThanOrEqual(1_024);
        hanging.shift()?.resolve(200);
        return called() === 70 ? true : null;
      });
      on.answer(() => 200);
      for (const call of hanging) call.resolve(200);
      await process.dispatcher.settled();
    });

    it("what waits for its rate is not overdue; what no dispatcher claims is", async () => {
      const on = await openDispatching(open, { ratePerSecond: 5 });
      await on.register(A);
      const process = await on.start("one");
      await on.happen(2_000);
      for (let turns = 0; turns < 40; turns += 1) {
        await on.pass(5 * SECOND, process);
        expect(process.dispatcher.state().overdue).toBe(0);
      }
      const stuck = await on.start("stuck", withoutClaims(on.store));
      for (let turns = 0; turns < 30; turns += 1) await on.pass(5 * SECOND, stuck);
      expect(stuck.dispatcher.state().overdue).toBe(1_000);
    });

    it("a delivery that waits for its next attempt is sent at once on demand, and keeps its later ones", async () => {
      const on = await openDispatching(open);
      const webhook = await on.register(A);
      const process = await on.start("one");
      on.answer(() => 500);
      const [eventId = ""] = await on.happen(1);
      for (const ms of [0, 6 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE])
        await on.pass(ms, process);
      const slot = await on.nextDueAt(webhook);
      const made = on.calls.length;
      await on.pass(MINUTE, process);
      const resent = await process.webhooks.resend(ORG, webhook, eventId);
      expect(resent).toMatchObject({ state: "pending", nextAttemptAt: on.clock.now });
      process.dispatcher.wake({ org: ORG, webhookId: webhook });
      await on.pass(0, process);
      expect(on.calls).toHaveLength(made + 1);
      expect(await on.nextDueAt(webhook)).toBe(slot);
    });

    it("one recovery of a webhook runs at a time", async () => {
      const on = await openDispatching(open);
      const webhook = await on.register(A);
      const process = await on.start("one");
      await on.happen(3);
      await on.pass(0, process);
      const { recover } = process.webhooks;
      const all = { since: 0, until: on.clock.now + 1, states: ["delivered"] } as const;
      expect(await recover(ORG, webhook, all, "r1")).toMatchObject({ id: "r1", status: "running" });
      expect(await recover(ORG, webhook, all, "r1")).toMatchObject({ id: "r1" });
      expect(await recover(ORG, webhook, all, "r2")).toBe("running");
      for (let turns = 0; turns < 3; turns += 1) await on.pass(SECOND, process);
      expect(on.calls).toHaveLength(6);
      expect(await recover(ORG, webhook, all, "r3")).toMatchObject({ id: "r3" });
    });
  });
}
