// Whether a text is one of very many, in a little more than a byte each: a binary fuse filter (Graf and Lemire, "Binary
// Fuse Filters: Fast and Smaller Than Xor Filters", JEA 2022) with three segments and fingerprints of eight bits. A text
// that was put in is always found; another one is found by chance once in 256 times.
//
//   <name>.fuse  u8   fingerprints
//   <name>.size  u32  seed, length of a segment (a power of two), number of segments in which the first place may be

/** Reads what `buildFuseFilter` made. */
export interface FuseFilter {
  /** @param hash `hashText` of the text */
  readonly has: (hash: number) => boolean;
}

export interface FuseSections {
  readonly fingerprints: Uint8Array;
  readonly shape: Uint32Array;
}

/** The finaliser of MurmurHash3 (Appleby, public domain). */
function mix(value: number): number {
  let h = value;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const ARITY = 3;
const TWO_32 = 2 ** 32;

interface FilterShape {
  readonly seed: number;
  readonly segmentLength: number;
  readonly firstPlaces: number;
}

/** The three places of a key and its fingerprint. */
type FilterPlaces = [number, number, number, number];

function placesOf(
  hash: number,
  { seed, segmentLength, firstPlaces }: FilterShape,
  places: FilterPlaces,
): void {
  const high = mix(hash ^ seed);
  const low = mix(high + 0x9e3779b9);
  const mask = segmentLength - 1;
  const first = Math.floor((high / TWO_32) * firstPlaces);
  places[0] = first;
  places[1] = (first + segmentLength) ^ ((low >>> 18) & mask);
  places[2] = (first + 2 * segmentLength) ^ (low & mask);
  places[3] = mix(low ^ hash) & 0xff;
}

const SHAPE_PARTS = 3;

/** @throws Error when the sections are not of one filter */
export function openFuseFilter({ fingerprints, shape }: FuseSections): FuseFilter {
  if (shape.length !== SHAPE_PARTS) throw new Error("The filter has no shape.");
  const [seed = 0, segmentLength = 1, segments = 1] = shape;
  const firstPlaces = segments * segmentLength;
  const mask = segmentLength - 1;
  return {
    // The same as `placesOf`, which fills a list: this runs several times for each token of a line.
    has: (hash) => {
      const high = mix(hash ^ seed);
      const low = mix(high + 0x9e3779b9);
      const first = Math.floor((high / TWO_32) * firstPlaces);
      const second = (first + segmentLength) ^ ((low >>> 18) & mask);
      const third = (first + 2 * segmentLength) ^ (low & mask);
      const found =
        (fingerprints[first] ?? 0) ^ (fingerprints[second] ?? 0) ^ (fingerprints[third] ?? 0);
      return found === (mix(low ^ hash) & 0xff);
    },
  };
}

/** As the paper proposes for three segments. */
function shapeFor(count: number): Omit<FilterShape, "seed"> & { readonly segments: number } {
  const size = Math.max(count, 2);
  const segmentLength = Math.min(2 ** 18, 2 ** Math.floor(Math.log(size) / Math.log(3.33) + 2.25));
  const factor = Math.max(1.125, 0.875 + (0.25 * Math.log(1_000_000)) / Math.log(size));
  const capacity = Math.round(size * factor);
  const segments = Math.max(1, Math.ceil(capacity / segmentLength) - (ARITY - 1));
  return { segmentLength, segments, firstPlaces: segments * segmentLength };
}

const ATTEMPTS_MAX = 100;

/**
 * The filter of these texts; the same ones give the same bytes.
 * @param hashes `hashText` of each; equal ones count once
 * @throws Error when no seed works, which does not happen
 */
export function buildFuseFilter(hashes: Iterable<number>): FuseSections {
  const keys = Uint32Array.from(new Set([...hashes].map((hash) => hash >>> 0))).sort();
  const { segmentLength, segments, firstPlaces } = shapeFor(keys.length);
  const size = (segments + ARITY - 1) * segmentLength;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const shape = { seed: mix(attempt), segmentLength, firstPlaces };
    const fingerprints = tryToBuild(keys, shape, size);
    if (fingerprints !== null)
      return { fingerprints, shape: Uint32Array.of(shape.seed, segmentLength, segments) };
  }
  throw new Error("No seed makes a filter of these texts.");
}

type Peeled = readonly (readonly [index: number, place: number])[];

/** Takes away, again and again, a key that is alone at one of its places: in this order, and where it was alone. */
function peel(keys: Uint32Array, shape: FilterShape, size: number): Peeled {
  const counts = new Uint32Array(size);
  /** Exclusive or of the indexes of the keys at a place: where there is one, it is that. */
  const indexes = new Uint32Array(size);
  const places: FilterPlaces = [0, 0, 0, 0];
  const change = (place: number, index: number, by: number): number => {
    indexes[place] = (indexes[place] ?? 0) ^ index;
    return (counts[place] = (counts[place] ?? 0) + by);
  };
  keys.forEach((key, index) => {
    placesOf(key, shape, places);
    for (const place of places.slice(0, ARITY)) change(place, index, 1);
  });
  const queue: number[] = [];
  counts.forEach((count, place) => {
    if (count === 1) queue.push(place);
  });
  const order: (readonly [index: number, place: number])[] = [];
  for (let place = queue.pop(); place !== undefined; place = queue.pop()) {
    if (counts[place] !== 1) continue;
    const index = indexes[place] ?? 0;
    order.push([index, place]);
    placesOf(keys[index] ?? 0, shape, places);
    for (const other of places.slice(0, ARITY))
      if (change(other, index, -1) === 1) queue.push(other);
  }
  return order;
}

/** Null when some keys are left that never are alone. */
function tryToBuild(keys: Uint32Array, shape: FilterShape, size: number): Uint8Array | null {
  const order = peel(keys, shape, size);
  if (order.length !== keys.length) return null;
  const fingerprints = new Uint8Array(size);
  const places: FilterPlaces = [0, 0, 0, 0];
  for (const [index, place] of order.toReversed()) {
    placesOf(keys[index] ?? 0, shape, places);
    const [a, b, c, fingerprint] = places;
    fingerprints[place] = 0;
    fingerprints[place] =
      fingerprint ^ (fingerprints[a] ?? 0) ^ (fingerprints[b] ?? 0) ^ (fingerprints[c] ?? 0);
  }
  return fingerprints;
}
