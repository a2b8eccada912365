// The work of one endpoint queue: it claims the due deliveries of an endpoint, sends them, and decides their outcomes.
import type { Attempt, AttemptResult, DeliveryOutcome, TakenDelivery } from "../model/webhook.ts";
import type { BreakerCall } from "./breaker.ts";
import { callEndpoint } from "../webhooks/endpoint.ts";
import { saveHealth } from "./health-recorder.ts";
import { type EndpointQueue, learn, type Ready, wanted } from "./endpoint-queue.ts";
import { bringForward, findDueOrder } from "./order.ts";
import { nextAttemptAt, WINDOW_MS } from "../webhooks/schedule.ts";
import { dueFrom, inBackground, isOutdated, webhookOf, type Work } from "./work.ts";

/** Longer than a call may take (10 s), with time left for the wait in the endpoint queue and for the write after the call. */
const LEASE_MS = 30_000;
/** A delivery with less left of its lease than this is released instead of sent. */
const LEASE_REST_MS = 15_000;
const IN_FLIGHT_MAX = 1_024;
/** Outcomes that are not stored yet; above this, nothing is claimed. */
const UNRECORDED_MAX = 2_048;
/** What cannot be sent within this time is released. */
const SOON_MS = 1_000;
/** After a failure of our own. */
const PAUSE_MS = 1_000;
/** Deliveries of an endpoint that get no attempt are ended in parts of this size. */
const PART = 500;
/** Resources whose order is checked together. */
const RESOURCES_MAX = 100;
/** A search for expired deliveries is followed by a pause that is this many times as long. */
const EXPIRE_SHARE = 10;

/** Whether claiming something for the endpoint queue makes sense now. */
export const isDue = (queue: EndpointQueue, nowMs: number): boolean =>
  queue.nextDueAt !== null &&
  queue.nextDueAt <= nowMs &&
  !queue.isBusy &&
  (queue.webhook?.stored.enabled === false || wanted(queue, nowMs) > 0);

/** Claims what is due for an endpoint queue and sends it; one run at a time. */
export function serve(work: Work, queue: EndpointQueue): void {
  const { ports } = work;
  if (queue.isBusy || work.closing) return;
  queue.isBusy = true;
  queue.lastUsedAt = ports.nowMs();
  inBackground(work, "serve", async () => {
    try {
      // Expired deliveries are no reason to wait, and must not hold up the others.
      for (let more = true; more; ) more = await fill(work, queue);
    } catch (error) {
      // Not at once: the failure may last.
      queue.nextDueAt = ports.nowMs() + PAUSE_MS;
      throw error;
    } finally {
      queue.isBusy = false;
    }
    sendAll(work, queue);
  });
}

/** True when all claimed deliveries had expired, and there are more. */
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
    // When the webhook is enabled again, the next sweep finds what is pending.
    queue.nextDueAt = null;
    await expire(work, queue);
    await giveBack(work, queue);
    return false;
  }
  // An outcome that cannot be stored would make us send the delivery again once its lease has ended.
  const count = recorder.failure() === null ? wanted(queue, now) : 0;
  if (count === 0) return false;
  const leaseUntil = now + LEASE_MS;
  // Reset before the query: a delivery that becomes due meanwhile sets it again, and the older answer must not overwrite that.
  queue.nextDueAt = null;
  const taken = await ports.take(webhookId, now, leaseUntil, ports.newId(), count);
  const next = taken.length === count ? now : await ports.nextDueAt(webhookId);
  if (next !== null) dueFrom(queue, next);
  const inTurn = webhook.ordered ? await keepInTurn(work, queue, taken) : taken;
  const kept = await load(work, queue, inTurn);
  if (kept > 0 || taken.length < count || work.closing) return false;
  // Behind a breaker only one is claimed at a time, which would take too long.
  await expire(work, queue);
  return true;
}

/** Ends the expired deliveries that wait for a disabled webhook or hold up others. */
async function expire({ ports }: Work, queue: EndpointQueue): Promise<void> {
  const now = ports.nowMs();
  if (now < queue.expireAt) return;
  const startedAt = performance.now();
  const expired = await ports.expire(queue.org, queue.webhookId, now - WINDOW_MS, now, PART);
  // The search reads all pending deliveries, also those that have not expired: it may take at most a tenth of the time.
  const tookMs = performance.now() - startedAt;
  if (expired < PART) queue.expireAt = now + EXPIRE_SHARE * tookMs;
  else queue.nextDueAt = now;
}

/** Of the claimed deliveries of an ordered webhook, keeps those that are next or have expired, and reschedules the rest. */
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

/** Expedites the rescheduled deliveries of an ordered endpoint queue that are next by now. */
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
      // After a failure they are found when they are due.
      queue.moved.clear();
      queue.isBringingForward = false;
    }
    if (isDue(queue, work.ports.nowMs())) serve(work, queue);
  });
}

/** Puts the claimed deliveries that have not expired into the endpoint queue with their events; returns how many. */
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

/** Sends what is in the endpoint queue, up to its limit of concurrent calls. */
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

/** If the process is killed, calls in flight and calls without a stored outcome are repeated: so both together are limited. */
const hasPlace = ({ limits }: Work, { inFlight, unwritten, limit }: EndpointQueue): boolean =>
  inFlight < limit && inFlight + unwritten < limit + limits.unwrittenMax;

/** Reads the webhook again before more is sent with its old settings. */
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

/** An endpoint queue that must wait releases what other dispatchers could send. */
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
      // Has no effect after `finish`.
      call.abandon();
      queue.inFlight -= 1;
      work.inFlight -= 1;
    }
    goOn(work, queue);
  });
}

/** After a call has ended or was stored: first serves an endpoint queue that waits for a free slot, then this one. */
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

/** Sets the outcome of a delivery by this attempt, or without one because it cannot be attempted any more. */
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

/** Releases everything that waits in the endpoint queue, so that any dispatcher can claim it. */
export async function giveBack(work: Work, queue: EndpointQueue): Promise<void> {
  const back = queue.ready.splice(0).map(({ taken }) => taken);
  if (back.length === 0) return;
  for (const { scheduledAt } of back) dueFrom(queue, scheduledAt);
  await work.ports.giveBack(back);
}

/** Releases what has waited for too long: its lease could end during the call. */
function giveBackStale(work: Work, queue: EndpointQueue, nowMs: number): void {
  const [first] = queue.ready;
  if (first === undefined || first.taken.leaseUntil - nowMs >= LEASE_REST_MS) return;
  inBackground(work, "give back", () => giveBack(work, queue));
}
