// Decides which task a thread runs next: interactive work before batch work, and within each, the organization that has used
// the least thread time (tenant-queue.ts). As many tasks run as there are threads, so a task starts when it is scheduled and
// its timeout measures work, not waiting.
//
// The scheduler cannot interrupt a task, so the task checks its stop flag after every transaction. The flag is set when the
// task has used its time slice, which is short while other work waits; the rest of the task is scheduled again. This limits the
// wait for a thread: rules of an organization may take ten milliseconds for one transaction, seconds for a chunk.
import type { Priority, Workload } from "../model/workload.ts";
import { createTenantQueue, type TenantQueue } from "../shared/concurrency/tenant-queue.ts";
import { LedgerlineError } from "../shared/errors.ts";

/** Memory that a thread reads while it works: entry 0 is not 0 when the task should end. */
export type StopFlag = Int32Array<SharedArrayBuffer>;

export interface Scheduler {
  /**
   * Runs `work` when a thread is free.
   * @param isRest the rest of stopped work: it runs before other work of its organization and is not refused
   * @throws LedgerlineError `overloaded` at once when too much of this kind is waiting.
   */
  run<T>(load: Workload, work: (stop: StopFlag) => Promise<T>, isRest?: boolean): Promise<T>;
  waiting(kind: Kind): number;
  running(): number;
}

export interface SchedulerLimits {
  readonly runningMax: number;
  /** Tasks of each kind that may wait. */
  readonly queueLengthMax: number;
}

/**
 * Batch work that has run this long yields its thread to interactive work. Without settings, any whole chunk takes about half
 * of it. If it were shorter, calls would interrupt chunks on a busy machine or in a thread that has just started, and batches
 * would advance by only a few transactions between two calls.
 */
export const BATCH_SLICE_MS = 15;
/** The same for organizations with settings: their rules may make a chunk take seconds. */
export const PROFILED_BATCH_SLICE_MS = 3;
/** Work that has run this long yields its thread to work of the same kind of other organizations. A usual chunk takes less. */
export const TASK_SLICE_MS = 10;
/**
 * Work that has run this long ends also when no other work waits, and its rest is scheduled again: far below the timeout of a
 * task, after which the thread would be killed, and soon enough for the cost of an organization to be known before it has
 * submitted much more.
 */
export const SLICE_MAX_MS = 500;

type Kind = "interactive" | "batch";

interface Running {
  readonly org: string;
  readonly kind: Kind;
  /** How long it runs before it yields its thread to interactive work. */
  readonly batchSliceMs: number;
  readonly startedAtMs: number;
  readonly stop: StopFlag;
}

/** @param nowMs a monotonic clock, milliseconds */
export function createScheduler(
  limits: SchedulerLimits,
  nowMs: () => number = () => performance.now(),
): Scheduler {
  const queues: Record<Kind, TenantQueue<() => void>> = {
    interactive: createTenantQueue(),
    batch: createTenantQueue(),
  };
  const running = new Set<Running>();
  const stopLater = createTimer(stopDue);

  /** When a task must stop: sooner if others wait, interactive work or work of the same kind of other organizations. */
  function dueMs(task: Running, isForInteractive: boolean): number {
    const { org, kind, startedAtMs } = task;
    if (kind === "batch" && isForInteractive) return startedAtMs + task.batchSliceMs;
    return startedAtMs + (queues[kind].hasOthers(org) ? TASK_SLICE_MS : SLICE_MAX_MS);
  }

  function stopDue(): void {
    let nextMs = Infinity;
    const now = nowMs();
    const isStopped = ({ stop }: Running): boolean => Atomics.load(stop, 0) !== 0;
    // Each waiting call needs one thread.
    let calls = queues.interactive.size - [...running].filter(isStopped).length;
    for (const task of running) {
      if (isStopped(task)) continue;
      const due = dueMs(task, calls > 0);
      if (task.kind === "batch") calls -= 1;
      if (due <= now) Atomics.store(task.stop, 0, 1);
      else nextMs = Math.min(nextMs, due);
    }
    stopLater(nextMs === Infinity ? null : nextMs - now);
  }

  function next(): void {
    while (running.size < limits.runningMax) {
      const taken = queues.interactive.take() ?? queues.batch.take();
      if (taken === undefined) break;
      taken.item();
    }
    stopDue();
  }

  function start<T>(load: Workload, work: (stop: StopFlag) => Promise<T>): Promise<T> {
    const task = newTask(load, nowMs());
    running.add(task);
    return work(task.stop).finally(() => {
      running.delete(task);
      queues[task.kind].charge(task.org, nowMs() - task.startedAtMs);
      next();
    });
  }

  return {
    run: <T>(load: Workload, work: (stop: StopFlag) => Promise<T>, isRest = false) => {
      const { org, priority } = load;
      const queue = queues[kindOf(priority)];
      const isFull = running.size >= limits.runningMax && queue.size >= limits.queueLengthMax;
      if (isFull && !isRest) {
        return Promise.reject(
          new LedgerlineError("overloaded", "Too much work is waiting for the enrichment threads."),
        );
      }
      return new Promise<T>((resolve, reject) => {
        const item = (): void => {
          start(load, work).then(resolve, reject);
        };
        const level = priority === "low" ? "low" : "default";
        queue.add({ tenant: org, priority: level, item }, isRest);
        next();
      });
    },
    waiting: (kind) => queues[kind].size,
    running: () => running.size,
  };
}

function newTask({ org, priority, hasSettings = false }: Workload, startedAtMs: number): Running {
  return {
    org,
    kind: kindOf(priority),
    batchSliceMs: hasSettings ? PROFILED_BATCH_SLICE_MS : BATCH_SLICE_MS,
    startedAtMs,
    stop: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  };
}

const kindOf = (priority: Priority): Kind => (priority === "interactive" ? "interactive" : "batch");

/** Calls `run` after this many milliseconds and cancels the call planned before. Null: only cancels. */
function createTimer(run: () => void): (afterMs: number | null) => void {
  let timer: NodeJS.Timeout | null = null;
  return (afterMs) => {
    if (timer !== null) clearTimeout(timer);
    timer = afterMs === null ? null : setTimeout(run, afterMs);
  };
}
