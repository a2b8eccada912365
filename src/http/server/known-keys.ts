import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import pLimit from "p-limit";
import type { Principal } from "../../model/api-key.ts";
import { sentKeys } from "./credentials.ts";

// Which organization a request is probably of, before its key is looked up: a key that was good a moment ago is most likely
// good again. Requests with any other key share one queue, so that made-up keys own nothing.

/** Keys that are remembered, by their hashes; the oldest is forgotten first, and its next request waits with the unknown. */
const KNOWN_MAX = 10_000;
/** Look-ups of keys that are not remembered, at a time; the others wait. */
const LOOKUPS_MAX = 32;
/** The queue of requests whose key is not remembered; no organization has this name. */
const UNKNOWN = "";

export interface KnownKeys {
  /** Decides about order alone: what a request may do is decided by `authenticate`. */
  ownerOf(request: Pick<IncomingMessage, "headers">): string;
  /** The given one, which remembers good keys and makes bad ones wait for each other. */
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
