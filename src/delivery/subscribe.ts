// From the topic `events` to deliveries: each event becomes one delivery for each webhook that subscribes to it, and that of
// a report one for the URL of the report.
import { type EventHead, isReportEvent } from "../model/event.ts";
import type { Delivered, Handled } from "../model/records.ts";
import { OPERATOR_WEBHOOK, reportEndpointId, type StoredWebhook } from "../model/webhook.ts";
import { createBatcher } from "../shared/concurrency/batcher.ts";
import { LedgerlineError } from "../shared/errors.ts";

/** An event and the webhooks that get it. */
interface Subscribed {
  readonly event: EventHead;
  readonly webhookIds: readonly string[];
}

export interface SubscriptionPorts {
  /** Milliseconds since 1970. */
  nowMs(): number;
  webhooksOf(org: string): Promise<readonly StoredWebhook[]>;
  /** The URLs of these reports, as webhooks: of those that have one. */
  reportEndpoints(org: string, reportIds: readonly string[]): Promise<readonly StoredWebhook[]>;
  /** Creates the deliveries that do not exist yet. */
  deliver(events: readonly Subscribed[]): Promise<void>;
}

/** Events whose deliveries are written together. */
const EVENTS_MAX = 200;
/**
 * A webhook gets no events from before its creation. An event that is older by no more than this may still have happened after
 * it, because the clocks of two machines can differ.
 */
const CLOCKS_MS = 300_000;

/**
 * The handler of the records of `events`. Events that wait at the same time are written together.
 * @param made called with the webhooks that have new deliveries
 */
export function createSubscriber(
  ports: SubscriptionPorts,
  made: (webhooks: readonly StoredWebhook[]) => void,
): (record: Delivered<EventHead>) => Promise<Handled> {
  const batch = createBatcher<EventHead, Handled>({
    tasksMax: 1,
    itemsMax: EVENTS_MAX,
    isTriedAlone: (error) => !(error instanceof LedgerlineError && error.retryable),
  });

  async function deliverAll(events: readonly EventHead[]): Promise<readonly Handled[]> {
    const byOrg = [...Map.groupBy(events, ({ org }) => org)];
    // Concurrently: one after the other, many organizations would take as many round trips.
    const parts = await Promise.all(byOrg.map(([org, own]) => subscribersOf(ports, org, own)));
    const found = parts.flat();
    const subscribed = found.map(({ event, webhooks }) => ({
      event,
      webhookIds: webhooks.map(({ id }) => id),
    }));
    if (subscribed.some(({ webhookIds }) => webhookIds.length > 0)) await ports.deliver(subscribed);
    made([...new Set(found.flatMap(({ webhooks }) => webhooks))]);
    return events.map(() => "done");
  }

  return async ({ value }) => {
    const [handled = "done"] = await batch("", deliverAll, [value]);
    return handled;
  };
}

async function subscribersOf(ports: SubscriptionPorts, org: string, own: readonly EventHead[]) {
  const reportIds = own
    .filter(({ eventType }) => isReportEvent(eventType))
    .map(({ resourceId }) => resourceId);
  const [webhooks, endpoints] = await Promise.all([
    ports.webhooksOf(org),
    reportIds.length === 0 ? [] : ports.reportEndpoints(org, reportIds),
  ]);
  const byId = Map.groupBy(endpoints, ({ id }) => id);
  return own.map((event) => ({
    event,
    webhooks: [...webhooks, ...(byId.get(reportEndpointId(event.resourceId)) ?? [])].filter((one) =>
      wants(one, event, ports.nowMs()),
    ),
  }));
}

/** Includes disabled webhooks: they may be enabled again before the 24 hours of the event are over. */
const wants = (
  { org, events, createdAt }: StoredWebhook,
  event: EventHead,
  nowMs: number,
): boolean =>
  (org === OPERATOR_WEBHOOK.org || events.some((type) => type === event.eventType)) &&
  // The creation time of the webhook may be in the future, if it was set by a clock that was ahead.
  event.createdAt >= Math.min(createdAt, nowMs) - CLOCKS_MS;
