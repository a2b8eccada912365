// The embedded engine's one file and its one writer. Log and store share it, so that a request, its result and its
// event cost as few disk flushes as possible: everything asked for in the same turn of the event loop is one commit.
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { LedgerlineError } from "../domain/errors.ts";
import { asUnavailable } from "./errors.ts";

/** How long SQLite waits for another process (the command line) to release the file. */
const BUSY_TIMEOUT_MS = 2_000;
/** A commit is cut off here so that timers and sockets get their turn; the rest follows in the next one. */
const COMMIT_SLICE_MS = 25;
/** Pages of the write-ahead log between two checkpoints: 32 MiB of 4 KiB pages keeps checkpoints rare and restarts fast. */
const CHECKPOINT_PAGES = 8_192;
/** The write-ahead log is cut back to this size after a checkpoint. */
const JOURNAL_SIZE_MAX_BYTES = 64 * 1024 * 1024;
const STATEMENTS_MAX = 500;
/** Raised when the tables change in a way that an older program cannot read. */
const FORMAT_VERSION = 1;

export type Parameter = SQLInputValue;
export type SqlRow = Record<string, unknown>;

interface PendingWrite {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface Database {
  /** Rows of a query; sees everything that is committed. */
  all(sql: string, parameters?: readonly Parameter[]): SqlRow[];
  /** The first row of a query, or null. */
  get(sql: string, parameters?: readonly Parameter[]): SqlRow | null;
  /** Runs a statement inside `write` work. Returns the number of changed rows. */
  run(sql: string, parameters?: readonly Parameter[]): number;
  /** Creates tables; at opening only. */
  define(sql: string): void;
  /**
   * Does `work` (synchronous) in the next group commit. Resolves with its value once it is on disk. When `work` throws,
   * it alone is undone; when the commit fails, everything in it is undone and rejected as `unavailable`.
   */
  write<T>(work: () => T): Promise<T>;
  /** Why the last commit failed, or null when the last one went well. */
  failure(): string | null;
  close(): Promise<void>;
}

/**
 * Opens or creates the data file at `path` (":memory:" for tests).
 * @throws LedgerlineError `unavailable` when it cannot be opened or is damaged, `data_folder` when it is of a newer format.
 */
export function openDatabase(path: string, nowMs: () => number): Database {
  const connection = connect(path);
  const statements = new Map<string, StatementSync>();
  let pending: PendingWrite[] = [];
  let scheduled: NodeJS.Immediate | null = null;
  let failure: string | null = null;
  let closed = false;

  function prepare(sql: string): StatementSync {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    if (statements.size >= STATEMENTS_MAX) statements.clear();
    const statement = connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  function guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  function commitSlice(): void {
    scheduled = null;
    const batch = pending;
    pending = [];
    let taken = 0;
    const settle: (() => void)[] = [];
    try {
      connection.exec("BEGIN IMMEDIATE");
      const endMs = nowMs() + COMMIT_SLICE_MS;
      while (taken < batch.length && (taken === 0 || nowMs() < endMs)) {
        const write = batch[taken];
        taken += 1;
        if (write !== undefined) settle.push(attempt(connection, write));
      }
      connection.exec("COMMIT");
      failure = null;
      for (const done of settle) done();
    } catch (error) {
      rollBack(connection);
      const reason = asUnavailable(error);
      failure = reason instanceof Error ? reason.message : "The store is unavailable.";
      taken = batch.length;
      for (const write of batch) write.reject(reason);
    }
    if (taken < batch.length) pending = [...batch.slice(taken), ...pending];
    if (pending.length > 0) scheduled ??= setImmediate(commitSlice);
  }

  return {
    all: (sql, parameters = []) => guarded(() => prepare(sql).all(...parameters)),
    get: (sql, parameters = []) => guarded(() => prepare(sql).get(...parameters) ?? null),
    run: (sql, parameters = []) => Number(prepare(sql).run(...parameters).changes),
    define: (sql) => {
      guarded(() => {
        connection.exec(sql);
      });
    },
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
      if (closed) return Promise.resolve();
      closed = true;
      while (pending.length > 0) {
        if (scheduled !== null) clearImmediate(scheduled);
        commitSlice();
      }
      guarded(() => {
        connection.close();
      });
      return Promise.resolve();
    },
  };
}

function connect(path: string): DatabaseSync {
  try {
    const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    connection.exec("PRAGMA journal_mode = WAL");
    // FULL: every commit is flushed before it is acknowledged; NORMAL would lose the last ones on a power cut.
    connection.exec("PRAGMA synchronous = FULL");
    connection.exec(`PRAGMA wal_autocheckpoint = ${String(CHECKPOINT_PAGES)}`);
    connection.exec(`PRAGMA journal_size_limit = ${String(JOURNAL_SIZE_MAX_BYTES)}`);
    connection.exec("PRAGMA cache_size = -65536");
    checkFormat(connection, path);
    return connection;
  } catch (error) {
    throw asUnavailable(error);
  }
}

function checkFormat(connection: DatabaseSync, path: string): void {
  const version = Number(connection.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
  if (version > FORMAT_VERSION) {
    throw new LedgerlineError(
      "data_folder",
      `${path} was written by a newer Ledgerline (format ${String(version)}, this program reads ${String(FORMAT_VERSION)}).`,
    );
  }
  if (version < FORMAT_VERSION) connection.exec(`PRAGMA user_version = ${String(FORMAT_VERSION)}`);
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
    const reason = asUnavailable(error);
    // A full disk or a damaged file concerns the whole commit, not this write alone.
    if (reason !== error) throw error;
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
