// Transactions of this process that hold the same row take turns. The server would let all but one of them fail, and with
// many at a time, such as calls for one account holder, most tries would be in vain. Other processes are not waited for:
// they are few, and the server decides.
import { type CallDeadline, LAST_TRY_MS } from "./deadline.ts";
import { crowded } from "./errors.ts";

export interface Mutex {
  /** Does `work` when everybody who named one of `keys` before is done. */
  take<T>(keys: readonly string[], call: CallDeadline, work: () => Promise<T>): Promise<T>;
}

const NOBODY = Promise.resolve();

export function createMutex(): Mutex {
  const last = new Map<string, Promise<unknown>>();
  return {
    take: async (keys, call, work) => {
      if (keys.length === 0) return work();
      // In all queues at once, so that nobody can wait for somebody who waits for them.
      const before = Promise.all(keys.map((key) => last.get(key) ?? NOBODY));
      const { promise: over, resolve: done } = Promise.withResolvers<null>();
      for (const key of keys) last.set(key, over);
      try {
        await inTime(before, call);
        return await work();
      } finally {
        // Whoever gave up waiting leaves those behind it waiting for those before it.
        void before.then(() => {
          for (const key of keys) if (last.get(key) === over) last.delete(key);
          done(null);
        });
      }
    },
  };
}

async function inTime(before: Promise<unknown>, { endMs }: CallDeadline): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => {
      reject(crowded());
    },
    endMs - LAST_TRY_MS - performance.now(),
  );
  try {
    await Promise.race([before, late]);
  } finally {
    clearTimeout(timer);
  }
}
