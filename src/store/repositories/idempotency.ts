import type { Store } from "../collection.ts";
import { createHolderErasureRepository } from "./holder-erasure.ts";
import { createHolderRepository } from "./holders.ts";
import type { IdempotencyRepository } from "../../model/idempotency.ts";
import { type IdempotencyRow, idempotencySpec } from "../specs/specs.ts";

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
   * got accepted before is done, so that running it again returns the outcome.
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
