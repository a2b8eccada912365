import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTokenBucket } from "./token-bucket.ts";

describe("token bucket", () => {
  it("begins full, gives no more than it has, and fills at its rate", () => {
    const bucket = createTokenBucket({ ratePerSecond: 50, burst: 10 }, 0);
    expect(bucket.takeUpTo(4, 0)).toBe(4);
    expect(bucket.takeUpTo(100, 0)).toBe(6);
    expect(bucket.takeUpTo(1, 0)).toBe(0);
    expect(bucket.waitMs(0)).toBe(20);
    expect(bucket.takeUpTo(1, 19)).toBe(0);
    expect(bucket.waitMs(19)).toBe(1);
    expect(bucket.takeUpTo(5, 20)).toBe(1);
    expect(bucket.takeUpTo(100, 120)).toBe(5);
  });

  it("of nothing, of less than nothing and of a part of a token it takes nothing", () => {
    const bucket = createTokenBucket({ ratePerSecond: 1, burst: 2 }, 0);
    expect([0, -5, 0.9].map((count) => bucket.takeUpTo(count, 0))).toEqual([0, 0, 0]);
    expect(bucket.takeUpTo(2.9, 0)).toBe(2);
  });

  it("a clock that is set back brings nothing, and filling goes on from there", () => {
    const bucket = createTokenBucket({ ratePerSecond: 10, burst: 1 }, 3_600_000);
    expect(bucket.takeUpTo(1, 3_600_000)).toBe(1);
    expect(bucket.takeUpTo(1, 0)).toBe(0);
    expect(bucket.waitMs(0)).toBe(100);
    expect(bucket.takeUpTo(1, 100)).toBe(1);
  });

  it("with other limits it goes on with what it has, as far as that fits", () => {
    const bucket = createTokenBucket({ ratePerSecond: 10, burst: 10 }, 0);
    bucket.limit({ ratePerSecond: 2, burst: 3 }, 0);
    expect(bucket.takeUpTo(100, 0)).toBe(3);
    expect(bucket.waitMs(0)).toBe(500);
    // Tokens that came in before the change came at the old rate.
    bucket.limit({ ratePerSecond: 10, burst: 10 }, 1_000);
    expect(bucket.takeUpTo(100, 1_100)).toBe(3);
  });

  it("limits that would never let a call through are bugs", () => {
    for (const ratePerSecond of [0, -1, Number.NaN, Infinity]) {
      expect(() => createTokenBucket({ ratePerSecond, burst: 1 }, 0)).toThrow(RangeError);
    }
    for (const burst of [0, 0.5, Number.NaN]) {
      expect(() => createTokenBucket({ ratePerSecond: 1, burst }, 0)).toThrow(RangeError);
    }
  });

  const limits = fc.record({
    ratePerSecond: fc.integer({ min: 1, max: 2000 }),
    burst: fc.integer({ min: 1, max: 100 }),
  });
  const takes = fc.array(fc.tuple(fc.nat(3000), fc.nat(50)), { maxLength: 60 });

  it("between any two moments it gives at most the burst and what the time is worth", () => {
    fc.assert(
      fc.property(limits, takes, (of, all) => {
        const bucket = createTokenBucket(of, 0);
        const given: { readonly at: number; readonly count: number }[] = [];
        let now = 0;
        for (const [passMs, count] of all) {
          now += passMs;
          given.push({ at: now, count: bucket.takeUpTo(count, now) });
        }
        for (const [first, { at: from }] of given.entries()) {
          let sum = 0;
          for (const { at, count } of given.slice(first)) {
            sum += count;
            const worth = of.burst + ((at - from) * of.ratePerSecond) / 1000;
            expect(sum).toBeLessThanOrEqual(worth + 1e-6);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("after waitMs there is a token, and a millisecond earlier there is none; also after jumps of the clock", () => {
    const jumps = fc.array(fc.tuple(fc.integer({ min: -100_000, max: 3000 }), fc.nat(50)), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(limits, jumps, (of, all) => {
        const bucket = createTokenBucket(of, 0);
        let now = 0;
        for (const [passMs, count] of all) {
          const before = bucket.waitMs(now);
          now += passMs;
          if (passMs <= 0) expect(bucket.waitMs(now)).toBe(before);
          bucket.takeUpTo(count, now);
        }
        bucket.takeUpTo(of.burst, now);
        const waitMs = bucket.waitMs(now);
        expect(waitMs).toBeGreaterThan(0);
        expect(bucket.takeUpTo(1, now + waitMs - 1)).toBe(0);
        expect(bucket.takeUpTo(1, now + waitMs)).toBe(1);
      }),
      { numRuns: 2000 },
    );
  });
});
