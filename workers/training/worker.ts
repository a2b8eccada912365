// The entry of the thread that trains labelling models. Piscina loads this file and calls its function by its name.
import { constants, setPriority } from "node:os";
import { workerData } from "node:worker_threads";
import type { TrainingItem } from "../../src/model/custom-model.ts";
import { openKnowledge } from "../knowledge/knowledge.ts";
import type { TrainingDone, TrainingTask, WorkerSetup } from "../protocol.ts";
import { createExaminer } from "../recogniser/recogniser.ts";
import { type ExamineLine, trainModel } from "./train.ts";

/** Without a setup the file was loaded outside a pool, where nothing is trained. */
const examine: ExamineLine | null = examinerOf(workerData as Partial<WorkerSetup> | null);

function examinerOf(setup: Partial<WorkerSetup> | null): ExamineLine | null {
  if (setup?.knowledge === undefined) return null;
  // Linux gives each thread a priority of its own: calls and batches come first. Elsewhere it would be that of the process.
  if (process.platform === "linux") setPriority(constants.priority.PRIORITY_LOW);
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
