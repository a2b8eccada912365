// The tree of all beginnings of some texts, as arrays: a few bytes a state, and no shape of texts that makes it slow.

/**
 * States are numbered by length, then by code units, so that the children of a state have consecutive numbers. State 0 is
 * the empty text.
 */
export interface Trie {
  readonly count: number;
  /** The state of each text. */
  readonly ends: ReadonlyMap<string, number>;
  /** The state that is one UTF-16 code unit longer; 0: there is none. */
  child(state: number, unit: number): number;
  /** For each state the longest of its suffixes, itself not included, that is a state. */
  readonly shorter: Int32Array;
}

/** @param texts none empty, none twice */
export function createTrie(texts: readonly string[]): Trie {
  const { count, ends, firstChildren, units, parents } = layOut(texts);
  const child = createSearch(firstChildren, units);
  const shorter = new Int32Array(count);
  // Shorter states come first, and a suffix is shorter than its state.
  for (let state = 1; state < count; state++) {
    const parent = parents[state] ?? 0;
    if (parent === 0) continue;
    const unit = units[state] ?? 0;
    let suffix = shorter[parent] ?? 0;
    let next = child(suffix, unit);
    while (next === 0 && suffix !== 0) {
      suffix = shorter[suffix] ?? 0;
      next = child(suffix, unit);
    }
    shorter[state] = next;
  }
  return { count, ends, child, shorter };
}

/** Nearly all children of the root are found without a search. */
const ROOT_TABLE_SIZE = 256;

function createSearch(firstChildren: Int32Array, units: Uint16Array): Trie["child"] {
  const rootTable = new Int32Array(ROOT_TABLE_SIZE);
  for (let unit = 0; unit < ROOT_TABLE_SIZE; unit++) rootTable[unit] = search(0, unit);

  function search(state: number, unit: number): number {
    let low = firstChildren[state] ?? 0;
    const end = firstChildren[state + 1] ?? 0;
    let high = end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((units[middle] ?? 0) < unit) low = middle + 1;
      else high = middle;
    }
    return low < end && units[low] === unit ? low : 0;
  }

  return (state, unit) =>
    state === 0 && unit < ROOT_TABLE_SIZE ? (rootTable[unit] ?? 0) : search(state, unit);
}

interface Layout {
  readonly count: number;
  readonly ends: ReadonlyMap<string, number>;
  /** Of each state; the children of a state end where those of the next begin. */
  readonly firstChildren: Int32Array;
  /** The last code unit of each state. */
  readonly units: Uint16Array;
  readonly parents: Int32Array;
}

/** In sorted texts, those that begin with a state are neighbours: a state is a range of them. */
function layOut(texts: readonly string[]): Layout {
  const sorted = texts.toSorted();
  const size = 2 + texts.reduce((sum, text) => sum + text.length, 0);
  const firstChildren = new Int32Array(size);
  const units = new Uint16Array(size);
  const parents = new Int32Array(size);
  const lengths = new Int32Array(size);
  const froms = new Int32Array(size);
  const tos = new Int32Array(size);
  const ends = new Map<string, number>();
  tos[0] = sorted.length;
  let count = 1;

  function addChild(parent: number, from: number, unit: number): void {
    units[count] = unit;
    parents[count] = parent;
    froms[count] = from;
    lengths[count] = (lengths[parent] ?? 0) + 1;
    count++;
  }

  for (let state = 0; state < count; state++) {
    firstChildren[state] = count;
    const length = lengths[state] ?? 0;
    const to = tos[state] ?? 0;
    let last = -1;
    for (let index = froms[state] ?? 0; index < to; index++) {
      const text = sorted[index] ?? "";
      if (text.length === length) {
        ends.set(text, state);
        continue;
      }
      const unit = text.charCodeAt(length);
      if (unit !== last) addChild(state, index, unit);
      tos[count - 1] = index + 1;
      last = unit;
    }
  }
  firstChildren[count] = count;
  return {
    count,
    ends,
    firstChildren: firstChildren.slice(0, count + 1),
    units: units.slice(0, count),
    parents,
  };
}
