import type { Store } from "../collection.ts";
import { createHolderErasureRepository } from "./holder-erasure.ts";
import { createHolderRepository } from "./holders.ts";
import { type IdempotencyRow, idempotencySpec } from "../specs/specs.ts";

export type IdempotencyBegin =
  /** `resourceId` names what the request creates; a request that runs again after a crash gets the same. */
  | { readonly kind: "new"; readonly resourceId: string }
  | { readonly kind: "replay"; readonly status: number; readonly body: string }
  | { readonly kind: "mismatch" }
  | { readonly kind: "running" }
  /** The kept answer was encrypted and cannot be decrypted any more. */
  | { readonly kind: "unreadable" };

export interface IdempotencyRepository {
  /** Claims the key for a request whose body has this SHA-256, or says what became of the one that came before. */
  begin(org: string, route: string, key: string, fingerprint: string): Promise<IdempotencyBegin>;
  /** @param accountHolderId whom the answer is about: it goes with this holder. Null: about none */
  finish(
    org: string,
    route: string,
    key: string,
    status: number,
    body: string,
    accountHolderId: string | null,
  ): Promise<void>;
  /** Frees the key after a request that changed nothing. */
  abandon(org: string, route: string, key: string): Promise<void>;
  /** The request failed and may have been accepted all the same: it may run again at once, as itself only. */
  interrupt(org: string, route: string, key: string): Promise<void>;
  /** Forgets up to `limit` keys that are past their 24 hours. Returns how many. */
  removeExpired(limit: number, nowMs: number): Promise<number>;
}

const KEPT_MS = 24 * 3_600_000;
/** In the place of an answer's status: the request ended without one. */
const INTERRUPTED = 0;

export interface IdempotencyOptions {
  nowMs(): number;
  /** The time by which keys expire: it follows no leap of the clock, after which requests would run again. */
  retentionNow(): Promise<number>;
  newId(): string;
  /**
   * Whether a request that began then (milliseconds since 1970) was cut off by a crash and everything that it may have
   * got accepted before is done, so that running it again finds out what became of it.
   */
  isOver(startedAtMs: number): boolean;
}

export function createIdempotencyRepository(
  store: Store,
  options: IdempotencyOptions,
): IdempotencyRepository {
  const { nowMs } = options;
  const requests = store.collection<IdempotencyRow>(idempotencySpec);
  const holders = createHolderRepository(store);
  const erasure = createHolderErasureRepository(store);
  return {
    begin: async (org, route, key, fingerprint) => {
      const now = nowMs();
      const expiredMs = (await options.retentionNow()) - KEPT_MS;
      const resourceId = options.newId();
      const row = {
        org,
        route,
        key,
        fingerprint,
        resourceId,
        startedAt: now,
        status: null,
        body: null,
        holderId: null,
      };
      const outcome = await store.write([
        requests.delete({ org, route, key, startedAt: { lt: expiredMs } }),
        requests.insert(row, "fail"),
      ]);
      if (outcome.ok) return { kind: "new", resourceId };
      const before = await requests.get({ org, route, key });
      if (before === null) return { kind: "running" };
      if (before.fingerprint !== fingerprint) return { kind: "mismatch" };
      const { status, startedAt } = before;
      if (status !== null && status !== INTERRUPTED)
        return { kind: "replay", status, body: before.body ?? "" };
      if (status === null && !options.isOver(startedAt)) return { kind: "running" };
      // Of several that find it so, one takes it over.
      const found = { org, route, key, status, startedAt };
      const taken = await store.write([
        requests.update(found, { startedAt: now, status: null }, "fail"),
      ]);
      return taken.ok ? { kind: "new", resourceId: before.resourceId } : { kind: "running" };
    },
    finish: async (org, route, key, status, body, holderId) => {
      const answered = { status, body, holderId };
      await store.write([requests.update({ org, route, key, status: null }, answered, "ignore")]);
      if (holderId === null || (await holders.get(org, holderId)) !== null) return;
      // Its deletion may have looked for answers before this one was there.
      await erasure.eraseAnswers({ org, id: holderId });
    },
    abandon: async (org, route, key) => {
      await store.write([requests.delete({ org, route, key, status: null })]);
    },
    interrupt: async (org, route, key) => {
      await store.write([
        requests.update({ org, route, key, status: null }, { status: INTERRUPTED }, "ignore"),
      ]);
    },
    removeExpired: async (limit, atMs) => {
      const outcome = await store.write([
        requests.delete({ startedAt: { lt: atMs - KEPT_MS } }, limit),
      ]);
      return outcome.ok ? (outcome.changed[0] ?? 0) : 0;
    },
  };
}
