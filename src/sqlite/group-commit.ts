// Everything that is asked for in the same turn of the event loop is written in one transaction and shares its one disk
// flush. When a write throws, it alone is undone: by its savepoint, or with the transaction when it is the first in it.
import type { DatabaseSync } from "node:sqlite";
import { LedgerlineError } from "../shared/errors.ts";
import { asFileUnavailable } from "./errors.ts";

/** A commit is cut off here so that timers and sockets get their turn; the rest follows in the next one. */
const COMMIT_SLICE_MS = 25;

interface PendingWrite {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupCommit {
  /** Does `work` in the next commit, in the order of asking; resolves with its value once it is on disk. */
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

  function commitSlice(): void {
    scheduled = null;
    const batch = pending;
    pending = [];
    const settle: (() => void)[] = [];
    try {
      connection.exec("BEGIN IMMEDIATE");
      // Not the wall clock, which can be set back.
      const endMs = performance.now() + COMMIT_SLICE_MS;
      let hasWritten = false;
      for (const write of batch) {
        const run = hasWritten ? attempt : attemptFirst;
        const attempted: Attempted = run(connection, write);
        hasWritten ||= attempted.ok;
        settle.push(attempted.settle);
        if (performance.now() >= endMs) break;
      }
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

interface Attempted {
  /** Whether it left something in the transaction. */
  readonly ok: boolean;
  /** Settles the promise of the write, once the commit is on disk. */
  settle(): void;
}

/**
 * Runs a write before which nothing was written in the transaction. Without a savepoint, for which SQLite would keep what
 * every page was before: that is a fifth of the work of storing a chunk of transactions with random ids.
 */
function attemptFirst(connection: DatabaseSync, write: PendingWrite): Attempted {
  return attemptWith(write, () => {
    connection.exec("ROLLBACK");
    connection.exec("BEGIN IMMEDIATE");
  });
}

/** Runs a write behind others of the same transaction. */
function attempt(connection: DatabaseSync, write: PendingWrite): Attempted {
  connection.exec("SAVEPOINT one_write");
  const attempted = attemptWith(write, () => {
    connection.exec("ROLLBACK TO one_write");
  });
  connection.exec("RELEASE one_write");
  return attempted;
}

/** @param undo takes back what a write did that threw */
function attemptWith(write: PendingWrite, undo: () => void): Attempted {
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
    undo();
    return {
      ok: false,
      settle: () => {
        write.reject(error);
      },
    };
  }
}

function rollBack(connection: DatabaseSync): void {
  // After some failures SQLite has already rolled back by itself, and then there is nothing left to undo.
  if (connection.isTransaction) connection.exec("ROLLBACK");
}
