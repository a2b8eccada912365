// What an endpoint gets is bounded for all dispatchers together, over every store.
import { describe, expect, it } from "vitest";
import { until } from "../support/poll.ts";
import {
  type Dispatching,
  MINUTE,
  openDispatching,
  type OpenStore,
  type Process,
  SECOND,
} from "./dispatching.ts";

const A = "https://a.example.com/hook";
const LIVE_MS = 30 * SECOND;
const BEAT_MS = 2 * SECOND;

const startAll = (on: Dispatching, count: number): Promise<readonly Process[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => on.start(`d${String(index)}`)));

export function sharesContract(name: string, open: OpenStore): void {
  describe(`shares contract: ${name}`, () => {
    it.each([1, 3])(
      "%i dispatchers together keep to the calls a second that one would make, and make them",
      async (count) => {
        const on = await openDispatching(open, { ratePerSecond: 30 }, true);
        await on.register(A);
        const processes = await startAll(on, count);
        // They know of each other before there is anything to do.
        for (let turns = 0; turns < 2; turns += 1) await on.pass(BEAT_MS, ...processes);
        const from = on.clock.now;
        await on.happen(600);
        for (let ms = 0; ms < 10 * SECOND; ms += 250) await on.pass(250, ...processes);
        const within = (ms: number): number => on.calls.filter(({ at }) => at - from <= ms).length;
        for (let seconds = 1; seconds <= 10; seconds += 1)
          expect(within(seconds * SECOND)).toBeLessThanOrEqual(30 * (seconds + 1));
        expect(within(10 * SECOND)).toBeGreaterThan(250);
        expect(processes[0]?.dispatcher.state().dispatchers).toBe(count);
      },
    );

    it("however many dispatchers there are, an endpoint that lets calls hang has 16 of them", async () => {
      const on = await openDispatching(open, {}, true);
      await on.register(A);
      const processes = await startAll(on, 4);
      for (let turns = 0; turns < 2; turns += 1) await on.pass(BEAT_MS, ...processes);
      await on.happen(200);
      // Answers that come at once win the endpoint as much as it may get.
      for (let turns = 0; turns < 10; turns += 1) await on.pass(250, ...processes);
      const hanging = Promise.withResolvers<number>();
      on.answer(() => hanging.promise);
      await on.happen(400);
      const inFlight = (): readonly number[] =>
        processes.map(({ dispatcher }) => dispatcher.state().inFlight);
      for (let turns = 0; turns < 20; turns += 1) {
        on.clock.now += 250;
        await Promise.all(processes.map(({ dispatcher }) => dispatcher.turn()));
        for (const count of inFlight()) expect(count).toBeLessThanOrEqual(4);
      }
      await until("each to have some", () =>
        inFlight().every((count) => count > 0) ? true : null,
      );
      hanging.resolve(200);
      await Promise.all(processes.map(({ dispatcher }) => dispatcher.settled()));
    });

    it("the share of one that goes is the others' at once, of one that dies after 30 seconds", async () => {
      const on = await openDispatching(open, {}, true);
      const [stays, goes, dies] = [
        await on.start("stays"),
        await on.start("goes"),
        await on.start("dies"),
      ];
      await on.pass(BEAT_MS, goes, dies, stays);
      await on.pass(BEAT_MS, goes, dies, stays);
      const seen = (): number => stays.dispatcher.state().dispatchers;
      expect(seen()).toBe(3);
      await goes.dispatcher.close();
      await on.pass(BEAT_MS, stays);
      expect(seen()).toBe(2);
      await on.pass(LIVE_MS, stays);
      expect(seen()).toBe(1);
      await on.pass(MINUTE, stays, dies);
      await on.pass(BEAT_MS, stays, dies);
      expect(seen()).toBe(2);
    });
  });
}
