// Writes of the dispatcher that span collections. All but one are harmless to repeat: stored rows stay, and rows that the
// caller lost are left alone.
import { type EventHead, isReportEvent } from "../../model/event.ts";
import {
  type DeliveryOutcome,
  type PendingDelivery,
  reportEndpointId,
  type StoredRecovery,
  type TakenDelivery,
} from "../../model/webhook.ts";
import type { Store } from "../collection.ts";
import type { DeliveryRepository } from "./deliveries.ts";
import type { EventRepository, OutboxEntry } from "./events.ts";
import type { RecoveryRepository } from "./recoveries.ts";

/** An event and the webhooks that get it. */
export interface SubscribedEvent {
  readonly event: EventHead;
  readonly webhookIds: readonly string[];
}

export interface DispatchWrites {
  /** Takes events that are published out of the outbox. */
  relayed(entries: readonly OutboxEntry[]): Promise<void>;
  /** Makes the deliveries that are not there yet. */
  deliver(events: readonly SubscribedEvent[]): Promise<void>;
  /** Stores the outcomes of deliveries that the caller still holds. */
  record(
    outcomes: readonly { readonly taken: TakenDelivery; readonly outcome: DeliveryOutcome }[],
  ): Promise<void>;
  /** Gives deliveries back before their leases end. */
  giveBack(taken: readonly TakenDelivery[]): Promise<void>;
  /** Gives each of them back, not to be taken before then. */
  reschedule(
    deliveries: readonly { readonly taken: TakenDelivery; readonly until: number }[],
  ): Promise<void>;
  /** Expedites rescheduled deliveries to the times when their attempts are due. */
  expedite(org: string, webhookId: string, reschedule: readonly PendingDelivery[]): Promise<void>;
  /** Puts deliveries back to the beginning of their schedule and writes down how far the recovery has come: both or none. */
  recover(
    seen: StoredRecovery,
    next: StoredRecovery,
    eventIds: readonly string[],
    nowMs: number,
  ): Promise<boolean>;
  /** Puts one delivery back to the beginning of its schedule; one that is still pending is due at once. */
  resend(org: string, webhookId: string, eventId: string, nowMs: number): Promise<void>;
  /**
   * Removes up to `limit` events that happened before then, with what is known of their ways to these webhooks and to the
   * URLs of reports, and as many attempts and completed recoveries of before. Returns how many there were of that of which there were most.
   */
  purge(
    thanMs: number,
    limit: number,
    webhooksOf: (org: string) => Promise<readonly string[]>,
  ): Promise<number>;
}

export function createDispatchWrites(
  store: Store,
  events: EventRepository,
  deliveries: DeliveryRepository,
  recoveries: RecoveryRepository,
): DispatchWrites {
  return {
    relayed: async (entries) => {
      await store.apply(entries.map((entry) => events.relayedStep(entry)));
    },
    deliver: async (subscribed) => {
      await store.apply(
        subscribed.flatMap(({ event, webhookIds }) =>
          webhookIds.map((id) => deliveries.insertStep(event, id)),
        ),
      );
    },
    record: async (outcomes) => {
      await store.apply(deliveries.outcomeSteps(outcomes));
    },
    giveBack: async (taken) => {
      await store.apply(taken.map((one) => deliveries.giveBackStep(one, one.scheduledAt)));
    },
    reschedule: async (reschedule) => {
      await store.apply(
        reschedule.map(({ taken, until }) => deliveries.giveBackStep(taken, until)),
      );
    },
    expedite: async (org, webhookId, reschedule) => {
      await store.apply(reschedule.map((one) => deliveries.expediteStep(org, webhookId, one)));
    },
    recover: async (seen, next, eventIds, nowMs) => {
      const { org, webhookId } = seen;
      const outcome = await store.write([
        recoveries.progressStep(seen, next),
        ...eventIds.map((id) => deliveries.replayStep(org, webhookId, id, nowMs)),
      ]);
      return outcome.ok;
    },
    resend: async (org, webhookId, eventId, nowMs) => {
      await store.apply([
        deliveries.hastenStep(org, webhookId, eventId, nowMs),
        deliveries.replayStep(org, webhookId, eventId, nowMs),
      ]);
    },
    purge: async (thanMs, limit, webhooksOf) => {
      const old = await events.older(thanMs, limit);
      const webhooks = new Map<string, readonly string[]>();
      for (const { org } of old) if (!webhooks.has(org)) webhooks.set(org, await webhooksOf(org));
      const ways = old.flatMap(({ org, eventId, eventType, resourceId }) => {
        const ofReport = isReportEvent(eventType) ? [reportEndpointId(resourceId)] : [];
        const ids = [...(webhooks.get(org) ?? []), ...ofReport];
        return ids.map((webhookId) => ({ org, webhookId, eventId }));
      });
      // The events last: they are what the rest is found by.
      await store.apply([
        ...deliveries.removeSteps(ways),
        ...old.map((event) => events.removeStep(event)),
      ]);
      const attempts = await deliveries.removeAttempts(thanMs, limit);
      return Math.max(old.length, attempts, await recoveries.removeCompleted(thanMs, limit));
    },
  };
}
