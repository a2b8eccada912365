// Stores the outcomes of attempts. If a dispatcher dies before its outcomes are stored, the next one repeats the attempts, so
// no outcome waits for others to fill a group. A store that groups the writes of one turn of the event loop gets each outcome
// at once. Any other store has a few writes in flight, and the outcomes that arrive meanwhile form the next write.
import type { DeliveryOutcome, TakenDelivery } from "../model/webhook.ts";

export interface Recorded {
  readonly taken: TakenDelivery;
  readonly outcome: DeliveryOutcome;
}

export interface Recorder {
  /** @param written called once it is stored */
  add(recorded: Recorded, written?: () => void): void;
  /** Outcomes that are not stored yet. */
  waiting(): number;
  /** The error of the last write; null when it succeeded. */
  failure(): unknown;
  /** Resolves when all outcomes are stored, or a write fails. */
  drained(): Promise<void>;
  /** Outcomes that are not stored by now are lost with the process: their attempts are repeated when the leases end. */
  close(): void;
}

interface QueuedOutcome {
  readonly recorded: Recorded;
  readonly written: () => void;
}

/** Outcomes in one write, some 400 kB: as many as can end in one turn of the event loop, or the writes would fall behind. */
const TOGETHER_MAX = 1_024;
const RETRY_MS = 500;

/**
 * @param wait resolves after so many milliseconds
 * @param writesMax concurrent writes
 */
export function createRecorder(
  write: (recorded: readonly Recorded[]) => Promise<void>,
  wait: (ms: number) => Promise<void>,
  writesMax: number,
): Recorder {
  const queue: QueuedOutcome[] = [];
  let inFlight = 0;
  let writes = 0;
  let failure: unknown = null;
  let isPausing = false;
  let closed = false;
  let drained = Promise.withResolvers<null>();

  function next(): void {
    while (queue.length > 0 && !closed && !isPausing) {
      // After a failure, one write at a time, with all that failed, until a write succeeds.
      if (writes >= (failure === null ? writesMax : 1)) return;
      const together = queue.splice(0, TOGETHER_MAX);
      writes += 1;
      inFlight += together.length;
      void writeDown(together);
    }
  }

  async function writeDown(together: readonly QueuedOutcome[]): Promise<void> {
    let isWritten = false;
    try {
      await write(together.map(({ recorded }) => recorded));
      isWritten = true;
      failure = null;
    } catch (error) {
      failure = error;
      queue.unshift(...together);
      void pause();
    }
    writes -= 1;
    inFlight -= together.length;
    if (isWritten) for (const { written } of together) written();
    if (failure !== null || queue.length + inFlight === 0) {
      drained.resolve(null);
      drained = Promise.withResolvers<null>();
    }
    next();
  }

  async function pause(): Promise<void> {
    if (isPausing) return;
    isPausing = true;
    await wait(RETRY_MS);
    isPausing = false;
    next();
  }

  return {
    add: (recorded, written = () => undefined) => {
      queue.push({ recorded, written });
      next();
    },
    waiting: () => queue.length + inFlight,
    failure: () => failure,
    drained: async () => {
      if (queue.length + inFlight > 0 && failure === null) await drained.promise;
    },
    close: () => {
      closed = true;
    },
  };
}
