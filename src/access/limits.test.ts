import { expect, it } from "vitest";
import { type KeyLimits, LIMITS_OF_SETTINGS } from "../model/api-key.ts";
import { createBucketsInMemory } from "./buckets-in-memory.ts";
import { createLimits, type LimitSettings, type Limits } from "./limits.ts";

const SETTINGS = { requestsPerSecond: 200, creditsMax: 50_000, creditsPerSecond: 500 };
const NONE = { requestsPerSecond: 0, creditsMax: 0, creditsPerSecond: 500 };

function setUp(settings: LimitSettings) {
  const clock = { nowMs: 1_000 };
  const limits = createLimits({ ...createBucketsInMemory(), nowMs: () => clock.nowMs }, settings);
  return { limits, clock };
}

const keyWith = (limits: Partial<KeyLimits> = {}, keyId = "k") => ({
  org: "acme",
  keyId,
  limits: { ...LIMITS_OF_SETTINGS, ...limits },
});

/** How many of many concurrent requests are allowed. */
async function burstOf(limits: Limits, key: ReturnType<typeof keyWith>): Promise<number> {
  let count = 0;
  for (let request = 0; request < 5_000; request += 1)
    if ((await limits.takeRequest(key)) === null) count += 1;
  return count;
}

it("by default a key has a burst of two seconds, then the rate of the setting", async () => {
  const { limits, clock } = setUp(SETTINGS);
  expect(await burstOf(limits, keyWith())).toBe(400);
  expect(await limits.takeRequest(keyWith())).toEqual({ kind: "wait", seconds: 1 });
  expect(await limits.takeRequest(keyWith({}, "another"))).toBeNull();
  clock.nowMs += 1_000;
  expect(await burstOf(limits, keyWith())).toBe(200);
});

it("a batch of the largest size goes through at once, twice, and the third has to wait for its credits", async () => {
  const { limits, clock } = setUp(SETTINGS);
  for (const refusal of [null, null, { kind: "wait", seconds: 50 }])
    expect(await limits.takeCredits(keyWith(), 24_960)).toEqual(refusal);
  clock.nowMs += 49_759;
  expect(await limits.takeCredits(keyWith(), 24_960)).toEqual({ kind: "wait", seconds: 1 });
  clock.nowMs += 1;
  expect(await limits.takeCredits(keyWith(), 24_960)).toBeNull();
});

it("whole seconds are always enough to wait", async () => {
  const { limits, clock } = setUp({ ...SETTINGS, creditsMax: 1_000, creditsPerSecond: 7 });
  expect(await limits.takeCredits(keyWith(), 1_000)).toBeNull();
  const refusal = await limits.takeCredits(keyWith(), 10);
  expect(refusal).toEqual({ kind: "wait", seconds: 2 });
  clock.nowMs += 2_000;
  expect(await limits.takeCredits(keyWith(), 10)).toBeNull();
});

it("what is given back can be taken at once", async () => {
  const { limits } = setUp(SETTINGS);
  expect(await limits.takeCredits(keyWith(), 50_000)).toBeNull();
  limits.giveBackCredits(keyWith(), 50_000);
  await new Promise(setImmediate);
  expect(await limits.takeCredits(keyWith(), 50_000)).toBeNull();
});

it("more credits than the maximum of a key are refused with the maximum", async () => {
  const { limits } = setUp(SETTINGS);
  const small = keyWith({ credits: { max: 100, perSecond: 1 } });
  expect(await limits.takeCredits(small, 101)).toEqual({ kind: "too_many", most: 100 });
  expect(await limits.takeCredits(small, 100)).toBeNull();
});

it("0 means unlimited, as a setting and as a limit of a key", async () => {
  const off = setUp(NONE).limits;
  expect(await burstOf(off, keyWith())).toBe(5_000);
  expect(await off.takeCredits(keyWith(), 1_000_000)).toBeNull();
  off.giveBackCredits(keyWith(), 5);
  const on = setUp(SETTINGS).limits;
  const free = keyWith({ ratePerSecond: 0, credits: { max: 0, perSecond: 0 } });
  expect(await burstOf(on, free)).toBe(5_000);
  expect(await on.takeCredits(free, 1_000_000)).toBeNull();
});

it("limits of a key count where the settings have none", async () => {
  const { limits } = setUp(NONE);
  const slow = keyWith({ ratePerSecond: 3, credits: { max: 5, perSecond: 1 } });
  expect(await burstOf(limits, slow)).toBe(6);
  expect(await limits.takeCredits(slow, 5)).toBeNull();
  expect(await limits.takeCredits(slow, 1)).toEqual({ kind: "wait", seconds: 1 });
});

it("what is left of a key's limits is known after each call, and refills", async () => {
  const { limits, clock } = setUp(SETTINGS);
  const key = keyWith();
  const full = { quota: 50_000, windowSeconds: 100, remaining: 50_000, secondsUntilFull: 0 };
  expect(limits.creditLimit(key)).toEqual(full);
  await limits.takeCredits(key, 38_000);
  expect(limits.creditLimit(key)).toEqual({ ...full, remaining: 12_000, secondsUntilFull: 76 });
  expect(await limits.takeCredits(key, 24_960)).toEqual({ kind: "wait", seconds: 26 });
  expect(limits.creditLimit(key)).toMatchObject({ remaining: 12_000 });
  clock.nowMs += 26_000;
  expect(limits.creditLimit(key)).toMatchObject({ remaining: 25_000, secondsUntilFull: 50 });
  await limits.takeRequest(key);
  expect(limits.requestLimit(key)).toMatchObject({ quota: 400, windowSeconds: 2, remaining: 399 });
  expect(setUp(NONE).limits.requestLimit(key)).toBeNull();
});

const grantOf = (credits: KeyLimits["credits"] = null) => ({ org: "acme", credits });

it("records of a grant have a bucket of their own, with its limits or those of the settings, for all its secrets", async () => {
  const { limits, clock } = setUp({ ...SETTINGS, creditsMax: 1_000 });
  expect(await limits.takeCredits(keyWith(), 1_000)).toBeNull();
  for (const waitMs of [0, 0, 0, 0, 500])
    expect(await limits.takeRecordCredits(grantOf(), 250)).toBe(waitMs);
  clock.nowMs += 500;
  expect(await limits.takeRecordCredits(grantOf(), 250)).toBe(0);
  limits.giveBackRecordCredits(grantOf(), 250);
  expect(await limits.takeRecordCredits(grantOf(), 250)).toBe(0);
  const unlimited = grantOf({ max: 0, perSecond: 0 });
  expect(await limits.takeRecordCredits(unlimited, 250)).toBe(0);
  const { limits: off } = setUp(NONE);
  expect(await off.takeRecordCredits(grantOf(), 250)).toBe(0);
});

it("a record never has more transactions than its bucket can hold, however small the limit", async () => {
  const { limits, clock } = setUp(SETTINGS);
  const small = grantOf({ max: 1, perSecond: 1 });
  expect(await limits.takeRecordCredits(small, 250)).toBe(0);
  const waitMs = await limits.takeRecordCredits(small, 250);
  expect(waitMs).toBe(250_000);
  clock.nowMs += waitMs;
  expect(await limits.takeRecordCredits(small, 250)).toBe(0);
});
