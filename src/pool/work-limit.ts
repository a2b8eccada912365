// How long a task of a thread may work. Its time alone would end tasks that wait for the processor on a machine which is busy with
// something else: a scan that takes four seconds is not hostile because it took forty.

/** On a machine that is so busy, a task ends although it has not worked for so long. */
const BUSY_FACTOR_MAX = 4;

export interface WorkMeter {
  nowMs(): number;
  /** Processor time of the process, all threads together, ms. */
  usedMs(): number;
}

/** Node's clock and the processor time of this process. */
const processMeter: WorkMeter = {
  nowMs: () => performance.now(),
  usedMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
};

/**
 * Begins to measure a task.
 * @param limitMs of work, where each running task counts with an equal part of the processor time of the process
 * @returns whether it has worked for so long: at least `limitMs` have passed, and with the processor time of the process that
 * is likely its own, or four times as much has passed
 */
export function startWorkLimit(
  limitMs: number,
  { nowMs, usedMs }: WorkMeter = processMeter,
): (running: number) => boolean {
  const [startMs, usedBefore] = [nowMs(), usedMs()];
  return (running) => {
    const passedMs = nowMs() - startMs;
    if (passedMs < limitMs) return false;
    return usedMs() - usedBefore >= limitMs * running || passedMs >= limitMs * BUSY_FACTOR_MAX;
  };
}
