// From the outbox to the topic `events`: an event is published once its effect is stored, and then leaves the outbox.
import type { StoredEvent } from "../model/event.ts";

interface OutboxKey {
  readonly org: string;
  readonly eventId: string;
}

/** An event in the outbox. */
interface WaitingEntry extends OutboxKey {
  readonly resourceId: string;
  readonly sequence: number | null;
}

export interface RelayPorts {
  /** Events that are not published yet, of all organizations that have such; `more`: these are not all. */
  outbox(
    limit: number,
  ): Promise<{ readonly entries: readonly WaitingEntry[]; readonly more: boolean }>;
  /** Those of some resources. */
  outboxOf(org: string, resourceIds: readonly string[]): Promise<readonly WaitingEntry[]>;
  getEvents(org: string, eventIds: readonly string[]): Promise<readonly StoredEvent[]>;
  /** Published events that have no deliveries yet. */
  publishedEvents(): number;
  /** Publishes events, those of a resource in this order. */
  publishEvents(events: readonly StoredEvent[]): Promise<void>;
  /** Removes entries from the outbox. */
  relayed(entries: readonly OutboxKey[]): Promise<void>;
}

/** Events relayed together. */
const EVENTS_MAX = 200;
/**
 * Published events without deliveries, beyond which the rest waits in the outbox: there organizations get equal parts, and
 * nothing waits behind another's events.
 */
export const PUBLISHED_EVENTS_MAX = 10_000;

/** What was relayed. */
export interface Relayed {
  readonly events: number;
  /** Whether there may be more. */
  readonly more: boolean;
}

/**
 * Publishes a part of the outbox. After a failure the same is published again: with the same ids, so that it counts once.
 * Where the events of one organization cannot be published, those of the others are, and leave the outbox.
 * @throws what prevented the first organization whose events stay
 */
export async function relayEvents(ports: RelayPorts): Promise<Relayed> {
  if (ports.publishedEvents() >= PUBLISHED_EVENTS_MAX) return { events: 0, more: false };
  const { entries, more } = await ports.outbox(EVENTS_MAX);
  if (entries.length === 0) return { events: 0, more };
  const byOrg = [...Map.groupBy(entries, ({ org }) => org)];
  // Concurrently: one after the other, many organizations would take as many round trips.
  const parts = await Promise.all(byOrg.map(([org, own]) => readPart(ports, org, own)));
  const outcomes = await Promise.allSettled(parts.map((part) => publishPart(ports, part)));
  const published = outcomes.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  if (published.length > 0) await ports.relayed(published);
  const failure = outcomes.find((one) => one.status === "rejected");
  if (failure !== undefined) throw failure.reason;
  return { events: entries.length, more };
}

interface OutboxPart {
  readonly entries: readonly WaitingEntry[];
  readonly events: readonly StoredEvent[];
}

async function publishPart(
  ports: RelayPorts,
  { entries, events }: OutboxPart,
): Promise<readonly WaitingEntry[]> {
  if (events.length > 0) await ports.publishEvents(events);
  return entries;
}

/** The events of some entries of an organization, in their sequence, with those that precede them. */
async function readPart(
  ports: RelayPorts,
  org: string,
  own: readonly WaitingEntry[],
): Promise<OutboxPart> {
  const entries = [...own, ...(await predecessors(ports, org, own))];
  // An event that is missing was removed after 30 days: it is not published any more.
  const events = await ports.getEvents(
    org,
    entries.map(({ eventId }) => eventId),
  );
  return { entries, events: events.toSorted((a, b) => placeOf(a) - placeOf(b)) };
}

const placeOf = ({ sequence }: { readonly sequence: number | null }): number => sequence ?? 0;

/**
 * The entries that precede others of their resource and were not read with them, because the clocks of two machines differ
 * or the part ended between them. One that is not in the outbox after its successor was read there is published already.
 */
async function predecessors(
  ports: RelayPorts,
  org: string,
  own: readonly WaitingEntry[],
): Promise<readonly WaitingEntry[]> {
  const later = new Map<string, number>();
  for (const { resourceId, sequence } of own)
    if ((sequence ?? 0) > 1)
      later.set(resourceId, Math.max(sequence ?? 0, later.get(resourceId) ?? 0));
  if (later.size === 0) return [];
  const known = new Set(own.map(({ eventId }) => eventId));
  const waiting = await ports.outboxOf(org, [...later.keys()]);
  return waiting.filter(
    (one) => !known.has(one.eventId) && placeOf(one) < (later.get(one.resourceId) ?? 0),
  );
}
