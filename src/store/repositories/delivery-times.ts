// Deliveries whose time is over, or that a clock which was ahead has put beyond every schedule.
import type { Collection, Store } from "../collection.ts";
import type { DeliveryRow } from "../specs/webhook-specs.ts";

export interface DeliveryTimes {
  /**
   * Ends pending deliveries to an endpoint that began before then and are not claimed; returns how many of at most
   * `limit`.
   */
  expire(
    org: string,
    webhookId: string,
    basedBeforeMs: number,
    nowMs: number,
    limit: number,
  ): Promise<number>;
  /**
   * Makes up to `limit` pending deliveries to an endpoint due at once that are due from `dueFromMs` on. Their 24 hours begin
   * now where they would begin later. Returns how many.
   */
  rescheduleFrom(
    org: string,
    webhookId: string,
    dueFromMs: number,
    nowMs: number,
    limit: number,
  ): Promise<number>;
}

export function createTimes(store: Store, deliveries: Collection<DeliveryRow>): DeliveryTimes {
  return {
    expire: async (org, webhookId, basedBeforeMs, nowMs, limit) => {
      // No index is by the base, but nothing has a base before its event: so the oldest events come first.
      const before = { lt: basedBeforeMs };
      const rows = await deliveries.find({
        where: {
          ...{ state: "pending", webhookId, dueAt: { lte: nowMs } },
          ...{ org, createdAt: before, baseAt: before },
        },
        order: { fields: ["createdAt", "eventId"], direction: "asc" },
        limit,
      });
      await store.apply(
        rows.map(({ eventId, dueAt }) =>
          deliveries.update(
            { org, webhookId, eventId, state: "pending", dueAt },
            { state: "exhausted", leaseToken: null },
            "ignore",
          ),
        ),
      );
      return rows.length;
    },
    rescheduleFrom: async (org, webhookId, dueFromMs, nowMs, limit) => {
      const rows = await deliveries.find({
        where: { state: "pending", webhookId, org, dueAt: { gte: dueFromMs } },
        order: { fields: ["dueAt"], direction: "asc" },
        limit,
      });
      await store.apply(
        rows.map(({ eventId, dueAt, baseAt, scheduledAt }) =>
          deliveries.update(
            { org, webhookId, eventId, state: "pending", dueAt },
            {
              dueAt: nowMs,
              leaseToken: null,
              baseAt: Math.min(baseAt, nowMs),
              scheduledAt: Math.min(scheduledAt, nowMs),
            },
            "ignore",
          ),
        ),
      );
      return rows.length;
    },
  };
}
