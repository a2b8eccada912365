// API keys that sign records, cached by their ids. Ids come from headers, which every producer with write access can make up:
// they must not evict the keys of producers, nor cost the store more than a bounded load.
import pLimit from "p-limit";
import type { SigningKey } from "../../model/api-key.ts";

export interface SigningKeyPorts {
  /** The key of this id, or null when there is none or it is revoked or expired. */
  findKey(id: string): Promise<SigningKey | null>;
  nowMs(): number;
}

export interface SigningKeys {
  /** The key of this id as it is now or was at most 10 s ago; null: there is none, or it is revoked or expired. */
  find(id: string): Promise<SigningKey | null>;
  /** The key of this id when it was found lately, without a look-up. It may be revoked or expired by now. */
  known(id: string): SigningKey | null;
}

/** A revoked key is accepted for this long after, an expired one is not. */
const KEY_CACHE_MS = 10_000;
/** Keys that were found, and ids that no key has: each has a cache of its own, of this size. */
const CACHED_MAX = 1_000;
/** Look-ups of ids that no key is known of, at a time. */
const UNKNOWN_LOOKUPS_MAX = 8;

interface Cached<Value> {
  readonly value: Value;
  readonly untilMs: number;
}

export function createSigningKeys({ findKey, nowMs }: SigningKeyPorts): SigningKeys {
  const found = createCache<SigningKey>();
  const missing = createCache<null>();
  const lookups = new Map<string, Promise<SigningKey | null>>();
  const limited = pLimit(UNKNOWN_LOOKUPS_MAX);

  async function lookUp(id: string): Promise<SigningKey | null> {
    const key = await (found.get(id) === undefined ? limited(() => findKey(id)) : findKey(id));
    const untilMs = nowMs() + KEY_CACHE_MS;
    if (key === null) {
      found.delete(id);
      missing.set(id, { value: null, untilMs });
    } else {
      missing.delete(id);
      found.set(id, { value: key, untilMs: Math.min(untilMs, key.expiresAt ?? untilMs) });
    }
    return key;
  }

  return {
    known: (id) => found.get(id)?.value ?? null,
    find: (id) => {
      const cached = found.get(id) ?? missing.get(id);
      if (cached !== undefined && nowMs() < cached.untilMs) return Promise.resolve(cached.value);
      const lookup =
        lookups.get(id) ??
        lookUp(id).finally(() => {
          lookups.delete(id);
        });
      lookups.set(id, lookup);
      return lookup;
    },
  };
}

interface Cache<Value> {
  get(id: string): Cached<Value> | undefined;
  set(id: string, cached: Cached<Value>): void;
  delete(id: string): void;
}

/** Evicts what was used least recently. */
function createCache<Value>(): Cache<Value> {
  const entries = new Map<string, Cached<Value>>();
  const set = (id: string, cached: Cached<Value>): void => {
    entries.delete(id);
    entries.set(id, cached);
    if (entries.size <= CACHED_MAX) return;
    const [oldest = ""] = entries.keys();
    entries.delete(oldest);
  };
  return {
    get: (id) => {
      const cached = entries.get(id);
      if (cached !== undefined) set(id, cached);
      return cached;
    },
    set,
    delete: (id) => {
      entries.delete(id);
    },
  };
}
