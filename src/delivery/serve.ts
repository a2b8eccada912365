// One endpoint queue at work: it takes what is due for an endpoint, sends it, and decides what becomes of it.
import type { Attempt, AttemptResult, DeliveryOutcome, TakenDelivery } from "../model/webhook.ts";
import type { BreakerCall } from "./breaker.ts";
import { callEndpoint } from "../webhooks/endpoint.ts";
import { saveHealth } from "./health-recorder.ts";
import { type EndpointQueue, learn, type Ready, wanted } from "./endpoint-queue.ts";
import { bringForward, findDueOrder } from "./order.ts";
import { nextAttemptAt, WINDOW_MS } from "../webhooks/schedule.ts";
import { dueFrom, inBackground, isOutdated, webhookOf, type Work } from "./work.ts";

/** Longer than a call may take (10 s) by enough for one that waited in its endpoint queue and for what is written after it. */
const LEASE_MS = 30_000;
/** With less left of its lease than this a delivery is given back instead of sent. */
const LEASE_REST_MS = 15_000;
const IN_FLIGHT_MAX = 1_024;
/** Outcomes that wait to be written down; with more, nothing is taken before they are. */
const UNRECORDED_MAX = 2_048;
/** What cannot be sent within this time is given back. */
const SOON_MS = 1_000;
/** After a failure of ours. */
const PAUSE_MS = 1_000;
/** Deliveries of an endpoint that get no attempt are ended in parts. */
const PART = 500;
/** Resources of which it is looked at together what is in turn. */
const RESOURCES_MAX = 100;
/** After looking for what has no time left, as many times as long nobody looks again. */
const EXPIRE_SHARE = 10;

/** Whether taking something for the endpoint queue makes sense now. */
export const isDue = (queue: EndpointQueue, nowMs: number): boolean =>
  queue.nextDueAt !== null &&
  queue.nextDueAt <= nowMs &&
  !queue.isBusy &&
  (queue.webhook?.stored.enabled === false || wanted(queue, nowMs) > 0);

/** Takes what is due for an endpoint queue and sends it; once at a time. */
export function serve(work: Work, queue: EndpointQueue): void {
  const { ports } = work;
  if (queue.isBusy || work.closing) return;
  queue.isBusy = true;
  queue.lastUsedAt = ports.nowMs();
  inBackground(work, "serve", async () => {
    try {
      // What has no time left is no reason to wait, and must not stand in front of what has.
      for (let more = true; more; ) more = await fill(work, queue);
    } catch (error) {
      // Not at once again: whatever it is, it may last.
      queue.nextDueAt = ports.nowMs() + PAUSE_MS;
      throw error;
    } finally {
      queue.isBusy = false;
    }
    sendAll(work, queue);
  });
}

/** True when all that was taken had no time left, and there is more. */
async function fill(work: Work, queue: EndpointQueue): Promise<boolean> {
  const { ports, recorder } = work;
  const { org, webhookId } = queue;
  if (recorder.waiting() > UNRECORDED_MAX) await recorder.drained();
  const webhook = await webhookOf(work, queue);
  const now = ports.nowMs();
  if (webhook === null) {
    const removed = await ports.removeOfWebhook(org, webhookId, PART);
    queue.nextDueAt = removed === PART ? now : null;
    return false;
  }
  if (!webhook.enabled) {
    // What waits for it to be enabled again is looked at by the next sweep.
    queue.nextDueAt = null;
    await expire(work, queue);
    await giveBack(work, queue);
    return false;
  }
  // What cannot be written down would be sent again by ourselves once its lease has ended.
  const count = recorder.failure() === null ? wanted(queue, now) : 0;
  if (count === 0) return false;
  const leaseUntil = now + LEASE_MS;
  // What becomes due meanwhile says so itself, and must not be forgotten for an answer that does not know of it.
  queue.nextDueAt = null;
  const taken = await ports.take(webhookId, now, leaseUntil, ports.newId(), count);
  const next = taken.length === count ? now : await ports.nextDueAt(webhookId);
  if (next !== null) dueFrom(queue, next);
  const inTurn = webhook.ordered ? await keepInTurn(work, queue, taken) : taken;
  const kept = await load(work, queue, inTurn);
  if (kept > 0 || taken.length < count || work.closing) return false;
  // One at a time, as behind a breaker, they would take for ever.
  await expire(work, queue);
  return true;
}

/** Of deliveries that wait for a disabled webhook, or stand in front of others, ends those whose time is over. */
async function expire({ ports }: Work, queue: EndpointQueue): Promise<void> {
  const now = ports.nowMs();
  if (now < queue.expireAt) return;
  const startedAt = performance.now();
  const expired = await ports.expire(queue.org, queue.webhookId, now - WINDOW_MS, now, PART);
  // It looks at all that waits, also at what has its time before it: at most a tenth of the time is spent on that.
  const tookMs = performance.now() - startedAt;
  if (expired < PART) queue.expireAt = now + EXPIRE_SHARE * tookMs;
  else queue.nextDueAt = now;
}

/** Of what was taken for an ordered webhook, keeps what is in turn or has no time left, and puts the rest off. */
async function keepInTurn(
  work: Work,
  queue: EndpointQueue,
  taken: readonly TakenDelivery[],
): Promise<readonly TakenDelivery[]> {
  const { ports } = work;
  const now = ports.nowMs();
  const isOver = ({ baseAt }: TakenDelivery): boolean => now >= baseAt + WINDOW_MS;
  const { inTurn, putOff } = await findDueOrder(
    ports,
    taken.filter((one) => !isOver(one)),
  );
  if (putOff.length > 0) {
    await ports.putOff(putOff);
    for (const { until } of putOff) dueFrom(queue, until);
    for (const { taken: one } of putOff) queue.moved.add(one.resourceId);
    lookBehind(work, queue);
  }
  return [...taken.filter(isOver), ...inTurn];
}

/** Has what was put off in an ordered endpoint queue come as soon as it is in turn. */
function lookBehind(work: Work, queue: EndpointQueue): void {
  if (queue.isBringingForward || work.closing) return;
  queue.isBringingForward = true;
  inBackground(work, "order", async () => {
    try {
      while (queue.moved.size > 0) {
        const resourceIds = [...queue.moved].slice(0, RESOURCES_MAX);
        for (const id of resourceIds) queue.moved.delete(id);
        const inTurn = await bringForward(work.ports, queue, resourceIds);
        for (const { scheduledAt } of inTurn) dueFrom(queue, scheduledAt);
      }
    } finally {
      // After a failure they are found by whoever looks when they are due.
      queue.moved.clear();
      queue.isBringingForward = false;
    }
    if (isDue(queue, work.ports.nowMs())) serve(work, queue);
  });
}

/** Puts what was taken into the endpoint queue with its event, but for what has no time left; returns how many. */
async function load(
  work: Work,
  queue: EndpointQueue,
  taken: readonly TakenDelivery[],
): Promise<number> {
  if (taken.length === 0) return 0;
  const now = work.ports.nowMs();
  let kept = 0;
  const ids = taken.map(({ eventId }) => eventId);
  const events = await work.ports.getEvents(queue.org, ids);
  const byId = new Map(events.map((event) => [event.eventId, event]));
  for (const one of taken) {
    const event = byId.get(one.eventId);
    if (event === undefined || now >= one.baseAt + WINDOW_MS) end(work, one, null);
    else {
      queue.ready.push({ taken: one, event });
      kept += 1;
    }
  }
  return kept;
}

/** Sends what is in the endpoint queue, as much as it may have under way. */
export function sendAll(work: Work, queue: EndpointQueue): void {
  const now = work.ports.nowMs();
  giveBackStale(work, queue, now);
  if (queue.ready.length > 0 && isOutdated(queue, now)) {
    readAgain(work, queue);
    return;
  }
  const isEnabled = queue.webhook?.stored.enabled ?? false;
  while (isEnabled && !work.closing && hasPlace(work, queue)) {
    const [next] = queue.ready;
    if (next === undefined) break;
    if (now >= next.taken.baseAt + WINDOW_MS) {
      queue.ready.shift();
      end(work, next.taken, null);
      continue;
    }
    if (work.inFlight >= IN_FLIGHT_MAX) {
      work.waiting.add(queue);
      return;
    }
    const call = queue.bucket.waitMs(now) > 0 ? null : queue.breaker.begin(now);
    queue.movedAt = now;
    if (call === null) break;
    queue.bucket.takeUpTo(1, now);
    queue.ready.shift();
    send(work, queue, next, call);
  }
  if (queue.ready.length > 0 && !isSentSoon(queue, now))
    inBackground(work, "give back", () => giveBack(work, queue));
  saveHealth(work, queue, (disabled) => giveBack(work, disabled));
}

/** A kill has everything made again that is under way or not written down: so there is a bound to both together. */
const hasPlace = ({ limits }: Work, { inFlight, unwritten, limit }: EndpointQueue): boolean =>
  inFlight < limit && inFlight + unwritten < limit + limits.unwrittenMax;

/** Reads the webhook again before more is sent by what is known of it. */
function readAgain(work: Work, queue: EndpointQueue): void {
  if (queue.isBusy || work.closing) return;
  queue.isBusy = true;
  inBackground(work, "read", async () => {
    try {
      if ((await webhookOf(work, queue)) === null) await giveBack(work, queue);
    } catch (error) {
      await giveBack(work, queue).catch(() => undefined);
      throw error;
    } finally {
      queue.isBusy = false;
    }
    sendAll(work, queue);
  });
}

/** An endpoint queue that must wait keeps nothing that others could have. */
const isSentSoon = (queue: EndpointQueue, nowMs: number): boolean =>
  queue.inFlight + queue.unwritten > 0 ||
  queue.breaker.waitMs(nowMs) + queue.bucket.waitMs(nowMs) < SOON_MS;

function send(work: Work, queue: EndpointQueue, ready: Ready, call: BreakerCall): void {
  queue.inFlight += 1;
  work.inFlight += 1;
  const written = (): void => {
    queue.unwritten -= 1;
    if (queue.webhook?.stored.ordered === true) {
      queue.moved.add(ready.taken.resourceId);
      lookBehind(work, queue);
    }
    goOn(work, queue);
  };
  inBackground(work, "attempt", async () => {
    try {
      const result = await attempt(work, queue, ready, written);
      call.finish(result.error, work.ports.nowMs());
    } finally {
      // Says nothing more after `finish`.
      call.abandon();
      queue.inFlight -= 1;
      work.inFlight -= 1;
    }
    goOn(work, queue);
  });
}

/** After a call has ended, or was written down: the next of an endpoint queue that waited for a place, then of this one. */
function goOn(work: Work, queue: EndpointQueue): void {
  for (const other of work.waiting) {
    if (work.inFlight >= IN_FLIGHT_MAX) break;
    work.waiting.delete(other);
    sendAll(work, other);
  }
  sendAll(work, queue);
  if (isDue(queue, work.ports.nowMs())) serve(work, queue);
}

async function attempt(
  work: Work,
  queue: EndpointQueue,
  { taken, event }: Ready,
  written: () => void,
): Promise<AttemptResult> {
  const { ports } = work;
  const { org, webhookId } = queue;
  const endpoint = queue.webhook?.endpoint;
  if (endpoint === undefined) throw new Error("An endpoint queue without a webhook sends nothing");
  const { eventId, replay } = taken;
  const { body, sequence } = event;
  const number = taken.attempts + 1;
  const made = await callEndpoint(ports, endpoint, { eventId, sequence, body, number, replay });
  const { at, status, error, detail, timings, requestId } = made;
  const isSent = error !== "secret_unavailable";
  if (isSent) learn(queue, error, timings.total);
  queue.unwritten += 1;
  const state = end(work, taken, made, written);
  const counts = isSent && error !== "address_refused";
  queue.results.push({ at, ok: error === null, status, error, detail, counts });
  const delayMs = number === 1 && !replay ? at - taken.createdAt : null;
  const told = { org, webhookId, eventId, requestId, number, state, delayMs };
  ports.report({ kind: "attempt", ...told, result: made });
  return made;
}

/** What becomes of a delivery by this attempt, or without one because it cannot be attempted any more. */
function end(
  work: Work,
  taken: TakenDelivery,
  made: Attempt | null,
  written?: () => void,
): DeliveryOutcome["state"] {
  const now = work.ports.nowMs();
  const next =
    made === null || made.error === null
      ? null
      : nextAttemptAt({
          baseAt: taken.baseAt,
          nowMs: now,
          dueAt: taken.scheduledAt,
          key: `${taken.eventId}/${taken.webhookId}`,
          status: made.status,
          retryAfter: made.retryAfter,
        });
  const state = next !== null ? "pending" : made?.error === null ? "delivered" : "exhausted";
  work.recorder.add({ taken, outcome: { state, dueAt: next ?? now, attempt: made } }, written);
  const queue = work.queues.get(taken.webhookId);
  if (next !== null && queue !== undefined) dueFrom(queue, next);
  return state;
}

/** Gives everything that waits in the endpoint queue back, for anybody to take. */
export async function giveBack(work: Work, queue: EndpointQueue): Promise<void> {
  const back = queue.ready.splice(0).map(({ taken }) => taken);
  if (back.length === 0) return;
  for (const { scheduledAt } of back) dueFrom(queue, scheduledAt);
  await work.ports.giveBack(back);
}

/** Gives back what has waited for too long: its lease could end while it is being sent. */
function giveBackStale(work: Work, queue: EndpointQueue, nowMs: number): void {
  const [first] = queue.ready;
  if (first === undefined || first.taken.leaseUntil - nowMs >= LEASE_REST_MS) return;
  inBackground(work, "give back", () => giveBack(work, queue));
}
