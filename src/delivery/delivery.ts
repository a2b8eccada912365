// Brings deliveries to their endpoints. The store is the queue: a dispatcher claims a delivery by a lease, and what a dead
// process held is due again when its lease ends. Every endpoint has a queue of its own, so that an endpoint that hangs or has
// a million pending deliveries does not delay the others.
//
//   outbox ──relay──> log: events ──handle──> deliveries ──scan──> queues ──take──> send ──record──> deliveries, attempts
import pLimit from "p-limit";
import type { BreakerState } from "./breaker.ts";
import { isForgettable } from "./endpoint-queue.ts";
import type { EventHead } from "../model/event.ts";
import type { Delivered, Handled } from "../model/records.ts";
import { createRecorder } from "./recorder.ts";
import { advanceRecoveries } from "./recover.ts";
import { createRelayLease } from "./relay-lease.ts";
import { relayEvents } from "./relay.ts";
import { createSubscriber } from "./subscribe.ts";
import { withFound } from "./queue-machine.ts";
import { offer, release } from "./serve.ts";
import { beginAgain, rescheduleUnreachable, wasSetBack } from "./set-clock.ts";
import { BEAT_MS, leaveQuota, shareOut } from "./endpoint-quota.ts";
import {
  type DispatchLimits,
  type DeliveryPorts,
  dueFrom,
  failed,
  inBackground,
  isServed,
  queueOf,
  setWebhook,
  type Work,
} from "./work.ts";

export interface DispatchState {
  /** Dispatchers that divide the limits of the endpoints among them, including this one. */
  readonly dispatchers: number;
  readonly queues: number;
  readonly inFlight: number;
  readonly breakers: Readonly<Record<BreakerState, number>>;
  /** Age in milliseconds of the oldest due delivery that waits only for this process. */
  readonly queueAgeMs: number;
  /** Webhooks with pending deliveries whose secrets cannot be decrypted. */
  readonly secretsUnavailable: number;
  /** Deliveries that have been due for more than a minute although their endpoint is ready: anything but 0 is a fault. */
  readonly overdue: number;
  /** Milliseconds since this dispatcher last looked for work. */
  readonly stalledMs: number;
}

export interface Dispatcher {
  /** Runs until it is closed. */
  start(): void;
  /** Reports that something may be due now; for this endpoint if one is named. */
  wake(endpoint?: { readonly org: string; readonly webhookId: string }): void;
  /** Makes the deliveries of a published event: the handler of the records of `events`. */
  handle(record: Delivered<EventHead>): Promise<Handled>;
  /** Looks for work once; resolves with the milliseconds after which the next look makes sense. */
  turn(): Promise<number>;
  /** Resolves when no claimed delivery is in flight any more. */
  settled(): Promise<void>;
  state(): DispatchState;
  /** Claims nothing more, waits for what is in flight, and releases the rest. */
  close(): Promise<void>;
}

/** Interval between searches for what other processes left; a search takes at most a tenth of the time. */
const SCAN_MS = 1_000;
const SCAN_SHARE = 10;
const POLL_MIN_MS = 50;
const POLL_MAX_MS = 1_000;
/** A log that does not answer keeps deliveries waiting for no longer than this. */
const RELAY_WAIT_MS = 250;
/** Events deleted in one step. */
const PART = 500;
/** Concurrent queries of endpoint queues to the store: about half of the connections that MongoDB's driver opens. */
const STORE_QUERIES_MAX = 24;
const QUEUE_IDLE_MS = 600_000;
const OVERDUE_MS = 60_000;
/** Counting stops at this many for one endpoint. */
const OVERDUE_COUNTED_MAX = 1_000;
/** Retention of events and their deliveries. */
const KEPT_MS = 30 * 86_400_000;
const PURGE_EVERY_MS = 60_000;
/** A search costs two look-ups for each endpoint. */
const GONE_EVERY_MS = 600_000;
const CLOSE_MAX_MS = 12_000;

/** When each periodic job runs next, in milliseconds since 1970. */
interface JobTimes {
  beatAt: number;
  scanAt: number;
  purgeAt: number;
  goneAt: number;
  unreachableAt: number;
  pollMs: number;
  turnedAt: number;
  overdue: number;
}

const newPlan = (now: number): JobTimes => ({
  beatAt: 0,
  scanAt: 0,
  purgeAt: 0,
  goneAt: now + GONE_EVERY_MS,
  unreachableAt: 0,
  pollMs: POLL_MIN_MS,
  turnedAt: now,
  overdue: 0,
});

export function createDispatcher(given: DeliveryPorts, limits: DispatchLimits): Dispatcher {
  const ports = limitQueries(given);
  const work: Work = {
    id: ports.newId(),
    dispatchers: 1,
    ports,
    limits,
    queues: new Map(),
    waiting: new Set(),
    recorder: createRecorder(ports.record, ports.wait, limits.writesMax),
    relayLease: createRelayLease(ports.newId(), ports.relayLease, ports.nowMs),
    relaying: null,
    running: new Set(),
    inFlight: 0,
    closing: false,
  };
  const plan = newPlan(ports.nowMs());
  let wakeUp: (() => void) | null = null;
  let isWoken = false;
  let loop: Promise<void> | null = null;
  // Another call may set it while a turn runs, which the compiler cannot see.
  const wasWoken = (): boolean => isWoken;

  async function run(): Promise<void> {
    while (!work.closing) {
      isWoken = false;
      const ms = await turn(work, plan);
      if (wasWoken() || ms === 0) continue;
      const woken = new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
      await Promise.race([woken, ports.wait(ms)]);
      wakeUp = null;
    }
  }

  function wake(): void {
    isWoken = true;
    wakeUp?.();
  }

  return {
    start: () => {
      loop ??= run();
    },
    wake: (endpoint) => {
      if (endpoint !== undefined)
        dueFrom(queueOf(work, endpoint.org, endpoint.webhookId), ports.nowMs());
      wake();
    },
    handle: createSubscriber(ports, (webhooks) => {
      for (const stored of webhooks) {
        const queue = queueOf(work, stored.org, stored.id);
        setWebhook(work, queue, stored);
        dueFrom(queue, ports.nowMs());
      }
      if (webhooks.length > 0) wake();
    }),
    turn: () => turn(work, plan),
    settled: () => settled(work),
    state: () => stateOf(work, plan, loop !== null),
    close: async () => {
      work.closing = true;
      wakeUp?.();
      await loop;
      await Promise.race([settled(work), ports.wait(CLOSE_MAX_MS)]);
      for (const queue of work.queues.values())
        await release(work, queue).catch(failed(work, "give back"));
      await work.relayLease.leave().catch(failed(work, "leave"));
      await leaveQuota(work).catch(failed(work, "leave"));
      work.recorder.close();
    },
  };
}

/**
 * The ports, with one limit on the queries that endpoint queues send to the store: a thousand at a time would take all its
 * connections, and most of them would fail after waiting too long.
 */
function limitQueries(ports: DeliveryPorts): DeliveryPorts {
  const limit = pLimit(STORE_QUERIES_MAX);
  const limited =
    <Args extends readonly unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      limit(() => call(...args));
  return {
    ...ports,
    getWebhook: limited(ports.getWebhook),
    replaceWebhook: limited(ports.replaceWebhook),
    getEvents: limited(ports.getEvents),
    take: limited(ports.take),
    nextDueAt: limited(ports.nextDueAt),
    giveBack: limited(ports.giveBack),
    reschedule: limited(ports.reschedule),
    expedite: limited(ports.expedite),
    pendingOf: limited(ports.pendingOf),
    expire: limited(ports.expire),
    rescheduleFrom: limited(ports.rescheduleFrom),
    removeOfWebhook: limited(ports.removeOfWebhook),
  };
}

async function settled({ running, recorder }: Work): Promise<void> {
  while (running.size > 0 || recorder.waiting() > 0) {
    await Promise.all([...running]);
    await recorder.drained();
    if (recorder.failure() !== null) return;
  }
}

async function turn(work: Work, plan: JobTimes): Promise<number> {
  const { ports, queues } = work;
  const now = ports.nowMs();
  if (wasSetBack(plan.turnedAt, now)) planAgain(work, plan, now);
  plan.turnedAt = now;
  if (now >= plan.beatAt) {
    plan.beatAt = now + BEAT_MS;
    // Before anything is sent: a new dispatcher gets only a quota of the limits, not all of them.
    await shareOut(work).catch(failed(work, "share"));
    await work.relayLease.beat().catch(failed(work, "lease"));
  }
  await Promise.race([relaying(work, plan), ports.wait(RELAY_WAIT_MS)]);
  if (now >= plan.scanAt) {
    // Until the scan ends; its end sets the time of the next one.
    plan.scanAt = Infinity;
    inBackground(work, "scan", () => scan(work, plan));
  }
  if (now >= plan.purgeAt) {
    plan.purgeAt = now + PURGE_EVERY_MS;
    inBackground(work, "purge", () => purge(work, plan));
  }
  if (now >= plan.goneAt) {
    plan.goneAt = now + GONE_EVERY_MS;
    inBackground(work, "gone", () => findGone(work));
  }
  if (now >= plan.unreachableAt) {
    plan.unreachableAt = now + PURGE_EVERY_MS;
    inBackground(work, "reschedule", () => rescheduleUnreachable(work));
  }
  serveDue(work);
  const after = ports.nowMs();
  let next = Math.min(after + plan.pollMs, plan.scanAt);
  for (const { state } of queues.values()) {
    const { nextDueAt } = state;
    if (nextDueAt !== null && nextDueAt > after) next = Math.min(next, nextDueAt);
  }
  return Math.max(0, next - after);
}

/** After the clock was set back. */
function planAgain(work: Work, plan: JobTimes, now: number): void {
  // A running scan sets the time of the next one itself.
  if (plan.scanAt !== Infinity) plan.scanAt = 0;
  plan.beatAt = 0;
  plan.purgeAt = 0;
  plan.goneAt = now + GONE_EVERY_MS;
  plan.unreachableAt = 0;
  beginAgain(work, now);
}

function serveDue(work: Work): void {
  for (const queue of work.queues.values()) offer(work, queue, { kind: "tick" });
}

/** The relay that is running, or one that begins. */
function relaying(work: Work, plan: JobTimes): Promise<void> {
  if (work.relaying !== null) return work.relaying;
  const running = relay(work, plan)
    .catch(failed(work, "relay"))
    .finally(() => {
      work.relaying = null;
      work.running.delete(running);
    });
  work.running.add(running);
  work.relaying = running;
  return running;
}

/** Relays one part of the outbox at a time, so that deliveries continue while the outbox is long. */
async function relay(work: Work, plan: JobTimes): Promise<void> {
  plan.pollMs = Math.min(POLL_MAX_MS, Math.max(POLL_MIN_MS, plan.pollMs * 2));
  if (!work.relayLease.isHeld()) return;
  const relayed = await relayEvents(work.ports);
  if (relayed.events > 0) plan.pollMs = relayed.more ? 0 : POLL_MIN_MS;
}

/** Finds what other processes added or left. */
async function scan(work: Work, plan: JobTimes): Promise<void> {
  const { ports, queues } = work;
  const startedAt = performance.now();
  let tookMs = 0;
  try {
    await lookThrough(work, plan);
    tookMs = performance.now() - startedAt;
    const due = (org: string, id: string): void => {
      dueFrom(queueOf(work, org, id), ports.nowMs());
    };
    await advanceRecoveries(ports, due, failed(work, "recovery"));
    const now = ports.nowMs();
    for (const [id, queue] of queues)
      if (isForgettable(queue, now, QUEUE_IDLE_MS)) queues.delete(id);
  } finally {
    plan.scanAt = ports.nowMs() + Math.max(SCAN_MS, SCAN_SHARE * tookMs);
  }
  serveDue(work);
}

/** Looks at the first due delivery of each endpoint. */
async function lookThrough(work: Work, plan: JobTimes): Promise<void> {
  const { ports } = work;
  let overdue = 0;
  for await (const { org, webhookId, dueAt } of ports.dueEndpoints()) {
    if (work.closing) return;
    const now = ports.nowMs();
    const queue = queueOf(work, org, webhookId);
    queue.lastUsedAt = now;
    queue.state = withFound(queue.state, dueAt);
    // Behind a rate limit, a breaker or a slow endpoint, deliveries may wait for long. What waits without such a reason is a
    // fault that the operator must see.
    const isStuck = dueAt < now - OVERDUE_MS && queue.state.movedAt < now - OVERDUE_MS;
    if (isStuck && isServed(queue, now))
      overdue += await ports.countDue(webhookId, now - OVERDUE_MS, OVERDUE_COUNTED_MAX);
  }
  plan.overdue = overdue;
}

async function purge({ ports }: Work, plan: JobTimes): Promise<void> {
  const count = await ports.purge((await ports.retentionNow()) - KEPT_MS, PART);
  if (count === PART) plan.purgeAt = 0;
}

/**
 * Ended deliveries of a deleted webhook are in no queue. Waking the endpoint queue of the webhook removes all that is left of
 * it.
 */
async function findGone(work: Work): Promise<void> {
  const { ports } = work;
  for await (const { org, webhookId } of ports.ended()) {
    if (work.closing) return;
    if ((await ports.getWebhook(org, webhookId)) === null)
      dueFrom(queueOf(work, org, webhookId), ports.nowMs());
  }
}

function stateOf(
  { dispatchers, ports, queues, inFlight }: Work,
  plan: JobTimes,
  isRunning: boolean,
): DispatchState {
  const now = ports.nowMs();
  const breakers: Record<BreakerState, number> = { closed: 0, open: 0, half_open: 0 };
  let queueAgeMs = 0;
  let secretsUnavailable = 0;
  for (const queue of queues.values()) {
    breakers[queue.breaker.state(now)] += 1;
    if (typeof queue.webhook?.endpoint.failure === "string") secretsUnavailable += 1;
    const { nextDueAt } = queue.state;
    if (nextDueAt !== null && isServed(queue, now))
      queueAgeMs = Math.max(queueAgeMs, now - nextDueAt);
  }
  const stalledMs = isRunning ? now - plan.turnedAt : 0;
  const { overdue } = plan;
  const counts = { dispatchers, queues: queues.size, inFlight, secretsUnavailable, overdue };
  return { ...counts, breakers, queueAgeMs, stalledMs };
}
