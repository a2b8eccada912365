import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUCKET, BUCKET_LIMITS, setUpBuckets } from "../../test/support/rate-limiter.ts";
import type { BucketLimits } from "../shared/concurrency/token-bucket.ts";
import { createBucketsInMemory } from "./buckets-in-memory.ts";
import { type BucketPorts, createRateLimiter, type RateLimiter } from "./rate-limiter.ts";

/** How many calls with this count are allowed at once. */
async function takeAll(share: RateLimiter | undefined, count: number): Promise<number> {
  let times = 0;
  while ((await share?.take(BUCKET, BUCKET_LIMITS, count)) === 0) times += 1;
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
        const { state, shares } = setUpBuckets(3);
        const given: Given[] = [];
        for (const [passMs, process, size, times] of all) {
          state.nowMs += passMs;
          const count = sizeOf(size, limits);
          for (let call = 0; call < times; call += 1)
            if ((await shares[process]?.take(BUCKET, limits, count)) === 0)
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
        const { state, shares } = setUpBuckets(2);
        for (let call = 0; call < calls; call += 1) {
          await shares[0]?.take(BUCKET, BUCKET_LIMITS, 1);
          state.nowMs += 10;
        }
        state.nowMs += afterMs;
        // First all tokens of the bucket, then the tokens taken in advance.
        const [holder, other] = shares;
        let sum = 0;
        for (const count of [512, 256, 128, 64, 32, 16, 8, 4, 2, 1, 1])
          sum += (await takeAll(other, count)) * count;
        sum += await takeAll(holder, 1);
        expect(sum).toBeLessThanOrEqual(BUCKET_LIMITS.burst);
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
          if ((await share?.take(BUCKET, of, count)) === 0) sum += count;
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
        const { state, shares } = setUpBuckets(3);
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
            if ((await shares[process]?.take(BUCKET, limits, size)) === 0) sum += size;
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
        const { state, shares } = setUpBuckets(3);
        for (const [passMs, other, size, times] of all) {
          state.nowMs += passMs;
          for (let call = 0; call < times; call += 1)
            await shares[other]?.take(BUCKET, limits, sizeOf(size, limits));
        }
        const count = Math.max(1, Math.floor(limits.burst / 2));
        // The first answer may come from what the process saw in the last second; the next one is exact.
        let waitMs = Number.NaN;
        for (let tries = 0; tries < 3 && waitMs !== 0; tries += 1) {
          waitMs = (await shares[process]?.take(BUCKET, limits, count)) ?? Number.NaN;
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
          const { state, shares } = setUpBuckets(3);
          const startMs = state.nowMs;
          let used = 0;
          for (const [passMs, process, size] of all) {
            state.nowMs += passMs;
            const count = Math.min(size, limits.burst);
            const waitMs = await shares[process]?.take(BUCKET, limits, count);
            if (waitMs !== 0) continue;
            if (returns.next().value === true) {
              shares[process]?.giveBack(BUCKET, limits, count);
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
