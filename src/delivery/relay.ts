// From the outbox to deliveries: each event becomes one delivery for each webhook that subscribes to it, and that of a report
// one for the URL of the report.
import { isReportEvent, type StoredEvent } from "../model/event.ts";
import { OPERATOR_WEBHOOK, reportEndpointId, type StoredWebhook } from "../model/webhook.ts";

interface OutboxKey {
  readonly org: string;
  readonly eventId: string;
}

export interface RelayPorts {
  /** Events that have no deliveries yet, of all organizations that have such; `more`: these are not all. */
  outbox(
    limit: number,
  ): Promise<{ readonly entries: readonly OutboxKey[]; readonly more: boolean }>;
  /** Milliseconds since 1970. */
  nowMs(): number;
  getEvents(org: string, eventIds: readonly string[]): Promise<readonly StoredEvent[]>;
  webhooksOf(org: string): Promise<readonly StoredWebhook[]>;
  /** The URLs of these reports, as webhooks: of those that have one. */
  reportEndpoints(org: string, reportIds: readonly string[]): Promise<readonly StoredWebhook[]>;
  /** Creates the deliveries, then removes the events from the outbox; idempotent. */
  relay(
    events: readonly {
      readonly entry: OutboxKey;
      readonly event: StoredEvent | null;
      readonly webhookIds: readonly string[];
    }[],
  ): Promise<void>;
}

/** Events relayed together. */
const EVENTS_MAX = 200;
/**
 * A webhook gets no events from before its creation. An event that is older by no more than this may still have happened after
 * it, because the clocks of two machines can differ.
 */
const CLOCKS_MS = 300_000;

/** What was relayed: the number of events, and the webhooks with new deliveries. */
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
  // Concurrently: one after the other, many organizations would take as many round trips.
  const read = await Promise.all(byOrg.map(([org, own]) => readOf(ports, org, own)));
  const relayed = [];
  for (const { own, subscribers, endpoints, events } of read) {
    const byId = new Map(events.map((event) => [event.eventId, event]));
    for (const entry of own) {
      const event = byId.get(entry.eventId) ?? null;
      const wanted =
        event === null
          ? []
          : [...subscribers, ...(endpoints.get(reportEndpointId(event.resourceId)) ?? [])].filter(
              (one) => wants(one, event, ports.nowMs()),
            );
      for (const webhook of wanted) webhooks.set(webhook.id, webhook);
      relayed.push({ entry, event, webhookIds: wanted.map(({ id }) => id) });
    }
  }
  if (relayed.length > 0) await ports.relay(relayed);
  return { events: entries.length, webhooks, more };
}

async function readOf(ports: RelayPorts, org: string, own: readonly OutboxKey[]) {
  const ids = own.map(({ eventId }) => eventId);
  const [subscribers, events] = await Promise.all([
    ports.webhooksOf(org),
    ports.getEvents(org, ids),
  ]);
  const reportIds = events
    .filter(({ eventType }) => isReportEvent(eventType))
    .map(({ resourceId }) => resourceId);
  const endpoints = reportIds.length === 0 ? [] : await ports.reportEndpoints(org, reportIds);
  return { own, subscribers, endpoints: Map.groupBy(endpoints, ({ id }) => id), events };
}

/** Includes disabled webhooks: they may be enabled again before the 24 hours of the event are over. */
const wants = (
  { org, events, createdAt }: StoredWebhook,
  event: StoredEvent,
  nowMs: number,
): boolean =>
  (org === OPERATOR_WEBHOOK.org || events.some((type) => type === event.eventType)) &&
  // The creation time of the webhook may be in the future, if it was set by a clock that was ahead.
  event.createdAt >= Math.min(createdAt, nowMs) - CLOCKS_MS;
