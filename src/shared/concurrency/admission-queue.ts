// The admission queue of synchronous calls. The log is processed in its own order, so a call waits for everything that is in
// the log before it. Only as many calls as keep the enrich stage busy are admitted at a time; the others wait and are admitted
// round robin over the organizations. An organization that sends a thousand calls at once then waits behind its own calls, and
// others wait only a little.
import { createFairQueue } from "./fair-queue.ts";

/** The place of a call in the queue. */
export interface Admission {
  /** Resolves when the call may go into the log. */
  readonly admitted: Promise<void>;
  /** Must be called once the call has ended, whether it was admitted or not. */
  leave(): void;
}

/** Adds a call of an organization to the queue. */
export type AdmissionQueue = (org: string) => Admission;

/** @param atOnceMax unanswered calls that may be in the log */
export function createAdmissionQueue(atOnceMax: number): AdmissionQueue {
  /** The functions that admit the waiting calls. */
  const waiting = createFairQueue<() => void>();
  let running = 0;

  function next(): void {
    if (running < atOnceMax) waiting.take()?.();
  }

  return (org) => {
    const { promise: turn, resolve } = Promise.withResolvers<undefined>();
    let isRunning = false;
    const start = (): void => {
      isRunning = true;
      running += 1;
      resolve(undefined);
    };
    waiting.add(org, start);
    next();
    return {
      admitted: turn,
      leave: () => {
        if (isRunning) running -= 1;
        else waiting.remove(org, start);
        next();
      },
    };
  };
}
