// Small upserts that wait at the same time are done as one: a command costs both sides more than the one row in it.
import { createBatcher } from "../../shared/concurrency/batcher.ts";
import { LedgerlineError } from "../../shared/errors.ts";
import type { Write } from "../collection.ts";

type Apply = (steps: readonly Write[]) => Promise<boolean>;
type Upsert = Extract<Write, { kind: "upsertMany" }>;
type UpsertRow = Upsert["rows"][number];

/** Of one caller; more rows are worth a command of their own, and no other caller should wait for them. */
const ROWS_MAX = 8;
/** Of all callers of one write together. */
const BATCHED_ROWS_MAX = 500;
/** One that waits for the disk, and one that is written meanwhile: what comes behind them shares the next flush anyhow. */
const RUNNING_MAX = 2;

/**
 * @param apply does steps one after the other; the returned function does the same, but combines small upserts with others like
 * them, up to the first step that is not one
 * @param tasksMax of one collection at a time
 */
export function createUpsertBatcher(apply: Apply, tasksMax = RUNNING_MAX): Apply {
  const batch = createBatcher<UpsertRow, null>({
    tasksMax,
    itemsMax: BATCHED_ROWS_MAX,
    // Any other failure means that some row cannot be written: its own caller alone must get the error.
    isTriedAlone: (error) => !(error instanceof LedgerlineError),
  });
  const upsert = async (step: Upsert): Promise<void> => {
    const run = async (rows: readonly UpsertRow[]): Promise<readonly null[]> => {
      await apply([{ ...step, rows }]);
      return rows.map(() => null);
    };
    await batch(`${step.collection} ${step.guard} ${step.kept ?? ""}`, run, step.rows);
  };
  return async (steps) => {
    for (const [index, step] of steps.entries()) {
      if (step.kind !== "upsertMany" || step.rows.length > ROWS_MAX)
        return apply(steps.slice(index));
      await upsert(step);
    }
    return true;
  };
}
