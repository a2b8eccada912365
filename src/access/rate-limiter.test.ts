import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Bucket, BucketLimits } from "../shared/concurrency/token-bucket.ts";
import { LedgerlineError } from "../shared/errors.ts";
import { createBucketsInMemory } from "./buckets-in-memory.ts";
import { type BucketPorts, createRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import type { BucketName } from "../model/api-key.ts";

const NAME: BucketName = { org: "acme", keyId: "k", kind: "credits" };
const LIMITS: BucketLimits = { ratePerSecond: 100, burst: 1_000 };

/** Processes that use the same buckets, each with a clock of its own; counts the reads and writes. */
function setUp(processes = 1, sharesMax?: number) {
  const buckets = createBucketsInMemory();
  const state = { nowMs: 1_000_000, reads: 0, writes: 0, skewMs: [] as number[] };
  const shares = Array.from({ length: processes }, (_, index) =>
    createRateLimiter(
      {
        readBucket: (name) => {
          state.reads += 1;
          return buckets.readBucket(name);
        },
        replaceBucket: (...given) => {
          state.writes += 1;
          return buckets.replaceBucket(...given);
        },
        isShared: true,
        nowMs: () => state.nowMs + (state.skewMs[index] ?? 0),
      },
      sharesMax,
    ),
  );
  const [first = createRateLimiter({ ...buckets, nowMs: () => 0 })] = shares;
  return { state, shares, share: first };
}

/** How many calls with this count are allowed at once. */
async function takeAll(share: RateLimiter | undefined, count: number): Promise<number> {
  let times = 0;
  while ((await share?.take(NAME, LIMITS, count)) === 0) times += 1;
  return times;
}

interface Given {
  readonly at: number;
  readonly count: number;
}

/** For every span of time: at most what the bucket held, and what was refilled meanwhile. */
function expectWithin(given: readonly Given[], { ratePerSecond, burst }: BucketLimits): void {
  let worst = -Infinity;
  for (const [first, { at: from }] of given.entries()) {
    let sum = 0;
    for (const { at, count } of given.slice(first)) {
      sum += count;
      worst = Math.max(worst, sum - burst - ((at - from) * ratePerSecond) / 1000);
    }
  }
  expect(worst).toBeLessThanOrEqual(1e-6);
}

describe("shares of a bucket", () => {
  it("give what is there at once, and say exactly when there is more", async () => {
    const { state, share } = setUp();
    expect(await share.take(NAME, LIMITS, 1_000)).toBe(0);
    expect(await share.take(NAME, LIMITS, 1)).toBe(10);
    expect(await share.take(NAME, LIMITS, 250)).toBe(2_500);
    state.nowMs += 2_499;
    expect(await share.take(NAME, LIMITS, 250)).toBe(1);
    state.nowMs += 1;
    expect(await share.take(NAME, LIMITS, 250)).toBe(0);
  });

  it("are of one key and one kind each", async () => {
    const { share } = setUp();
    await share.take(NAME, LIMITS, 1_000);
    expect(await share.take({ ...NAME, kind: "requests" }, LIMITS, 1_000)).toBe(0);
    expect(await share.take({ ...NAME, keyId: "k2" }, LIMITS, 1_000)).toBe(0);
    expect(await share.take({ ...NAME, org: "b" }, LIMITS, 1_000)).toBe(0);
  });

  it("all that wait are settled with one change of the bucket, the first ones first", async () => {
    const { state, share } = setUp();
    const counts = [1, 600, 500, 300, 99, 1];
    const waits = await Promise.all(counts.map((count) => share.take(NAME, LIMITS, count)));
    // 500 tokens are not left; this must not block the calls that fit.
    expect(waits.map((wait) => wait === 0)).toEqual([true, true, false, true, true, false]);
    expect(state.writes).toBeLessThanOrEqual(2);
  });

  it("a busy process needs a round trip for few of its calls, an idle one takes nothing in advance", async () => {
    const { state, share } = setUp();
    const limits = { ratePerSecond: 1_000, burst: 2_000 };
    for (let call = 0; call < 5_000; call += 1) {
      expect(await share.take(NAME, limits, 1)).toBe(0);
      state.nowMs += 1;
    }
    // Ten a second, and some more until the load is measured.
    expect(state.writes).toBeLessThan(100);
    // Every call of an idle key takes one token, whichever process gets it: nothing is lost.
    const { shares, state: idle } = setUp(3);
    const slow = { ratePerSecond: 1, burst: 10 };
    for (let call = 0; call < 60; call += 1) {
      expect(await shares[call % 3]?.take(NAME, slow, 1)).toBe(0);
      idle.nowMs += 1_000;
    }
  });

  it("a key costs one round trip a call in one process, two when others use it too", async () => {
    const slow = { ratePerSecond: 10, burst: 20 };
    const { state, share } = setUp();
    for (let call = 0; call < 60; call += 1) {
      expect(await share.take(NAME, slow, 1)).toBe(0);
      state.nowMs += 1_000;
    }
    expect(state.reads).toBeLessThanOrEqual(2);
    expect(state.writes).toBe(60);
    const { shares, state: shared } = setUp(2);
    for (let call = 0; call < 60; call += 1) {
      expect(await shares[call % 2]?.take(NAME, slow, 1)).toBe(0);
      shared.nowMs += 1_000;
    }
    expect([shared.reads, shared.writes]).toEqual([60, 60]);
  });

  it("a bucket that another process changed is read again before a refusal", async () => {
    const { state, shares } = setUp(2);
    const [one, two] = shares;
    for (let call = 0; call < 3; call += 1) expect(await one?.take(NAME, LIMITS, 300)).toBe(0);
    expect(await two?.take(NAME, LIMITS, 100)).toBe(0);
    two?.giveBack(NAME, LIMITS, 100);
    await new Promise(setImmediate);
    state.nowMs += 1_000;
    expect(await one?.take(NAME, LIMITS, 201)).toBeGreaterThan(0);
    expect(await one?.take(NAME, LIMITS, 200)).toBe(0);
  });

  it("three processes that are kept evenly busy lose nothing that matters: four fifths of the rate are always there", async () => {
    const { state, shares } = setUp(3);
    const limits = { ratePerSecond: 500, burst: 1_000 };
    for (let call = 0; call < 8_000; call += 1) {
      expect([call, await shares[call % 3]?.take(NAME, limits, 1)]).toEqual([call, 0]);
      if (call % 2 === 1) state.nowMs += 5;
    }
  });

  it("refused calls do not read the bucket again each time", async () => {
    const { state, share } = setUp();
    await share.take(NAME, LIMITS, 1_000);
    const before = state.reads;
    for (let call = 0; call < 500; call += 1)
      expect(await share.take(NAME, LIMITS, 500)).toBeGreaterThan(0);
    expect(state.reads - before).toBeLessThanOrEqual(1);
  });

  it("what is given back can be taken again, by every process, and no bucket gets fuller than full", async () => {
    const { state, shares } = setUp(2);
    const [one, two] = shares;
    expect(await one?.take(NAME, LIMITS, 900)).toBe(0);
    one?.giveBack(NAME, LIMITS, 900);
    expect(await one?.take(NAME, LIMITS, 1)).toBe(0);
    expect(await two?.take(NAME, LIMITS, 999)).toBe(0);
    state.nowMs += 60_000;
    one?.giveBack(NAME, LIMITS, 5_000);
    await one?.take(NAME, LIMITS, 1);
    state.nowMs += 60_000;
    expect(await two?.take(NAME, LIMITS, 1_000)).toBe(0);
    expect(await two?.take(NAME, LIMITS, 1)).toBeGreaterThan(0);
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
    expect(await share.take(NAME, slow, 1_000)).toBe(0);
    nowMs += 2_000;
    isDown = true;
    share.giveBack(NAME, slow, 990);
    await expect(share.take(NAME, slow, 10)).rejects.toBe(down);
    isDown = false;
    expect(await share.take(NAME, slow, 992)).toBe(0);
  });

  it("a bucket that others change all the time fails the call instead of trying for ever", async () => {
    const share = createRateLimiter({
      readBucket: () => Promise.resolve(null),
      replaceBucket: () => Promise.resolve(false),
      isShared: true,
      nowMs: () => 0,
    });
    await expect(share.take(NAME, LIMITS, 1)).rejects.toMatchObject({ code: "unavailable" });
  });

  it("a clock that is set back brings nothing, and the bucket fills again within half a minute", async () => {
    for (const backMs of [1, 5_000, 30_000, 30_001, 3_600_000]) {
      const { state, share } = setUp();
      state.nowMs += 3_600_000;
      expect(await share.take(NAME, LIMITS, 1_000)).toBe(0);
      state.nowMs -= backMs;
      const waitMs = await share.take(NAME, LIMITS, 1);
      expect(waitMs).toBeGreaterThan(0);
      expect(waitMs).toBeLessThanOrEqual(30_010);
      state.nowMs += waitMs;
      expect(await share.take(NAME, LIMITS, 1)).toBe(0);
    }
  });

  it("buckets that are not remembered begin full, and no more are remembered than that", async () => {
    const { share } = setUp(1, 10);
    await share.take(NAME, LIMITS, 1_000);
    for (let key = 0; key < 50; key += 1)
      await share.take({ ...NAME, keyId: String(key) }, LIMITS, 1);
    expect(await share.take(NAME, LIMITS, 1)).toBeGreaterThan(0);
    const buckets = createBucketsInMemory(10);
    const bucket: Bucket = { level: 0, at: 0 };
    for (let key = 0; key < 11; key += 1)
      await buckets.replaceBucket({ ...NAME, keyId: String(key) }, null, bucket, 0);
    expect(await buckets.readBucket({ ...NAME, keyId: "0" })).toBeNull();
    expect(await buckets.readBucket({ ...NAME, keyId: "1" })).toEqual(bucket);
  });
});

describe("shares of a bucket, whatever happens", () => {
  const limitsOf = fc
    .tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 30 }))
    .map(([ratePerSecond, tenths]) => ({
      ratePerSecond,
      burst: Math.max(1, Math.round((ratePerSecond * tenths) / 10)),
    }));
  const passes = fc.oneof(fc.nat(5), fc.nat(120), fc.integer({ min: 500, max: 3_000 }));
  /** Milliseconds that pass, the process that is called, the tokens of a call (0: the whole burst) and the number of calls. */
  const calls = (processes: number, maxLength = 60) =>
    fc.array(
      fc.tuple(
        passes,
        fc.nat(processes - 1),
        fc.oneof(fc.constant(1), fc.constant(1), fc.nat(600)),
        fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 60 })),
      ),
      { maxLength },
    );
  const sizeOf = (size: number, { burst }: BucketLimits): number =>
    size === 0 ? burst : Math.min(size, burst);

  it("any number of processes give no more in any span of time than one bucket would", async () => {
    await fc.assert(
      fc.asyncProperty(limitsOf, calls(3), async (limits, all) => {
        const { state, shares } = setUp(3);
        const given: Given[] = [];
        for (const [passMs, process, size, times] of all) {
          state.nowMs += passMs;
          const count = sizeOf(size, limits);
          for (let call = 0; call < times; call += 1)
            if ((await shares[process]?.take(NAME, limits, count)) === 0)
              given.push({ at: state.nowMs, count });
        }
        expectWithin(given, limits);
      }),
      { numRuns: 600 },
    );
  });

  it("what a process holds in advance is no more than the bucket lacks, however full it gets meanwhile", async () => {
    for (let calls = 100; calls < 130; calls += 1) {
      for (let afterMs = 0; afterMs < 120; afterMs += 10) {
        const { state, shares } = setUp(2);
        for (let call = 0; call < calls; call += 1) {
          await shares[0]?.take(NAME, LIMITS, 1);
          state.nowMs += 10;
        }
        state.nowMs += afterMs;
        // First all tokens of the bucket, then the tokens taken in advance.
        const [holder, other] = shares;
        let sum = 0;
        for (const count of [512, 256, 128, 64, 32, 16, 8, 4, 2, 1, 1])
          sum += (await takeAll(other, count)) * count;
        sum += await takeAll(holder, 1);
        expect(sum).toBeLessThanOrEqual(LIMITS.burst);
      }
    }
  });

  it("also when their changes of the bucket cross each other", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), limitsOf, calls(3, 30), async (scheduler, limits, all) => {
        const buckets = createBucketsInMemory();
        const ports: BucketPorts = {
          readBucket: (name) => scheduler.schedule(buckets.readBucket(name)),
          // A request takes effect when it arrives, not when it is sent.
          replaceBucket: (...of) =>
            scheduler.schedule(Promise.resolve()).then(() => buckets.replaceBucket(...of)),
          isShared: true,
          nowMs: () => 0,
        };
        const shares: RateLimiter[] = [
          createRateLimiter(ports),
          createRateLimiter(ports),
          createRateLimiter(ports),
        ];
        let sum = 0;
        const take = async (share: RateLimiter | undefined, of: BucketLimits, count: number) => {
          if ((await share?.take(NAME, of, count)) === 0) sum += count;
        };
        const pending = all.map(([, process, size]) => {
          const count = sizeOf(size, limits);
          return take(shares[process], limits, count);
        });
        await scheduler.waitFor(Promise.all(pending));
        // No time has passed.
        expect(sum).toBeLessThanOrEqual(limits.burst);
      }),
      { numRuns: 100 },
    );
  });

  it("clocks that differ bring no more than the difference, and clocks that are set back bring nothing", async () => {
    const skews = fc.array(fc.nat(15_000), { minLength: 3, maxLength: 3 });
    const jumps = fc.array(fc.tuple(fc.integer({ min: -9_000, max: 3_000 }), fc.nat(2)), {
      maxLength: 100,
    });
    const slow = fc.record({
      ratePerSecond: fc.integer({ min: 1, max: 10 }),
      burst: fc.integer({ min: 1, max: 200 }),
    });
    await fc.assert(
      fc.asyncProperty(slow, skews, jumps, async (limits, skewMs, all) => {
        const { state, shares } = setUp(3);
        state.skewMs = skewMs;
        let earliestMs = state.nowMs;
        let latestMs = state.nowMs;
        let sum = 0;
        for (const [passMs, process] of all) {
          // Never set back so far that the clock counts as having been wrong for long.
          state.nowMs = Math.max(state.nowMs + passMs, latestMs - 9_000);
          latestMs = Math.max(latestMs, state.nowMs);
          earliestMs = Math.min(earliestMs, state.nowMs);
          for (let size = limits.burst; size >= 1; size = Math.floor(size / 2))
            if ((await shares[process]?.take(NAME, limits, size)) === 0) sum += size;
        }
        const elapsedMs = latestMs - earliestMs + Math.max(...skewMs) - Math.min(...skewMs);
        expect(sum).toBeLessThanOrEqual(limits.burst + (elapsedMs * limits.ratePerSecond) / 1000);
      }),
      { numRuns: 300 },
    );
  });

  it("a retry after the announced seconds succeeds when no other caller comes first", async () => {
    await fc.assert(
      fc.asyncProperty(limitsOf, calls(3), fc.nat(2), async (limits, all, process) => {
        const { state, shares } = setUp(3);
        for (const [passMs, other, size, times] of all) {
          state.nowMs += passMs;
          for (let call = 0; call < times; call += 1)
            await shares[other]?.take(NAME, limits, sizeOf(size, limits));
        }
        const count = Math.max(1, Math.floor(limits.burst / 2));
        // The first answer may come from what the process saw in the last second; the next one is exact.
        let waitMs = Number.NaN;
        for (let tries = 0; tries < 3 && waitMs !== 0; tries += 1) {
          waitMs = (await shares[process]?.take(NAME, limits, count)) ?? Number.NaN;
          state.nowMs += waitMs;
        }
        expect(waitMs).toBe(0);
      }),
      { numRuns: 400 },
    );
  });

  it("what is given back is not charged, and in the end no more was used than there was", async () => {
    await fc.assert(
      fc.asyncProperty(
        limitsOf,
        calls(3),
        fc.infiniteStream(fc.boolean()),
        async (limits, all, returns) => {
          const { state, shares } = setUp(3);
          const startMs = state.nowMs;
          let used = 0;
          for (const [passMs, process, size] of all) {
            state.nowMs += passMs;
            const count = Math.min(size, limits.burst);
            const waitMs = await shares[process]?.take(NAME, limits, count);
            if (waitMs !== 0) continue;
            if (returns.next().value === true) {
              shares[process]?.giveBack(NAME, limits, count);
              await new Promise(setImmediate);
            } else used += count;
          }
          const worth = ((state.nowMs - startMs) * limits.ratePerSecond) / 1000;
          expect(used).toBeLessThanOrEqual(limits.burst + worth);
        },
      ),
      { numRuns: 200 },
    );
  });
});
