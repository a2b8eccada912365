// Lists of zeros to be filled in. The engine keeps a small list of numbers where it keeps objects, while every typed array of more
// than 64 bytes is an allocation of its own, which costs more than filling it.

/** Returns what makes copies of a list of `length` zeros. */
export function zerosOf(length: number): () => number[] {
  // The engine takes a list for one of fractions, and stores the numbers themselves, once it held one; `fill` makes it one of whole
  // numbers again, whose copies would all be copied once more with their first fraction.
  const zeros = Array.from({ length }, () => 0.5);
  for (let at = 0; at < length; at++) zeros[at] = 0;
  return () => zeros.slice();
}

/** Returns what makes lists of zeros of any length: each is the copy of a whole list, because the engine leaves its fast code for a part of one. */
export function zerosOfAnyLength(): (length: number) => number[] {
  const makers: (() => number[])[] = [];
  return (length) => (makers[length] ??= zerosOf(length))();
}
