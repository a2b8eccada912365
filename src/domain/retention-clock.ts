// The time by which retention jobs delete. A clock that is set wrong by weeks must not delete what was kept for weeks: this
// time follows the wall clock only as fast as the uptime of the process explains.

export interface RetentionClockPorts {
  /** Wall clock, milliseconds since 1970. */
  nowMs(): number;
  /** Monotonic clock, milliseconds since any moment. */
  elapsedMs(): number;
  /** The time that was stored last; null: none yet. */
  read(): Promise<number | null>;
  write(timeMs: number): Promise<void>;
}

/** A start may be this much later than the last run; a longer stop is caught up with while the process runs. */
const START_GAP_MAX_MS = 24 * 3_600_000;
/** Twice as fast as the uptime: drift is no matter, and what a long stop left is caught up with. */
const SPEED_MAX = 2;
const STORED_EVERY_MS = 60_000;
/** What a start was given is stored only after this uptime: one restart after the other must not add day to day. */
const START_STORED_AFTER_MS = 3_600_000;

/**
 * Returns what says by which time to delete, milliseconds since 1970: never later than the wall clock.
 * @param lagging called once when it begins to lag behind the wall clock
 */
export function createRetentionClock(
  ports: RetentionClockPorts,
  lagging: (lagMs: number) => void = () => undefined,
): () => Promise<number> {
  let last: { readonly timeMs: number; readonly elapsedMs: number } | null = null;
  let storedMs = 0;
  let isLagging = false;
  let startedAtMs = 0;
  return async () => {
    const wallMs = ports.nowMs();
    const elapsedMs = ports.elapsedMs();
    let boundMs: number;
    if (last === null) {
      const stored = await ports.read();
      storedMs = stored ?? 0;
      startedAtMs = elapsedMs;
      boundMs = stored === null ? wallMs : stored + START_GAP_MAX_MS;
    } else
      boundMs =
        Math.max(last.timeMs, storedMs) + SPEED_MAX * Math.max(0, elapsedMs - last.elapsedMs);
    const timeMs = Math.min(wallMs, boundMs);
    last = { timeMs, elapsedMs };
    const lagMs = wallMs - timeMs;
    const mayStore = lagMs === 0 || elapsedMs - startedAtMs >= START_STORED_AFTER_MS;
    if (mayStore && timeMs - storedMs >= STORED_EVERY_MS) {
      await ports.write(timeMs);
      storedMs = timeMs;
    }
    if (lagMs > 0 && !isLagging) lagging(lagMs);
    isLagging = lagMs > 0;
    return timeMs;
  };
}
