// Records of a partition are started and finished in any order, but an offset may be committed only when it and all before
// it are done.

export interface InFlight {
  /** Records that were started and are not done. */
  readonly size: number;
  /** Records that were started and cannot be committed yet: not done, or done behind one that is not. */
  readonly held: number;
  /** A record was received. Offsets must grow. */
  received(offset: number): void;
  started(offset: number, atMs: number): void;
  /** Marks a record as done. Returns the last offset of the contiguous done prefix, or null when it has not moved. */
  finish(offset: number): number | null;
  /** The first record that is not done, when it was not started yet; else null. */
  firstWaiting(): number | null;
  /** When the oldest unfinished record was started, or null when there is none. */
  oldestStartedAtMs(): number | null;
}

export function createInFlight(): InFlight {
  // A Map iterates in order of insertion: of starting here, and of offsets below.
  const started = new Map<number, number>();
  const open = new Map<number, true>();
  const done = new Set<number>();
  return {
    get size() {
      return started.size;
    },
    get held() {
      return started.size + done.size;
    },
    received: (offset) => {
      open.set(offset, true);
    },
    started: (offset, atMs) => {
      if (!open.has(offset) || done.has(offset))
        throw new Error(`Record ${String(offset)} was not received, or is done`);
      started.set(offset, atMs);
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
    firstWaiting: () => {
      const first = open.keys().next().value ?? null;
      return first === null || started.has(first) ? null : first;
    },
    oldestStartedAtMs: () => started.values().next().value ?? null,
  };
}
