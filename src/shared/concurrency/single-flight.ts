// Reads of one thing that many ask for: those who ask in the same turn of the event loop, and those who find enough reads
// of it under way, get one read together. Each gets one that began after he asked, so that it is as new as one of his own.
// Who can wait a little gets the next that others ask for.

interface Reads<Value> {
  running: number;
  /** Began in this turn of the event loop. */
  fresh: Promise<Value> | null;
  /** Begins when another has ended. */
  next: PromiseWithResolvers<Value> | null;
  /** Of those who can wait: goes with whichever read begins first. */
  later: (PromiseWithResolvers<Value> & { readonly timer: NodeJS.Timeout }) | null;
}

/**
 * @param key of what is read
 * @param waitMs how long the read may take to begin, for somebody else who asks to share it
 */
export type SingleFlight<Value> = (key: string, waitMs?: number) => Promise<Value>;

/**
 * A read is worth its own while fewer than so many of the same are under way. It costs both sides more than it takes, so
 * that a burst is better off with few; but nobody should wait for the one read that hangs.
 */
const RUNNING_MAX = 2;

/** @param runningMax of one key at a time; who asks beyond them waits for the next */
export function createSingleFlight<Value>(
  read: (key: string) => Promise<Value>,
  runningMax = RUNNING_MAX,
): SingleFlight<Value> {
  const all = new Map<string, Reads<Value>>();

  function start(key: string, reads: Reads<Value>): Promise<Value> {
    reads.running += 1;
    const value = read(key).finally(() => {
      reads.running -= 1;
      const { next } = reads;
      reads.next = null;
      if (next !== null) start(key, reads).then(next.resolve, next.reject);
      else if (reads.running === 0 && reads.later === null) all.delete(key);
    });
    reads.fresh = value;
    queueMicrotask(() => {
      if (reads.fresh === value) reads.fresh = null;
    });
    const { later } = reads;
    if (later !== null) {
      clearTimeout(later.timer);
      reads.later = null;
      value.then(later.resolve, later.reject);
    }
    return value;
  }

  function ask(key: string, reads: Reads<Value>): Promise<Value> {
    if (reads.fresh !== null) return reads.fresh;
    if (reads.running < runningMax) return start(key, reads);
    reads.next ??= Promise.withResolvers();
    return reads.next.promise;
  }

  function askLater(key: string, reads: Reads<Value>, waitMs: number): Promise<Value> {
    if (reads.fresh !== null) return reads.fresh;
    if (reads.later !== null) return reads.later.promise;
    // The read that begins takes all along who wait, these too; it says itself how it ends.
    const timer = setTimeout(() => void ask(key, reads).catch(() => undefined), waitMs);
    const later = { ...Promise.withResolvers<Value>(), timer };
    reads.later = later;
    return later.promise;
  }

  return (key, waitMs = 0) => {
    const reads = all.get(key) ?? { running: 0, fresh: null, next: null, later: null };
    all.set(key, reads);
    return waitMs > 0 ? askLater(key, reads, waitMs) : ask(key, reads);
  };
}
