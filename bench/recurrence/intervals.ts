// How certain a share is: intervals of 95 %.
import { createRandom } from "../../test/support/random.ts";

/** Counts; their ratio is a share. */
export interface Share {
  readonly right: number;
  readonly of: number;
}

/** Shares, 0..1. */
export interface ShareInterval {
  readonly low: number;
  readonly high: number;
}

const Z_95 = 1.959964;
const RESAMPLES = 1_000;
const SEED = 20_261_217;
const TAIL = 0.025;

/** Null without anything counted. */
export const shareOf = ({ right, of }: Share): number | null => (of === 0 ? null : right / of);

/** The score interval of a binomial share (Wilson 1927), for counts that are independent. Null without anything counted. */
export function wilsonInterval({ right, of }: Share): ShareInterval | null {
  if (of === 0) return null;
  const share = right / of;
  const z2 = Z_95 * Z_95;
  const center = (share + z2 / (2 * of)) / (1 + z2 / of);
  const half = (Z_95 * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of * of))) / (1 + z2 / of);
  return { low: Math.max(0, center - half), high: Math.min(1, center + half) };
}

/**
 * The percentile bootstrap (Efron 1979) over ledgers: series of one ledger are found or missed together, so whole ledgers are
 * drawn. The same counts give the same interval. Null without anything counted.
 * @param shares the counts of each ledger
 */
export function bootstrapInterval(shares: readonly Share[]): ShareInterval | null {
  const counted = shares.filter(({ of }) => of > 0);
  if (counted.length === 0) return null;
  const random = createRandom(SEED);
  const drawn = Array.from({ length: RESAMPLES }, () => {
    let right = 0;
    let of = 0;
    for (let left = counted.length; left > 0; left--) {
      const share = random.pick(counted);
      right += share.right;
      of += share.of;
    }
    return right / of;
  }).sort((a, b) => a - b);
  const tail = Math.round(TAIL * RESAMPLES);
  return { low: drawn[tail] ?? 0, high: drawn[RESAMPLES - 1 - tail] ?? 0 };
}
