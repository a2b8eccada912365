// A clock that was ahead and is right again leaves times behind that nothing reaches for as long as it was ahead: of this
// process, and of deliveries. Without this, events that happened meanwhile would wait for weeks.
import { WINDOW_MS } from "../webhooks/schedule.ts";
import { dueFrom, queueOf, type Work } from "./work.ts";

/** No schedule and no lease lies further ahead, also not by the clock of another machine. */
const AHEAD_MAX_MS = WINDOW_MS + 3_600_000;
/** A smaller step delays things by no more than itself. */
const STEP_MIN_MS = 5_000;
const PART = 500;

export const wasSetBack = (lastMs: number, nowMs: number): boolean => nowMs < lastMs - STEP_MIN_MS;

/** What is known in this process by a time that is no longer reached is looked at again now. */
export function beginAgain({ queues }: Work, nowMs: number): void {
  for (const queue of queues.values()) {
    if (queue.webhook !== null) queue.webhook = { ...queue.webhook, readAt: 0 };
    queue.healthSavedAt = 0;
    queue.expireAt = 0;
    queue.lastUsedAt = nowMs;
    queue.movedAt = nowMs;
    dueFrom(queue, nowMs);
  }
}

/**
 * Reschedules deliveries that are due later than any schedule says, unless it is the clock that is wrong now: their time
 * would be over when it is right. Costs two look-ups an endpoint.
 */
export async function rescheduleUnreachable(work: Work): Promise<void> {
  const { ports } = work;
  if (await ports.isClockBehind()) return;
  for await (const { org, webhookId } of ports.dueEndpoints()) {
    if (work.closing) return;
    const now = ports.nowMs();
    const count = await ports.rescheduleFrom(org, webhookId, now + AHEAD_MAX_MS, now, PART);
    if (count > 0) dueFrom(queueOf(work, org, webhookId), now);
  }
}
