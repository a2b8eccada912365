// A set of hashes in a bit each: a Bloom filter (Bloom 1970) with one hash function. It stands before a table: most texts that are
// looked up are not a key, and end at a bit in the processor's cache instead of a miss.

/** Bits for each hash at least, rounded up to a power of two: about one text in ten passes by chance. */
const BITS_PER_HASH = 8;
/** Bits of a number. */
const WORD_BITS = 5;

const bitOf = (hash: number): number => hash ^ (hash >>> 15);

/** @param hashes `hashText` of each text */
export function buildHashBits(hashes: readonly number[]): Uint32Array {
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, hashes.length) * BITS_PER_HASH));
  const bits = new Uint32Array(Math.max(1, size >>> WORD_BITS));
  const last = (bits.length << WORD_BITS) - 1;
  for (const hash of hashes) {
    const at = bitOf(hash) & last;
    bits[at >>> WORD_BITS] = ((bits[at >>> WORD_BITS] ?? 0) | (1 << (at & 31))) >>> 0;
  }
  return bits;
}

/** False when the hash is certainly not in the set. */
export function mayBeOneOf(bits: Uint32Array, hash: number): boolean {
  const at = bitOf(hash) & ((bits.length << WORD_BITS) - 1);
  return (((bits[at >>> WORD_BITS] ?? 0) >>> (at & 31)) & 1) !== 0;
}
