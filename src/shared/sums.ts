// Sums that were made apart, put together.

/** What is known of some numbers when they have been added up. */
export interface Sums {
  readonly count: number;
  readonly sum: number;
  /** The sum of the squared distances from the mean. */
  readonly squaredDistances: number;
  readonly min: number;
  readonly max: number;
}

/** The sums of both; variances as by Chan, Golub and LeVeque (1979). */
export const combineSums = (a: Sums, b: Sums): Sums => ({
  count: a.count + b.count,
  sum: a.sum + b.sum,
  squaredDistances:
    a.squaredDistances +
    b.squaredDistances +
    ((a.sum / a.count - b.sum / b.count) ** 2 * a.count * b.count) / (a.count + b.count),
  min: Math.min(a.min, b.min),
  max: Math.max(a.max, b.max),
});
