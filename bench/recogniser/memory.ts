// What a thread with the knowledge takes, measured on threads like those of the pool, one after the other. The file
// itself is shared, and in memory before the first of them starts: it counts in none.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { ascending, percentile } from "../table.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";

/** The first one also loads what all of them share; the median is that of the others. */
const THREADS = 3;
/** Over the lines: afterwards its heap is as large as it gets. */
const PASSES = 10;

export interface ThreadSetup {
  readonly knowledge: SharedArrayBuffer;
  readonly items: readonly RecogniserInput[];
  readonly passes: number;
}

export interface ThreadHeap {
  /** What opening the knowledge added to the heap. */
  readonly openedBytes: number;
  /** The same after one pass over the lines: now its caches hold something. */
  readonly usedBytes: number;
  readonly answeredLength: number;
}

export interface ThreadMemory {
  readonly openedHeapBytes: number;
  readonly usedHeapBytes: number;
  /** By which the process grew, code and stack of the thread included. */
  readonly threadBytes: number;
}

export async function measureThreads(
  knowledge: SharedArrayBuffer,
  items: readonly RecogniserInput[],
): Promise<ThreadMemory> {
  const setup: ThreadSetup = { knowledge, items, passes: PASSES };
  const workers: Worker[] = [];
  const heaps: ThreadHeap[] = [];
  const grown: number[] = [];
  try {
    for (let i = 0; i < THREADS; i++) {
      const before = process.memoryUsage.rss();
      const worker = new Worker(new URL("./memory-thread.ts", import.meta.url), {
        workerData: setup,
      });
      workers.push(worker);
      heaps.push(((await once(worker, "message")) as [ThreadHeap])[0]);
      grown.push(process.memoryUsage.rss() - before);
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  const median = (numbers: readonly number[]): number => percentile(ascending(numbers), 0.5);
  return {
    openedHeapBytes: median(heaps.map((heap) => heap.openedBytes)),
    usedHeapBytes: median(heaps.map((heap) => heap.usedBytes)),
    threadBytes: median(grown),
  };
}
