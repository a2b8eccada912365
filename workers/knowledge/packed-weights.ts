// Weights of eight bits, four in each number of 32, so that a row that is read takes half of the lines of the processor's cache that pairs
// would. They are added as pairs: the first and the third of a number, the second and the fourth. None is negative in there: a half of
// 16 bits holds the sum of as many as 257.

/** Weights are stored so much higher. */
export const WEIGHT_OFFSET = 128;
const HALF_BITS = 16;
const HALF_MASK = 0xffff;
/** Weights in a number. */
const FOUR = 4;
const BYTE_BITS = 8;
/** The first and the third of four weights as a pair. */
const PAIR_MASK = 0x00ff00ff;

/** Numbers that hold a row of so many weights. */
export const fourWidth = (width: number): number => Math.ceil(width / FOUR);

/** Pairs that hold the sums of a row of so many weights. */
export const pairWidth = (width: number): number => 2 * fourWidth(width);

/** The pair that holds the sum of a weight, by its place in the row. */
export const pairPlaceOf = (at: number): number => ((at >> 2) << 1) | (at & 1);

/** The sum of a weight in its pair: of the first two of four it is the lower half. */
export const sumIn = (pair: number, at: number): number =>
  (at & 2) === 0 ? pair & HALF_MASK : pair >>> HALF_BITS;

/**
 * @param weights -128..127, row after row
 * @param width weights of a row; what is missing of the last four is filled up
 */
export function packWeights(weights: Int8Array, width: number): Int32Array {
  const rows = weights.length / width;
  const own = fourWidth(width);
  const packed = new Int32Array(rows * own);
  for (let row = 0; row < rows; row++)
    for (let at = 0; at < own * FOUR; at++) {
      const weight = at < width ? (weights[row * width + at] ?? 0) : 0;
      const place = row * own + (at >> 2);
      packed[place] =
        (packed[place] ?? 0) | ((weight + WEIGHT_OFFSET) << ((at & (FOUR - 1)) * BYTE_BITS));
    }
  return packed;
}

/**
 * Puts the sums of the first `count` of these rows, as pairs, in place of what stands from `to` on. Column by column: the first one
 * fetches the beginning of every row, of which the processor waits for several at once.
 * @param own numbers of a row, see `fourWidth`
 */
export function putSums(
  weights: Int32Array,
  rows: Uint16Array,
  count: number,
  own: number,
  sums: Int32Array,
  to: number,
): void {
  for (let column = 0; column < own; column++) {
    let first = 0;
    let second = 0;
    for (let i = 0; i < count; i++) {
      const four = weights[(rows[i] ?? 0) * own + column] ?? 0;
      first = (first + (four & PAIR_MASK)) | 0;
      second = (second + ((four >>> BYTE_BITS) & PAIR_MASK)) | 0;
    }
    sums[to + 2 * column] = first;
    sums[to + 2 * column + 1] = second;
  }
}

/** Adds a row to the pairs. */
export function addRowTo(sums: Int32Array, weights: Int32Array, row: number, own: number): void {
  const from = row * own;
  for (let column = 0; column < own; column++) {
    const four = weights[from + column] ?? 0;
    const pair = 2 * column;
    sums[pair] = ((sums[pair] ?? 0) + (four & PAIR_MASK)) | 0;
    sums[pair + 1] = ((sums[pair + 1] ?? 0) + ((four >>> BYTE_BITS) & PAIR_MASK)) | 0;
  }
}
