// What a dispatcher holds for one endpoint: the deliveries it has claimed, its concurrency limit, and how the endpoint has
// answered. queue-machine.ts decides what is done with it, serve.ts does it.
import type { AttemptError, StoredWebhook, TakenDelivery } from "../model/webhook.ts";
import type { StoredEvent } from "../model/event.ts";
import { type Breaker, createBreaker } from "./breaker.ts";
import type { Endpoint } from "../webhooks/endpoint.ts";
import type { HealthResult } from "../webhooks/endpoint-health.ts";
import { isAtRest, newQueueState, type QueueState } from "./queue-machine.ts";
import { createTokenBucket, type TokenBucket } from "../shared/concurrency/token-bucket.ts";

/** Limit of a new endpoint: one that hangs must not hold many slots from the start. */
const QUEUE_IN_FLIGHT_FIRST = 2;
/** Deliveries claimed in addition to those in flight, for an endpoint that answers quickly. */
const AHEAD_MAX = 112;
/**
 * Claims no more than the rate allows in this time, because a claimed delivery is sent with the settings that the webhook has
 * now.
 */
const AHEAD_SECONDS = 2;
/** An endpoint that answers within this time is quick. */
const QUICK_MS = 100;
/** Weight of the newest call in the moving average. */
const NEWEST = 0.2;

/** A delivery that is ready to be sent. */
export interface Ready {
  readonly taken: TakenDelivery;
  readonly event: StoredEvent;
}

export interface EndpointQueue {
  readonly org: string;
  readonly webhookId: string;
  breaker: Breaker;
  readonly bucket: TokenBucket;
  /** Deliveries per second that the bucket allows. */
  ratePerSecond: number;
  /** Upper bound of concurrent calls, however well the endpoint answers. */
  limitMax: number;
  /** Continues with another quota of the limits of the endpoint. */
  share(ratePerSecond: number, limitMax: number, nowMs: number): void;
  readonly ready: Ready[];
  /** Null until it is read; read again after a moment. */
  webhook: {
    readonly stored: StoredWebhook;
    readonly endpoint: Endpoint;
    readonly readAt: number;
  } | null;
  /** Changed only by the machine, see queue-machine.ts. */
  state: QueueState;
  /** Of an ordered webhook: resources of which an outcome was stored, so that the next delivery may be due. */
  readonly moved: Set<string>;
  /** Results that are not yet part of the stored health. */
  results: HealthResult[];
  healthSavedAt: number;
  isSavingHealth: boolean;
  lastUsedAt: number;
  /** Until then no search for expired deliveries runs. */
  expireAt: number;
  limit: number;
  averageMs: number;
}

export function createEndpointQueue(
  org: string,
  webhookId: string,
  ratePerSecond: number,
  limitMax: number,
  nowMs: number,
): EndpointQueue {
  const queue: EndpointQueue = {
    org,
    webhookId,
    breaker: createBreaker(),
    bucket: createTokenBucket({ ratePerSecond, burst: ratePerSecond }, nowMs),
    ratePerSecond,
    limitMax,
    share: (rate, most, now) => {
      queue.limitMax = most;
      queue.limit = Math.min(queue.limit, most);
      if (rate === queue.ratePerSecond) return;
      queue.ratePerSecond = rate;
      queue.bucket.limit({ ratePerSecond: rate, burst: rate }, now);
    },
    ready: [],
    webhook: null,
    state: newQueueState(nowMs),
    moved: new Set(),
    results: [],
    healthSavedAt: 0,
    isSavingHealth: false,
    lastUsedAt: nowMs,
    expireAt: 0,
    limit: Math.min(QUEUE_IN_FLIGHT_FIRST, limitMax),
    averageMs: QUICK_MS,
  };
  return queue;
}

/** The endpoint was replaced, or its owner enabled it again: its earlier answers no longer count. */
export function beginAnew(queue: EndpointQueue): void {
  queue.breaker = createBreaker();
  queue.limit = Math.min(QUEUE_IN_FLIGHT_FIRST, queue.limitMax);
  queue.averageMs = QUICK_MS;
}

/** Deliveries that the queue may hold in addition to those in flight. */
export const aheadMax = ({ averageMs, ratePerSecond }: EndpointQueue): number =>
  averageMs < QUICK_MS ? Math.min(AHEAD_MAX, ratePerSecond * AHEAD_SECONDS) : 0;

/** Additive increase, multiplicative decrease: an endpoint that lets calls hang gets fewer concurrent calls. */
export function learn(queue: EndpointQueue, error: AttemptError | null, tookMs: number): void {
  queue.averageMs += (tookMs - queue.averageMs) * NEWEST;
  if (error === "timed_out") queue.limit = Math.max(1, Math.floor(queue.limit / 2));
  else if (error === null) queue.limit = Math.min(queue.limitMax, queue.limit + 1);
}

/** Whether the queue holds no state that is still needed. */
export const isForgettable = (queue: EndpointQueue, nowMs: number, afterMs: number): boolean =>
  isAtRest(queue.state) &&
  queue.ready.length === 0 &&
  !queue.isSavingHealth &&
  queue.results.length === 0 &&
  queue.breaker.state(nowMs) === "closed" &&
  nowMs - queue.lastUsedAt > afterMs;
