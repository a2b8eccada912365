// What a process uses, from /proc (Linux). Elsewhere everything is null and the table says so.
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
