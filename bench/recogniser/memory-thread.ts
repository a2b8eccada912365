// A thread that works like a worker of the pool and reports its heap size. See memory.ts.
import { parentPort, workerData } from "node:worker_threads";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createRecogniser } from "../../workers/recogniser/recogniser.ts";
import { openKnowledge } from "../../workers/knowledge/knowledge.ts";
import type { ThreadHeap, ThreadSetup } from "./memory.ts";

const { knowledge, items, passes } = workerData as ThreadSetup;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** In use after everything that is not was collected. */
function heapBytes(): number {
  collect();
  collect();
  return getHeapStatistics().used_heap_size;
}

const empty = heapBytes();
const recognise = createRecogniser(openKnowledge(knowledge));
const opened = heapBytes();
// What leaves a real thread is text. No collection is forced behind it: the memory of a thread at work is asked for.
let length = 0;
const work = (): void => {
  for (const item of items) length += JSON.stringify(recognise(item)).length;
};
work();
const used = heapBytes();
for (let pass = 1; pass < passes; pass++) work();
parentPort?.postMessage({
  openedBytes: opened - empty,
  usedBytes: used - empty,
  answeredLength: length,
} satisfies ThreadHeap);
// Runs until it is terminated, with all that it references.
parentPort?.on("message", work);
