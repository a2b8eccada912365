// Removes what has served its purpose, a little at a time.

interface RetentionJobPorts {
  /** Records up to this order will not be handed over again. */
  passed(): string;
  removeTombstones(beforeOrder: string, limit: number): Promise<number>;
  /** Each removes up to `limit` rows whose time is over and says how many. */
  readonly sweeps: readonly ((limit: number) => Promise<number>)[];
  /** Told of each that failed; it is tried again in the next round. */
  failed(error: unknown): void;
}

const INTERVAL_MS = 60_000;
const REMOVED_AT_ONCE = 500;

/** One round: everything that can go goes, in writes of at most 500 rows. What fails keeps nothing else from going. */
async function cleanUp(ports: RetentionJobPorts): Promise<void> {
  const tombstones = (limit: number): Promise<number> =>
    ports.removeTombstones(ports.passed(), limit);
  for (const sweep of [tombstones, ...ports.sweeps]) {
    try {
      while ((await sweep(REMOVED_AT_ONCE)) === REMOVED_AT_ONCE);
    } catch (error) {
      ports.failed(error);
    }
  }
}

/** Does a round every minute. Returns what stops it, after the round that is running. */
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
