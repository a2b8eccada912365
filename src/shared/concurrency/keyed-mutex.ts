/** Runs work under a key once all that was asked for under it before has ended; null when too much waits for that. */
export type KeyedMutex = <Result>(
  key: string,
  work: () => Promise<Result>,
) => Promise<Result | null>;

/** @param waitingMax what may wait under one key, beside what runs */
export function createKeyedMutex(waitingMax: number): KeyedMutex {
  /** An entry for each key under which something runs. */
  const waitingByKey = new Map<string, (() => void)[]>();
  return async (key, work) => {
    const waiting = waitingByKey.get(key);
    if (waiting === undefined) {
      waitingByKey.set(key, []);
    } else {
      if (waiting.length >= waitingMax) return null;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = waitingByKey.get(key)?.shift();
      if (next === undefined) waitingByKey.delete(key);
      else next();
    }
  };
}
