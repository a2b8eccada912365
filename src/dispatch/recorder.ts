// Writes down what came of attempts, as many at once as have come together while the last writing was under way.
import type { DeliveryOutcome, TakenDelivery } from "../domain/webhook.ts";

export interface Recorded {
  readonly taken: TakenDelivery;
  readonly outcome: DeliveryOutcome;
}

export interface Recorder {
  add(recorded: Recorded): void;
  /** What is not written down yet. */
  waiting(): number;
  /** Why the last writing failed; null when it did not. */
  failure(): unknown;
  /** Resolves when all is written down, or writing fails. */
  drained(): Promise<void>;
  /** What is not written down by now is lost with the process: it is attempted again when its lease ends. */
  close(): void;
}

/** Written together, some 400 kB: as many as can end in one turn of the event loop, or the writing would fall behind. */
const TOGETHER_MAX = 1_024;
const RETRY_MS = 500;

/** @param wait resolves after so many milliseconds */
export function createRecorder(
  write: (recorded: readonly Recorded[]) => Promise<void>,
  wait: (ms: number) => Promise<void>,
): Recorder {
  const queue: Recorded[] = [];
  let running: Promise<void> | null = null;
  let failure: unknown = null;
  let closed = false;

  async function run(): Promise<void> {
    while (queue.length > 0 && !closed) {
      const together = queue.slice(0, TOGETHER_MAX);
      try {
        await write(together);
        queue.splice(0, together.length);
        failure = null;
      } catch (error) {
        failure = error;
        await wait(RETRY_MS);
      }
    }
    running = null;
  }

  return {
    add: (recorded) => {
      queue.push(recorded);
      // In the next turn, so that what ends in this one is written with it.
      running ??= Promise.resolve().then(run);
    },
    waiting: () => queue.length,
    failure: () => failure,
    drained: async () => {
      while (running !== null && failure === null) await Promise.race([running, wait(RETRY_MS)]);
    },
    close: () => {
      closed = true;
    },
  };
}
