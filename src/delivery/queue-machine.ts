// The state machine of an endpoint queue: `transition` is pure, and serve.ts carries out its effects. An effect that takes time
// reports its end by an event. While one runs, calls are still sent.
//
//   Activity   Event               Condition, first that holds                  Next activity   Effect
//   ---------  ------------------  -------------------------------------------  --------------  -------------------
//   idle       tick                due, settings outdated                       reading         read
//                                  due, webhook disabled                        expiring        expire
//                                  due, deliveries wanted, recorder is full     draining        drain
//                                  due, deliveries wanted, recorder is ready    claiming        claim
//              tick, advance       claimed deliveries, settings outdated        reading         read
//   reading    read_ended          webhook deleted                              removing        remove
//                                  else                                         idle            as after a tick
//              read_failed         -                                            idle            release
//   draining   drained             -                                            idle            as after a tick
//   claiming   claim_ended         none of a full claim can be sent             expiring        expire
//                                  else                                         idle            as after an advance
//   expiring   expire_ended        webhook enabled: it followed a claim         idle            as after a tick
//                                  else                                         idle            as after an advance
//   removing   remove_ended        -                                            idle            as after an advance
//   not idle   work_failed         -                                            idle            as after an advance
//
// In every activity, after every event, the first that applies:
//
//   Condition                                                                   Effect
//   --------------------------------------------------------------------------  -------------------
//   a resource has moved, none is being expedited                               expedite
//   the lease of the first claimed delivery ends soon                           release
//   the settings are outdated                                                   none: calls wait for them
//   enabled and below its limits:  the first claimed delivery has expired       end_expired
//                                  no call of this process is free              wait_for_slot
//                                  breaker and rate limit let a call through    send
//   breaker or rate limit hold for long, and nothing is in flight               release
//
// `advance` sends what is claimed and starts no other store work: a webhook with a million expired deliveries gets one part of
// them ended per tick. While the dispatcher closes, nothing is claimed, read, sent or expedited any more.

/** What the queue does in the store. Each activity but `idle` is one effect in flight, so no two of them run at a time. */
export const ACTIVITIES = [
  "idle",
  "reading",
  "draining",
  "claiming",
  "expiring",
  "removing",
] as const;
export type Activity = (typeof ACTIVITIES)[number];

export interface QueueState {
  readonly activity: Activity;
  readonly isExpediting: boolean;
  /** Due time of the first delivery, as far as this process has seen; null: none is due. */
  readonly nextDueAt: number | null;
  /** Calls in flight. */
  readonly inFlight: number;
  /**
   * Calls that have ended and whose outcomes are not stored yet. If the process is killed, these are repeated, like the calls
   * in flight.
   */
  readonly unwritten: number;
  /** When something was last sent to the endpoint, or was held back for a reason. */
  readonly movedAt: number;
}

/** What the machine reads at the moment of an event. */
export interface QueueFacts {
  readonly nowMs: number;
  readonly isClosing: boolean;
  /** Null until the webhook is read. */
  readonly isEnabled: boolean | null;
  /** The webhook is unknown, or was read too long ago. */
  readonly isOutdated: boolean;
  /** Claimed deliveries that are not sent yet, and the times of the first one. */
  readonly ready: number;
  readonly first: { readonly leaseUntil: number; readonly expiresAt: number } | null;
  /** Whether the next deliveries of some resources may be due, of an ordered webhook. */
  readonly hasMoved: boolean;
  /** Milliseconds until breaker and rate limit let a call through. */
  readonly holdMs: number;
  /** The breaker is not closed: one call is enough to probe the endpoint. */
  readonly isProbing: boolean;
  /** Concurrent calls to the endpoint; ended calls without a stored outcome in addition to them; claimed in addition. */
  readonly limit: number;
  readonly unwrittenMax: number;
  readonly aheadMax: number;
  /** Whether this process may make another call, and whether the queue is already in line for one. */
  readonly hasSlot: boolean;
  readonly isWaitingForSlot: boolean;
  /** Failing: an outcome that cannot be stored would make us send the delivery again once its lease has ended. */
  readonly recorder: "ready" | "full" | "failing";
}

export type QueueEvent =
  | { readonly kind: "tick" }
  | { readonly kind: "advance" }
  | { readonly kind: "read_ended"; readonly isDeleted: boolean }
  | { readonly kind: "read_failed" }
  | { readonly kind: "drained" }
  /** @param isEmpty as many as wanted were claimed, and none of them can be sent */
  | { readonly kind: "claim_ended"; readonly isEmpty: boolean }
  | { readonly kind: "expire_ended"; readonly hasMore: boolean }
  | { readonly kind: "remove_ended"; readonly hasMore: boolean }
  | { readonly kind: "work_failed" }
  | { readonly kind: "expedite_ended" }
  | { readonly kind: "call_ended"; readonly hasOutcome: boolean }
  | { readonly kind: "outcome_stored" };

export type QueueEffect =
  | { readonly kind: "claim"; readonly count: number }
  | {
      readonly kind:
        | "read"
        | "drain"
        | "expire"
        | "remove"
        | "expedite"
        | "end_expired"
        | "wait_for_slot"
        | "send"
        | "release";
    };

export interface Transition {
  readonly state: QueueState;
  /** Null: nothing can be done until the next event. */
  readonly effect: QueueEffect | null;
  /** The event that follows the effect. */
  readonly then: "tick" | "advance";
}

/** A delivery with less left of its lease than this is released instead of sent. */
const LEASE_REST_MS = 15_000;
/** What cannot be sent within this time is released. */
const SOON_MS = 1_000;
/** After a failure of our own. */
const PAUSE_MS = 1_000;

/** Events after which claimed deliveries are sent, and no other store work begins. */
const ADVANCING: ReadonlySet<QueueEvent["kind"]> = new Set([
  "advance",
  "read_failed",
  "claim_ended",
  "remove_ended",
  "work_failed",
]);

export const newQueueState = (nowMs: number): QueueState => ({
  activity: "idle",
  isExpediting: false,
  nextDueAt: null,
  inFlight: 0,
  unwritten: 0,
  movedAt: nowMs,
});

/** The state after it was seen that a delivery is due from then on. */
export function withDue(state: QueueState, at: number): QueueState {
  return { ...state, nextDueAt: Math.min(state.nextDueAt ?? at, at) };
}

/** The state after a search found the first due delivery; what runs has seen, or will see, newer times. */
export function withFound(state: QueueState, at: number): QueueState {
  return state.activity === "idle" ? { ...state, nextDueAt: at } : state;
}

/** Whether nothing is in flight, and nothing is due. */
export const isAtRest = ({ activity, isExpediting, ...state }: QueueState): boolean =>
  activity === "idle" &&
  !isExpediting &&
  state.inFlight === 0 &&
  state.unwritten === 0 &&
  state.nextDueAt === null;

export function transition(before: QueueState, event: QueueEvent, facts: QueueFacts): Transition {
  const state = applied(before, event, facts.nowMs);
  const then = mayBeginWork(event, facts) ? "tick" : "advance";
  if (!facts.isClosing) {
    if (event.kind === "read_ended" && event.isDeleted) return begin(state, "remove");
    if (event.kind === "claim_ended" && event.isEmpty) return begin(state, "expire");
  }
  if (event.kind === "read_failed" && facts.ready > 0)
    return { state, effect: { kind: "release" }, then };
  return choose(state, facts, then);
}

/** The state after what an event reports. */
function applied(state: QueueState, event: QueueEvent, nowMs: number): QueueState {
  const idle = { ...state, activity: "idle" } as const;
  switch (event.kind) {
    case "tick":
    case "advance":
      return state;
    case "read_ended":
    case "drained":
    case "claim_ended":
      return idle;
    case "expire_ended":
      return event.hasMore ? { ...idle, nextDueAt: nowMs } : idle;
    case "remove_ended":
      return { ...idle, nextDueAt: event.hasMore ? nowMs : null };
    case "read_failed":
      return pausedIfDue(idle, nowMs);
    case "work_failed":
      return { ...idle, nextDueAt: nowMs + PAUSE_MS };
    case "expedite_ended":
    case "call_ended":
    case "outcome_stored":
      return counted(state, event);
  }
}

const pausedIfDue = (state: QueueState, nowMs: number): QueueState =>
  isDue(state, nowMs) ? { ...state, nextDueAt: nowMs + PAUSE_MS } : state;

function counted(
  state: QueueState,
  event: Extract<QueueEvent, { kind: "expedite_ended" | "call_ended" | "outcome_stored" }>,
): QueueState {
  const { inFlight, unwritten } = state;
  if (event.kind === "expedite_ended") return { ...state, isExpediting: false };
  if (event.kind === "outcome_stored") return { ...state, unwritten: unwritten - 1 };
  return { ...state, inFlight: inFlight - 1, unwritten: unwritten + (event.hasOutcome ? 1 : 0) };
}

function mayBeginWork({ kind }: QueueEvent, { isEnabled }: QueueFacts): boolean {
  if (kind === "expire_ended") return isEnabled === true;
  return !ADVANCING.has(kind);
}

/** Chooses the effect by the second table. */
function choose(state: QueueState, facts: QueueFacts, then: Transition["then"]): Transition {
  const { nowMs, isClosing, first } = facts;
  if (facts.hasMoved && !state.isExpediting && !isClosing)
    return { state: { ...state, isExpediting: true }, effect: { kind: "expedite" }, then };
  if (first === null) return chooseWork(state, facts, then);
  if (first.leaseUntil - nowMs < LEASE_REST_MS) return { state, effect: { kind: "release" }, then };
  if (facts.isOutdated) {
    const mayRead = state.activity === "idle" && !isClosing;
    return mayRead ? begin(state, "read", then) : { state, effect: null, then };
  }
  const maySend = facts.isEnabled === true && !isClosing && isBelowLimits(state, facts);
  return maySend ? chooseCall(state, first, facts, then) : chooseHeld(state, facts, then);
}

/** Decides about the first claimed delivery of an endpoint that may get another call. */
function chooseCall(
  state: QueueState,
  first: NonNullable<QueueFacts["first"]>,
  facts: QueueFacts,
  then: Transition["then"],
): Transition {
  const { nowMs, holdMs, hasSlot, isWaitingForSlot } = facts;
  if (nowMs >= first.expiresAt) return { state, effect: { kind: "end_expired" }, then };
  if (!hasSlot && isWaitingForSlot) return chooseWork(state, facts, then);
  if (!hasSlot) return { state, effect: { kind: "wait_for_slot" }, then };
  const moved = { ...state, movedAt: nowMs };
  if (holdMs > 0) return chooseHeld(moved, facts, then);
  return { state: { ...moved, inFlight: state.inFlight + 1 }, effect: { kind: "send" }, then };
}

/** A queue that must wait releases what other dispatchers could send. */
function chooseHeld(state: QueueState, facts: QueueFacts, then: Transition["then"]): Transition {
  const isSentSoon = state.inFlight + state.unwritten > 0 || facts.holdMs < SOON_MS;
  if (facts.ready > 0 && !isSentSoon) return { state, effect: { kind: "release" }, then };
  return chooseWork(state, facts, then);
}

/** Begins store work if it is time. */
function chooseWork(state: QueueState, facts: QueueFacts, then: Transition["then"]): Transition {
  const none: Transition = { state, effect: null, then };
  if (then === "advance" || state.activity !== "idle" || facts.isClosing) return none;
  if (!isDue(state, facts.nowMs)) return none;
  const count = wanted(state, facts);
  if (count === 0 && facts.isEnabled !== false) return none;
  if (facts.isOutdated) return begin(state, "read");
  // When the webhook is enabled again, the next scan finds what is pending.
  if (facts.isEnabled === false) return begin({ ...state, nextDueAt: null }, "expire");
  if (facts.recorder === "failing") return none;
  if (facts.recorder === "full") return begin(state, "drain");
  // Reset before the claim: a delivery that becomes due meanwhile sets it again, and the claim must not overwrite that.
  const claiming: QueueState = { ...state, activity: "claiming", nextDueAt: null };
  return { state: claiming, effect: { kind: "claim", count }, then };
}

const ACTIVITY_OF = {
  read: "reading",
  drain: "draining",
  expire: "expiring",
  remove: "removing",
} as const;

function begin(
  state: QueueState,
  kind: keyof typeof ACTIVITY_OF,
  then: Transition["then"] = "tick",
): Transition {
  return { state: { ...state, activity: ACTIVITY_OF[kind] }, effect: { kind }, then };
}

const isDue = ({ nextDueAt }: QueueState, nowMs: number): boolean =>
  nextDueAt !== null && nextDueAt <= nowMs;

/** If the process is killed, calls in flight and calls without a stored outcome are repeated: so both together are limited. */
const isBelowLimits = ({ inFlight, unwritten }: QueueState, facts: QueueFacts): boolean =>
  inFlight < facts.limit && inFlight + unwritten < facts.limit + facts.unwrittenMax;

/** How many more deliveries the queue can use now. */
function wanted({ inFlight }: QueueState, facts: QueueFacts): number {
  const { holdMs, isProbing, limit, aheadMax, ready } = facts;
  if (holdMs > 0) return 0;
  if (isProbing) return inFlight + ready > 0 ? 0 : 1;
  const free = limit + aheadMax - inFlight - ready;
  // Claiming a few costs as much as claiming many.
  return free >= Math.min(limit, 4) ? free : 0;
}
