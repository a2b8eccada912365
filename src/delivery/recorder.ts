// Writes down what came of attempts. Until that is done a dispatcher that dies leaves the next one to make the attempt
// again, so nothing waits for others to come. A store that puts together what is asked for in one turn of the event loop
// is given each outcome at once; any other has a few writes under way, and what ends meanwhile is one write more.
import type { DeliveryOutcome, TakenDelivery } from "../model/webhook.ts";

export interface Recorded {
  readonly taken: TakenDelivery;
  readonly outcome: DeliveryOutcome;
}

export interface Recorder {
  /** @param written called once it is written down */
  add(recorded: Recorded, written?: () => void): void;
  /** What is not written down yet. */
  waiting(): number;
  /** Why the last writing failed; null when it did not. */
  failure(): unknown;
  /** Resolves when all is written down, or writing fails. */
  drained(): Promise<void>;
  /** What is not written down by now is lost with the process: it is attempted again when its lease ends. */
  close(): void;
}

interface Waiting {
  readonly recorded: Recorded;
  readonly written: () => void;
}

/** Written together, some 400 kB: as many as can end in one turn of the event loop, or the writing would fall behind. */
const TOGETHER_MAX = 1_024;
const RETRY_MS = 500;

/**
 * @param wait resolves after so many milliseconds
 * @param writesMax under way at a time
 */
export function createRecorder(
  write: (recorded: readonly Recorded[]) => Promise<void>,
  wait: (ms: number) => Promise<void>,
  writesMax: number,
): Recorder {
  const queue: Waiting[] = [];
  let underWay = 0;
  let writes = 0;
  let failure: unknown = null;
  let isPausing = false;
  let closed = false;
  let told = Promise.withResolvers<null>();

  function next(): void {
    while (queue.length > 0 && !closed && !isPausing) {
      // Those that failed are tried together, until one goes well.
      if (writes >= (failure === null ? writesMax : 1)) return;
      const together = queue.splice(0, TOGETHER_MAX);
      writes += 1;
      underWay += together.length;
      void writeDown(together);
    }
  }

  async function writeDown(together: readonly Waiting[]): Promise<void> {
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
    underWay -= together.length;
    if (isWritten) for (const { written } of together) written();
    if (failure !== null || queue.length + underWay === 0) {
      told.resolve(null);
      told = Promise.withResolvers<null>();
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
    waiting: () => queue.length + underWay,
    failure: () => failure,
    drained: async () => {
      if (queue.length + underWay > 0 && failure === null) await told.promise;
    },
    close: () => {
      closed = true;
    },
  };
}
