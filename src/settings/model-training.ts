// Trains the models that wait, one at a time in each process. A training is claimed with a lease, which is renewed while it runs: the
// training of a process that was killed begins again in another one.
import {
  type ClaimedTraining,
  TRAINING_ATTEMPTS_MAX,
  type TrainingOutcome,
} from "../model/custom-model.ts";
import type { ModelEvent } from "../model/process-events.ts";

/** What trainings need from the store and the thread. */
export interface TrainingPorts {
  /** Claims a training without a valid claim, until then; of several, the one that has waited longest. */
  claim(nowMs: number, untilMs: number): Promise<ClaimedTraining | null>;
  /** Ends the claims of earlier processes; null where other processes may be running. */
  readonly release: (() => Promise<void>) | null;
  /** Extends a claim. False: the training was taken or deleted. */
  renew(claimed: ClaimedTraining, untilMs: number, progress: number): Promise<boolean>;
  /** JSON of lists of items. */
  items(claimed: ClaimedTraining): Promise<readonly string[]>;
  train(items: string, threshold: number): Promise<Exclude<TrainingOutcome, { error: string }>>;
  /** 0 to 100. */
  progress(): number;
  finish(claimed: ClaimedTraining, outcome: TrainingOutcome, nowMs: number): Promise<boolean>;
  /** Ends the claim as if it had never been. */
  giveBack(claimed: ClaimedTraining): Promise<void>;
  /** Ends what is being trained. */
  stop(): Promise<void>;
  report(event: ModelEvent): void;
  nowMs(): number;
}

export interface Trainer {
  /** Looks for work now, instead of at the next interval. */
  wake(): void;
  /** Ends what is being trained: another process, or the next one, begins it again. */
  close(): Promise<void>;
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
export function startTraining(ports: TrainingPorts): Trainer {
  let isClosing = false;
  let isReleased = false;
  let running: Promise<void> = Promise.resolve();

  async function work(): Promise<void> {
    if (!isReleased) await ports.release?.();
    isReleased = true;
    while (!isClosing) {
      const nowMs = ports.nowMs();
      const claimed = await ports.claim(nowMs, nowMs + HELD_MS);
      if (claimed === null) return;
      const outcome = await trainHeld(claimed);
      if (outcome === null) return;
      if (!(await ports.finish(claimed, outcome, ports.nowMs()))) continue;
      const seconds = (ports.nowMs() - nowMs) / 1000;
      const isReady = !("error" in outcome);
      ports.report({ kind: "model_trained", org: claimed.org, isReady, seconds });
    }
  }

  /** Null: the process stops, and the training is free for the next one. */
  async function trainHeld(claimed: ClaimedTraining): Promise<TrainingOutcome | null> {
    if (claimed.attempts >= TRAINING_ATTEMPTS_MAX) return { error: INTERRUPTED };
    const renew = (): void => {
      void ports
        .renew(claimed, ports.nowMs() + HELD_MS, ports.progress())
        .catch((error: unknown) => {
          ports.report({ kind: "training_failed", error });
        });
    };
    const timer = setInterval(renew, RENEW_EVERY_MS);
    try {
      return await trainOrFail(claimed, joined(await ports.items(claimed)));
    } catch (error) {
      await ports.giveBack(claimed);
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  async function trainOrFail(
    claimed: ClaimedTraining,
    items: string,
  ): Promise<TrainingOutcome | null> {
    try {
      return await ports.train(items, claimed.threshold);
    } catch (error) {
      if (!isClosing) {
        ports.report({ kind: "training_failed", error });
        return { error: FAILED };
      }
      await ports.giveBack(claimed);
      return null;
    }
  }

  const look = (): void => {
    running = running.then(work).catch((error: unknown) => {
      ports.report({ kind: "training_failed", error });
    });
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    wake: look,
    close: async () => {
      isClosing = true;
      clearInterval(timer);
      await ports.stop();
      await running;
    },
  };
}

/** JSON lists as one. */
const joined = (lists: readonly string[]): string =>
  `[${lists
    .map((list) => list.slice(1, -1))
    .filter((list) => list !== "")
    .join(",")}]`;
