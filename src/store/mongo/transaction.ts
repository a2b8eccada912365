// All steps of a write or none of them, as one transaction of the server.
import { type ClientSession, type MongoClient, MongoError, MongoErrorLabel } from "mongodb";
import type { WriteOutcome } from "../collection.ts";
import { type CallDeadline, LAST_TRY_MS, pause } from "./deadline.ts";
import { crowded, isInterrupted } from "./errors.ts";

/** Ends a write whose precondition does not hold; carries the outcome out of the transaction. */
export class Ended extends Error {
  readonly outcome: WriteOutcome;
  constructor(outcome: WriteOutcome) {
    super("precondition not met");
    this.outcome = outcome;
  }
}

/** Another writer was faster, which the server does not report as a conflict: the transaction is retried. */
export class Overtaken extends Error {}

const TRANSACTION = {
  // What is read is confirmed by a majority once the commit is, and of one moment on all shards.
  readConcern: { level: "snapshot" },
  writeConcern: { w: "majority", journal: true },
  readPreference: "primary",
} as const;

/**
 * Does `work` in a transaction and commits it. Tries again while others change the same rows.
 * @throws what `work` throws, after undoing it; LedgerlineError `unavailable` when others kept being faster
 */
export async function inTransaction<T>(
  client: MongoClient,
  call: CallDeadline,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const session = client.startSession();
  try {
    return await attempts(session, call, work);
  } finally {
    // Not awaited: a server that does not answer must not hold up the answer that it does not.
    session.endSession().catch(() => undefined);
  }
}

async function attempts<T>(
  session: ClientSession,
  call: CallDeadline,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt(session, call, work);
    } catch (error) {
      if (!isWorthAnotherTry(error)) throw error;
      if (performance.now() > call.endMs - LAST_TRY_MS) throw crowded(error);
    }
    await pause(tries, call);
  }
}

async function attempt<T>(
  session: ClientSession,
  call: CallDeadline,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  session.startTransaction(TRANSACTION);
  let result: T;
  try {
    result = await work(session);
  } catch (error) {
    const undone = session.abortTransaction().catch(() => undefined);
    // The rows that it holds are free before the caller gets the error, unless the caller waits no longer.
    if (!call.signal.aborted) await undone;
    throw error;
  }
  await commit(session, call);
  return result;
}

async function commit(session: ClientSession, call: CallDeadline): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      // The answer was lost. The server has the outcome, and a repeated commit commits if it did not.
      const isKnown = !hasLabel(error, MongoErrorLabel.UnknownTransactionCommitResult);
      if (isKnown && !isInterrupted(error)) throw error;
      if (performance.now() > call.endMs - LAST_TRY_MS) throw error;
      await pause(tries, call);
    }
  }
}

function isWorthAnotherTry(error: unknown): boolean {
  return (
    error instanceof Overtaken ||
    isInterrupted(error) ||
    hasLabel(error, MongoErrorLabel.TransientTransactionError)
  );
}

function hasLabel(error: unknown, label: MongoErrorLabel): boolean {
  return error instanceof MongoError && error.hasErrorLabel(label);
}
