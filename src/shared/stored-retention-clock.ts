// The retention clock, kept in the settings of the installation, so that it survives restarts and all processes share it.
import type { Clock } from "./clock.ts";
import { createRetentionClock } from "./retention-clock.ts";
import type { StoredSettings } from "./stored-settings.ts";

const TIME_SETTING = "retention_time";
const BEHIND_SETTING = "retention_behind";
/** The clocks of two machines may differ by so much. */
const CLOCKS_MS = 300_000;

/**
 * The time by which retention jobs delete.
 * @param lagging called with the difference when it begins to lag behind the wall clock
 * @param elapsedMs monotonic clock
 */
export function createStoredRetentionClock(
  settings: StoredSettings,
  nowMs: Clock,
  lagging?: (lagMs: number) => void,
  elapsedMs: Clock = () => performance.now(),
): () => Promise<number> {
  const change = async (
    name: string,
    value: number,
    isReplaced: (seen: number) => boolean,
  ): Promise<void> => {
    const text = String(value);
    const seen = await settings.getOrSet(name, text);
    if (isReplaced(Number(seen))) await settings.replace(name, seen, text);
  };
  return createRetentionClock(
    {
      nowMs,
      elapsedMs,
      read: async () => {
        const text = await settings.get(TIME_SETTING);
        if (text === null) return null;
        const behind = await settings.get(BEHIND_SETTING);
        return { timeMs: Number(text), behindMs: Number(behind ?? 0) };
      },
      // Other processes may be further on, or have lowered it.
      raise: (timeMs) => change(TIME_SETTING, timeMs, (seen) => seen < timeMs),
      lower: (seenMs, timeMs) => change(TIME_SETTING, timeMs, (seen) => seen === seenMs),
      writeBehind: (behindMs) => change(BEHIND_SETTING, behindMs, (seen) => seen !== behindMs),
    },
    lagging,
  );
}

/** Whether the stored retention time is ahead of the wall clock, set here or on another machine. */
export async function isClockBehind(
  settings: Pick<StoredSettings, "get">,
  nowMs: Clock,
): Promise<boolean> {
  return Number((await settings.get(TIME_SETTING)) ?? 0) - nowMs() > CLOCKS_MS;
}
