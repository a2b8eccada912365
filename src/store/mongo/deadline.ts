// Every call of the store ends in time. The driver bounds its parts (finding a server, getting a connection, a read from
// a socket) and tries some of them again, but has no limit for the whole; a server that is stopped, or a network that
// swallows what is sent, would be waited for much longer than any caller does.
import { setTimeout as sleep } from "node:timers/promises";
import { crowded, tooSlow } from "./errors.ts";

/** A call of the store while it runs. */
export interface CallDeadline {
  /** Aborted when the time is over; goes into every operation of the driver, which ends then. */
  readonly signal: AbortSignal;
  /** On the clock of `performance.now`. */
  readonly endMs: number;
}

/** Does `work`, and rejects as `unavailable` when it is not done after `limitMs`. */
export async function withDeadline<T>(
  limitMs: number,
  work: (call: CallDeadline) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = tooSlow(limitMs);
    // Rejected here and not by the work, which may be in a part of the driver that does not listen to the signal.
    reject(error);
    controller.abort(error);
  }, limitMs);
  const done = work({ signal: controller.signal, endMs: performance.now() + limitMs });
  try {
    return await Promise.race([done, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** Of the time of a call, what a try that begins late is left to end in. */
export const LAST_TRY_MS = 2_000;

/** Waits for `turn` as long as the call can still do its work afterwards. */
export async function inTime(turn: Promise<unknown>, { endMs }: CallDeadline): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const fail = (): void => {
    reject(crowded());
  };
  const timer = setTimeout(fail, endMs - LAST_TRY_MS - performance.now());
  try {
    await Promise.race([turn, late]);
  } finally {
    clearTimeout(timer);
  }
}

const PAUSE_MS = 4;
const PAUSE_GROWTH = 1.6;
const PAUSE_MAX_MS = 250;

/** Waits before the next of several tries: longer each time, by chance, so that those who met do not meet again. */
export async function pause(tries: number, { signal }: CallDeadline): Promise<void> {
  const longestMs = Math.min(PAUSE_MAX_MS, PAUSE_MS * PAUSE_GROWTH ** tries);
  await sleep(longestMs * Math.random(), undefined, { signal });
}
