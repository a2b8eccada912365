// How long a task of a thread, or a whole document, may work. Its time alone would end what waits for the processor on a machine
// which is busy with something else: a scan that takes four seconds is not hostile because it took forty.

/** On a machine that is so busy, a task or a document ends although it has not worked for so long; so does one that hangs. */
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

/** A clock of one document: ms that it has had of the processor since it began. */
export interface WorkClock {
  now(): number;
  /** It takes no part any more of what the process works. */
  stop(): void;
}

/**
 * Clocks of the documents that a process reads at the same time: each has an equal part of the processor time of the process.
 * A clock never goes faster than time, nor slower than a quarter of it, so that a document which hangs comes to its limit too.
 */
export function createWorkClocks({ nowMs, usedMs }: WorkMeter = processMeter): () => WorkClock {
  let running = 0;
  let usedBefore = usedMs();
  /** What a document would have had that was there from the beginning. */
  let partMs = 0;
  const advance = (): number => {
    const used = usedMs();
    if (running > 0) partMs += (used - usedBefore) / running;
    usedBefore = used;
    return partMs;
  };
  return () => {
    const [startMs, partBefore] = [nowMs(), advance()];
    running += 1;
    return {
      now: () => {
        const passedMs = nowMs() - startMs;
        const workedMs = advance() - partBefore;
        return Math.max(Math.min(passedMs, workedMs), passedMs / BUSY_FACTOR_MAX);
      },
      stop: () => {
        advance();
        running -= 1;
      },
    };
  };
}
