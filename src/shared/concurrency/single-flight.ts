// One read for many callers that need the same thing: callers in the same turn of the event loop, and callers that find enough
// reads of it in flight, get one read together. Each caller gets a read that began after its request, so the value is as new as
// with a read of its own. A caller that can wait a little joins the next read of another caller.

interface Reads<Value> {
  running: number;
  /** Started in this turn of the event loop. */
  fresh: Promise<Value> | null;
  /** Starts when another one has ended. */
  next: PromiseWithResolvers<Value> | null;
  /** For callers that can wait: joins whichever read starts first. */
  later: (PromiseWithResolvers<Value> & { readonly timer: NodeJS.Timeout }) | null;
}

/**
 * @param key of what is read
 * @param waitMs how long the read may be delayed, so that it can be combined with that of another caller
 */
export type SingleFlight<Value> = (key: string, waitMs?: number) => Promise<Value>;

/**
 * A caller gets a read of its own while fewer than this many of the same are in flight. A read costs both sides more than it
 * takes, so a burst should cause few; but a single read that hangs must not block all callers.
 */
const RUNNING_MAX = 2;

/** @param runningMax concurrent reads of one key; further callers wait for the next one */
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
    // The read that starts includes all waiting callers, these too, and settles them itself.
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
