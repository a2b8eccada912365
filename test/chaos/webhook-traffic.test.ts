// Events are delivered through kills while they come at the rate of real customers.
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

/** The kills are over before the load is. */
const KILLED_SHARE = 0.9;
const PER_S = 60;

const traffic: KilledLoad = {
  what: `${String(PER_S)} a second`,
  perS: PER_S,
  // At any time, whatever is just being called: as a machine would break.
  untilNextKill: (random) =>
    delay(random.integer(0, (KILLED_SHARE * 2_000 * EVENTS) / KILLS / PER_S)),
};

it(`${String(KILLS)} times kill -9 while ${String(EVENTS)} events are made and delivered, ${traffic.what}: of those answered none is sent twice whose answer could be written down (CHAOS_SEED=${String(SEED)})`, async () => {
  const counts = await deliverThroughKills(traffic);
  expect(counts.overdue).toBe(0);
  expect(counts.repeatsOfWorstKill).toBeLessThanOrEqual(IN_FLIGHT_MAX);
});
