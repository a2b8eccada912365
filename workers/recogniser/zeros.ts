// Lists of zeros to be filled in. The engine keeps a small list of numbers where it keeps objects, while every typed array of more
// than 64 bytes is an allocation of its own, which costs more than filling it.

/** Returns what makes copies of a list of `length` zeros. */
export function zerosOf(length: number): () => number[] {
  // The engine takes a list for one of fractions, and stores the numbers themselves, once it held one.
  const zeros = Array.from({ length }, () => 0.5).fill(0);
  return () => zeros.slice();
}
