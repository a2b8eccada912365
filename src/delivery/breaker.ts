// Stops calls to an endpoint that cannot be reached: due deliveries wait without using up attempts.
//
//   closed ──5 unreachable in a row──> open ──after 30 s──> half_open ──probe unreachable──> open, for twice as long
//      ^                                 │                      │
//      └────────── any answer ───────────┴──────────────────────┘
//
// While half open, one call, the probe, may be in flight. Calls that began before it opened may still end: their answers
// close it; their failures are nothing new and must not double the time.
import type { AttemptError } from "../model/webhook.ts";

export const BREAKER_STATES = ["closed", "open", "half_open"] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

export const BREAKER_FAILURES_MAX = 5;
export const BREAKER_OPEN_FIRST_MS = 30_000;
export const BREAKER_OPEN_MAX_MS = 600_000;

/** A call ends within 10 s. A probe that has not ended by then is dropped, or the endpoint would stay blocked for good. */
export const BREAKER_PROBE_MAX_MS = 30_000;

/** A call that the breaker let through. Only the first call of `finish` or `abandon` counts. */
export interface BreakerCall {
  /** Reports the outcome of the call; null: a success. */
  finish(error: AttemptError | null, nowMs: number): void;
  /** The call was not made, or we cancelled it: it carries no information about the endpoint. */
  abandon(): void;
}

export interface Breaker {
  /** Lets a call through; null when no call is allowed now. */
  begin(nowMs: number): BreakerCall | null;
  /** Milliseconds until a call can be allowed, unless a call ends before; 0 when `begin` would let one through. */
  waitMs(nowMs: number): number;
  /** `half_open` from the moment at which a probe is allowed. */
  state(nowMs: number): BreakerState;
}

interface Probe {
  startedAt: number;
}

type Finding = "answered" | "unreachable" | "nothing";

/** The breaker of one endpoint. */
export function createBreaker(): Breaker {
  let failures = 0;
  /** 0: closed. */
  let openMs = 0;
  let openedAt = 0;
  let probe: Probe | null = null;

  function open(nowMs: number): void {
    openMs = openMs === 0 ? BREAKER_OPEN_FIRST_MS : Math.min(2 * openMs, BREAKER_OPEN_MAX_MS);
    openedAt = nowMs;
    probe = null;
  }

  function close(): void {
    failures = 0;
    openMs = 0;
    probe = null;
  }

  /**
   * When the clock was set back, the wait starts again: at worst it is waited once more, not for as long as the clock moved.
   */
  function openRestMs(nowMs: number): number {
    openedAt = Math.min(openedAt, nowMs);
    return Math.max(0, openedAt + openMs - nowMs);
  }

  function probeRestMs(nowMs: number): number {
    if (probe === null) return 0;
    probe.startedAt = Math.min(probe.startedAt, nowMs);
    return Math.max(0, probe.startedAt + BREAKER_PROBE_MAX_MS - nowMs);
  }

  function waitMs(nowMs: number): number {
    return openMs === 0 ? 0 : Math.max(openRestMs(nowMs), probeRestMs(nowMs));
  }

  function unreachable(isProbe: boolean, nowMs: number): void {
    if (openMs > 0) {
      if (isProbe) open(nowMs);
      return;
    }
    failures += 1;
    if (failures >= BREAKER_FAILURES_MAX) open(nowMs);
  }

  function callOf(own: Probe | null): BreakerCall {
    let over = false;
    const end = (finding: Finding, nowMs: number): void => {
      if (over) return;
      over = true;
      const isProbe = own !== null && own === probe;
      if (finding === "answered") close();
      else if (finding === "unreachable") unreachable(isProbe, nowMs);
      else if (isProbe) probe = null;
    };
    return {
      finish: (error, nowMs) => {
        end(findingOf(error), nowMs);
      },
      abandon: () => {
        end("nothing", 0);
      },
    };
  }

  return {
    begin: (nowMs) => {
      if (waitMs(nowMs) > 0) return null;
      probe = openMs === 0 ? null : { startedAt: nowMs };
      return callOf(probe);
    },
    waitMs,
    state: (nowMs) => {
      if (openMs === 0) return "closed";
      return openRestMs(nowMs) > 0 ? "open" : "half_open";
    },
  };
}

function findingOf(error: AttemptError | null): Finding {
  switch (error) {
    case "dns_failed":
    case "connect_failed":
    case "tls_failed":
    case "timed_out":
    case "connection_lost":
      return "unreachable";
    // The endpoint was not called.
    case "secret_unavailable":
    case "address_refused":
      return "nothing";
    case null:
    case "bad_response":
    case "redirected":
    case "status":
      return "answered";
  }
}
