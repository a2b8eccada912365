// The request and credit limits of a key. A credit is a transaction that was accepted.
import type {
  BucketName,
  CreditLimits,
  KeyLimits,
  LimitRefusal,
  LimitState,
} from "../model/api-key.ts";
import { CHUNK_TRANSACTIONS_MAX } from "../model/records.ts";
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

/** What the limits need to know of a grant on Kafka. */
interface LimitedGrant {
  readonly org: string;
  /** Null: as the settings say. */
  readonly credits: CreditLimits | null;
}

/** Null: it is allowed, and taken. */
export interface Limits {
  /** @throws LedgerlineError `unavailable` when the bucket cannot be reached */
  takeRequest(key: LimitedKey): Promise<LimitRefusal | null>;
  /** @throws LedgerlineError `unavailable` when the bucket cannot be reached */
  takeCredits(key: LimitedKey, count: number): Promise<LimitRefusal | null>;
  /** For what was refused after its credits were taken. */
  giveBackCredits(key: LimitedKey, count: number): void;
  /**
   * For the transactions of a record from outside, at most `CHUNK_TRANSACTIONS_MAX`.
   * @returns milliseconds until there may be enough; 0: they are taken
   * @throws LedgerlineError `unavailable` when the bucket cannot be reached
   */
  takeRecordCredits(grant: LimitedGrant, count: number): Promise<number>;
  /** For a record that was not stored after its credits were taken. */
  giveBackRecordCredits(grant: LimitedGrant, count: number): void;
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
    takeRecordCredits: async ({ org, credits }, count) => {
      const limits = recordLimits(credits, settings);
      return limits === null ? 0 : shares.take(recordBucket(org), limits, count);
    },
    giveBackRecordCredits: ({ org, credits }, count) => {
      const limits = recordLimits(credits, settings);
      if (limits !== null) shares.giveBack(recordBucket(org), limits, count);
    },
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

const creditLimits = ({ limits }: LimitedKey, settings: LimitSettings): BucketLimits | null =>
  bucketOf(limits.credits, settings);

/** As those of a key, but the bucket holds a whole record: one that never fitted would wait for ever. */
function recordLimits(credits: CreditLimits | null, settings: LimitSettings): BucketLimits | null {
  const limits = bucketOf(credits, settings);
  return limits === null
    ? null
    : { ...limits, burst: Math.max(limits.burst, CHUNK_TRANSACTIONS_MAX) };
}

function bucketOf(
  own: CreditLimits | null,
  { creditsMax, creditsPerSecond }: LimitSettings,
): BucketLimits | null {
  const { max, perSecond } = own ?? { max: creditsMax, perSecond: creditsPerSecond };
  return max === 0 ? null : { burst: max, ratePerSecond: perSecond };
}

/** One for all secrets of a grant. Ids of keys have another form. */
const recordBucket = (org: string): BucketName => ({ org, keyId: "kafka", kind: "credits" });
