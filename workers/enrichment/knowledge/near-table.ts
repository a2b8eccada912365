// Finds the keys that differ from a text by one slip of the pen: a letter left out, doubled, changed, or two exchanged.
// Symmetric deletion (Garbe, SymSpell 2012): two texts are one slip apart when leaving one letter out of each, or of one
// of them, can make them equal. Every key is filed under the hashes of itself with one letter left out.
//
//   <name>.near  u32  open addressing, linear probing; 0 = empty, else key index + 1
import { hashSeed, hashText, type KeyTable } from "./key-table.ts";

/** Shorter names are one slip apart by chance too often, longer ones are seldom written. */
const NEAR_LENGTH_MIN = 8;
const NEAR_LENGTH_MAX = 24;
const PROBES_MAX = 64;

/** Slots for each entry: no power of two, which could double the size of the file. */
const SLOTS_PER_ENTRY = 1.25;

const slotOf = (hash: number, size: number): number =>
  (Math.imul(hash ^ (hash >>> 13), 0x5bd1e995) >>> 0) % size;

/** Hash of the text without the letter at `at`. */
const hashWithout = (text: string, at: number): number =>
  hashText(hashText(hashSeed, text.slice(0, at)), text.slice(at + 1));

/** @param keys all keys of the table; `isNear` says which of them may be found with a slip */
export function buildNearTable(
  keys: readonly string[],
  isNear: (index: number) => boolean,
): Uint32Array {
  const near = keys.flatMap((key, index) => {
    const isLong = key.length >= NEAR_LENGTH_MIN && key.length <= NEAR_LENGTH_MAX;
    return isLong && isNear(index) ? [index] : [];
  });
  const entries = near.reduce((sum, index) => sum + (keys[index]?.length ?? 0), 0);
  const slots = new Uint32Array(Math.ceil(entries * SLOTS_PER_ENTRY) + 1);
  for (const index of near) {
    const key = keys[index] ?? "";
    for (let at = 0; at < key.length; at++) add(slots, hashWithout(key, at), index);
  }
  return slots;
}

/** A key with doubled letters would be filed under the same hash twice. */
function add(slots: Uint32Array, hash: number, index: number): void {
  let slot = slotOf(hash, slots.length);
  for (let probe = 0; slots[slot] !== 0; probe++) {
    if (slots[slot] === index + 1 || probe >= PROBES_MAX) return;
    slot = (slot + 1) % slots.length;
  }
  slots[slot] = index + 1;
}

/** Whether one slip makes one of the other: Damerau-Levenshtein distance 1. */
export function isOneSlip(left: string, right: string): boolean {
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

/** Index of the first key that is one slip from the text, -1 when there is none. */
export function findNear(slots: Uint32Array, keys: KeyTable, text: string): number {
  if (text.length < NEAR_LENGTH_MIN || text.length > NEAR_LENGTH_MAX) return -1;
  const whole = probe(slots, keys, hashText(hashSeed, text), text);
  if (whole >= 0) return whole;
  for (let at = 0; at < text.length; at++) {
    const found = probe(slots, keys, hashWithout(text, at), text);
    if (found >= 0) return found;
    const shorter = keys.find(text.slice(0, at) + text.slice(at + 1));
    if (shorter >= 0 && text.length > NEAR_LENGTH_MIN) return shorter;
  }
  return -1;
}

function probe(slots: Uint32Array, keys: KeyTable, hash: number, text: string): number {
  let slot = slotOf(hash, slots.length);
  for (let probes = 0; probes < PROBES_MAX; probes++) {
    const entry = slots[slot] ?? 0;
    if (entry === 0) return -1;
    // Most entries that are met are others': their length tells, without reading them.
    const isLike = Math.abs(keys.lengthAt(entry - 1) - text.length) <= 1;
    if (isLike && isOneSlip(keys.keyAt(entry - 1), text)) return entry - 1;
    slot = (slot + 1) % slots.length;
  }
  return -1;
}
