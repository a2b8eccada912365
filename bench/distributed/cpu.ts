// Who spends the processor's time between two moments.
import { availableParallelism } from "node:os";
import { machineSeconds, processSeconds, secondsByThread } from "../process-usage.ts";

/** Process ids by what the process is called; null where it runs elsewhere. */
export type Processes = Readonly<Record<string, number | null>>;

export interface CpuUse {
  readonly lastsSeconds: number;
  readonly cores: number;
  /** Seconds of processor time by process; of those that enrich, the main threads and the others apart. */
  readonly seconds: ReadonlyMap<string, number | null>;
  /** Seconds by process and thread name, without what is next to nothing. */
  readonly threads: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Of all cores, how much was in use by whatever program. */
  readonly busyShare: number | null;
  /** The busiest main thread of those that enrich, of one core. */
  readonly mainShare: number | null;
}

interface Moment {
  readonly atMs: number;
  readonly machine: number | null;
  readonly processes: ReadonlyMap<string, number | null>;
  readonly threads: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

const MAIN_THREAD = "node-MainThread";
const SHOWN_FROM_SECONDS = 0.05;

/** Begins to count; the function that it returns ends it. */
export function startCpu(processes: Processes): () => CpuUse {
  const before = look(processes);
  return () => compare(before, look(processes));
}

/** What the processes used of all cores; null unless the time of every process is known. */
export function ownShare({ seconds, lastsSeconds, cores }: CpuUse): number | null {
  let sum = 0;
  for (const one of seconds.values()) {
    if (one === null) return null;
    sum += one;
  }
  return sum / lastsSeconds / cores;
}

function look(processes: Processes): Moment {
  const pids = Object.entries(processes);
  return {
    atMs: performance.now(),
    machine: machineSeconds(),
    processes: new Map(
      pids.map(([name, pid]) => [name, pid === null ? null : processSeconds(pid)]),
    ),
    threads: new Map(
      pids.map(([name, pid]) => [name, pid === null ? new Map() : secondsByThread(pid)]),
    ),
  };
}

function compare(before: Moment, after: Moment): CpuUse {
  const lastsSeconds = (after.atMs - before.atMs) / 1000;
  const seconds = new Map<string, number | null>();
  const threads: Record<string, Record<string, number>> = {};
  let mainShare: number | null = null;
  for (const [name, end] of after.processes) {
    const all = difference(before.processes.get(name), end);
    const byThread = threadDifferences(before.threads.get(name), after.threads.get(name));
    threads[name] = Object.fromEntries(
      [...byThread].filter(([, spent]) => spent >= SHOWN_FROM_SECONDS).sort((a, b) => b[1] - a[1]),
    );
    const main = byThread.get(MAIN_THREAD);
    if (name.startsWith("enrich") && all !== null && main !== undefined) {
      add(seconds, "enrich, main thread", main);
      add(seconds, "enrich, other threads", all - main);
      mainShare = Math.max(mainShare ?? 0, main / lastsSeconds);
    } else seconds.set(name, all);
  }
  const machine = difference(before.machine, after.machine);
  const cores = availableParallelism();
  return {
    lastsSeconds,
    cores,
    seconds,
    threads,
    busyShare: machine === null ? null : machine / lastsSeconds / cores,
    mainShare,
  };
}

function threadDifferences(
  before: ReadonlyMap<string, number> = new Map(),
  after: ReadonlyMap<string, number> = new Map(),
): Map<string, number> {
  return new Map([...after].map(([name, end]) => [name, end - (before.get(name) ?? 0)]));
}

function difference(
  before: number | null | undefined,
  after: number | null | undefined,
): number | null {
  return before == null || after == null ? null : after - before;
}

function add(seconds: Map<string, number | null>, name: string, more: number): void {
  seconds.set(name, (seconds.get(name) ?? 0) + more);
}
