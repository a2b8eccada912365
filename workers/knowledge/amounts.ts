// The table of usual amounts as it is asked: numbers by category, made once a thread.
import type { Lexicon } from "./sections.ts";

/** What is taken for the payments of a category without a row: the middle, and how far they lie apart. */
const ANY_MEAN = Math.log(60);
const ANY_DEVIATION = 1.7;
/** Further from the middle than this many standard deviations, a payment is hardly one of its category. */
const UNUSUAL_DEVIATIONS = 4.5;

/** Parallel to the categories of the lexicon. Sizes are natural logarithms of US dollars, held to be normally distributed. */
export interface Amounts {
  readonly means: Float64Array;
  /** 1 / (2 σ²). */
  readonly precisions: Float64Array;
  /** ln σ. */
  readonly logDeviations: Float64Array;
  /** The least and the largest size that is usual; infinite without a row about usual sizes. */
  readonly least: Float64Array;
  readonly most: Float64Array;
}

export function indexAmounts({ amountMeans, amountDeviations }: Lexicon): Amounts {
  const deviations = Float64Array.from(amountDeviations, (known) => known || ANY_DEVIATION);
  const means = Float64Array.from(amountMeans, (mean, at) =>
    amountDeviations[at] ? mean : ANY_MEAN,
  );
  const limits = amountDeviations.map((known) => UNUSUAL_DEVIATIONS * known || Infinity);
  const least = means.map((mean, at) => mean - (limits[at] ?? Infinity));
  const most = means.map((mean, at) => mean + (limits[at] ?? Infinity));
  return {
    means,
    precisions: deviations.map((deviation) => 1 / (2 * deviation * deviation)),
    logDeviations: deviations.map(Math.log),
    least,
    most,
  };
}
