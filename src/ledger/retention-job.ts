// Deletes what is older than its retention, in small steps.

interface RetentionJobPorts {
  /** The low watermark: records up to this order will not be redelivered. */
  doneOrder(): string;
  removeTombstones(beforeOrder: string, limit: number): Promise<number>;
  /** Each deletes up to `limit` expired rows and returns how many. */
  readonly removals: readonly ((limit: number) => Promise<number>)[];
  /** Called at the end of each run. */
  ended(): void;
  /** Called for each one that failed; it is retried in the next run. */
  failed(error: unknown): void;
}

const INTERVAL_MS = 60_000;
const REMOVED_AT_ONCE = 500;

/** One run: deletes everything that has expired, in writes of at most 500 rows. A failure does not stop the others. */
async function cleanUp(ports: RetentionJobPorts): Promise<void> {
  const tombstones = (limit: number): Promise<number> =>
    ports.removeTombstones(ports.doneOrder(), limit);
  for (const remove of [tombstones, ...ports.removals]) {
    try {
      while ((await remove(REMOVED_AT_ONCE)) === REMOVED_AT_ONCE);
    } catch (error) {
      ports.failed(error);
    }
  }
  try {
    ports.ended();
  } catch (error) {
    ports.failed(error);
  }
}

const DAY_MS = 24 * 3_600_000;

/** The removal of batches that ended more than `days` ago; none for 0 days. */
export function batchRetention(
  expire: (beforeMs: number, limit: number) => Promise<number>,
  retentionNow: () => Promise<number>,
  days: number,
): readonly ((limit: number) => Promise<number>)[] {
  if (days === 0) return [];
  return [async (limit) => expire((await retentionNow()) - days * DAY_MS, limit)];
}

/** Runs every minute, or as often as it is asked. Returns a function that stops it after the current run. */
export function startRetentionJob(
  ports: RetentionJobPorts,
  intervalMs = INTERVAL_MS,
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => cleanUp(ports));
  }, intervalMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
