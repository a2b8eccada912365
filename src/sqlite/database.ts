// The embedded engine's one file and its one writer. Log and store share it, so that a request, its result and its
// event cost as few disk flushes as possible.
import {
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from "node:sqlite";
import { LedgerlineError } from "../shared/errors.ts";
import { asFileUnavailable, isDamaged } from "./errors.ts";
import { createGroupCommit } from "./group-commit.ts";

/**
 * How long SQLite waits for another process to release the file. The command line writes for milliseconds; nothing else
 * can be done meanwhile.
 */
const BUSY_TIMEOUT_MS = 250;
/**
 * Size of a page of a new data file; one that exists keeps its own. Transactions have 1.5 KB: with pages of 4 KiB storing one takes
 * 11 µs, with these 9, with 16 KiB 8, but then 24 in place of 20 where ids are random, because each changes another page of their index.
 */
const PAGE_BYTES = 8_192;
/**
 * Size of the write-ahead log between two checkpoints. A checkpoint stops the event loop: at 8 MiB a batch of 32 MiB stops it for
 * 46 ms in all, at 32 MiB for 60 to 73 ms, and `npm run bench` shows no difference in speed.
 */
const CHECKPOINT_BYTES = 8 * 1024 * 1024;
/** The write-ahead log is cut back to this size after a checkpoint. */
const JOURNAL_SIZE_MAX_BYTES = 64 * 1024 * 1024;
/**
 * Twice as much saved 5 to 8 % of the reads while half a million transactions were written: what is not here comes from
 * the system's cache, in microseconds.
 */
const CACHE_KIB = 32_768;
const STATEMENTS_MAX = 500;
/** Raised when the tables change: a program reads one format. */
const FORMAT_VERSION = 9;

export type Parameter = SQLInputValue;
export type SqlRow = Record<string, unknown>;

export interface Database {
  /** Rows of a query; sees everything that is committed. */
  all(sql: string, parameters?: readonly Parameter[]): SqlRow[];
  /** The values of each row of a query in the order of its columns: half the time of objects where rows are many. */
  values(sql: string, parameters?: readonly Parameter[]): (readonly SQLOutputValue[])[];
  /** The first row of a query, or null. */
  get(sql: string, parameters?: readonly Parameter[]): SqlRow | null;
  /** Runs a statement inside `write` work, or at opening. Returns the number of changed rows. */
  run(sql: string, parameters?: readonly Parameter[]): number;
  /** Runs one statement once for each list of parameters, as `run` does. Returns the number of changed rows together. */
  runEach(sql: string, rows: Iterable<readonly Parameter[]>): number;
  /** Creates tables; at opening only. */
  define(sql: string): void;
  /**
   * Does `work` (synchronous) in the next group commit. Resolves with its value once it is on disk. When `work` throws,
   * it alone is undone; when the commit fails, everything in it is undone and rejected as `unavailable`. `work` may be called a
   * second time after all that it did was undone, and so changes nothing but the database.
   */
  write<T>(work: () => T): Promise<T>;
  /** Why the last commit failed, or null when the last one went well. */
  failure(): string | null;
  /**
   * Moves what is in the write-ahead log to the data file and cuts the log to nothing, so that the file is complete and
   * nothing deleted is left in the log. Does less while another process reads.
   */
  checkpoint(): void;
  /** Commits what is waiting and closes the file. Twice is safe. */
  close(): Promise<void>;
}

/**
 * Opens or creates the data file at `path` (":memory:" for tests).
 * @throws LedgerlineError `unavailable` when it cannot be opened or is damaged, `data_folder` when it is of another format.
 */
export function openDatabase(path: string): Database {
  const connection = connectNamed(path);
  const statements = new Map<string, StatementSync>();
  const commits = createGroupCommit(connection);

  function prepare(sql: string): StatementSync {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    if (statements.size >= STATEMENTS_MAX) statements.clear();
    const statement = connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  return {
    all: (sql, parameters = []) => guarded(() => prepare(sql).all(...parameters)),
    values: (sql, parameters = []) =>
      guarded(() => {
        const statement = prepare(sql);
        statement.setReturnArrays(true);
        try {
          // The declared type is that of rows as objects.
          return statement.all(...parameters) as unknown as SQLOutputValue[][];
        } finally {
          statement.setReturnArrays(false);
        }
      }),
    get: (sql, parameters = []) => guarded(() => prepare(sql).get(...parameters) ?? null),
    run: (sql, parameters = []) => Number(prepare(sql).run(...parameters).changes),
    runEach: (sql, rows) => {
      const statement = prepare(sql);
      let changed = 0;
      for (const parameters of rows) changed += Number(statement.run(...parameters).changes);
      return changed;
    },
    define: (sql) => {
      guarded(() => {
        connection.exec(sql);
      });
    },
    write: commits.write,
    failure: commits.failure,
    checkpoint: () => {
      guarded(() => {
        // Not waited for: a reader may take long, and nothing else runs meanwhile.
        connection.exec("PRAGMA busy_timeout = 0");
        try {
          connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        } finally {
          connection.exec(`PRAGMA busy_timeout = ${String(BUSY_TIMEOUT_MS)}`);
        }
      });
    },
    close: () => {
      if (connection.isOpen) {
        commits.close();
        connection.close();
      }
      return Promise.resolve();
    },
  };
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asFileUnavailable(error);
  }
}

/** At a start the operator has to know which file it is, and what can be done. */
function connectNamed(path: string): DatabaseSync {
  try {
    return connect(path);
  } catch (error) {
    if (!(error instanceof LedgerlineError) || !isDamaged(error.cause)) throw error;
    const action = "restore a backup (ledgerline restore), or start with an empty data folder";
    throw new LedgerlineError(
      "unavailable",
      `${path} is not a Ledgerline database or is damaged: ${action}.`,
      {
        cause: error,
      },
    );
  }
}

function connect(path: string): DatabaseSync {
  return guarded(() => {
    const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    // Before the first write, which fixes it.
    connection.exec(`PRAGMA page_size = ${String(PAGE_BYTES)}`);
    connection.exec("PRAGMA journal_mode = WAL");
    // FULL: every commit is flushed before it is acknowledged; NORMAL would lose the last ones on a power cut.
    connection.exec("PRAGMA synchronous = FULL");
    connection.exec(
      `PRAGMA wal_autocheckpoint = ${String(CHECKPOINT_BYTES / pageBytes(connection))}`,
    );
    connection.exec(`PRAGMA journal_size_limit = ${String(JOURNAL_SIZE_MAX_BYTES)}`);
    // What is deleted is overwritten: it would stay readable in free pages for as long as nothing else needs them.
    connection.exec("PRAGMA secure_delete = ON");
    connection.exec(`PRAGMA cache_size = -${String(CACHE_KIB)}`);
    checkFormat(connection, path);
    return connection;
  });
}

/** Of the file, which may have been made with pages of another size. */
const pageBytes = (connection: DatabaseSync): number =>
  Number(connection.prepare("PRAGMA page_size").get()?.["page_size"]);

/** @throws LedgerlineError `data_folder` when the file is of another format */
export function checkFormat(connection: DatabaseSync, path: string): void {
  const version = Number(connection.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
  // A new file has none.
  if (version === 0) connection.exec(`PRAGMA user_version = ${String(FORMAT_VERSION)}`);
  else if (version !== FORMAT_VERSION) {
    const action =
      version > FORMAT_VERSION
        ? "start the version of Ledgerline that wrote it, or a later one"
        : "it is of an unreleased version, move it away and start with an empty data folder";
    const formats = `format ${String(version)}, this program reads format ${String(FORMAT_VERSION)}`;
    throw new LedgerlineError("data_folder", `${path} has ${formats}: ${action}.`);
  }
}
