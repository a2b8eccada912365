// Intervals that hold the next one of some errors, however few there are: the span of the errors so far is too narrow, the more so
// the fewer they are.

/** Of this share of payments the interval holds the next one, and of this one it is outside on either side. */
const INTERVAL_SHARE = 0.8;
const TAIL_SHARE = 0.1;
/** The quantile of 0.9 of Student's t (1908), by degrees of freedom from 1; from nine errors on their order is enough. */
const STUDENT_T = [3.078, 1.886, 1.638, 1.533, 1.476, 1.44, 1.415, 1.397];

export interface ErrorInterval {
  /** At most 0. */
  readonly low: number;
  /** At least 0. */
  readonly high: number;
}

const NOTHING: ErrorInterval = { low: 0, high: 0 };

/**
 * The k-th smallest and largest of n errors hold the next one with a probability of (n + 1 - 2k) / (n + 1), whatever their
 * distribution (Wilks 1941). With fewer errors than that needs, they are taken as normal around nothing.
 * @param errors of the guesses so far, in any order
 * @param none the size up to which a guess is right
 */
export function errorInterval(errors: readonly number[], none: number): ErrorInterval {
  const count = errors.length;
  const exact = errors.filter((error) => Math.abs(error) <= none).length;
  // What was right so often needs no interval: the next one is that with this probability (Laplace 1774).
  if (count === 0 || exact === count || exact / (count + 1) >= INTERVAL_SHARE) return NOTHING;
  const t = STUDENT_T[count - 1];
  if (t !== undefined) {
    const half = t * Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / count);
    return { low: -half, high: half };
  }
  const sorted = errors.toSorted((a, b) => a - b);
  const cut = Math.floor(TAIL_SHARE * (count + 1)) - 1;
  return {
    low: Math.min(0, sorted[cut] ?? 0),
    high: Math.max(0, sorted[count - 1 - cut] ?? 0),
  };
}
