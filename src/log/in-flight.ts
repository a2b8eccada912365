// Records are finished in any order, but an offset may be committed only when it and all before it are done.

export interface InFlight {
  readonly size: number;
  /** Records that cannot be committed yet: in work, or done behind one that is. */
  readonly held: number;
  add(offset: number, startedAtMs: number): void;
  /** Marks a record as done. Returns the last offset of the contiguous done prefix, or null when it has not moved. */
  finish(offset: number): number | null;
  /** When the oldest unfinished record was handed over, or null when there is none. */
  oldestStartedAtMs(): number | null;
}

/** Offsets must be added in increasing order. */
export function createInFlight(): InFlight {
  const started = new Map<number, number>();
  const done = new Set<number>();
  // A Map iterates in order of insertion, which is the order of offsets here.
  const open = new Map<number, true>();
  return {
    get size() {
      return started.size;
    },
    get held() {
      return open.size;
    },
    add: (offset, startedAtMs) => {
      started.set(offset, startedAtMs);
      open.set(offset, true);
    },
    finish: (offset) => {
      if (!started.delete(offset)) throw new Error(`Record ${String(offset)} is not in flight`);
      done.add(offset);
      let last: number | null = null;
      for (const first of open.keys()) {
        if (!done.delete(first)) break;
        open.delete(first);
        last = first;
      }
      return last;
    },
    oldestStartedAtMs: () => started.values().next().value ?? null,
  };
}
