// Decides which chunk goes to the threads next: interactive work (somebody waits for it) before batch work. Only as many
// tasks as there are threads are let through, so that a task starts when it is let through and its timeout counts work,
// not waiting.
import { LedgerlineError } from "../domain/errors.ts";

export type Priority = "interactive" | "batch";

export interface Gate {
  /**
   * Runs `work` when a thread is free.
   * @throws LedgerlineError `overloaded` at once when the queue of this priority is full.
   */
  run<T>(priority: Priority, work: () => Promise<T>): Promise<T>;
  waiting(priority: Priority): number;
  running(): number;
}

export interface GateLimits {
  readonly runningMax: number;
  /** Of each priority. */
  readonly queueLengthMax: number;
}

export function createGate(limits: GateLimits): Gate {
  const queues: Record<Priority, (() => void)[]> = { interactive: [], batch: [] };
  let running = 0;

  function next(): void {
    if (running >= limits.runningMax) return;
    const start = queues.interactive.shift() ?? queues.batch.shift();
    if (start === undefined) return;
    running += 1;
    start();
  }

  return {
    run: <T>(priority: Priority, work: () => Promise<T>) => {
      const queue = queues[priority];
      if (running >= limits.runningMax && queue.length >= limits.queueLengthMax) {
        return Promise.reject(
          new LedgerlineError("overloaded", "Too much work is waiting for the enrichment threads."),
        );
      }
      return new Promise<T>((resolve, reject) => {
        queue.push(() => {
          work()
            .then(resolve, reject)
            .finally(() => {
              running -= 1;
              next();
            });
        });
        next();
      });
    },
    waiting: (priority) => queues[priority].length,
    running: () => running,
  };
}
