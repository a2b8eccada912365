import { setTimeout as delay } from "node:timers/promises";

/** A pause that lets other programs run; how long polling takes altogether is bounded by `ms`, not by it. */
const PAUSE_MS = 5;

/**
 * Asks `probe` again and again until it gives something other than null.
 * @throws Error naming `what` when that has not happened within `ms`
 */
export async function until<T>(
  what: string,
  probe: () => Promise<T | null> | T | null,
  ms = 60_000,
): Promise<T> {
  const end = performance.now() + ms;
  for (;;) {
    const found = await probe();
    if (found !== null) return found;
    if (performance.now() > end) throw new Error(`Timed out waiting for: ${what}`);
    await delay(PAUSE_MS);
  }
}
