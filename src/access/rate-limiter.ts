// The rate limiter of API keys and of grants on Kafka: token buckets that all processes of an installation use. There is one
// bucket for each key and kind: a row that a process changes only if it is still as the process has read it. A process with
// many calls of a key takes some tokens in advance, so that most calls need no round trip to that row. A key with few calls
// costs one round trip, if one process gets them all.
//
// The processes together never allow more than the bucket does, in any span of time. Tokens taken in advance may be used up to
// 100 ms later, when the bucket has refilled; so taking them leaves the bucket at most as full as if they were taken at the end
// of that time. Tokens that are not used by then are lost: at most what the process used in the same time before, and what the
// bucket gets in that time.
import type { Bucket, BucketLimits } from "../shared/concurrency/token-bucket.ts";
import {
  filledBucket,
  fillingMs,
  fullBucket,
  TOKEN,
  tokensIn,
} from "../shared/concurrency/token-bucket.ts";
import { LedgerlineError } from "../shared/errors.ts";
import type { BucketName } from "../model/api-key.ts";

/** Where the buckets are stored. */
export interface BucketPorts {
  /** Null: it is full, or was never used. */
  readBucket(name: BucketName): Promise<Bucket | null>;
  /**
   * Replaces the bucket that was read; false when it has changed since.
   * @param fullAtMs when it is full again, and need not be kept any longer
   */
  replaceBucket(
    name: BucketName,
    seen: Bucket | null,
    bucket: Bucket,
    fullAtMs: number,
  ): Promise<boolean>;
  /**
   * Whether other processes use the buckets too, so that they are stored outside this process: if not, nothing is taken in
   * advance.
   */
  readonly isShared: boolean;
  nowMs(): number;
}

export interface RateLimiter {
  /**
   * Takes `count` tokens, all or none.
   * @returns milliseconds until there would be enough if no other call took any; 0: they are taken
   * @throws LedgerlineError `unavailable` when the bucket cannot be reached
   */
  take(name: BucketName, limits: BucketLimits, count: number): Promise<number>;
  /**
   * Returns tokens that were not needed; what cannot be returned now goes with the next call for the same bucket. If the bucket
   * became full meanwhile, it gets the tokens refilled during the call a second time.
   */
  giveBack(name: BucketName, limits: BucketLimits, count: number): void;
  /** What is left of a bucket as this process last saw it; others may have taken some since. */
  left(name: BucketName, limits: BucketLimits): BucketLeft;
}

export interface BucketLeft {
  readonly tokens: number;
  /** Milliseconds until it is full if no tokens are taken. */
  readonly fullInMs: number;
}

/** How long tokens taken in advance may be used. A database easily handles ten changes of a bucket per second. */
const ADVANCE_MS = 100;
/** How long a bucket that was read is trusted for refusing calls. */
const SEEN_MS = 1_000;
/** Use is counted per second. */
const SECOND_MS = 1_000;
/** Two for each of ten thousand keys in use; an evicted one is read again. */
const SHARES_MAX = 20_000;
/**
 * Clocks of machines differ. The time of a bucket does not go back by less than this: if it did, a machine with a slow clock
 * would let one with a fast clock refill the same time twice. A clock that is further back was set back, and the refill
 * continues from there.
 */
const CLOCKS_APART_MS_MAX = 30_000;
/** Others may change the bucket between reading and writing; in each failed try, one of them succeeded. */
const TRIES_MAX = 100;

interface WaitingCall {
  readonly count: number;
  /** @param waitMs 0: the tokens are taken */
  readonly resolve: (waitMs: number) => void;
  readonly reject: (error: unknown) => void;
}

/** What a process holds of one bucket. */
interface Share {
  readonly name: BucketName;
  limits: BucketLimits;
  /** Tokens taken in advance, and until when they may be used. */
  tokens: number;
  tokensUntil: number;
  /** Calls for which the tokens are not enough, in the order of their arrival. */
  readonly line: WaitingCall[];
  isServing: boolean;
  /** Tokens to be returned. */
  returned: number;
  /** The bucket as this process last wrote it, and whether no other process had changed it before that. */
  left: Bucket | null;
  isAlone: boolean;
  /** The bucket when it was last too empty, and until when that is trusted. */
  seen: Bucket | null;
  seenUntil: number;
  /** Tokens used in this second, its start, and those used in the second before. */
  used: number;
  usedFrom: number;
  usedBefore: number;
}

export function createRateLimiter(ports: BucketPorts, sharesMax = SHARES_MAX): RateLimiter {
  const shares = new Map<string, Share>();

  function shareOf(name: BucketName, limits: BucketLimits): Share {
    const key = `${name.kind}\n${name.org}\n${name.keyId}`;
    const share = shares.get(key) ?? newShare(name, limits);
    share.limits = limits;
    // Least recently used first; the first one is evicted.
    shares.delete(key);
    shares.set(key, share);
    for (const oldest of shares.keys()) {
      if (shares.size <= sharesMax) break;
      shares.delete(oldest);
    }
    return share;
  }

  return {
    take: (name, limits, count) => {
      const share = shareOf(name, limits);
      const now = ports.nowMs();
      expire(share, now);
      if (share.line.length === 0 && share.tokens >= count) {
        share.tokens -= count;
        use(share, count, now);
        return Promise.resolve(0);
      }
      const waitMs = knownWaitMs(share, count, now);
      if (waitMs > 0) return Promise.resolve(waitMs);
      return new Promise((resolve, reject) => {
        share.line.push({ count, resolve, reject });
        void serveWaiting(ports, share);
      });
    },
    giveBack: (name, limits, count) => {
      const share = shareOf(name, limits);
      share.returned += count;
      share.used = Math.max(0, share.used - count);
      void serveWaiting(ports, share);
    },
    left: (name, limits) => {
      const share = shareOf(name, limits);
      const now = ports.nowMs();
      expire(share, now);
      // Of the two, `seen` is the newer one: the next change resets it.
      const known = share.seen ?? share.left;
      const bucket = known === null ? fullBucket(limits, now) : filled(known, limits, now);
      return {
        tokens: Math.min(limits.burst, tokensIn(bucket) + share.tokens),
        fullInMs: fillingMs(bucket, limits, limits.burst),
      };
    },
  };
}

function newShare(name: BucketName, limits: BucketLimits): Share {
  return {
    ...{ name, limits, tokens: 0, tokensUntil: 0, line: [], isServing: false, returned: 0 },
    ...{
      left: null,
      isAlone: false,
      seen: null,
      seenUntil: 0,
      used: 0,
      usedFrom: 0,
      usedBefore: 0,
    },
  };
}

function expire(share: Share, now: number): void {
  if (isOver(share.tokensUntil, ADVANCE_MS, now)) share.tokens = 0;
}

/** Also true when the clock was set back since. */
const isOver = (until: number, lengthMs: number, now: number): boolean =>
  now >= until || now < until - lengthMs;

function use(share: Share, count: number, now: number): void {
  const elapsedMs = now - share.usedFrom;
  if (elapsedMs < 0 || elapsedMs >= SECOND_MS) {
    share.usedBefore = elapsedMs >= 0 && elapsedMs < 2 * SECOND_MS ? share.used : 0;
    share.used = 0;
    share.usedFrom = now;
  }
  share.used += count;
}

/** Milliseconds to wait according to the bucket as it was just read, so that calls that cannot succeed do not read it again. */
function knownWaitMs({ seen, seenUntil, limits, ...share }: Share, count: number, now: number) {
  if (seen === null || isOver(seenUntil, SEEN_MS, now)) return 0;
  const bucket = filled(seen, limits, now);
  const most = tokensIn(bucket) + share.tokens + share.returned;
  return count <= most ? 0 : waitMsOf(bucket, limits, count, now);
}

/** Settles all waiting calls, including those that arrive meanwhile, and returns the tokens to be returned. */
async function serveWaiting(ports: BucketPorts, share: Share): Promise<void> {
  if (share.isServing) return;
  share.isServing = true;
  try {
    while (share.line.length > 0 || share.returned > 0) await serveLine(ports, share);
  } catch (error) {
    for (const { reject } of share.line.splice(0)) reject(error);
  } finally {
    share.isServing = false;
  }
}

/** Settles the calls that wait now, with at most one change of the bucket. */
async function serveLine(ports: BucketPorts, share: Share): Promise<void> {
  const { name, limits } = share;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const { seen, isGuess } = await look(ports, share, tries === 0);
    const now = ports.nowMs();
    expire(share, now);
    // No other call can spend them while the bucket is being changed: new calls are added to the queue.
    const { tokens: own, returned } = share;
    const before = seen === null ? fullBucket(limits, now) : filled(seen, limits, now);
    const bucket = withTokens(before, limits, returned);
    const verdicts = judge(
      share.line.map(({ count }) => count),
      tokensIn(bucket) + own,
    );
    // A guess must not refuse a call.
    if (isGuess && verdicts.some(({ isServed }) => !isServed)) continue;
    const served = countServed(verdicts);
    const needed = Math.max(0, served - own);
    const most = ports.isShared && needed > 0 ? worthwhileAdvance(share, verdicts, now) : 0;
    const taken = takeFrom(bucket, limits, needed, most);
    const isSetBack = seen !== null && bucket.at < seen.at;
    if (returned > 0 || served > own || isSetBack) {
      share.tokens = 0;
      const fullAt = taken.bucket.at + fillingMs(taken.bucket, limits, limits.burst);
      const isReplaced = await ports.replaceBucket(name, seen, taken.bucket, fullAt);
      share.tokens = own;
      if (!isReplaced) continue;
      share.returned -= returned;
      share.left = taken.bucket;
    }
    settleWaiting(share, verdicts, { ...taken, left: Math.max(0, own - served) }, now);
    return;
  }
  throw new LedgerlineError(
    "unavailable",
    "Too many concurrent updates of the token bucket of an API key or a grant; repeat the request.",
  );
}

/**
 * The bucket, or a guess at it that needs no round trip: a process that was alone with it the last time probably still is. If
 * the bucket has changed since, the write is refused, and then it is read.
 */
async function look(
  ports: BucketPorts,
  share: Share,
  mayGuess: boolean,
): Promise<{ readonly seen: Bucket | null; readonly isGuess: boolean }> {
  if (mayGuess && share.isAlone) return { seen: share.left, isGuess: true };
  const seen = await ports.readBucket(share.name);
  share.isAlone = seen !== null && seen.level === share.left?.level && seen.at === share.left.at;
  return { seen, isGuess: false };
}

/**
 * Settles the calls that waited, and keeps what is left: `left` of the tokens that the process held, and those taken in
 * advance.
 */
function settleWaiting(
  share: Share,
  verdicts: readonly Verdict[],
  { bucket, advance, left }: { bucket: Bucket; advance: number; left: number },
  now: number,
): void {
  share.seen = verdicts.every(({ isServed }) => isServed) ? null : bucket;
  share.seenUntil = now + SEEN_MS;
  share.tokens = left + advance;
  if (advance > 0) share.tokensUntil = now + ADVANCE_MS;
  use(share, countServed(verdicts), now);
  for (const { count, isServed } of verdicts)
    share.line.shift()?.resolve(isServed ? 0 : waitMsOf(bucket, share.limits, count, now));
}

interface Verdict {
  readonly count: number;
  readonly isServed: boolean;
}

/** Which calls get their tokens, in order of arrival; a call that needs too many does not block those behind it. */
function judge(counts: readonly number[], tokens: number): readonly Verdict[] {
  let left = tokens;
  return counts.map((count) => {
    const isServed = count <= left;
    if (isServed) left -= count;
    return { count, isServed };
  });
}

const countServed = (verdicts: readonly Verdict[]): number =>
  verdicts.reduce((sum, { count, isServed }) => sum + (isServed ? count : 0), 0);

/** Tokens used during the last second. */
function recentUse({ used, usedFrom, usedBefore }: Share, now: number): number {
  const elapsedMs = now - usedFrom;
  if (elapsedMs < 0 || elapsedMs >= 2 * SECOND_MS) return 0;
  return elapsedMs < SECOND_MS ? Math.max(used, usedBefore) : used;
}

/** How many tokens a process will need while they are valid; 0 when they would not be enough for a call like these. */
function worthwhileAdvance(share: Share, verdicts: readonly Verdict[], now: number): number {
  const perSecond = Math.min(recentUse(share, now), share.limits.ratePerSecond);
  const advance = Math.floor((perSecond * ADVANCE_MS) / SECOND_MS);
  return verdicts.some(({ count, isServed }) => isServed && count > advance) ? 0 : advance;
}

/** Takes tokens that are needed now, which must be in the bucket, and up to `most` in advance. */
function takeFrom(
  { level, at }: Bucket,
  { ratePerSecond, burst }: BucketLimits,
  needed: number,
  most: number,
): { readonly bucket: Bucket; readonly advance: number } {
  const left = level - needed * TOKEN;
  // What would be left if the tokens were taken at the last moment at which they may be used.
  const leftLater = Math.min(left, burst * TOKEN - ratePerSecond * ADVANCE_MS);
  // Leaves some for other processes.
  const advance = Math.max(0, Math.min(most, Math.floor(leftLater / TOKEN / 2)));
  return advance === 0
    ? { bucket: { level: left, at }, advance }
    : { bucket: { level: leftLater - advance * TOKEN, at }, advance };
}

/** The bucket with tokens returned to it, at most full. */
function withTokens({ level, at }: Bucket, { burst }: BucketLimits, count: number): Bucket {
  return { level: Math.min(burst * TOKEN, level + count * TOKEN), at };
}

function filled(bucket: Bucket, limits: BucketLimits, now: number): Bucket {
  const isAhead = bucket.at > now && bucket.at - now <= CLOCKS_APART_MS_MAX;
  return filledBucket(bucket, limits, isAhead ? bucket.at : now);
}

function waitMsOf(bucket: Bucket, limits: BucketLimits, count: number, now: number): number {
  return Math.max(1, Math.max(0, bucket.at - now) + fillingMs(bucket, limits, count));
}
