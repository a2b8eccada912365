// Small upserts that wait at the same time are done as one. The server has each write on its disk before it confirms it,
// and a command costs both sides more than the one row in it: a few hundred callers at once would have a few hundred of
// them under way, each slower than the one before. Nothing waits for others to come.
import { LedgerlineError } from "../../shared/errors.ts";
import type { Write } from "../collection.ts";

type Apply = (steps: readonly Write[]) => Promise<void>;
type Upsert = Extract<Write, { kind: "upsertMany" }>;

/** Of one caller; more rows are worth a command of their own, and nobody should wait for them. */
const ROWS_MAX = 8;
/** Of all callers of one write together. */
const GATHERED_ROWS_MAX = 500;
/** One that waits for the disk, and one that is written meanwhile: what comes behind them shares the next flush anyhow. */
const RUNNING_MAX = 2;

interface WaitingUpsert {
  readonly step: Upsert;
  resolve(): void;
  reject(error: unknown): void;
}

interface WriteQueue {
  running: number;
  readonly waiting: WaitingUpsert[];
}

/**
 * @param apply does steps at once; what is returned does them as it does, small upserts together with others like them
 * @param runningMax of one collection at a time
 */
export function createUpsertBatcher(apply: Apply, runningMax = RUNNING_MAX): Apply {
  const queues = new Map<string, WriteQueue>();

  function next(name: string, queue: WriteQueue): void {
    if (queue.running >= runningMax || queue.waiting.length === 0) return;
    const taken = takeFirst(queue.waiting);
    queue.running += 1;
    void applyTogether(apply, taken).then(() => {
      queue.running -= 1;
      if (queue.running === 0 && queue.waiting.length === 0) queues.delete(name);
      else next(name, queue);
    });
  }

  return (steps) => {
    const [step] = steps;
    if (steps.length !== 1 || step?.kind !== "upsertMany" || step.rows.length > ROWS_MAX) {
      return apply(steps);
    }
    return new Promise((resolve, reject) => {
      const name = `${step.collection} ${step.guard}`;
      const queue = queues.get(name) ?? { running: 0, waiting: [] };
      queues.set(name, queue);
      queue.waiting.push({ step, resolve, reject });
      next(name, queue);
    });
  };
}

/** Never rejects: everybody is told of his own. */
async function applyTogether(apply: Apply, all: readonly WaitingUpsert[]): Promise<void> {
  const [first] = all;
  if (first === undefined) return;
  try {
    await apply([{ ...first.step, rows: all.flatMap(({ step }) => step.rows) }]);
    for (const { resolve } of all) resolve();
  } catch (error) {
    const isAway = error instanceof LedgerlineError;
    // Some row cannot be written: whose it is shows when each is written alone.
    if (!isAway && all.length > 1) await Promise.all(all.map((one) => applyTogether(apply, [one])));
    else for (const { reject } of all) reject(error);
  }
}

function takeFirst(waiting: WaitingUpsert[]): readonly WaitingUpsert[] {
  let rows = 0;
  const end = waiting.findIndex(({ step }) => {
    rows += step.rows.length;
    return rows > GATHERED_ROWS_MAX;
  });
  return waiting.splice(0, end < 0 ? waiting.length : end);
}
