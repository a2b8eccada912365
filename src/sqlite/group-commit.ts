// Everything that is asked for in the same turn of the event loop is written in one transaction and shares its one disk
// flush. Each write has a savepoint of its own: when it throws, it alone is undone.
import type { DatabaseSync } from "node:sqlite";
import { LedgerlineError } from "../domain/errors.ts";
import { asUnavailable } from "./errors.ts";

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
      for (const write of batch) {
        settle.push(attempt(connection, write));
        if (performance.now() >= endMs) break;
      }
      connection.exec("COMMIT");
    } catch (error) {
      rollBack(connection);
      const reason = asUnavailable(error);
      failure = reason instanceof Error ? reason.message : "The store is unavailable.";
      for (const write of batch) write.reject(reason);
      return;
    }
    failure = null;
    for (const done of settle) done();
    // What did not fit goes before what was asked for meanwhile: writes are done in the order of asking.
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

/** Runs one write in its own savepoint; what it returns settles the promise once the commit is on disk. */
function attempt(connection: DatabaseSync, write: PendingWrite): () => void {
  connection.exec("SAVEPOINT one_write");
  try {
    const value = write.work();
    connection.exec("RELEASE one_write");
    return () => {
      write.resolve(value);
    };
  } catch (error) {
    // A full disk or a damaged file concerns the whole commit, not this write alone.
    const unavailable = asUnavailable(error);
    if (unavailable instanceof LedgerlineError && unavailable.code === "unavailable")
      throw unavailable;
    connection.exec("ROLLBACK TO one_write");
    connection.exec("RELEASE one_write");
    return () => {
      write.reject(error);
    };
  }
}

function rollBack(connection: DatabaseSync): void {
  // After some failures SQLite has already rolled back by itself, and then there is nothing left to undo.
  if (connection.isTransaction) connection.exec("ROLLBACK");
}
