// Rounds over the same lines, in this thread.
import { ascending, percentile } from "../table.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";

export interface Speed {
  readonly lines: number;
  readonly rounds: number;
  readonly medianUs: number;
  readonly bestUs: number;
  /** Of the median round. */
  readonly linesPerSecond: number;
  readonly bestLinesPerSecond: number;
}

export interface Rounds {
  readonly count: number;
  /** A round goes over the lines again until it has done as many as this: a shorter one would time the clock. */
  readonly linesMin: number;
}

/** What is timed: its result is what the caller of a real look-up would get, so that nothing is optimised away. */
export type LookUp = (item: RecogniserInput) => unknown;

let lastResult: unknown = null;

/**
 * One round more than is counted comes first: it is the compiler's.
 * @param start called before each pass over the lines, outside of what is timed: a recogniser that it makes has met none of them
 */
export function measureSpeed(
  items: readonly RecogniserInput[],
  start: () => LookUp,
  { count, linesMin }: Rounds,
): Speed {
  const repeats = Math.max(1, Math.ceil(linesMin / items.length));
  const times = Array.from({ length: count + 1 }, () => roundUs(items, start, repeats)).slice(1);
  const sorted = ascending(times);
  return speedOf(items.length, sorted);
}

/** @param sorted microseconds a line, a number for each round */
export function speedOf(lines: number, sorted: readonly number[]): Speed {
  const medianUs = percentile(sorted, 0.5);
  const bestUs = percentile(sorted, 0);
  return {
    lines,
    rounds: sorted.length,
    medianUs,
    bestUs,
    linesPerSecond: 1e6 / medianUs,
    bestLinesPerSecond: 1e6 / bestUs,
  };
}

/** Microseconds a line. */
function roundUs(items: readonly RecogniserInput[], start: () => LookUp, repeats: number): number {
  let lastsMs = 0;
  for (let repeat = 0; repeat < repeats; repeat++) {
    const lookUp = start();
    const startMs = performance.now();
    for (const item of items) lastResult = lookUp(item);
    lastsMs += performance.now() - startMs;
  }
  if (lastResult === undefined) throw new Error("A look-up answers something, if only null.");
  return (lastsMs * 1000) / (repeats * items.length);
}
