// Token buckets: how much may be taken at once, and how fast it is refilled.

export interface BucketLimits {
  /** Tokens refilled per second, a whole number: with fractions, sums would be rounded. */
  readonly ratePerSecond: number;
  /** Tokens that may be taken at once after a pause, a whole number of at least 1. */
  readonly burst: number;
}

/** The content of a bucket at a moment. */
export interface Bucket {
  /** Thousandths of a token: for a whole rate, each millisecond adds a whole number of them, and nothing is rounded. */
  readonly level: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Thousandths of one token. */
export const TOKEN = 1000;

/** @throws RangeError for limits that would never let anything through, or that cannot be counted exactly */
function requireBucketLimits({ ratePerSecond, burst }: BucketLimits): void {
  if (!Number.isSafeInteger(ratePerSecond) || ratePerSecond < 1)
    throw new RangeError("A rate is a whole number of at least 1");
  if (!Number.isSafeInteger(burst * TOKEN) || !Number.isInteger(burst) || burst < 1)
    throw new RangeError("A burst is a whole number of at least 1");
}

export function fullBucket({ burst }: BucketLimits, nowMs: number): Bucket {
  return { level: burst * TOKEN, at: nowMs };
}

/** The bucket after some time. A clock that is set back adds and removes no tokens: the refill continues from the new time. */
export function filledBucket(
  { level, at }: Bucket,
  { ratePerSecond, burst }: BucketLimits,
  nowMs: number,
): Bucket {
  const elapsedMs = Math.max(0, nowMs - at);
  return { level: Math.min(burst * TOKEN, level + elapsedMs * ratePerSecond), at: nowMs };
}

/** Whole tokens in the bucket at its moment. */
export const tokensIn = ({ level }: Bucket): number => Math.max(0, Math.floor(level / TOKEN));

/** Whole milliseconds from the bucket's moment until it holds `count` tokens; 0 when it does. */
export function fillingMs(
  { level }: Bucket,
  { ratePerSecond }: BucketLimits,
  count: number,
): number {
  return Math.max(0, Math.ceil((count * TOKEN - level) / ratePerSecond));
}

/** A bucket in the memory of this process. */
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
