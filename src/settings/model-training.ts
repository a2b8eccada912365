// Trains the models that wait, one at a time in each process. The training of a process that was killed begins again in another one;
// one whose model is deleted ends at the next renewal.
import {
  type ClaimedTraining,
  TRAINING_ATTEMPTS_MAX,
  type TrainingOutcome,
} from "../model/custom-model.ts";
import type { ModelEvent } from "../model/process-events.ts";
import {
  type ClaimedJobPorts,
  type ClaimedJobs,
  startClaimedJobs,
} from "../shared/concurrency/claimed-jobs.ts";

/** What trainings need from the store and the thread. */
export interface TrainingPorts
  extends Pick<ClaimedJobPorts<ClaimedTraining>, "claim" | "release" | "nowMs"> {
  /** Extends a claim. False: the training was taken or deleted. */
  renew(claimed: ClaimedTraining, untilMs: number, progress: number): Promise<boolean>;
  /** JSON of lists of items. */
  items(claimed: ClaimedTraining): Promise<readonly string[]>;
  /** Rejects soon after the signal is aborted. */
  train(
    items: string,
    threshold: number,
    signal: AbortSignal,
  ): Promise<Exclude<TrainingOutcome, { error: string }>>;
  /** 0 to 100. */
  progress(): number;
  finish(claimed: ClaimedTraining, outcome: TrainingOutcome, nowMs: number): Promise<boolean>;
  /** Ends the claim as if it had never been, if it has not ended. */
  giveBack(claimed: ClaimedTraining): Promise<void>;
  report(event: ModelEvent): void;
}

/** A process that does not renew its claim for this long is dead or hangs: another one claims the training. */
const HELD_MS = 30_000;
/** So often the progress is stored, and the claim renewed. */
const RENEW_EVERY_MS = 1_000;
const LOOK_EVERY_MS = 2_000;

const INTERRUPTED =
  "The training was interrupted too often: train the model again, with fewer items";
const FAILED = "The training failed";

/** Starts to look for trainings and to run them. */
export function startTraining(ports: TrainingPorts): ClaimedJobs {
  const failed = (error: unknown): void => {
    ports.report({ kind: "training_failed", error });
  };

  async function run(claimed: ClaimedTraining, signal: AbortSignal): Promise<void> {
    const startedMs = ports.nowMs();
    const outcome = await outcomeOf(claimed, signal);
    if (outcome === null || !(await ports.finish(claimed, outcome, ports.nowMs()))) return;
    const seconds = (ports.nowMs() - startedMs) / 1000;
    const isReady = !("error" in outcome);
    ports.report({ kind: "model_trained", org: claimed.org, isReady, seconds });
  }

  /** Null: the process stops and the training is free for the next one, or it is another's or gone. */
  async function outcomeOf(
    claimed: ClaimedTraining,
    signal: AbortSignal,
  ): Promise<TrainingOutcome | null> {
    if (claimed.attempts >= TRAINING_ATTEMPTS_MAX) return { error: INTERRUPTED };
    const items = await ports.items(claimed).catch(async (error: unknown) => {
      await ports.giveBack(claimed);
      throw error;
    });
    try {
      return await ports.train(joined(items), claimed.threshold, signal);
    } catch (error) {
      if (!signal.aborted) {
        failed(error);
        return { error: FAILED };
      }
      await ports.giveBack(claimed);
      return null;
    }
  }

  return startClaimedJobs({
    ...ports,
    ...{ heldMs: HELD_MS, renewEveryMs: RENEW_EVERY_MS, lookEveryMs: LOOK_EVERY_MS },
    renew: (claimed, untilMs) => ports.renew(claimed, untilMs, ports.progress()),
    run,
    failed,
  });
}

/** JSON lists as one. */
const joined = (lists: readonly string[]): string =>
  `[${lists
    .map((list) => list.slice(1, -1))
    .filter((list) => list !== "")
    .join(",")}]`;
