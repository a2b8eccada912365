// The entry of the thread that trains labelling models. Piscina loads this file and calls its function by its name.
import { setPriority } from "node:os";
import { workerData } from "node:worker_threads";
import type { TrainingItem } from "../../src/model/custom-model.ts";
import { openKnowledge } from "../knowledge/knowledge.ts";
import type { TrainingDone, TrainingTask, WorkerSetup } from "../protocol.ts";
import { createExaminer } from "../recogniser/recogniser.ts";
import { type ExamineLine, trainModel } from "./train.ts";

/**
 * On Linux, where each thread has one: calls and batches come first. Where all cores are busy it has a tenth of what another
 * thread gets, which its time limit counts on; 19 would be a seventieth, and a training would run into that limit for the
 * load of the service.
 */
const NICENESS = 10;

/** Without a setup the file was loaded outside a pool, where nothing is trained. */
const examine: ExamineLine | null = examinerOf(workerData as Partial<WorkerSetup> | null);

function examinerOf(setup: Partial<WorkerSetup> | null): ExamineLine | null {
  if (setup?.knowledge === undefined) return null;
  // Elsewhere it would be that of the process.
  if (process.platform === "linux") setPriority(0, NICENESS);
  return createExaminer(openKnowledge(setup.knowledge));
}

const PERCENT = 100;

/** Trains a model. @throws Error when the thread was started without its setup */
export function train({ items, threshold, progress }: TrainingTask): TrainingDone {
  if (examine === null) throw new Error("The thread was started without its setup.");
  return trainModel(JSON.parse(items) as readonly TrainingItem[], examine, {
    threshold,
    progress: (share) => {
      Atomics.store(progress, 0, Math.floor(share * PERCENT));
    },
  });
}
