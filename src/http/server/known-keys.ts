import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import pLimit from "p-limit";
import type { Principal } from "../../model/api-key.ts";
import { sentKeys } from "./credentials.ts";

// The probable organization of a request, before its key is looked up: a key that was valid a moment ago is most likely
// valid again. Requests with any other key share one queue, so that invented keys get no queue of their own.

/** Keys in the cache, by hash; the oldest is evicted first, and its next request waits with the unknown keys. */
const KNOWN_MAX = 10_000;
/** Concurrent look-ups of keys that are not in the cache; the others wait. */
const LOOKUPS_MAX = 32;
/** The queue of requests whose key is not in the cache; no organization has this name. */
const UNKNOWN = "";

export interface KnownKeys {
  /** For the order of requests only: `authenticate` decides what a request may do. */
  ownerOf(request: Pick<IncomingMessage, "headers">): string;
  /** Wraps the given function: caches valid keys and limits concurrent look-ups of others. */
  authenticate(key: string): Promise<Principal | null>;
}

export function createKnownKeys(
  authenticate: (key: string) => Promise<Principal | null>,
  lookupsMax: number = LOOKUPS_MAX,
): KnownKeys {
  const orgByHash = new Map<string, string>();
  const limitLookups = pLimit(lookupsMax);

  function remember(hash: string, principal: Principal | null): void {
    orgByHash.delete(hash);
    if (principal === null) return;
    orgByHash.set(hash, principal.org);
    for (const oldest of orgByHash.keys()) {
      if (orgByHash.size <= KNOWN_MAX) return;
      orgByHash.delete(oldest);
    }
  }

  return {
    ownerOf: ({ headers }) => {
      const [key] = sentKeys(headers);
      return key === undefined ? UNKNOWN : (orgByHash.get(hashOf(key)) ?? UNKNOWN);
    },
    authenticate: async (key) => {
      const hash = hashOf(key);
      const principal = await (orgByHash.has(hash)
        ? authenticate(key)
        : limitLookups(authenticate, key));
      remember(hash, principal);
      return principal;
    },
  };
}

/** Keys are not kept in memory as they are. */
function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("base64");
}
