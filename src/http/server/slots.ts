import { type Answer, errorAnswer, retryAfter } from "./answer.ts";

/** The description of the refusals by `withSlot` and by the rate limit. */
export const TOO_MANY_CALLS =
  "Too many concurrent calls or requests of this API key; see Retry-After";

/** Bounds how much one key does at the same time. */
export interface Slots {
  /** False when the key has no slot left. */
  take(key: string): boolean;
  give(key: string): void;
}

export function createSlots(perKeyMax: number): Slots {
  const taken = new Map<string, number>();
  return {
    take(key) {
      const count = taken.get(key) ?? 0;
      if (count >= perKeyMax) return false;
      taken.set(key, count + 1);
      return true;
    },
    give(key) {
      const count = taken.get(key) ?? 0;
      // An idle key leaves no entry, so that the map is no longer than the number of calls that run.
      if (count <= 1) taken.delete(key);
      else taken.set(key, count - 1);
    },
  };
}

/** Runs work that waits for a result, unless too much of the same key does. */
export async function withSlot(
  slots: Slots,
  keyId: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (!slots.take(keyId)) {
    return errorAnswer(
      "too_many_concurrent_calls",
      "Too many calls of this API key are running",
      retryAfter(1),
    );
  }
  try {
    return await work();
  } finally {
    slots.give(keyId);
  }
}
