import { describe, expect, it } from "vitest";
import { BUCKET, BUCKET_LIMITS, setUpBuckets } from "../../test/support/rate-limiter.ts";
import type { Bucket } from "../shared/concurrency/token-bucket.ts";
import { LedgerlineError } from "../shared/errors.ts";
import { createBucketsInMemory } from "./buckets-in-memory.ts";
import { createRateLimiter } from "./rate-limiter.ts";

describe("shares of a bucket", () => {
  it("give what is there at once, and say exactly when there is more", async () => {
    const { state, share } = setUpBuckets();
    expect(await share.take(BUCKET, BUCKET_LIMITS, 1_000)).toBe(0);
    expect(await share.take(BUCKET, BUCKET_LIMITS, 1)).toBe(10);
    expect(await share.take(BUCKET, BUCKET_LIMITS, 250)).toBe(2_500);
    state.nowMs += 2_499;
    expect(await share.take(BUCKET, BUCKET_LIMITS, 250)).toBe(1);
    state.nowMs += 1;
    expect(await share.take(BUCKET, BUCKET_LIMITS, 250)).toBe(0);
  });

  it("are of one key and one kind each", async () => {
    const { share } = setUpBuckets();
    await share.take(BUCKET, BUCKET_LIMITS, 1_000);
    expect(await share.take({ ...BUCKET, kind: "requests" }, BUCKET_LIMITS, 1_000)).toBe(0);
    expect(await share.take({ ...BUCKET, keyId: "k2" }, BUCKET_LIMITS, 1_000)).toBe(0);
    expect(await share.take({ ...BUCKET, org: "b" }, BUCKET_LIMITS, 1_000)).toBe(0);
  });

  it("all that wait are settled with one change of the bucket, the first ones first", async () => {
    const { state, share } = setUpBuckets();
    const counts = [1, 600, 500, 300, 99, 1];
    const waits = await Promise.all(
      counts.map((count) => share.take(BUCKET, BUCKET_LIMITS, count)),
    );
    // 500 tokens are not left; this must not block the calls that fit.
    expect(waits.map((wait) => wait === 0)).toEqual([true, true, false, true, true, false]);
    expect(state.writes).toBeLessThanOrEqual(2);
  });

  it("a busy process needs a round trip for few of its calls, an idle one takes nothing in advance", async () => {
    const { state, share } = setUpBuckets();
    const limits = { ratePerSecond: 1_000, burst: 2_000 };
    for (let call = 0; call < 5_000; call += 1) {
      expect(await share.take(BUCKET, limits, 1)).toBe(0);
      state.nowMs += 1;
    }
    // Ten a second, and some more until the load is measured.
    expect(state.writes).toBeLessThan(100);
    // Every call of an idle key takes one token, whichever process gets it: nothing is lost.
    const { shares, state: idle } = setUpBuckets(3);
    const slow = { ratePerSecond: 1, burst: 10 };
    for (let call = 0; call < 60; call += 1) {
      expect(await shares[call % 3]?.take(BUCKET, slow, 1)).toBe(0);
      idle.nowMs += 1_000;
    }
  });

  it("a key costs one round trip a call in one process, two when others use it too", async () => {
    const slow = { ratePerSecond: 10, burst: 20 };
    const { state, share } = setUpBuckets();
    for (let call = 0; call < 60; call += 1) {
      expect(await share.take(BUCKET, slow, 1)).toBe(0);
      state.nowMs += 1_000;
    }
    expect(state.reads).toBeLessThanOrEqual(2);
    expect(state.writes).toBe(60);
    const { shares, state: shared } = setUpBuckets(2);
    for (let call = 0; call < 60; call += 1) {
      expect(await shares[call % 2]?.take(BUCKET, slow, 1)).toBe(0);
      shared.nowMs += 1_000;
    }
    expect([shared.reads, shared.writes]).toEqual([60, 60]);
  });

  it("a bucket that another process changed is read again before a refusal", async () => {
    const { state, shares } = setUpBuckets(2);
    const [one, two] = shares;
    for (let call = 0; call < 3; call += 1)
      expect(await one?.take(BUCKET, BUCKET_LIMITS, 300)).toBe(0);
    expect(await two?.take(BUCKET, BUCKET_LIMITS, 100)).toBe(0);
    two?.giveBack(BUCKET, BUCKET_LIMITS, 100);
    await new Promise(setImmediate);
    state.nowMs += 1_000;
    expect(await one?.take(BUCKET, BUCKET_LIMITS, 201)).toBeGreaterThan(0);
    expect(await one?.take(BUCKET, BUCKET_LIMITS, 200)).toBe(0);
  });

  it("three processes that are kept evenly busy lose nothing that matters: four fifths of the rate are always there", async () => {
    const { state, shares } = setUpBuckets(3);
    const limits = { ratePerSecond: 500, burst: 1_000 };
    for (let call = 0; call < 8_000; call += 1) {
      expect([call, await shares[call % 3]?.take(BUCKET, limits, 1)]).toEqual([call, 0]);
      if (call % 2 === 1) state.nowMs += 5;
    }
  });

  it("refused calls do not read the bucket again each time", async () => {
    const { state, share } = setUpBuckets();
    await share.take(BUCKET, BUCKET_LIMITS, 1_000);
    const before = state.reads;
    for (let call = 0; call < 500; call += 1)
      expect(await share.take(BUCKET, BUCKET_LIMITS, 500)).toBeGreaterThan(0);
    expect(state.reads - before).toBeLessThanOrEqual(1);
  });

  it("what is given back can be taken again, by every process, and no bucket gets fuller than full", async () => {
    const { state, shares } = setUpBuckets(2);
    const [one, two] = shares;
    expect(await one?.take(BUCKET, BUCKET_LIMITS, 900)).toBe(0);
    one?.giveBack(BUCKET, BUCKET_LIMITS, 900);
    expect(await one?.take(BUCKET, BUCKET_LIMITS, 1)).toBe(0);
    expect(await two?.take(BUCKET, BUCKET_LIMITS, 999)).toBe(0);
    state.nowMs += 60_000;
    one?.giveBack(BUCKET, BUCKET_LIMITS, 5_000);
    await one?.take(BUCKET, BUCKET_LIMITS, 1);
    state.nowMs += 60_000;
    expect(await two?.take(BUCKET, BUCKET_LIMITS, 1_000)).toBe(0);
    expect(await two?.take(BUCKET, BUCKET_LIMITS, 1)).toBeGreaterThan(0);
  });

  it("a bucket that cannot be reached fails the calls, and what is to be given back is kept for later", async () => {
    const buckets = createBucketsInMemory();
    let isDown = false;
    let nowMs = 0;
    const down = new LedgerlineError("unavailable", "down");
    const share = createRateLimiter({
      readBucket: (name) => (isDown ? Promise.reject(down) : buckets.readBucket(name)),
      replaceBucket: buckets.replaceBucket,
      isShared: true,
      nowMs: () => nowMs,
    });
    const slow = { ratePerSecond: 1, burst: 1_000 };
    expect(await share.take(BUCKET, slow, 1_000)).toBe(0);
    nowMs += 2_000;
    isDown = true;
    share.giveBack(BUCKET, slow, 990);
    await expect(share.take(BUCKET, slow, 10)).rejects.toBe(down);
    isDown = false;
    expect(await share.take(BUCKET, slow, 992)).toBe(0);
  });

  it("a bucket that others change all the time fails the call instead of trying for ever", async () => {
    const share = createRateLimiter({
      readBucket: () => Promise.resolve(null),
      replaceBucket: () => Promise.resolve(false),
      isShared: true,
      nowMs: () => 0,
    });
    await expect(share.take(BUCKET, BUCKET_LIMITS, 1)).rejects.toMatchObject({
      code: "unavailable",
    });
  });

  it("a clock that is set back brings nothing, and the bucket fills again within half a minute", async () => {
    for (const backMs of [1, 5_000, 30_000, 30_001, 3_600_000]) {
      const { state, share } = setUpBuckets();
      state.nowMs += 3_600_000;
      expect(await share.take(BUCKET, BUCKET_LIMITS, 1_000)).toBe(0);
      state.nowMs -= backMs;
      const waitMs = await share.take(BUCKET, BUCKET_LIMITS, 1);
      expect(waitMs).toBeGreaterThan(0);
      expect(waitMs).toBeLessThanOrEqual(30_010);
      state.nowMs += waitMs;
      expect(await share.take(BUCKET, BUCKET_LIMITS, 1)).toBe(0);
    }
  });

  it("buckets that are not remembered begin full, and no more are remembered than that", async () => {
    const { share } = setUpBuckets(1, 10);
    await share.take(BUCKET, BUCKET_LIMITS, 1_000);
    for (let key = 0; key < 50; key += 1)
      await share.take({ ...BUCKET, keyId: String(key) }, BUCKET_LIMITS, 1);
    expect(await share.take(BUCKET, BUCKET_LIMITS, 1)).toBeGreaterThan(0);
    const buckets = createBucketsInMemory(10);
    const bucket: Bucket = { level: 0, at: 0 };
    for (let key = 0; key < 11; key += 1)
      await buckets.replaceBucket({ ...BUCKET, keyId: String(key) }, null, bucket, 0);
    expect(await buckets.readBucket({ ...BUCKET, keyId: "0" })).toBeNull();
    expect(await buckets.readBucket({ ...BUCKET, keyId: "1" })).toEqual(bucket);
  });
});
