// How many calls per second a webhook gets. A delivery that must wait stays in the queue and uses up no attempt.
import {
  type BucketLimits,
  filledBucket,
  fillingMs,
  fullBucket,
  requireBucketLimits,
  TOKEN,
  tokensIn,
} from "../shared/concurrency/token-bucket.ts";

export interface TokenBucket {
  /** Takes up to `count` tokens and returns how many it took. */
  takeUpTo(count: number, nowMs: number): number;
  /** Whole milliseconds until there is a token; 0 when there is one. */
  waitMs(nowMs: number): number;
  /** Continues with other limits; tokens above the new burst are lost. */
  limit(limits: BucketLimits, nowMs: number): void;
}

/** A full bucket. */
export function createTokenBucket(first: BucketLimits, nowMs: number): TokenBucket {
  requireBucketLimits(first);
  let limits = first;
  let bucket = fullBucket(limits, nowMs);
  return {
    takeUpTo: (count, now) => {
      const { level, at } = filledBucket(bucket, limits, now);
      const taken = Math.max(0, Math.min(Math.floor(count), tokensIn({ level, at })));
      bucket = { level: level - taken * TOKEN, at };
      return taken;
    },
    waitMs: (now) => {
      bucket = filledBucket(bucket, limits, now);
      return fillingMs(bucket, limits, 1);
    },
    limit: (next, now) => {
      requireBucketLimits(next);
      const { level, at } = filledBucket(bucket, limits, now);
      limits = next;
      bucket = { level: Math.min(level, next.burst * TOKEN), at };
    },
  };
}
