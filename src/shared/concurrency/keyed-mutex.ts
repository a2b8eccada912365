/** Runs work under a key after all earlier work under it has ended; null when too much waits for that. */
export type KeyedMutex = <Result>(
  key: string,
  work: () => Promise<Result>,
) => Promise<Result | null>;

/** @param waitingMax what may wait under one key, in addition to what runs */
export function createKeyedMutex(waitingMax: number): KeyedMutex {
  /** An entry for each key with running work. */
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
