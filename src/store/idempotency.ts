import type { Store } from "./collection.ts";
import { type IdempotencyRow, idempotencySpec } from "./specs.ts";

export type IdempotencyBegin =
  | { readonly kind: "new" }
  | { readonly kind: "replay"; readonly status: number; readonly body: string }
  | { readonly kind: "mismatch" }
  | { readonly kind: "running" };

export interface IdempotencyRepository {
  /** Claims the key for a request whose body has this SHA-256, or says what became of the one that came before. */
  begin(org: string, route: string, key: string, fingerprint: string): Promise<IdempotencyBegin>;
  finish(org: string, route: string, key: string, status: number, body: string): Promise<void>;
  abandon(org: string, route: string, key: string): Promise<void>;
  /** Forgets up to `limit` keys that are past their 24 hours. Returns how many. */
  removeExpired(limit: number): Promise<number>;
}

const KEPT_MS = 24 * 3_600_000;
/** A request cannot run longer than this; a claim that is older was cut off by a crash and may be taken over. */
const RUNNING_MAX_MS = 120_000;

export function createIdempotencyRepository(
  store: Store,
  nowMs: () => number,
): IdempotencyRepository {
  const requests = store.collection<IdempotencyRow>(idempotencySpec);
  return {
    begin: async (org, route, key, fingerprint) => {
      const now = nowMs();
      const row: IdempotencyRow = {
        org,
        route,
        key,
        fingerprint,
        startedAt: now,
        status: null,
        body: null,
      };
      const outcome = await store.write([
        requests.delete({ org, route, key, startedAt: { lt: now - KEPT_MS } }),
        requests.delete({ org, route, key, status: null, startedAt: { lt: now - RUNNING_MAX_MS } }),
        requests.insert(row, "fail"),
      ]);
      if (outcome.ok) return { kind: "new" };
      const before = await requests.get({ org, route, key });
      if (before === null) return { kind: "running" };
      if (before.fingerprint !== fingerprint) return { kind: "mismatch" };
      if (before.status === null) return { kind: "running" };
      return { kind: "replay", status: before.status, body: before.body ?? "" };
    },
    finish: async (org, route, key, status, body) => {
      await store.write([
        requests.update({ org, route, key, status: null }, { status, body }, "ignore"),
      ]);
    },
    abandon: async (org, route, key) => {
      await store.write([requests.delete({ org, route, key, status: null })]);
    },
    removeExpired: async (limit) => {
      const outcome = await store.write([
        requests.delete({ startedAt: { lt: nowMs() - KEPT_MS } }, limit),
      ]);
      return outcome.ok ? (outcome.changed[0] ?? 0) : 0;
    },
  };
}
