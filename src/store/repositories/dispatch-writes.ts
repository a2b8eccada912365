// Writes of the dispatcher that span collections. All but one are harmless to repeat: what is there stays, and what is no
// longer the caller's is left alone.
import type { StoredEvent } from "../../model/event.ts";
import type {
  DeliveryOutcome,
  PendingDelivery,
  StoredRecovery,
  TakenDelivery,
} from "../../model/webhook.ts";
import type { Store } from "../collection.ts";
import type { DeliveryRepository } from "./deliveries.ts";
import type { EventRepository, OutboxEntry } from "./events.ts";
import type { RecoveryRepository } from "./recoveries.ts";

/** An event and whom it is to be told. */
export interface RelayedEvent {
  readonly entry: OutboxEntry;
  /** Null: it is gone, and nobody is told. */
  readonly event: StoredEvent | null;
  readonly webhookIds: readonly string[];
}

export interface DispatchWrites {
  /** Makes the deliveries, then takes the events out of the outbox. */
  relay(events: readonly RelayedEvent[]): Promise<void>;
  /** Writes down what came of deliveries that are still the caller's. */
  record(
    outcomes: readonly { readonly taken: TakenDelivery; readonly outcome: DeliveryOutcome }[],
  ): Promise<void>;
  /** Gives deliveries back before their leases end. */
  giveBack(taken: readonly TakenDelivery[]): Promise<void>;
  /** Gives each of them back, not to be taken before then. */
  putOff(
    deliveries: readonly { readonly taken: TakenDelivery; readonly until: number }[],
  ): Promise<void>;
  /** Lets deliveries that are put off be taken when their attempts are due. */
  bringForward(org: string, webhookId: string, putOff: readonly PendingDelivery[]): Promise<void>;
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
   * Removes up to `limit` events that happened before then, with what is known of their ways to these webhooks, and as many
   * attempts and completed recoveries of before. Returns how many there were of that of which there were most.
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
    relay: async (relayed) => {
      await store.apply([
        ...relayed.flatMap(({ event, webhookIds }) =>
          event === null ? [] : webhookIds.map((id) => deliveries.insertStep(event, id)),
        ),
        ...relayed.map(({ entry }) => events.relayedStep(entry)),
      ]);
    },
    record: async (outcomes) => {
      await store.apply(deliveries.outcomeSteps(outcomes));
    },
    giveBack: async (taken) => {
      await store.apply(taken.map((one) => deliveries.giveBackStep(one, one.scheduledAt)));
    },
    putOff: async (putOff) => {
      await store.apply(putOff.map(({ taken, until }) => deliveries.giveBackStep(taken, until)));
    },
    bringForward: async (org, webhookId, putOff) => {
      await store.apply(putOff.map((one) => deliveries.bringForwardStep(org, webhookId, one)));
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
      const ways = old.flatMap(({ org, eventId }) =>
        (webhooks.get(org) ?? []).map((webhookId) => ({ org, webhookId, eventId })),
      );
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
