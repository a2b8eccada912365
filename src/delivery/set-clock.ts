// A clock that was ahead and is correct again leaves due times in the far future, in this process and in deliveries. Without
// this correction, events of that time would wait for weeks.
import { WINDOW_MS } from "../webhooks/schedule.ts";
import { withDue } from "./queue-machine.ts";
import { dueFrom, queueOf, type Work } from "./work.ts";

/** No schedule and no lease is further ahead, even by the clock of another machine. */
const AHEAD_MAX_MS = WINDOW_MS + 3_600_000;
/** A smaller step delays work by no more than the step. */
const STEP_MIN_MS = 5_000;
const PART = 500;

export const wasSetBack = (lastMs: number, nowMs: number): boolean => nowMs < lastMs - STEP_MIN_MS;

/** Resets the times of this process that lie too far ahead, so that everything is checked now. */
export function beginAgain({ queues }: Work, nowMs: number): void {
  for (const queue of queues.values()) {
    if (queue.webhook !== null) queue.webhook = { ...queue.webhook, readAt: 0 };
    queue.healthSavedAt = 0;
    queue.expireAt = 0;
    queue.lastUsedAt = nowMs;
    queue.state = withDue({ ...queue.state, movedAt: nowMs }, nowMs);
  }
}

/**
 * Reschedules deliveries that are due later than any schedule allows, unless the clock is wrong now: they would have expired
 * when it is correct again. Costs two look-ups for each endpoint.
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
