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

/**
 * Calls that had been answered and are made again because the process died before the answer was on its disk, each time. A
 * call without an answer must be made again, and how many there are depends on how fast the machine is: with another suite on
 * it, all repeats of a kill were between 0.3 and 1.04, those in flight among them.
 */
const ANSWERED_PER_KILL_MAX = 1;
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

it(`${String(KILLS)} times kill -9 while ${String(EVENTS)} events are made and delivered, ${traffic.what}: hardly one that was answered is sent twice (CHAOS_SEED=${String(SEED)})`, async () => {
  const counts = await deliverThroughKills(traffic);
  expect(counts.answered / KILLS).toBeLessThan(ANSWERED_PER_KILL_MAX);
  expect(counts.repeatsOfWorstKill).toBeLessThanOrEqual(IN_FLIGHT_MAX);
});
