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
