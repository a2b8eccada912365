// A rate limiter of several processes over one store of buckets, for its tests.
import { createBucketsInMemory } from "../../src/access/buckets-in-memory.ts";
import { createRateLimiter } from "../../src/access/rate-limiter.ts";
import type { BucketName } from "../../src/model/api-key.ts";
import type { BucketLimits } from "../../src/shared/concurrency/token-bucket.ts";

export const BUCKET: BucketName = { org: "acme", keyId: "k", kind: "credits" };
export const BUCKET_LIMITS: BucketLimits = { ratePerSecond: 100, burst: 1_000 };

/** Processes that use the same buckets, each with a clock of its own; counts the reads and writes. */
export function setUpBuckets(processes = 1, sharesMax?: number) {
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
