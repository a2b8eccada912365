// Resource usage of a process, from /proc (Linux). On other systems all values are null, and the table shows that.
import { readdirSync, readFileSync } from "node:fs";

/** Ticks of /proc/PID/stat a second; 100 on every Linux that Node runs on (getconf CLK_TCK). */
const TICKS_PER_SECOND = 100;

export interface CpuSeconds {
  readonly main: number;
  /** Worker threads, and the helpers of V8 and libuv. */
  readonly others: number;
}

/** Resident memory now and at its highest, MB. */
export function memoryMb(pid: number): { readonly now: number; readonly peak: number } | null {
  const status = read(`/proc/${String(pid)}/status`);
  const kib = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]);
  const found = { now: kib("VmRSS") / 1024, peak: kib("VmHWM") / 1024 };
  return Number.isNaN(found.now) ? null : found;
}

/** Processor time so far. */
export function cpuSeconds(pid: number): CpuSeconds | null {
  const folder = `/proc/${String(pid)}/task`;
  let main = 0;
  let others = 0;
  try {
    for (const thread of readdirSync(folder)) {
      const seconds = threadSeconds(read(`${folder}/${thread}/stat`));
      if (thread === String(pid)) main += seconds;
      else others += seconds;
    }
    return { main, others };
  } catch {
    return null;
  }
}

/** Processor time of the whole process so far, with that of threads that have ended. */
export function processSeconds(pid: number): number | null {
  const seconds = threadSeconds(read(`/proc/${String(pid)}/stat`));
  return Number.isNaN(seconds) ? null : seconds;
}

/** Processor time so far of the threads that run, by name; those that differ in their last number count together. */
export function secondsByThread(pid: number): ReadonlyMap<string, number> {
  const folder = `/proc/${String(pid)}/task`;
  const found = new Map<string, number>();
  try {
    for (const thread of readdirSync(folder)) {
      const name = read(`${folder}/${thread}/comm`)
        .trim()
        .replace(/[-.\s]*\d+$/, "");
      const seconds = threadSeconds(read(`${folder}/${thread}/stat`));
      if (!Number.isNaN(seconds)) found.set(name, (found.get(name) ?? 0) + seconds);
    }
  } catch {
    // The process has ended, or the system is not Linux.
  }
  return found;
}

/** Processor time that the machine has spent so far on whatever program, all cores together. */
export function machineSeconds(): number | null {
  const fields = /^cpu +(.*)$/m.exec(read("/proc/stat"))?.[1]?.split(" ").map(Number);
  if (fields === undefined) return null;
  // Without the 4th and 5th, in which nothing ran, and the 9th and 10th, which the first two contain.
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, stolen = 0] = fields;
  return (user + nice + system + irq + softIrq + stolen) / TICKS_PER_SECOND;
}

/** Fields 14 and 15, counted after the name, which is in brackets and may hold anything. */
function threadSeconds(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
