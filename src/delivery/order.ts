// Which deliveries to an ordered webhook are due: one at a time for each resource, in the sequence of its events. There is no
// stored place in a queue that a crash could lose: a dispatcher that has claimed a delivery reads the other pending ones of the
// same resource, and reschedules its own when one precedes it. None is missing there: events of a resource are published in
// their sequence (relay.ts), and their deliveries are made in that order (`isKeyOrdered` of the consumer).
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
  const pending = await pendingOf(ports, first, all);
  const now = ports.nowMs();
  const turns = all.map((taken) => ({
    taken,
    until: rescheduledUntil(taken, pending, now),
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
  const pending = await ports.pendingOf(webhook.org, webhook.webhookId, resourceIds);
  const now = ports.nowMs();
  const isRescheduled = ({ leaseToken, dueAt, scheduledAt }: PendingDelivery): boolean =>
    leaseToken === null && dueAt > now && dueAt > scheduledAt;
  const inTurn = pending.filter(
    (one) => isRescheduled(one) && rescheduledUntil(one, pending, now) === null,
  );
  if (inTurn.length > 0) await ports.expedite(webhook.org, webhook.webhookId, inTurn);
  return inTurn;
}

/** The pending deliveries of the resources of some deliveries. */
const pendingOf = (
  ports: OrderPorts,
  { org, webhookId }: TakenDelivery,
  all: readonly TakenDelivery[],
): Promise<readonly PendingDelivery[]> =>
  ports.pendingOf(org, webhookId, [...new Set(all.map(({ resourceId }) => resourceId))]);

/** Null: it may be sent now. */
function rescheduledUntil(
  taken: Omit<PendingDelivery, "dueAt" | "scheduledAt">,
  pending: readonly PendingDelivery[],
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
