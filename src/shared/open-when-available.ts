import { LedgerlineError } from "./errors.ts";

const PAUSE_MS = 1_000;

/**
 * Opens something; repeats it every second while it fails with a retryable error, for at most `waitMs`.
 * @param failed called with each error before a repetition
 * @throws the last error, or any error that is not retryable at once
 */
export async function openWhenAvailable<T>(
  open: () => Promise<T>,
  waitMs: number,
  failed: (error: LedgerlineError) => void,
): Promise<T> {
  const endsAtMs = performance.now() + waitMs;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const isAway = error instanceof LedgerlineError && error.retryable;
      if (!isAway || performance.now() > endsAtMs) throw error;
      failed(error);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
