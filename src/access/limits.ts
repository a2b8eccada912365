// The request and credit limits of a key. A credit is a transaction that was accepted.
import type { KeyLimits, BucketName, LimitState, LimitRefusal } from "../model/api-key.ts";
import type { BucketLimits } from "../shared/concurrency/token-bucket.ts";
import { type BucketPorts, createRateLimiter } from "./rate-limiter.ts";

/** The limits of every key without limits of its own; 0: unlimited. */
export interface LimitSettings {
  readonly requestsPerSecond: number;
  readonly creditsMax: number;
  readonly creditsPerSecond: number;
}

/** What the limits need to know of a key. */
interface LimitedKey {
  readonly org: string;
  readonly keyId: string;
  readonly limits: KeyLimits;
}

/** Null: it is allowed, and taken. */
export interface Limits {
  /** @throws LedgerlineError `unavailable` when the bucket cannot be reached */
  takeRequest(key: LimitedKey): Promise<LimitRefusal | null>;
  /** @throws LedgerlineError `unavailable` when the bucket cannot be reached */
  takeCredits(key: LimitedKey, count: number): Promise<LimitRefusal | null>;
  /** For what was refused after its credits were taken. */
  giveBackCredits(key: LimitedKey, count: number): void;
  /** Null: the requests of the key are unlimited. */
  requestLimit(key: LimitedKey): LimitState | null;
  /** Null: the transactions of the key are unlimited. */
  creditLimit(key: LimitedKey): LimitState | null;
}

/** After a pause, a key may send the requests of this many seconds at once. */
const REQUEST_BURST_SECONDS = 2;
const SECOND_MS = 1_000;

export function createLimits(ports: BucketPorts, settings: LimitSettings): Limits {
  const shares = createRateLimiter(ports);
  const take = async (
    { org, keyId }: LimitedKey,
    kind: BucketName["kind"],
    limits: BucketLimits | null,
    count: number,
  ): Promise<LimitRefusal | null> => {
    if (limits === null) return null;
    if (count > limits.burst) return { kind: "too_many", most: limits.burst };
    const waitMs = await shares.take({ org, keyId, kind }, limits, count);
    return waitMs === 0 ? null : { kind: "wait", seconds: Math.ceil(waitMs / SECOND_MS) };
  };
  const stateOf = (
    { org, keyId }: LimitedKey,
    kind: BucketName["kind"],
    limits: BucketLimits | null,
  ): LimitState | null => {
    if (limits === null) return null;
    const { tokens, fullInMs } = shares.left({ org, keyId, kind }, limits);
    return {
      quota: limits.burst,
      windowSeconds: Math.ceil(limits.burst / limits.ratePerSecond),
      remaining: tokens,
      secondsUntilFull: Math.ceil(fullInMs / SECOND_MS),
    };
  };
  return {
    requestLimit: (key) => stateOf(key, "requests", requestLimits(key, settings)),
    creditLimit: (key) => stateOf(key, "credits", creditLimits(key, settings)),
    takeRequest: (key) => take(key, "requests", requestLimits(key, settings), 1),
    takeCredits: (key, count) => take(key, "credits", creditLimits(key, settings), count),
    giveBackCredits: (key, count) => {
      const limits = creditLimits(key, settings);
      const { org, keyId } = key;
      if (limits !== null) shares.giveBack({ org, keyId, kind: "credits" }, limits, count);
    },
  };
}

function requestLimits({ limits }: LimitedKey, settings: LimitSettings): BucketLimits | null {
  const ratePerSecond = limits.ratePerSecond ?? settings.requestsPerSecond;
  return ratePerSecond === 0
    ? null
    : { ratePerSecond, burst: REQUEST_BURST_SECONDS * ratePerSecond };
}

function creditLimits({ limits }: LimitedKey, settings: LimitSettings): BucketLimits | null {
  const { creditsMax, creditsPerSecond } = settings;
  const { max, perSecond } = limits.credits ?? { max: creditsMax, perSecond: creditsPerSecond };
  return max === 0 ? null : { burst: max, ratePerSecond: perSecond };
}
