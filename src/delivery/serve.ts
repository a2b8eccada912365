// Runs the state machine of an endpoint queue: reads its facts, and carries out its effects on the store and the endpoint.
import type { Attempt, DeliveryOutcome, TakenDelivery } from "../model/webhook.ts";
import { callEndpoint } from "../webhooks/endpoint.ts";
import { saveHealth } from "./health-recorder.ts";
import { aheadMax, type EndpointQueue, learn } from "./endpoint-queue.ts";
import { expediteNext, findDueOrder } from "./order.ts";
import { type QueueEffect, type QueueEvent, type QueueFacts, transition } from "./queue-machine.ts";
import { nextAttemptAt, WINDOW_MS } from "../webhooks/schedule.ts";
import { dueFrom, inBackground, isOutdated, setWebhook, type Work } from "./work.ts";

/** Longer than a call may take (10 s), with time left for the wait in the endpoint queue and for the write after the call. */
const LEASE_MS = 30_000;
const IN_FLIGHT_MAX = 1_024;
/** Outcomes that are not stored yet; above this, nothing is claimed. */
const UNRECORDED_MAX = 2_048;
/** Deliveries of an endpoint that get no attempt are ended in parts of this size. */
const PART = 500;
/** Resources whose order is checked together. */
const RESOURCES_MAX = 100;
/** A search for expired deliveries is followed by a pause that is this many times as long. */
const EXPIRE_SHARE = 10;

/** Reports an event to the machine of a queue, and carries out all effects that follow at once. */
export function offer(work: Work, queue: EndpointQueue, event: QueueEvent): void {
  let next = event;
  for (;;) {
    const { state, effect, then } = transition(queue.state, next, factsOf(work, queue));
    queue.state = state;
    if (effect === null) break;
    perform(work, queue, effect);
    next = { kind: then };
  }
  saveHealth(work, queue, (disabled) => release(work, disabled));
}

/** Offers free calls to the queues in line for one, and then reports an event. */
function offerFreed(work: Work, queue: EndpointQueue, event: QueueEvent): void {
  for (const other of work.waiting) {
    if (work.inFlight >= IN_FLIGHT_MAX) break;
    work.waiting.delete(other);
    offer(work, other, { kind: "advance" });
  }
  offer(work, queue, event);
}

function factsOf(work: Work, queue: EndpointQueue): QueueFacts {
  const { ports, limits, recorder } = work;
  const { breaker, bucket, ready, webhook } = queue;
  const nowMs = ports.nowMs();
  const first = ready[0]?.taken;
  const isFull = recorder.waiting() > UNRECORDED_MAX;
  return {
    nowMs,
    isClosing: work.closing,
    isEnabled: webhook?.stored.enabled ?? null,
    isOutdated: isOutdated(queue, nowMs),
    ready: ready.length,
    first:
      first === undefined
        ? null
        : { leaseUntil: first.leaseUntil, expiresAt: first.baseAt + WINDOW_MS },
    hasMoved: queue.moved.size > 0,
    holdMs: breaker.waitMs(nowMs) + bucket.waitMs(nowMs),
    isProbing: breaker.state(nowMs) !== "closed",
    limit: queue.limit,
    unwrittenMax: limits.unwrittenMax,
    aheadMax: aheadMax(queue),
    hasSlot: work.inFlight < IN_FLIGHT_MAX,
    isWaitingForSlot: work.waiting.has(queue),
    recorder: recorder.failure() !== null ? "failing" : isFull ? "full" : "ready",
  };
}

function perform(work: Work, queue: EndpointQueue, effect: QueueEffect): void {
  const failed: QueueEvent = { kind: "work_failed" };
  switch (effect.kind) {
    case "read":
      report(work, queue, "read", { kind: "read_failed" }, () => read(work, queue));
      break;
    case "drain":
      report(work, queue, "serve", failed, async () => {
        await work.recorder.drained();
        return { kind: "drained" };
      });
      break;
    case "claim":
      report(work, queue, "serve", failed, () => claim(work, queue, effect.count));
      break;
    case "expire":
      report(work, queue, "serve", failed, () => expire(work, queue));
      break;
    case "remove":
      report(work, queue, "serve", failed, () => remove(work, queue));
      break;
    case "expedite":
      report(work, queue, "order", { kind: "expedite_ended" }, () => expedite(work, queue));
      break;
    case "end_expired":
      for (const { taken } of queue.ready.splice(0, 1)) end(work, taken, null);
      break;
    case "wait_for_slot":
      work.waiting.add(queue);
      break;
    case "send":
      send(work, queue);
      break;
    case "release":
      inBackground(work, "give back", () => release(work, queue));
      break;
  }
}

/** Runs an effect in the background, and reports the event that it resolves with. */
function report(
  work: Work,
  queue: EndpointQueue,
  what: string,
  failure: QueueEvent,
  effect: () => Promise<QueueEvent>,
): void {
  queue.lastUsedAt = work.ports.nowMs();
  inBackground(work, what, async () => {
    let event = failure;
    try {
      event = await effect();
    } finally {
      offer(work, queue, event);
    }
  });
}

async function read(work: Work, queue: EndpointQueue): Promise<QueueEvent> {
  const stored = await work.ports.getWebhook(queue.org, queue.webhookId);
  if (stored === null) queue.webhook = null;
  else setWebhook(work, queue, stored);
  return { kind: "read_ended", isDeleted: stored === null };
}

/** Removes what is left of a deleted webhook. */
async function remove(work: Work, queue: EndpointQueue): Promise<QueueEvent> {
  await release(work, queue);
  const removed = await work.ports.removeOfWebhook(queue.org, queue.webhookId, PART);
  return { kind: "remove_ended", hasMore: removed === PART };
}

/** Claims due deliveries, and puts those that can be sent into the queue. */
async function claim(work: Work, queue: EndpointQueue, count: number): Promise<QueueEvent> {
  const { ports } = work;
  const { webhookId, webhook } = queue;
  const now = ports.nowMs();
  const taken = await ports.take(webhookId, now, now + LEASE_MS, ports.newId(), count);
  const next = taken.length === count ? now : await ports.nextDueAt(webhookId);
  if (next !== null) dueFrom(queue, next);
  const isOrdered = webhook?.stored.ordered === true;
  const inTurn = isOrdered ? await keepInTurn(work, queue, taken) : taken;
  const kept = await load(work, queue, inTurn);
  return { kind: "claim_ended", isEmpty: kept === 0 && taken.length === count };
}

/** Ends the expired deliveries that wait for a disabled webhook or hold up others. */
async function expire(work: Work, queue: EndpointQueue): Promise<QueueEvent> {
  const { ports } = work;
  const isDisabled = queue.webhook?.stored.enabled === false;
  const now = ports.nowMs();
  let hasMore = false;
  if (now >= queue.expireAt) {
    const startedAt = performance.now();
    const expired = await ports.expire(queue.org, queue.webhookId, now - WINDOW_MS, now, PART);
    // The search reads all pending deliveries, also those that have not expired: it may take at most a tenth of the time.
    const tookMs = performance.now() - startedAt;
    hasMore = expired === PART;
    if (!hasMore) queue.expireAt = now + EXPIRE_SHARE * tookMs;
  }
  if (isDisabled) await release(work, queue);
  return { kind: "expire_ended", hasMore };
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
  const { inTurn, rescheduled: rescheduled } = await findDueOrder(
    ports,
    taken.filter((one) => !isOver(one)),
  );
  if (rescheduled.length > 0) {
    await ports.reschedule(rescheduled);
    for (const { until, taken: one } of rescheduled) {
      dueFrom(queue, until);
      queue.moved.add(one.resourceId);
    }
    offer(work, queue, { kind: "advance" });
  }
  return [...taken.filter(isOver), ...inTurn];
}

/** Expedites the rescheduled deliveries of an ordered endpoint queue that are next by now. */
async function expedite(work: Work, queue: EndpointQueue): Promise<QueueEvent> {
  const resourceIds = [...queue.moved].slice(0, RESOURCES_MAX);
  for (const id of resourceIds) queue.moved.delete(id);
  try {
    const inTurn = await expediteNext(work.ports, queue, resourceIds);
    for (const { scheduledAt } of inTurn) dueFrom(queue, scheduledAt);
  } catch (error) {
    // They are found when they are due.
    queue.moved.clear();
    throw error;
  }
  return { kind: "expedite_ended" };
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

/** Sends the first claimed delivery. */
function send(work: Work, queue: EndpointQueue): void {
  const now = work.ports.nowMs();
  const ready = queue.ready.shift();
  const call = queue.breaker.begin(now);
  queue.bucket.takeUpTo(1, now);
  work.inFlight += 1;
  inBackground(work, "attempt", async () => {
    let hasOutcome = false;
    try {
      const endpoint = queue.webhook?.endpoint;
      if (ready === undefined || call === null || endpoint === undefined)
        throw new Error("An endpoint queue sends what it holds, if its breaker allows it");
      const { eventId, replay, attempts } = ready.taken;
      const { body, sequence } = ready.event;
      const number = attempts + 1;
      const sent = { eventId, sequence, body, number, replay };
      const made = await callEndpoint(work.ports, endpoint, sent);
      hasOutcome = true;
      recordAttempt(work, queue, ready.taken, made);
      call.finish(made.error, work.ports.nowMs());
    } finally {
      // Has no effect after `finish`.
      call?.abandon();
      work.inFlight -= 1;
      offerFreed(work, queue, { kind: "call_ended", hasOutcome });
    }
  });
}

function recordAttempt(
  work: Work,
  queue: EndpointQueue,
  taken: TakenDelivery,
  made: Attempt,
): void {
  const { at, status, error, detail, timings, requestId } = made;
  const { org, webhookId } = queue;
  const isSent = error !== "secret_unavailable";
  if (isSent) learn(queue, error, timings.total);
  const state = end(work, taken, made, () => {
    if (queue.webhook?.stored.ordered === true) queue.moved.add(taken.resourceId);
    offerFreed(work, queue, { kind: "outcome_stored" });
  });
  const counts = isSent && error !== "address_refused";
  queue.results.push({ at, ok: error === null, status, error, detail, counts });
  const { eventId, replay, createdAt, attempts } = taken;
  const number = attempts + 1;
  const delayMs = number === 1 && !replay ? at - createdAt : null;
  const summary = { org, webhookId, eventId, requestId, number, state, delayMs };
  work.ports.report({ kind: "attempt", ...summary, result: made });
}

/** Sets the outcome of a delivery by this attempt, or without one because it cannot be attempted any more. */
function end(
  work: Work,
  taken: TakenDelivery,
  made: Attempt | null,
  stored?: () => void,
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
  work.recorder.add({ taken, outcome: { state, dueAt: next ?? now, attempt: made } }, stored);
  const queue = work.queues.get(taken.webhookId);
  if (next !== null && queue !== undefined) dueFrom(queue, next);
  return state;
}

/** Releases everything that waits in the endpoint queue, so that any dispatcher can claim it. */
export async function release(work: Work, queue: EndpointQueue): Promise<void> {
  const released = queue.ready.splice(0).map(({ taken }) => taken);
  if (released.length === 0) return;
  for (const { scheduledAt } of released) dueFrom(queue, scheduledAt);
  await work.ports.giveBack(released);
}
