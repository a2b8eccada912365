// What a dispatcher knows of one endpoint: what it has taken for it, how much may be under way, and how it has been
// answering. Pure state; dispatcher.ts moves things through it.
import type { AttemptError, StoredWebhook, TakenDelivery } from "../model/webhook.ts";
import type { StoredEvent } from "../model/event.ts";
import { type Breaker, createBreaker } from "./breaker.ts";
import type { Endpoint } from "../webhooks/endpoint.ts";
import type { HealthResult } from "../webhooks/endpoint-health.ts";
import { createTokenBucket, type TokenBucket } from "./local-token-bucket.ts";

/** An endpoint that nobody has heard of yet: one that hangs must not hold many places from the start. */
const LANE_IN_FLIGHT_FIRST = 2;
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

export interface Lane {
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
  readonly queue: Ready[];
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

export function createLane(
  org: string,
  webhookId: string,
  ratePerSecond: number,
  limitMax: number,
  nowMs: number,
): Lane {
  const lane: Lane = {
    org,
    webhookId,
    breaker: createBreaker(),
    bucket: createTokenBucket({ ratePerSecond, burst: ratePerSecond }, nowMs),
    ratePerSecond,
    limitMax,
    share: (rate, most, now) => {
      lane.limitMax = most;
      lane.limit = Math.min(lane.limit, most);
      if (rate === lane.ratePerSecond) return;
      lane.ratePerSecond = rate;
      lane.bucket.limit({ ratePerSecond: rate, burst: rate }, now);
    },
    queue: [],
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
    limit: Math.min(LANE_IN_FLIGHT_FIRST, limitMax),
    averageMs: QUICK_MS,
  };
  return lane;
}

/** The endpoint is another one, or its owner vouches for it anew: how it answered before says nothing. */
export function beginAnew(lane: Lane): void {
  lane.breaker = createBreaker();
  lane.limit = Math.min(LANE_IN_FLIGHT_FIRST, lane.limitMax);
  lane.averageMs = QUICK_MS;
}

/** How many more deliveries are of use to this lane now. */
export function wanted(lane: Lane, nowMs: number): number {
  if (lane.breaker.waitMs(nowMs) > 0 || lane.bucket.waitMs(nowMs) > 0) return 0;
  // The endpoint could not be reached: one call finds out whether it can be.
  if (lane.breaker.state(nowMs) !== "closed") return lane.inFlight + lane.queue.length > 0 ? 0 : 1;
  const quick = Math.min(AHEAD_MAX, lane.ratePerSecond * AHEAD_SECONDS);
  const ahead = lane.averageMs < QUICK_MS ? quick : 0;
  const room = lane.limit + ahead - lane.inFlight - lane.queue.length;
  // Few at a time would cost as much to take as many.
  return room >= Math.min(lane.limit, 4) ? room : 0;
}

/** Additive increase, multiplicative decrease: an endpoint that lets calls hang gets fewer of them at a time. */
export function learn(lane: Lane, error: AttemptError | null, tookMs: number): void {
  lane.averageMs += (tookMs - lane.averageMs) * NEWEST;
  if (error === "timed_out") lane.limit = Math.max(1, Math.floor(lane.limit / 2));
  else if (error === null) lane.limit = Math.min(lane.limitMax, lane.limit + 1);
}

/** Nothing is known of it that would be missed. */
export const isForgettable = (lane: Lane, nowMs: number, afterMs: number): boolean =>
  lane.inFlight === 0 &&
  lane.unwritten === 0 &&
  lane.queue.length === 0 &&
  !lane.isBusy &&
  !lane.isSavingHealth &&
  !lane.isBringingForward &&
  lane.results.length === 0 &&
  lane.nextDueAt === null &&
  lane.breaker.state(nowMs) === "closed" &&
  nowMs - lane.lastUsedAt > afterMs;
