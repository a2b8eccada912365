// The thread that trains labelling models: one for each process, with a low priority, started when there is something to train.
import { Piscina } from "piscina";
import { computingEnvironment } from "./computing-environment.ts";
import type { TrainingDone, TrainingTask, WorkerSetup } from "../../workers/protocol.ts";

export interface ModelTrainer {
  /**
   * Trains one model at a time.
   * @param items JSON of a list of `TrainingItem`
   * @param signal aborted: the thread is ended, whatever it does
   * @throws Error when the thread dies, has no more memory, takes too long or is ended
   */
  train(items: string, threshold: number, signal: AbortSignal): Promise<TrainingDone>;
  /** Of what is being trained, 0 to 100. */
  progress(): number;
  /** Ends the thread, whatever it does. */
  close(): Promise<void>;
}

/** 50 000 items take 20 s at most on a core; a busy machine may have a tenth of one. */
const TIMEOUT_MS = 600_000;
/** Heap of the thread, MB: the items and their features by name. The weights are outside of it. */
const HEAP_MAX_MB = 384;
/** How long the thread stays when there is nothing to train. */
const IDLE_TIMEOUT_MS = 1_000;

/** @param workerUrl module of the thread side; tests pass a faulty one */
export function openModelTrainer(
  knowledge: SharedArrayBuffer,
  workerUrl = new URL("../../workers/training/worker.ts", import.meta.url),
): ModelTrainer {
  const setup: WorkerSetup = { knowledge, publicUrl: null };
  const progress = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let piscina: Piscina | null = null;

  function threads(): Piscina {
    if (piscina !== null) return piscina;
    piscina = new Piscina({
      filename: workerUrl.href,
      name: "train",
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_TIMEOUT_MS,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
      workerData: setup,
      env: computingEnvironment(),
      recordTiming: false,
    });
    // A thread that dies rejects its task; without a listener the event would end the process.
    piscina.on("error", () => undefined);
    return piscina;
  }

  return {
    train: async (items, threshold, stop) => {
      Atomics.store(progress, 0, 0);
      const task: TrainingTask = { items, threshold, progress };
      const signal = AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]);
      return (await threads().run(task, { signal })) as TrainingDone;
    },
    progress: () => Atomics.load(progress, 0),
    close: async () => {
      await piscina?.destroy();
    },
  };
}
