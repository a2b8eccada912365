// The line of calls for the log. The log is worked off in its own order, so that a call stands behind everything that is
// in it: as few calls as keep the enrich stage busy are let in at a time, and of those that wait the organizations take
// turns. Whoever sends a thousand calls at once then waits behind himself, and others wait for little.
import { createFairQueue } from "./fair-queue.ts";

/** Where a call stands. */
export interface Admission {
  /** Resolves when the call may go into the log. */
  readonly admitted: Promise<void>;
  /** To be called once the call has ended, whether its turn came or not. */
  leave(): void;
}

/** Puts a call of an organization into the line. */
export type AdmissionQueue = (org: string) => Admission;

/** @param atOnceMax calls that may be in the log and not answered */
export function createAdmissionQueue(atOnceMax: number): AdmissionQueue {
  /** What starts the calls that wait. */
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
