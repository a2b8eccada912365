// Which records of a partition were received and are not done, in any order. Each step costs at most the logarithm of their
// number, however many are open: a flood has tens of thousands of them.
import { createNumberHeap } from "../../shared/number-heap.ts";

export interface OpenOffsets {
  /** The first record that is not done, or null. */
  readonly first: number | null;
  /** Records that are in flight, or done behind one that is not and held by it. */
  readonly held: number;
  /** The first record that is not done, when it is not in flight; else null. */
  firstWaiting(): number | null;
  /** Whose that record is. */
  firstWaitingTenant(): string | null;
  oldestStartedAtMs(): number | null;
  received(offset: number, tenant: string): void;
  started(offset: number, atMs: number): void;
  /** It is not in flight any more, and not done. */
  postponed(offset: number, tenant: string): void;
  /** `isHeld`: it cannot be committed before those that were received before it are done. */
  finished(offset: number, isHeld: boolean): void;
}

export function createOpenOffsets(): OpenOffsets {
  /** Tenants by offset. */
  const open = new Map<number, string>();
  /** The open ones, and those behind the first of them that are done. */
  const inOrder = createNumberHeap();
  // A Map iterates in order of insertion, which is that of starting.
  const started = new Map<number, number>();
  const doneBehind = createNumberHeap();

  function dropDone(): void {
    while (inOrder.size > 0 && !open.has(inOrder.least)) inOrder.removeLeast();
    while (doneBehind.least < inOrder.least) doneBehind.removeLeast();
  }

  const first = (): number | null => (inOrder.size === 0 ? null : inOrder.least);

  const firstWaiting = (): number | null => {
    const offset = first();
    return offset === null || started.has(offset) ? null : offset;
  };

  function leaveFlight(offset: number): void {
    if (!started.delete(offset)) throw new Error(`Record ${String(offset)} is not in flight`);
  }

  return {
    get first() {
      return first();
    },
    get held() {
      return started.size + doneBehind.size;
    },
    firstWaiting,
    firstWaitingTenant: () => {
      const offset = firstWaiting();
      return offset === null ? null : (open.get(offset) ?? null);
    },
    oldestStartedAtMs: () => started.values().next().value ?? null,
    received: (offset, tenant) => {
      open.set(offset, tenant);
      inOrder.add(offset);
    },
    started: (offset, atMs) => {
      if (!open.has(offset))
        throw new Error(`Record ${String(offset)} was not received, or is done`);
      started.set(offset, atMs);
    },
    postponed: (offset, tenant) => {
      leaveFlight(offset);
      open.set(offset, tenant);
    },
    finished: (offset, isHeld) => {
      leaveFlight(offset);
      open.delete(offset);
      if (isHeld) doneBehind.add(offset);
      dropDone();
    },
  };
}
