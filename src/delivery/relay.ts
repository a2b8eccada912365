// From the outbox to deliveries: what happened becomes one delivery for each webhook that wants to know.
import type { StoredEvent } from "../model/event.ts";
import { OPERATOR_WEBHOOK, type StoredWebhook } from "../model/webhook.ts";

interface Entry {
  readonly org: string;
  readonly eventId: string;
}

export interface RelayPorts {
  /** Events that have no deliveries yet, of all organizations that have some; `more`: these are not all. */
  outbox(limit: number): Promise<{ readonly entries: readonly Entry[]; readonly more: boolean }>;
  /** Milliseconds since 1970. */
  nowMs(): number;
  getEvents(org: string, eventIds: readonly string[]): Promise<readonly StoredEvent[]>;
  webhooksOf(org: string): Promise<readonly StoredWebhook[]>;
  /** Makes the deliveries, then takes the events out of the outbox; harmless to repeat. */
  relay(
    events: readonly {
      readonly entry: Entry;
      readonly event: StoredEvent | null;
      readonly webhookIds: readonly string[];
    }[],
  ): Promise<void>;
}

/** Events that are relayed together. */
const EVENTS_MAX = 200;
/**
 * A webhook is not told what happened before it was there. What is older by no more than this may have happened after it:
 * the clocks of two machines can differ.
 */
const CLOCKS_MS = 300_000;

/** What was relayed: how many events, and which webhooks have something new. */
export interface Relayed {
  readonly events: number;
  readonly webhooks: ReadonlyMap<string, StoredWebhook>;
  /** Whether there may be more. */
  readonly more: boolean;
}

export async function relayEvents(ports: RelayPorts): Promise<Relayed> {
  const { entries, more } = await ports.outbox(EVENTS_MAX);
  const webhooks = new Map<string, StoredWebhook>();
  const byOrg = [...Map.groupBy(entries, ({ org }) => org)];
  // All at once: one after the other, many organizations would take as many round trips.
  const read = await Promise.all(byOrg.map(([org, own]) => readOf(ports, org, own)));
  const relayed = [];
  for (const { own, subscribers, events } of read) {
    const byId = new Map(events.map((event) => [event.eventId, event]));
    for (const entry of own) {
      const event = byId.get(entry.eventId) ?? null;
      const wanted =
        event === null ? [] : subscribers.filter((one) => wants(one, event, ports.nowMs()));
      for (const webhook of wanted) webhooks.set(webhook.id, webhook);
      relayed.push({ entry, event, webhookIds: wanted.map(({ id }) => id) });
    }
  }
  if (relayed.length > 0) await ports.relay(relayed);
  return { events: entries.length, webhooks, more };
}

async function readOf(ports: RelayPorts, org: string, own: readonly Entry[]) {
  const ids = own.map(({ eventId }) => eventId);
  const [subscribers, events] = await Promise.all([
    ports.webhooksOf(org),
    ports.getEvents(org, ids),
  ]);
  return { own, subscribers, events };
}

/** A disabled webhook too: it may be enabled again before the event's 24 hours are over. */
const wants = (
  { org, events, createdAt }: StoredWebhook,
  event: StoredEvent,
  nowMs: number,
): boolean =>
  (org === OPERATOR_WEBHOOK.org || events.some((type) => type === event.eventType)) &&
  // A clock that was ahead may have made the webhook later than now.
  event.createdAt >= Math.min(createdAt, nowMs) - CLOCKS_MS;
