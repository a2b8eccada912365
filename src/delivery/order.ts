// Which deliveries to an ordered webhook are in turn: of one resource one at a time, in the order in which its events
// happened. Nobody holds a place in a line that could be lost with him. Whoever has taken a delivery looks at what else of
// its resource has not ended, and puts it off when something is before it.
//
// Looking after taking is what makes it hold between processes: of two that take deliveries of one resource at the same
// time, at least one sees what the other has taken. Both may then step back, and come again at different times.
import type { PendingDelivery, TakenDelivery } from "../model/webhook.ts";

/** What is put off behind a call that is under way looks again after this, or earlier if it is the first in turn. */
const LATER_LOOKS_AFTER_MS = 1_000;
const FIRST_LOOKS_AFTER_MS = 500;
/** What is in front may be due later, but it can be sent by hand, and the webhook may be ordered no longer. */
const LOOKS_AGAIN_WITHIN_MS = 60_000;

export interface OrderPorts {
  /** Events of some resources that have no deliveries yet. */
  outboxOf(
    org: string,
    resourceIds: readonly string[],
  ): Promise<readonly Pick<PendingDelivery, "resourceId" | "sequence">[]>;
  /** The pending deliveries of events of some resources to a webhook. */
  pendingOf(
    org: string,
    webhookId: string,
    resourceIds: readonly string[],
  ): Promise<readonly PendingDelivery[]>;
  /** Lets deliveries that are put off be taken when their attempts are due. */
  bringForward(org: string, webhookId: string, putOff: readonly PendingDelivery[]): Promise<void>;
  nowMs(): number;
}

/** What was taken and is in turn, and until when the rest is put off. */
export interface DueOrder {
  readonly inTurn: readonly TakenDelivery[];
  readonly putOff: readonly { readonly taken: TakenDelivery; readonly until: number }[];
}

/** @param all taken together for one webhook, with one token */
export async function findDueOrder(
  ports: OrderPorts,
  all: readonly TakenDelivery[],
): Promise<DueOrder> {
  const [first] = all;
  if (first === undefined) return { inTurn: [], putOff: [] };
  const { unrelayed, pending } = await look(ports, first, all);
  const now = ports.nowMs();
  const turns = all.map((taken) => ({ taken, until: putOffUntil(taken, pending, unrelayed, now) }));
  return {
    inTurn: turns.flatMap(({ taken, until }) => (until === null ? [taken] : [])),
    putOff: turns.flatMap(({ taken, until }) => (until === null ? [] : [{ taken, until }])),
  };
}

/**
 * Lets what is put off and in turn by now be taken at once; returns it. Whoever puts something off does it afterwards, and
 * whoever writes down what came of an attempt does too: so one of them sees what the other has done.
 */
export async function bringForward(
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
  const isPutOff = ({ leaseToken, dueAt, scheduledAt }: PendingDelivery): boolean =>
    leaseToken === null && dueAt > now && dueAt > scheduledAt;
  const inTurn = pending.filter(
    (one) => isPutOff(one) && putOffUntil(one, pending, unrelayed, now) === null,
  );
  if (inTurn.length > 0) await ports.bringForward(webhook.org, webhook.webhookId, inTurn);
  return inTurn;
}

/** What is known of the resources of some deliveries. */
async function look(
  ports: OrderPorts,
  { org, webhookId }: { readonly org: string; readonly webhookId: string },
  all: readonly { readonly resourceId: string }[],
) {
  const resourceIds = [...new Set(all.map(({ resourceId }) => resourceId))];
  // The outbox before the deliveries: an event leaves it once its deliveries are there, so that none is missed between.
  const unrelayed = await ports.outboxOf(org, resourceIds);
  const pending = await ports.pendingOf(org, webhookId, resourceIds);
  return { unrelayed, pending };
}

/** Null: it is in turn. */
function putOffUntil(
  taken: Omit<PendingDelivery, "dueAt" | "scheduledAt">,
  pending: readonly PendingDelivery[],
  unrelayed: readonly Pick<PendingDelivery, "resourceId" | "sequence">[],
  nowMs: number,
): number | null {
  const ofResource = ({ resourceId }: { readonly resourceId: string }): boolean =>
    resourceId === taken.resourceId;
  const others = pending.filter((other) => ofResource(other) && other.eventId !== taken.eventId);
  const before = others.filter((other) => isBefore(other, taken));
  const isUnderWay = ({ leaseToken, dueAt }: PendingDelivery): boolean =>
    leaseToken !== null && dueAt > nowMs;
  const looksAgainAt = nowMs + LATER_LOOKS_AFTER_MS;
  if (before.length > 0) {
    // Until all of them have ended: the one that is due last says how long that takes at least.
    const dueAt = Math.max(...before.map((other) => (isUnderWay(other) ? nowMs : other.dueAt)));
    return Math.min(Math.max(dueAt, looksAgainAt), nowMs + LOOKS_AGAIN_WITHIN_MS);
  }
  const sequence = taken.sequence ?? 0;
  if (unrelayed.some((event) => ofResource(event) && (event.sequence ?? 0) < sequence))
    return looksAgainAt;
  // A later one is under way when this one had ended before and is sent again. Those taken with it wait for it.
  const isOthers = (other: PendingDelivery): boolean => other.leaseToken !== taken.leaseToken;
  return others.some((other) => isUnderWay(other) && isOthers(other))
    ? nowMs + FIRST_LOOKS_AFTER_MS
    : null;
}

type Place = Pick<PendingDelivery, "sequence" | "createdAt" | "eventId">;

function isBefore(one: Place, other: Place): boolean {
  const [sequence, otherSequence] = [one.sequence ?? 0, other.sequence ?? 0];
  if (sequence !== otherSequence) return sequence < otherSequence;
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt;
  return one.eventId < other.eventId;
}
