// Stored jobs that any process may do: each is claimed with a lease, which is renewed while it is worked on, so that the job of a
// process that was killed is claimed by another one.

/** What the jobs need from the store, and how often. */
export interface ClaimedJobPorts<Job> {
  /** Claims a job without a valid claim, until then; of several, the one that has waited longest. */
  claim(nowMs: number, untilMs: number): Promise<Job | null>;
  /** Ends the claims of earlier processes; null where other processes may be running. */
  readonly release: (() => Promise<void>) | null;
  /** Extends a claim until then. False: another process has claimed the job since, or it is gone. */
  renew(job: Job, untilMs: number): Promise<boolean>;
  /** @param signal aborted when the claim is lost, or the process stops: nothing of the job that is stored later counts */
  run(job: Job, signal: AbortSignal): Promise<void>;
  failed(error: unknown): void;
  nowMs(): number;
  /** How long a claim lasts without a renewal. */
  readonly heldMs: number;
  readonly renewEveryMs: number;
  /** How often to look for a job when there was none. */
  readonly lookEveryMs: number;
}

export interface ClaimedJobs {
  /** Looks for work now, instead of at the next interval. */
  wake(): void;
  /** Waits for the job that runs, whose signal is aborted. */
  close(): Promise<void>;
}

/** Starts to look for jobs and to do them, one at a time. */
export function startClaimedJobs<Job>(ports: ClaimedJobPorts<Job>): ClaimedJobs {
  const closing = new AbortController();
  let isReleased = false;
  let running: Promise<void> = Promise.resolve();

  async function work(): Promise<void> {
    if (!isReleased) await ports.release?.();
    isReleased = true;
    while (!closing.signal.aborted) {
      const nowMs = ports.nowMs();
      const job = await ports.claim(nowMs, nowMs + ports.heldMs);
      if (job === null) return;
      await runHeld(job);
    }
  }

  async function runHeld(job: Job): Promise<void> {
    const lost = new AbortController();
    const renew = async (): Promise<void> => {
      if (!(await ports.renew(job, ports.nowMs() + ports.heldMs))) lost.abort();
    };
    const timer = setInterval(() => {
      void renew().catch(ports.failed);
    }, ports.renewEveryMs);
    try {
      await ports.run(job, AbortSignal.any([lost.signal, closing.signal]));
    } finally {
      clearInterval(timer);
    }
  }

  const look = (): void => {
    running = running.then(work).catch(ports.failed);
  };
  const timer = setInterval(look, ports.lookEveryMs);
  return {
    wake: look,
    close: async () => {
      closing.abort();
      clearInterval(timer);
      await running;
    },
  };
}
