import type { Store } from "../collection.ts";
import { type DispatcherRow, dispatcherSpec } from "../specs/webhook-specs.ts";

export interface DispatcherRepository {
  /** Writes down that a dispatcher was there then. */
  seen(id: string, nowMs: number): Promise<void>;
  /** How many were there since then, at least. */
  countSince(sinceMs: number): Promise<number>;
  /** Removes one that goes, and those that were there last before then. */
  remove(id: string, beforeMs: number): Promise<void>;
}

/** More than this are as good as this many: each gets the least there is. */
const COUNTED_MAX = 1_000;

export function createDispatcherRepository(store: Store): DispatcherRepository {
  const dispatchers = store.collection<DispatcherRow>(dispatcherSpec);
  return {
    seen: async (id, seenAt) => {
      await store.apply([dispatchers.upsertMany([{ id, seenAt }], "seenAt")]);
    },
    countSince: async (sinceMs) => {
      const where = { seenAt: { gte: sinceMs } };
      return (await dispatchers.find({ where, limit: COUNTED_MAX })).length;
    },
    remove: async (id, beforeMs) => {
      const old = dispatchers.delete({ seenAt: { lt: beforeMs } });
      await store.apply([dispatchers.delete({ id }), old]);
    },
  };
}
