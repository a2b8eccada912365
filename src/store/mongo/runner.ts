// Runs the calls of a store: each has its deadline, and its failures are classified.
import { LedgerlineError } from "../../shared/errors.ts";
import { type CallDeadline, withDeadline } from "./deadline.ts";
import { asStoreUnavailable, isCrowded } from "./errors.ts";

/** After this long a call of the store has failed, whatever happened to the server. */
export const CALL_LIMIT_MS = 10_000;
/** A call that takes this long has met something. */
const SLOW_MS = 3_000;

export type Runner = <T>(work: (call: CallDeadline) => Promise<T>) => Promise<T>;

/**
 * @param onFailure called with the reason why the server cannot be used
 * @param onSlow called again and again while a call takes long
 */
export function createRunner(onFailure: (message: string) => void, onSlow: () => void): Runner {
  return async (work) => {
    const slow = setInterval(onSlow, SLOW_MS);
    try {
      return await withDeadline(CALL_LIMIT_MS, work);
    } catch (error) {
      const failure = asStoreUnavailable(error);
      if (failure instanceof LedgerlineError && !isCrowded(failure)) onFailure(failure.message);
      throw failure;
    } finally {
      clearInterval(slow);
    }
  };
}
