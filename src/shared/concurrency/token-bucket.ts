// Token buckets: how much may be done at once, and how quickly that comes back.

export interface BucketLimits {
  /** What comes back each second, a whole number: with fractions sums would be rounded. */
  readonly ratePerSecond: number;
  /** What may be taken at once after a pause, a whole number of at least 1. */
  readonly burst: number;
}

/** What is in a bucket at a moment. */
export interface Bucket {
  /**
   * Thousandths of a token: a millisecond then brings a whole number of them for a whole rate, and nothing is rounded.
   */
  readonly level: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Thousandths of one token. */
export const TOKEN = 1000;

/** @throws RangeError for limits that would never let anything through, or that cannot be counted exactly */
export function requireBucketLimits({ ratePerSecond, burst }: BucketLimits): void {
  if (!Number.isSafeInteger(ratePerSecond) || ratePerSecond < 1)
    throw new RangeError("A rate is a whole number of at least 1");
  if (!Number.isSafeInteger(burst * TOKEN) || !Number.isInteger(burst) || burst < 1)
    throw new RangeError("A burst is a whole number of at least 1");
}

export function fullBucket({ burst }: BucketLimits, nowMs: number): Bucket {
  return { level: burst * TOKEN, at: nowMs };
}

/** The bucket a while later. A clock that is set back brings no token and takes none: filling goes on from the new time. */
export function filledBucket(
  { level, at }: Bucket,
  { ratePerSecond, burst }: BucketLimits,
  nowMs: number,
): Bucket {
  const elapsedMs = Math.max(0, nowMs - at);
  return { level: Math.min(burst * TOKEN, level + elapsedMs * ratePerSecond), at: nowMs };
}

/** Whole tokens in the bucket, as it was at its moment. */
export const tokensIn = ({ level }: Bucket): number => Math.max(0, Math.floor(level / TOKEN));

/** Whole milliseconds from the bucket's moment until there are `count` tokens; 0 when there are. */
export function fillingMs(
  { level }: Bucket,
  { ratePerSecond }: BucketLimits,
  count: number,
): number {
  return Math.max(0, Math.ceil((count * TOKEN - level) / ratePerSecond));
}
