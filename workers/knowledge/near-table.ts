// Finds the keys that differ from a text by one typo: a letter left out, doubled or changed, or two swapped.
// Symmetric deletion (Garbe, SymSpell 2012): two texts are one typo apart when leaving one letter out of each, or of one
// of them, can make them equal. Every key is filed under the hashes of itself with one letter left out.
//
//   <name>.near  u32  open addressing, linear probing; 0 = empty, else key index + 1 and above it a few bits of the hash,
//                     so that entries of others are passed without reading their keys
//   <name>.nearBits  u32  all those hashes, see hash-bits.ts: what is looked up first
import { hashSeed, hashText, hashUnit } from "../recogniser/text/hash.ts";
import { buildHashBits, mayBeOneOf } from "./hash-bits.ts";
import type { KeyTable } from "./key-table.ts";

/** Shorter names are one typo apart by chance too often, longer ones are seldom written. */
const NEAR_LENGTH_MIN = 8;
const NEAR_LENGTH_MAX = 18;
const PROBES_MAX = 512;
/** Several matches are ambiguous. */
const FOUND_MAX = 8;

/** Slots for each entry: no power of two, which could double the size of the file. */
const SLOTS_PER_ENTRY = 1.3;

/** More keys than any table has. */
const INDEX_BITS = 20;
const INDEX_MASK = (1 << INDEX_BITS) - 1;

/** What a slot holds for this key filed under this hash. */
const entryOf = (hash: number, index: number): number =>
  (((hash >>> INDEX_BITS) << INDEX_BITS) | (index + 1)) >>> 0;

const slotOf = (hash: number, size: number): number =>
  (Math.imul(hash ^ (hash >>> 13), 0x5bd1e995) >>> 0) % size;

/** Hash of the text without the letter at `at`; `before`: of what stands in front of that. */
function hashWithout(text: string, at: number, before: number): number {
  let hash = before;
  for (let i = at + 1; i < text.length; i++) hash = hashUnit(hash, text.charCodeAt(i));
  return hash;
}

export interface NearTable {
  readonly slots: Uint32Array;
  readonly bits: Uint32Array;
}

/** The hashes that a key is filed under: whole, and without each of its letters. */
function nearHashes(key: string): readonly number[] {
  // Whole too: a text with a letter too many is found when that letter is left out of it.
  const hashes = [hashText(hashSeed, key)];
  let before: number = hashSeed;
  for (let at = 0; at < key.length; at++) {
    hashes.push(hashWithout(key, at, before));
    before = hashUnit(before, key.charCodeAt(at));
  }
  return hashes;
}

/** @param keys all keys of the table; `isNear` selects those that may be found with a typo */
export function buildNearTable(
  keys: readonly string[],
  isNear: (index: number) => boolean,
): NearTable {
  if (keys.length > INDEX_MASK)
    throw new Error(`A near table has at most ${String(INDEX_MASK)} keys`);
  const near = keys.flatMap((key, index) => {
    const isLong = key.length >= NEAR_LENGTH_MIN && key.length <= NEAR_LENGTH_MAX;
    return isLong && isNear(index) ? [index] : [];
  });
  const filed = near.map((index) => [index, nearHashes(keys[index] ?? "")] as const);
  const hashes = filed.flatMap(([, own]) => own);
  const slots = new Uint32Array(Math.ceil(hashes.length * SLOTS_PER_ENTRY) + 1);
  for (const [index, own] of filed) for (const hash of own) add(slots, hash, index);
  return { slots, bits: buildHashBits(hashes) };
}

/**
 * A key with doubled letters would be filed under the same hash twice.
 * @throws Error when so many share a hash that the last would not be found again
 */
function add(slots: Uint32Array, hash: number, index: number): void {
  let slot = slotOf(hash, slots.length);
  for (let probes = 0; probes < PROBES_MAX; probes++) {
    if (slots[slot] === entryOf(hash, index)) return;
    if (slots[slot] === 0) {
      slots[slot] = entryOf(hash, index);
      return;
    }
    slot = slot + 1 === slots.length ? 0 : slot + 1;
  }
  throw new Error("The near table is too full");
}

/** Whether the Damerau-Levenshtein distance is 1. */
export function isOneTypo(left: string, right: string): boolean {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  if (long.length - short.length > 1 || short === long) return false;
  let at = 0;
  while (at < short.length && short.charCodeAt(at) === long.charCodeAt(at)) at++;
  if (long.length > short.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  const isExchanged =
    short.charCodeAt(at) === long.charCodeAt(at + 1) &&
    short.charCodeAt(at + 1) === long.charCodeAt(at);
  return isExchanged && short.slice(at + 2) === long.slice(at + 2);
}

/** Indexes of the keys that are one typo from the text, at most `FOUND_MAX`. */
export function findNear(table: NearTable, keys: KeyTable, text: string): readonly number[] {
  const found: number[] = [];
  if (text.length < NEAR_LENGTH_MIN || text.length > NEAR_LENGTH_MAX) return found;
  probe(table, keys, hashText(hashSeed, text), text, found);
  let before: number = hashSeed;
  for (let at = 0; at < text.length; at++) {
    probe(table, keys, hashWithout(text, at, before), text, found);
    before = hashUnit(before, text.charCodeAt(at));
  }
  return found;
}

function probe(
  { slots, bits }: NearTable,
  keys: KeyTable,
  hash: number,
  text: string,
  found: number[],
): void {
  if (!mayBeOneOf(bits, hash)) return;
  let slot = slotOf(hash, slots.length);
  for (let probes = 0; probes < PROBES_MAX && found.length < FOUND_MAX; probes++) {
    const entry = slots[slot] ?? 0;
    if (entry === 0) return;
    const index = (entry & INDEX_MASK) - 1;
    const isLike = entry === entryOf(hash, index) && !found.includes(index);
    if (isLike && isOneTypo(keys.keyAt(index), text)) found.push(index);
    slot = slot + 1 === slots.length ? 0 : slot + 1;
  }
}
