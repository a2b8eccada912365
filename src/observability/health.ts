export interface HealthSources {
  /** Why the store cannot be written, or null. */
  storeFailure(): string | null;
  /** Milliseconds in which records were in flight and none of them ended. */
  stalledMs(): number;
  /** Milliseconds since the dispatcher last looked what there is to tell; 0 without one. */
  dispatchStalledMs(): number;
  /** Webhooks with deliveries to make whose secrets cannot be decrypted. */
  secretsUnavailable(): number;
}

export interface Health {
  ready(): {
    readonly ready: boolean;
    readonly reasons: readonly string[];
    /** What a part of the process cannot do; the process is ready all the same. */
    readonly degraded: readonly string[];
  };
  live(): boolean;
}

/**
 * Something is stuck when nothing has ended for this long. The age of a single record is not a measure: when all organizations
 * flood with expensive rules, a record of low priority may rightly take longer.
 */
const STUCK_AFTER_MS = 60_000;

/** Ready: requests can be accepted and processed. Live: the process answers. */
export function createHealth(sources: HealthSources): Health {
  return {
    live: () => true,
    ready: () => {
      const reasons: string[] = [];
      const failure = sources.storeFailure();
      if (failure !== null) reasons.push(failure);
      if (sources.stalledMs() > STUCK_AFTER_MS) {
        reasons.push(
          "Records have been in flight for more than a minute and none has completed. Check the disk, the broker and the threads.",
        );
      }
      if (sources.dispatchStalledMs() > STUCK_AFTER_MS) {
        reasons.push("The webhook dispatcher has made no progress for more than a minute.");
      }
      // Of one organization: it must not take the process away from all others.
      const lost = sources.secretsUnavailable();
      const degraded = lost === 0 ? [] : [secretsSentence(lost)];
      return { ready: reasons.length === 0, reasons, degraded };
    },
  };
}

const secretsSentence = (count: number): string =>
  count === 1
    ? "The secret of 1 webhook cannot be decrypted: see the log for webhook.secret_unavailable."
    : `The secrets of ${String(count)} webhooks cannot be decrypted: see the log for webhook.secret_unavailable.`;
