// A read-only hash table from a short text to its index, opened in place over the knowledge file. The keys are sorted,
// so the same table also answers "which keys start with …", which is how names that a bank cut off are found.
//
//   <name>.units   u16  all keys one after the other, UTF-16 code units
//   <name>.starts  u32  n + 1 offsets into units
//   <name>.slots   u32  open addressing, linear probing; 0 = empty, else index + 1 and above it a few bits of the hash,
//                       so that entries of others are passed without reading their keys: every key that is read is a
//                       miss of the processor's cache, and most texts that are looked up are not a key
//   <name>.bits    u32  the hashes of all keys, see hash-bits.ts: what is looked up first
//   <name>.heads   u32  the same of their first letters: the beginning of no key ends there, without a search
import { hashSeed, hashText } from "../recogniser/text/hash.ts";
import { buildHashBits, mayBeOneOf } from "./hash-bits.ts";

/** Slots for each key: a power of two would cost up to twice the space. */
const SLOTS_PER_KEY = 1.7;

/** The slot a finished hash starts probing at, of `size`. */
const slotOf = (hash: number, size: number): number =>
  (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0) % size;

/** More keys than any table has. */
const INDEX_BITS = 20;
const INDEX_MASK = (1 << INDEX_BITS) - 1;

/** The bits of a finished hash that stand above the index. */
const tagOf = (hash: number): number => (hash >>> INDEX_BITS) << INDEX_BITS;

export interface KeyTable {
  readonly size: number;
  /** Index of the key, -1 when there is none. */
  readonly find: (key: string) => number;
  /** The same for a key whose hash is known already. */
  readonly findHashed: (hash: number, key: string) => number;
  /** The same for a key in parts, without joining them. */
  readonly findParts: (parts: readonly string[]) => number;
  /** The same for a key whose hash and parts are known already: `parts[from..to)` joined without anything between. */
  readonly findJoined: (hash: number, parts: readonly string[], from: number, to: number) => number;
  /** Indexes of the keys that start with the prefix: [first, end); equal ones when none does. */
  readonly prefixRange: (prefix: string) => readonly [number, number];
  readonly keyAt: (index: number) => string;
}

export interface KeyTableSections {
  readonly units: Uint16Array;
  readonly starts: Uint32Array;
  readonly slots: Uint32Array;
  readonly bits: Uint32Array;
  readonly heads: Uint32Array;
}

/** Letters of a head. */
const HEAD_LENGTH = 6;

const headHash = (text: string): number => hashText(hashSeed, text.slice(0, HEAD_LENGTH));

export function openKeyTable({ units, starts, slots, bits, heads }: KeyTableSections): KeyTable {
  const size = starts.length - 1;

  const equalsJoined = (
    index: number,
    parts: readonly string[],
    from: number,
    to: number,
  ): boolean => {
    let at = starts[index] ?? 0;
    const end = starts[index + 1] ?? 0;
    for (let p = from; p < to; p++) {
      const part = parts[p] ?? "";
      if (at + part.length > end) return false;
      for (let i = 0; i < part.length; i++) {
        if (units[at++] !== part.charCodeAt(i)) return false;
      }
    }
    return at === end;
  };

  const findJoined = (hash: number, parts: readonly string[], from: number, to: number): number => {
    if (!mayBeOneOf(bits, hash)) return -1;
    const tag = tagOf(hash);
    let slot = slotOf(hash, slots.length);
    for (;;) {
      const entry = slots[slot] ?? 0;
      if (entry === 0) return -1;
      const index = (entry & INDEX_MASK) - 1;
      if (((entry ^ tag) | INDEX_MASK) === INDEX_MASK && equalsJoined(index, parts, from, to))
        return index;
      slot = slot + 1 === slots.length ? 0 : slot + 1;
    }
  };

  /** Order of the key as `comparePrefix` defines it. */
  const orderOf = (index: number, prefix: string): number =>
    comparePrefix(units, starts[index] ?? 0, starts[index + 1] ?? 0, prefix);

  /** First index from `from` on whose key is not below the prefix; with `after`, not below any text starting with it. */
  const bound = (prefix: string, after: boolean, from: number): number => {
    let low = from;
    let high = size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = orderOf(middle, prefix);
      if (order < 0 || (after && order === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  return {
    size,
    find: (key) => findJoined(hashText(hashSeed, key), [key], 0, 1),
    findHashed: (hash, key) => findJoined(hash, [key], 0, 1),
    findParts: (parts) => {
      let hash = hashSeed;
      for (const part of parts) hash = hashText(hash, part);
      return findJoined(hash, parts, 0, parts.length);
    },
    findJoined,
    prefixRange: (prefix) => {
      if (prefix.length >= HEAD_LENGTH && !mayBeOneOf(heads, headHash(prefix))) return [0, 0];
      const first = bound(prefix, false, 0);
      // Most texts are not the beginning of any key: the key at that position shows it.
      const isNone = first >= size || orderOf(first, prefix) !== 0;
      return [first, isNone ? first : bound(prefix, true, first)];
    },
    keyAt: (index) =>
      String.fromCharCode(...units.subarray(starts[index] ?? 0, starts[index + 1] ?? 0)),
  };
}

/** -1 when the key sorts before everything that starts with the prefix, 0 when it starts with it, 1 when after. */
function comparePrefix(units: Uint16Array, start: number, end: number, prefix: string): number {
  for (let i = 0; i < prefix.length; i++) {
    const unit = start + i < end ? (units[start + i] ?? 0) : -1;
    const wanted = prefix.charCodeAt(i);
    if (unit !== wanted) return unit < wanted ? -1 : 1;
  }
  return 0;
}

/**
 * The arrays of a table; `keys` must be sorted by code units and free of duplicates.
 * @throws Error for more keys than a slot can hold the index of
 */
export function buildKeyTable(keys: readonly string[]): KeyTableSections {
  if (keys.length >= INDEX_MASK)
    throw new Error(`A key table has fewer than ${String(INDEX_MASK)} keys`);
  const length = keys.reduce((sum, key) => sum + key.length, 0);
  const units = new Uint16Array(length);
  const starts = new Uint32Array(keys.length + 1);
  const slots = new Uint32Array(Math.ceil(keys.length * SLOTS_PER_KEY) + 1);
  const hashes = keys.map((key) => hashText(hashSeed, key));
  let at = 0;
  keys.forEach((key, index) => {
    starts[index] = at;
    for (let i = 0; i < key.length; i++) units[at++] = key.charCodeAt(i);
    const hash = hashes[index] ?? 0;
    let slot = slotOf(hash, slots.length);
    while (slots[slot] !== 0) slot = (slot + 1) % slots.length;
    slots[slot] = (tagOf(hash) | (index + 1)) >>> 0;
  });
  starts[keys.length] = at;
  const long = keys.filter((key) => key.length >= HEAD_LENGTH);
  const heads = buildHashBits([...new Set(long.map(headHash))]);
  return { units, starts, slots, bits: buildHashBits(hashes), heads };
}
