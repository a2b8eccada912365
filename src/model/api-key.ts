// API keys: who calls, for which organization, with which roles.

/** read: see; write: submit, change and delete; admin: manage the organization; operator: run the installation. */
export const ROLES = ["read", "write", "admin", "operator"] as const;
export type Role = (typeof ROLES)[number];

/** Credits are what transactions cost: one each. */
export interface CreditLimits {
  /** What there may be at once; 0: any number. */
  readonly max: number;
  /** What comes back each second. */
  readonly perSecond: number;
}

/** What a key may do in a time, where it is not what the settings say: null is as they say. */
export interface KeyLimits {
  /** Requests a second; 0: any number. */
  readonly ratePerSecond: number | null;
  readonly credits: CreditLimits | null;
}

export const LIMITS_OF_SETTINGS: KeyLimits = { ratePerSecond: null, credits: null };

/** What limits may be at most: more would be a slip of the finger, and these can be counted exactly. */
export const RATE_PER_SECOND_MAX = 1_000_000;
export const CREDITS_MAX_MAX = 100_000_000;
export const CREDITS_PER_SECOND_MAX = 10_000_000;

/** Who a request comes from. */
export interface Principal {
  readonly org: string;
  readonly keyId: string;
  readonly roles: readonly Role[];
  readonly limits: KeyLimits;
}

/** A stored key. The secret itself is never stored, only its SHA-256: it is 32 random characters, so no salt or stretching is needed. */
export interface ApiKey {
  readonly id: string;
  readonly org: string;
  readonly name: string | null;
  readonly roles: readonly Role[];
  readonly hash: string;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  readonly revokedAt: number | null;
  /** From this moment on the key is invalid; null: it has no end. */
  readonly expiresAt: number | null;
  readonly limits: KeyLimits;
}

/** What a key begins with, by which it is known once its secret is not. */
export const keyPrefix = (id: string): string => `ll_${id}`;

/** Whether a key opens anything: it is neither revoked nor expired. */
export function isGoodKey({ revokedAt, expiresAt }: ApiKey, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || nowMs < expiresAt);
}

/** Whether a key may submit and change what belongs to its organization, over HTTP. */
export const mayWrite = (roles: readonly Role[]): boolean =>
  roles.includes("write") || roles.includes("admin");

/** The owner of a token bucket, and what it counts. */
export interface BucketName {
  readonly org: string;
  readonly keyId: string;
  readonly kind: "requests" | "credits";
}

/** A limit of a key and its remaining tokens, as this process last saw them. */
export interface LimitState {
  readonly quota: number;
  /** Time of a refill from empty to full. */
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly secondsUntilFull: number;
}

/** `too_many`: the amount can never be allowed at once. */
export type LimitRefusal =
  | { readonly kind: "wait"; readonly seconds: number }
  | { readonly kind: "too_many"; readonly most: number };
