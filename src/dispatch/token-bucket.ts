// How many calls per second a webhook gets. What has to wait stays in the queue and uses up no attempt.

export interface TokenBucketLimits {
  /** Calls per second in the long run, a whole number: with fractions sums would be rounded. */
  readonly ratePerSecond: number;
  /** Calls that may be made at once after a pause, at least 1. */
  readonly burst: number;
}

export interface TokenBucket {
  /** Takes as many of `count` tokens as there are and says how many. */
  takeUpTo(count: number, nowMs: number): number;
  /** Whole milliseconds until there is a token; 0 when there is one. */
  waitMs(nowMs: number): number;
}

/** Tokens are counted in thousandths: a millisecond then brings a whole number of them for a whole rate, and no rounding. */
const TOKEN = 1000;

/** A full bucket. A clock that is set back brings no token and takes none: filling goes on from the new time. */
export function createTokenBucket(limits: TokenBucketLimits, nowMs: number): TokenBucket {
  const { ratePerSecond, burst } = limits;
  if (!Number.isSafeInteger(ratePerSecond) || ratePerSecond < 1)
    throw new RangeError("A rate is a whole number of at least 1");
  if (!Number.isSafeInteger(burst) || burst < 1) throw new RangeError("A burst is at least 1");
  let level = burst * TOKEN;
  let filledAt = nowMs;

  function fill(now: number): void {
    const elapsedMs = Math.max(0, now - filledAt);
    level = Math.min(burst * TOKEN, level + elapsedMs * ratePerSecond);
    filledAt = now;
  }

  return {
    takeUpTo: (count, now) => {
      fill(now);
      const taken = Math.max(0, Math.min(Math.floor(count), Math.floor(level / TOKEN)));
      level -= taken * TOKEN;
      return taken;
    },
    waitMs: (now) => {
      fill(now);
      return Math.max(0, Math.ceil((TOKEN - level) / ratePerSecond));
    },
  };
}
