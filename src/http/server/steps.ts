import { createFairQueue } from "../../shared/concurrency/fair-queue.ts";

// Work that is too long for one turn of the event loop, done in steps: sockets, timers and commits run in between.

/** Work in steps, each of a few milliseconds at most; what it returns is its result. */
export type SlicedWork<Result> = Generator<undefined, Result, undefined>;

/** Steps of all requests together take no more than this in one turn, and the last one's own time. */
const STEPS_TURN_MS = 8;

export interface StepRunner {
  /** Runs the steps over several turns of the event loop, round robin over organizations. Rejects with what a step throws. */
  run<Result>(org: string, steps: SlicedWork<Result>): Promise<Result>;
}

interface Job {
  readonly org: string;
  /** False once it is finished. */
  step(): boolean;
}

/** One runner for everything that runs in steps: several would each take a turn's time. */
export function createStepRunner(turnMs: number = STEPS_TURN_MS): StepRunner {
  const waiting = createFairQueue<Job>();
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(runTurn);
  }

  function runTurn(): void {
    isScheduled = false;
    const endMs = performance.now() + turnMs;
    do {
      const job = waiting.take();
      if (job === undefined) return;
      if (job.step()) waiting.add(job.org, job);
    } while (performance.now() < endMs);
    schedule();
  }

  return {
    run: (org, steps) =>
      new Promise((resolve, reject) => {
        const step = (): boolean => {
          try {
            const { done, value } = steps.next();
            if (done !== true) return true;
            resolve(value);
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
          return false;
        };
        waiting.add(org, { org, step });
        schedule();
      }),
  };
}

/** Runs all steps at once, for work that is known to be small. */
export function runAtOnce<Result>(steps: SlicedWork<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
