// The time that retention jobs use. A clock that is wrong by weeks must not delete data too early: this time follows the wall
// clock only as fast as the uptime of the process explains.

export interface RetentionClockPorts {
  /** Wall clock, milliseconds since 1970. */
  nowMs(): number;
  /** Monotonic clock, milliseconds since any moment. */
  elapsedMs(): number;
  /** The last stored time; null: none yet. */
  read(): Promise<RetentionState | null>;
  /** Stores a time unless a later one is stored. */
  raise(timeMs: number): Promise<void>;
  /** Stores a time in place of the later one that was seen. */
  lower(seenMs: number, timeMs: number): Promise<void>;
  /** Stores how long the clock has been behind. */
  writeBehind(behindMs: number): Promise<void>;
}

export interface RetentionState {
  readonly timeMs: number;
  /** Uptime, over restarts, during which the wall clock was always behind that time by more than `BEHIND_MIN_MS`. */
  readonly behindMs: number;
}

const DAY_MS = 24 * 3_600_000;
/** A start may be this much later than the last run; after a longer stop, the time catches up while the process runs. */
const START_GAP_MAX_MS = DAY_MS;
/** Less than this comes from reading two clocks, one after the other, of which the wall clock has whole milliseconds. */
const LAG_REPORTED_MS = 1_000;
/** Twice as fast as the uptime: this covers clock drift, and catches up after a long stop. */
const SPEED_MAX = 2;
const STORED_EVERY_MS = 60_000;
/** The step that a start gets is stored only after this uptime: repeated restarts must not add up one day each. */
const START_STORED_AFTER_MS = 3_600_000;
/** A stored time that is ahead by less is harmless: a jump of the clock gains no more from it than any start does. */
const BEHIND_MIN_MS = DAY_MS;
/** After this much uptime behind the stored time, the stored time is taken to be wrong, not the clock. */
const BEHIND_MAX_MS = DAY_MS;
/** 2026-01-01: no Ledgerline is older. A clock before that is not set yet, as on a machine without a battery. */
const EARLIEST_MS = 1_767_225_600_000;

/**
 * Returns a function that returns the retention time, in milliseconds since 1970: never later than the wall clock.
 * @param lagging called once when it starts to lag behind the wall clock
 */
export function createRetentionClock(
  ports: RetentionClockPorts,
  lagging: (lagMs: number) => void = () => undefined,
): () => Promise<number> {
  let last: { readonly timeMs: number; readonly elapsedMs: number } | null = null;
  let storedMs = 0;
  let isLagging = false;
  let startedAtMs = 0;
  let keepBehind: (aheadMs: number, elapsedMs: number) => Promise<boolean> = () =>
    Promise.resolve(false);

  async function start(wallMs: number, elapsedMs: number): Promise<number> {
    const state = await ports.read();
    storedMs = state?.timeMs ?? 0;
    startedAtMs = elapsedMs;
    keepBehind = createBehindCounter(ports, state?.behindMs ?? 0, elapsedMs);
    return state === null ? wallMs : storedMs + START_GAP_MAX_MS;
  }

  return async () => {
    const wallMs = ports.nowMs();
    const elapsedMs = ports.elapsedMs();
    if (wallMs < EARLIEST_MS) return wallMs;
    const boundMs =
      last === null
        ? await start(wallMs, elapsedMs)
        : Math.max(last.timeMs, storedMs) + SPEED_MAX * Math.max(0, elapsedMs - last.elapsedMs);
    const timeMs = Math.min(wallMs, boundMs);
    last = { timeMs, elapsedMs };
    const lagMs = wallMs - timeMs;
    const mayStore = lagMs === 0 || elapsedMs - startedAtMs >= START_STORED_AFTER_MS;
    if (mayStore && timeMs - storedMs >= STORED_EVERY_MS) {
      await ports.raise(timeMs);
      storedMs = timeMs;
    }
    if (await keepBehind(storedMs - wallMs, elapsedMs)) {
      await ports.lower(storedMs, wallMs);
      storedMs = wallMs;
    }
    const isBehind = lagMs >= LAG_REPORTED_MS;
    if (isBehind && !isLagging) lagging(lagMs);
    isLagging = isBehind;
    return timeMs;
  };
}

/**
 * Counts the uptime during which the clock is behind the stored time; returns whether that has been long enough, and restarts
 * the count then. A single check with a clock that is not behind restarts it too.
 */
function createBehindCounter(
  { writeBehind }: RetentionClockPorts,
  firstMs: number,
  startedAtMs: number,
): (aheadMs: number, elapsedMs: number) => Promise<boolean> {
  let storedMs = firstMs;
  let behindMs = firstMs;
  let lookedAtMs = startedAtMs;
  return async (aheadMs, elapsedMs) => {
    behindMs = aheadMs > BEHIND_MIN_MS ? behindMs + elapsedMs - lookedAtMs : 0;
    lookedAtMs = elapsedMs;
    const isOver = behindMs >= BEHIND_MAX_MS;
    if (isOver) behindMs = 0;
    if (Math.abs(behindMs - storedMs) >= STORED_EVERY_MS || (behindMs === 0 && storedMs > 0)) {
      await writeBehind(behindMs);
      storedMs = behindMs;
    }
    return isOver;
  };
}
