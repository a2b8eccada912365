// Which deliveries to an ordered webhook are due: one at a time for each resource, in the sequence of its events. There is no
// stored place in a queue that a crash could lose: a dispatcher that has claimed a delivery reads the other pending ones of the
// same resource, and reschedules its own when one precedes it.
//
// Reading after claiming makes this safe between processes: of two dispatchers that claim deliveries of one resource at the
// same time, at least one sees the claim of the other. Both may then reschedule, and they retry at different times.
import type { PendingDelivery, TakenDelivery } from "../model/webhook.ts";

/** A delivery that waits for a call in flight is checked again after this time, or earlier if it is the next one. */
const LATER_LOOKS_AFTER_MS = 1_000;
const FIRST_LOOKS_AFTER_MS = 500;
/** The preceding delivery may be due later, but a user can send it by hand, and the webhook may become unordered. */
const LOOKS_AGAIN_WITHIN_MS = 60_000;

export interface OrderPorts {
  /** Events of some resources that have no deliveries yet. */
  outboxOf(
    org: string,
    resourceIds: readonly string[],
  ): Promise<readonly Pick<PendingDelivery, "resourceId" | "sequence">[]>;
  /** The pending deliveries to a webhook for events of some resources. */
  pendingOf(
    org: string,
    webhookId: string,
    resourceIds: readonly string[],
  ): Promise<readonly PendingDelivery[]>;
  /** Expedites rescheduled deliveries: they can be claimed when their attempts are due. */
  expedite(org: string, webhookId: string, rescheduled: readonly PendingDelivery[]): Promise<void>;
  nowMs(): number;
}

/** The claimed deliveries that may be sent now, and until when the rest is rescheduled. */
export interface DueOrder {
  readonly inTurn: readonly TakenDelivery[];
  readonly rescheduled: readonly { readonly taken: TakenDelivery; readonly until: number }[];
}

/** @param all deliveries of one webhook, claimed together with one fencing token */
export async function findDueOrder(
  ports: OrderPorts,
  all: readonly TakenDelivery[],
): Promise<DueOrder> {
  const [first] = all;
  if (first === undefined) return { inTurn: [], rescheduled: [] };
  const { unrelayed, pending } = await look(ports, first, all);
  const now = ports.nowMs();
  const turns = all.map((taken) => ({
    taken,
    until: rescheduledUntil(taken, pending, unrelayed, now),
  }));
  return {
    inTurn: turns.flatMap(({ taken, until }) => (until === null ? [taken] : [])),
    rescheduled: turns.flatMap(({ taken, until }) => (until === null ? [] : [{ taken, until }])),
  };
}

/**
 * Expedites the rescheduled deliveries that are next by now, and returns them. It runs after every reschedule and after every
 * stored outcome, so one of two dispatchers always sees what the other did.
 */
export async function expediteNext(
  ports: OrderPorts,
  webhook: { readonly org: string; readonly webhookId: string },
  resourceIds: readonly string[],
): Promise<readonly PendingDelivery[]> {
  const { unrelayed, pending } = await look(
    ports,
    webhook,
    resourceIds.map((resourceId) => ({ resourceId })),
  );
  const now = ports.nowMs();
  const isRescheduled = ({ leaseToken, dueAt, scheduledAt }: PendingDelivery): boolean =>
    leaseToken === null && dueAt > now && dueAt > scheduledAt;
  const inTurn = pending.filter(
    (one) => isRescheduled(one) && rescheduledUntil(one, pending, unrelayed, now) === null,
  );
  if (inTurn.length > 0) await ports.expedite(webhook.org, webhook.webhookId, inTurn);
  return inTurn;
}

/** Reads the pending events and deliveries of the resources of some deliveries. */
async function look(
  ports: OrderPorts,
  { org, webhookId }: { readonly org: string; readonly webhookId: string },
  all: readonly { readonly resourceId: string }[],
) {
  const resourceIds = [...new Set(all.map(({ resourceId }) => resourceId))];
  // Reads the outbox before the deliveries: an event leaves the outbox only once its deliveries exist, so none is missed.
  const unrelayed = await ports.outboxOf(org, resourceIds);
  const pending = await ports.pendingOf(org, webhookId, resourceIds);
  return { unrelayed, pending };
}

/** Null: it may be sent now. */
function rescheduledUntil(
  taken: Omit<PendingDelivery, "dueAt" | "scheduledAt">,
  pending: readonly PendingDelivery[],
  unrelayed: readonly Pick<PendingDelivery, "resourceId" | "sequence">[],
  nowMs: number,
): number | null {
  const ofResource = ({ resourceId }: { readonly resourceId: string }): boolean =>
    resourceId === taken.resourceId;
  const others = pending.filter((other) => ofResource(other) && other.eventId !== taken.eventId);
  const before = others.filter((other) => isBefore(other, taken));
  const isClaimed = ({ leaseToken, dueAt }: PendingDelivery): boolean =>
    leaseToken !== null && dueAt > nowMs;
  const looksAgainAt = nowMs + LATER_LOOKS_AFTER_MS;
  if (before.length > 0) {
    // Waits for all of them to end: the one that is due last sets the minimum.
    const dueAt = Math.max(...before.map((other) => (isClaimed(other) ? nowMs : other.dueAt)));
    return Math.min(Math.max(dueAt, looksAgainAt), nowMs + LOOKS_AGAIN_WITHIN_MS);
  }
  const sequence = taken.sequence ?? 0;
  if (unrelayed.some((event) => ofResource(event) && (event.sequence ?? 0) < sequence))
    return looksAgainAt;
  // A later delivery can be in flight: this one had ended before and is sent again. Those claimed with it wait for it.
  const isOthers = (other: PendingDelivery): boolean => other.leaseToken !== taken.leaseToken;
  return others.some((other) => isClaimed(other) && isOthers(other))
    ? nowMs + FIRST_LOOKS_AFTER_MS
    : null;
}

type OrderPosition = Pick<PendingDelivery, "sequence" | "createdAt" | "eventId">;

function isBefore(one: OrderPosition, other: OrderPosition): boolean {
  const [sequence, otherSequence] = [one.sequence ?? 0, other.sequence ?? 0];
  if (sequence !== otherSequence) return sequence < otherSequence;
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt;
  return one.eventId < other.eventId;
}
