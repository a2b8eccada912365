// What a dispatcher knows of one endpoint: what it has taken for it, how much may be under way, and how it has been
// answering. Pure state; delivery.ts moves things through it.
import type { AttemptError, StoredWebhook, TakenDelivery } from "../model/webhook.ts";
import type { StoredEvent } from "../model/event.ts";
import { type Breaker, createBreaker } from "./breaker.ts";
import type { Endpoint } from "../webhooks/endpoint.ts";
import type { HealthResult } from "../webhooks/endpoint-health.ts";
import { createTokenBucket, type TokenBucket } from "./local-token-bucket.ts";

/** An endpoint that nobody has heard of yet: one that hangs must not hold many places from the start. */
const QUEUE_IN_FLIGHT_FIRST = 2;
/** Taken beyond what is under way, for an endpoint that answers quickly. */
const AHEAD_MAX = 112;
/** No more than the rate lets through in this time: what is taken is sent by what is known of the webhook now. */
const AHEAD_SECONDS = 2;
/** An endpoint that answers within this is quick. */
const QUICK_MS = 100;
/** Weight of the newest call in the average. */
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
  /** Deliveries a second that the bucket lets through. */
  ratePerSecond: number;
  /** Calls that may be under way, however well it answers. */
  limitMax: number;
  /** Goes on with another share of what the endpoint gets. */
  share(ratePerSecond: number, limitMax: number, nowMs: number): void;
  readonly ready: Ready[];
  /** Null until it is read; what is older than a moment is read again. */
  webhook: {
    readonly stored: StoredWebhook;
    readonly endpoint: Endpoint;
    readonly readAt: number;
  } | null;
  /** The first thing that is due, as far as is known; null: nothing is. */
  nextDueAt: number | null;
  /** Calls under way. */
  inFlight: number;
  /** Calls that have ended, and of which nobody has written down what came: a kill has them made again, as those under way. */
  unwritten: number;
  /** Of an ordered webhook: resources of which something has been written down, and may have something else in turn. */
  readonly moved: Set<string>;
  isBringingForward: boolean;
  /** Something is being taken or read for it. */
  isBusy: boolean;
  /** Results that its health does not know of yet. */
  results: HealthResult[];
  healthSavedAt: number;
  isSavingHealth: boolean;
  lastUsedAt: number;
  /** When something was last sent to it, or could not be for a reason. */
  movedAt: number;
  /** Until then nobody looks for deliveries that have no time left. */
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
    nextDueAt: null,
    inFlight: 0,
    unwritten: 0,
    moved: new Set(),
    isBringingForward: false,
    isBusy: false,
    results: [],
    healthSavedAt: 0,
    isSavingHealth: false,
    lastUsedAt: nowMs,
    movedAt: nowMs,
    expireAt: 0,
    limit: Math.min(QUEUE_IN_FLIGHT_FIRST, limitMax),
    averageMs: QUICK_MS,
  };
  return queue;
}

/** The endpoint is another one, or its owner vouches for it anew: how it answered before says nothing. */
export function beginAnew(queue: EndpointQueue): void {
  queue.breaker = createBreaker();
  queue.limit = Math.min(QUEUE_IN_FLIGHT_FIRST, queue.limitMax);
  queue.averageMs = QUICK_MS;
}

/** How many more deliveries are of use to this endpoint queue now. */
export function wanted(queue: EndpointQueue, nowMs: number): number {
  if (queue.breaker.waitMs(nowMs) > 0 || queue.bucket.waitMs(nowMs) > 0) return 0;
  // The endpoint could not be reached: one call finds out whether it can be.
  if (queue.breaker.state(nowMs) !== "closed")
    return queue.inFlight + queue.ready.length > 0 ? 0 : 1;
  const quick = Math.min(AHEAD_MAX, queue.ratePerSecond * AHEAD_SECONDS);
  const ahead = queue.averageMs < QUICK_MS ? quick : 0;
  const room = queue.limit + ahead - queue.inFlight - queue.ready.length;
  // Few at a time would cost as much to take as many.
  return room >= Math.min(queue.limit, 4) ? room : 0;
}

/** Additive increase, multiplicative decrease: an endpoint that lets calls hang gets fewer of them at a time. */
export function learn(queue: EndpointQueue, error: AttemptError | null, tookMs: number): void {
  queue.averageMs += (tookMs - queue.averageMs) * NEWEST;
  if (error === "timed_out") queue.limit = Math.max(1, Math.floor(queue.limit / 2));
  else if (error === null) queue.limit = Math.min(queue.limitMax, queue.limit + 1);
}

/** Nothing is known of it that would be missed. */
export const isForgettable = (queue: EndpointQueue, nowMs: number, afterMs: number): boolean =>
  queue.inFlight === 0 &&
  queue.unwritten === 0 &&
  queue.ready.length === 0 &&
  !queue.isBusy &&
  !queue.isSavingHealth &&
  !queue.isBringingForward &&
  queue.results.length === 0 &&
  queue.nextDueAt === null &&
  queue.breaker.state(nowMs) === "closed" &&
  nowMs - queue.lastUsedAt > afterMs;
