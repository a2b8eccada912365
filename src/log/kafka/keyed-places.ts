// Which partition a key belongs to, in topics whose records keep the order of their key.
import { createHash } from "node:crypto";

/** Keys whose partitions are kept. */
const PLACES_MAX = 10_000;

export interface RecordPlace {
  readonly key: Buffer;
  readonly partition: number;
  /** `hashOfKey` of the key: its partition in a topic with another number of them needs no other hash. */
  readonly hash: number;
}

/** The same for the same key in every process. The partition is its remainder by their number. */
export function hashOfKey(key: Buffer | string): number {
  return createHash("md5").update(key).digest().readUInt32BE(0);
}

/** The key as bytes and its partition of `count`, kept for the next time while there are not too many. */
export function createPlaces(count: number): (key: string) => RecordPlace {
  const places = new Map<string, RecordPlace>();
  return (text) => {
    const known = places.get(text);
    if (known !== undefined) return known;
    const key = Buffer.from(text);
    const hash = hashOfKey(key);
    const place = { key, hash, partition: hash % count };
    if (places.size >= PLACES_MAX) places.clear();
    places.set(text, place);
    return place;
  };
}
