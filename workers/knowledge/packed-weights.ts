// Weights of eight bits, two in each number of 32, so that one addition adds both. None is negative in there: a pair of 16 bits
// holds the sum of as many as 257.

/** Weights are stored so much higher. */
export const WEIGHT_OFFSET = 128;
export const HALF_BITS = 16;
export const HALF_MASK = 0xffff;
/**
 * @param weights -128..127, row after row
 * @param width weights of a row; an odd one is filled up
 */
export function packWeights(weights: Int8Array, width: number): Int32Array {
  const rows = weights.length / width;
  const own = (width + 1) >> 1;
  const pairs = new Int32Array(rows * own);
  for (let row = 0; row < rows; row++)
    for (let pair = 0; pair < own; pair++) {
      const at = row * width + 2 * pair;
      const odd = 2 * pair + 1 < width ? (weights[at + 1] ?? 0) : 0;
      pairs[row * own + pair] =
        ((weights[at] ?? 0) + WEIGHT_OFFSET) | ((odd + WEIGHT_OFFSET) << HALF_BITS);
    }
  return pairs;
}
