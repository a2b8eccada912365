// Reads of one thing that many ask for: those who ask in the same turn of the event loop, and those who find enough reads
// of it under way, get one read together. Each gets one that began after he asked, so that it is as new as one of his own.

interface Reads<Value> {
  running: number;
  /** Began in this turn of the event loop. */
  fresh: Promise<Value> | null;
  /** Begins when another has ended. */
  next: PromiseWithResolvers<Value> | null;
}

/** A read is worth its own while fewer than so many of the same are under way. */
const RUNNING_MAX = 4;

/** @param runningMax of one key at a time; who asks beyond them waits for the next */
export function createSharedReads<Value>(
  read: (key: string) => Promise<Value>,
  runningMax = RUNNING_MAX,
): (key: string) => Promise<Value> {
  const all = new Map<string, Reads<Value>>();

  function start(key: string, reads: Reads<Value>): Promise<Value> {
    reads.running += 1;
    const value = read(key).finally(() => {
      reads.running -= 1;
      const { next } = reads;
      reads.next = null;
      if (next !== null) start(key, reads).then(next.resolve, next.reject);
      else if (reads.running === 0) all.delete(key);
    });
    reads.fresh = value;
    queueMicrotask(() => {
      if (reads.fresh === value) reads.fresh = null;
    });
    return value;
  }

  return (key) => {
    const reads = all.get(key) ?? { running: 0, fresh: null, next: null };
    all.set(key, reads);
    if (reads.fresh !== null) return reads.fresh;
    if (reads.running < runningMax) return start(key, reads);
    reads.next ??= Promise.withResolvers();
    return reads.next.promise;
  };
}
