// Work on the same keys, one after the other in the order of arrival.

export interface Lock {
  /** Resolves when all earlier locks of its keys are released. */
  readonly acquired: Promise<unknown>;
  /** Must be called once. Before it was acquired: those behind it still wait for those before it. */
  release(): void;
}

export interface Locks {
  /** Joins the queues of all keys at once, so two locks can never wait for each other. */
  lock(keys: readonly string[]): Lock;
  /** Locks of a key that are not released. */
  count(key: string): number;
}

const FREE = Promise.resolve(null);

export function createLocks(): Locks {
  /** An entry for each key with a lock: the end of its last lock, and how many it has. */
  const byKey = new Map<string, { readonly last: Promise<null>; readonly count: number }>();
  const count = (key: string): number => byKey.get(key)?.count ?? 0;
  return {
    count,
    lock: (keys) => {
      const acquired = Promise.all(keys.map((key) => byKey.get(key)?.last ?? FREE));
      const { promise: last, resolve } = Promise.withResolvers<null>();
      for (const key of keys) byKey.set(key, { last, count: count(key) + 1 });
      const end = (key: string): void => {
        const known = byKey.get(key);
        if (known === undefined || known.count === 1) byKey.delete(key);
        else byKey.set(key, { ...known, count: known.count - 1 });
      };
      return {
        acquired,
        release: () => {
          void acquired.then(() => {
            keys.forEach(end);
            resolve(null);
          });
        },
      };
    },
  };
}

/** Runs work under a key after all earlier work under it has ended; null when too much waits for that. */
export type KeyedMutex = <Result>(
  key: string,
  work: () => Promise<Result>,
) => Promise<Result | null>;

/** @param waitingMax what may wait under one key, in addition to what runs */
export function createKeyedMutex(waitingMax: number): KeyedMutex {
  const locks = createLocks();
  return async (key, work) => {
    if (locks.count(key) > waitingMax) return null;
    const lock = locks.lock([key]);
    try {
      await lock.acquired;
      return await work();
    } finally {
      lock.release();
    }
  };
}
