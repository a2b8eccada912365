// Deletes what is older than its retention, in small steps.

interface RetentionJobPorts {
  /** The low watermark: records up to this order will not be redelivered. */
  doneOrder(): string;
  removeTombstones(beforeOrder: string, limit: number): Promise<number>;
  /** Each deletes up to `limit` expired rows and returns how many. */
  readonly sweeps: readonly ((limit: number) => Promise<number>)[];
  /** Called for each one that failed; it is retried in the next run. */
  failed(error: unknown): void;
}

const INTERVAL_MS = 60_000;
const REMOVED_AT_ONCE = 500;

/** One run: deletes everything that has expired, in writes of at most 500 rows. A failure does not stop the others. */
async function cleanUp(ports: RetentionJobPorts): Promise<void> {
  const tombstones = (limit: number): Promise<number> =>
    ports.removeTombstones(ports.doneOrder(), limit);
  for (const sweep of [tombstones, ...ports.sweeps]) {
    try {
      while ((await sweep(REMOVED_AT_ONCE)) === REMOVED_AT_ONCE);
    } catch (error) {
      ports.failed(error);
    }
  }
}

/** Runs every minute. Returns a function that stops it after the current run. */
export function startRetentionJob(ports: RetentionJobPorts): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => cleanUp(ports));
  }, INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
