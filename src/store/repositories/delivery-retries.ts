// Tries deliveries again whose cause of failure was removed.
import type { AttemptError, DeliveryPlace } from "../../model/webhook.ts";
import type { Collection, Store } from "../collection.ts";
import type { DeliveryRow } from "../specs/webhook-specs.ts";

/**
 * Makes pending deliveries whose last attempt failed with this error due at once, oldest first: of up to `limit` pending
 * ones behind `after`. Returns the last of these; null when there are no more.
 */
export type RetryFailed = (
  org: string,
  webhookId: string,
  error: AttemptError,
  nowMs: number,
  after: DeliveryPlace | null,
  limit: number,
) => Promise<DeliveryPlace | null>;

export function createRetry(store: Store, deliveries: Collection<DeliveryRow>): RetryFailed {
  return async (org, webhookId, lastError, nowMs, after, limit) => {
    const state = "pending";
    const rows = await deliveries.find({
      where: { org, webhookId, state },
      order: { fields: ["createdAt", "eventId"], direction: "asc" },
      ...(after === null ? {} : { after: [after.createdAt, after.eventId] }),
      limit,
    });
    await store.apply(
      rows
        .filter((row) => row.lastError === lastError && row.leaseToken === null)
        .map(({ eventId }) =>
          deliveries.update(
            { org, webhookId, eventId, state, leaseToken: null, lastError },
            { dueAt: nowMs, scheduledAt: nowMs },
            "ignore",
          ),
        ),
    );
    return rows.length < limit ? null : (rows.at(-1) ?? null);
  };
}
