// Everything that is asked for in the same turn of the event loop is written in one transaction and shares its one disk
// flush. When a write throws, it alone is undone: with the transaction when nothing else was written in it; else the transaction is
// undone, and its writes are done again, each under a savepoint. So writes change nothing but the database.
//
// A savepoint for each write from the beginning would take a fifth of the work of storing chunks of transactions with random ids:
// SQLite keeps what every page was before.
import type { DatabaseSync } from "node:sqlite";
import { LedgerlineError } from "../shared/errors.ts";
import { asFileUnavailable } from "./errors.ts";

/** A commit is cut off here so that timers and sockets get their turn; the rest follows in the next one. */
const COMMIT_SLICE_MS = 25;
/** Commits under savepoints after one that had to be repeated, so that writes that often throw cost little more than they must. */
const CAREFUL_COMMITS = 16;

interface PendingWrite {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupCommit {
  /**
   * Does `work` in the next commit, in the order of asking; resolves with its value once it is on disk. `work` may be called twice,
   * the first time without a trace in the database.
   */
  write<T>(work: () => T): Promise<T>;
  /** Why the last commit failed, or null when the last one went well. */
  failure(): string | null;
  /** Commits what is waiting and refuses everything after. */
  close(): void;
}

export function createGroupCommit(connection: DatabaseSync): GroupCommit {
  let pending: PendingWrite[] = [];
  let scheduled: NodeJS.Immediate | null = null;
  let failure: string | null = null;
  let closed = false;
  let carefulCommits = 0;

  function commitSlice(): void {
    scheduled = null;
    const batch = pending;
    pending = [];
    let settle: readonly (() => void)[];
    try {
      connection.exec("BEGIN IMMEDIATE");
      const isCareful = carefulCommits > 0;
      if (isCareful) carefulCommits -= 1;
      const done = attemptAll(connection, batch, isCareful);
      if (done === null) {
        carefulCommits = CAREFUL_COMMITS;
        startAgain(connection);
      }
      settle = done ?? attemptAll(connection, batch, true) ?? [];
      connection.exec("COMMIT");
    } catch (error) {
      rollBack(connection);
      const reason = asFileUnavailable(error);
      failure = reason instanceof Error ? reason.message : "The store is unavailable.";
      for (const write of batch) write.reject(reason);
      return;
    }
    failure = null;
    for (const done of settle) done();
    // What did not fit comes first: writes are done in the order in which they were requested.
    pending = [...batch.slice(settle.length), ...pending];
    if (pending.length > 0) scheduled ??= setImmediate(commitSlice);
  }

  return {
    write: <T>(work: () => T) =>
      new Promise<T>((resolve, reject) => {
        if (closed) {
          reject(new LedgerlineError("unavailable", "The store is closed."));
          return;
        }
        pending.push({ work, resolve: resolve as (value: unknown) => void, reject });
        scheduled ??= setImmediate(commitSlice);
      }),
    failure: () => failure,
    close: () => {
      closed = true;
      while (pending.length > 0) {
        if (scheduled !== null) clearImmediate(scheduled);
        commitSlice();
      }
      if (scheduled !== null) clearImmediate(scheduled);
    },
  };
}

/**
 * Runs writes in the open transaction until its time is over. Returns what settles those that were run, once the commit is on disk;
 * null: one threw behind others, and the transaction has parts of it.
 * @param isCareful whether such a write is undone by a savepoint of its own
 */
function attemptAll(
  connection: DatabaseSync,
  writes: readonly PendingWrite[],
  isCareful: boolean,
): readonly (() => void)[] | null {
  const settle: (() => void)[] = [];
  // Not the wall clock, which can be set back.
  const endMs = performance.now() + COMMIT_SLICE_MS;
  let hasWritten = false;
  for (const write of writes) {
    const attempted: Attempted =
      hasWritten && isCareful ? attemptUnderSavepoint(connection, write) : attempt(write);
    if (!attempted.ok && !isCareful && hasWritten) return null;
    if (!attempted.ok && !hasWritten) startAgain(connection);
    hasWritten ||= attempted.ok;
    settle.push(attempted.settle);
    if (performance.now() >= endMs) break;
  }
  return settle;
}

interface Attempted {
  /** Whether it did not throw. */
  readonly ok: boolean;
  /** Settles the promise of the write, once the commit is on disk. */
  settle(): void;
}

function attemptUnderSavepoint(connection: DatabaseSync, write: PendingWrite): Attempted {
  connection.exec("SAVEPOINT one_write");
  const attempted = attempt(write);
  if (!attempted.ok) connection.exec("ROLLBACK TO one_write");
  connection.exec("RELEASE one_write");
  return attempted;
}

/** Runs a write. What it did before it threw is still in the transaction. */
function attempt(write: PendingWrite): Attempted {
  try {
    const value = write.work();
    return {
      ok: true,
      settle: () => {
        write.resolve(value);
      },
    };
  } catch (error) {
    // A full disk or a damaged file concerns the whole commit, not this write alone.
    const unavailable = asFileUnavailable(error);
    if (unavailable instanceof LedgerlineError && unavailable.code === "unavailable")
      throw unavailable;
    return {
      ok: false,
      settle: () => {
        write.reject(error);
      },
    };
  }
}

/** Undoes all that the open transaction did. */
function startAgain(connection: DatabaseSync): void {
  connection.exec("ROLLBACK");
  connection.exec("BEGIN IMMEDIATE");
}

function rollBack(connection: DatabaseSync): void {
  // After some failures SQLite has already rolled back by itself, and then there is nothing left to undo.
  if (connection.isTransaction) connection.exec("ROLLBACK");
}
