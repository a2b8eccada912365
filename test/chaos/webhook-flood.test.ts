// Events are delivered through kills while as many are made as the service takes.
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import {
  deliverThroughKills,
  EVENTS,
  IN_FLIGHT_MAX,
  type KilledLoad,
  KILLS,
  SEED,
} from "./webhook-kills.ts";

const flood: KilledLoad = {
  what: "as fast as they can be made",
  perS: Infinity,
  untilNextKill: async (random, goOn) => {
    await goOn(random.integer(1, EVENTS / KILLS));
    await delay(random.integer(0, 30));
  },
};

it(`${String(KILLS)} times kill -9 while ${String(EVENTS)} events are made and delivered ${flood.what}: each arrives, and never as two (CHAOS_SEED=${String(SEED)})`, async () => {
  const counts = await deliverThroughKills(flood);
  expect(counts.overdue).toBe(0);
  expect(counts.repeatsOfWorstKill).toBeLessThanOrEqual(IN_FLIGHT_MAX);
});
