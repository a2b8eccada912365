// Which partition a key belongs to, in topics whose records keep the order of their key.
import { createHash } from "node:crypto";

/** Keys whose partitions are kept. */
const PLACES_MAX = 10_000;

export interface RecordPlace {
  readonly key: Buffer;
  readonly partition: number;
}

/** The same for the same key in every process. */
export function partitionOfKey(key: Buffer | string, count: number): number {
  return createHash("md5").update(key).digest().readUInt32BE(0) % count;
}

/** The key as bytes and its partition of `count`, kept for the next time while there are not too many. */
export function createPlaces(count: number): (key: string) => RecordPlace {
  const places = new Map<string, RecordPlace>();
  return (text) => {
    const known = places.get(text);
    if (known !== undefined) return known;
    const key = Buffer.from(text);
    const partition = partitionOfKey(key, count);
    if (places.size >= PLACES_MAX) places.clear();
    places.set(text, { key, partition });
    return { key, partition };
  };
}
