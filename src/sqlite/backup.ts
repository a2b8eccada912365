// Backups of the data file while the service runs, and their restore.
import { randomBytes } from "node:crypto";
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { pipeline } from "node:stream/promises";
import { LedgerlineError } from "../shared/errors.ts";
import { placeFile, syncFolder } from "../observability/files.ts";
import { appendFiles, type BackedUpFile, filesIn, type RestoredFile } from "./backup-content.ts";
import { backupEnd, type BackupDetails, openBackup } from "./backup-file.ts";
import {
  DATA_FILE,
  LOCK_FILE,
  makeFolder,
  removeRestoring,
  RESTORING_FILE,
} from "./data-folder.ts";
import { checkFormat, type SqlRow } from "./database.ts";
import { lockDataFolder } from "./lock.ts";

const MODE = 0o600;
/** All pages in one step: between two steps a write of the service would make it begin anew. */
const ALL_PAGES = 0x7fff_ffff;
/** A service commits for milliseconds only. */
const BUSY_TIMEOUT_MS = 10_000;

/** Returns the first row of a query over the data of a backup, or null. */
export type ReadBackup = (sql: string, parameters: readonly string[]) => SqlRow | null;

/** What belongs to the data of a backup, once that is copied. */
export interface BackupParts {
  describe(read: ReadBackup): BackupDetails;
  /** Lists the files to be included. */
  listFiles(read: ReadBackup): Promise<readonly BackedUpFile[]>;
  /** Null: it was removed meanwhile. */
  readFile(file: BackedUpFile): Promise<Uint8Array | null>;
}

/** Store the parts of a backup in the folder, next to what is there, and while its data is still the old one. */
export interface RestoreParts {
  putKeys(details: BackupDetails): void;
  putFile(file: RestoredFile): Promise<void>;
}

/**
 * Writes a backup of the data file in `folder`, of one moment, and of its files to `path`, which must not be there.
 * @throws LedgerlineError `data_folder`; no file is left at `path` then
 */
export async function writeBackup(
  folder: string,
  path: string,
  { describe, listFiles, readFile }: BackupParts,
): Promise<void> {
  if (existsSync(path)) throw taken(path);
  // Not by the process id, which is the same for each in a container.
  const temporary = `${path}.${randomBytes(8).toString("hex")}.partial`;
  try {
    // Made here, so that it is never readable for others.
    closeSync(openSync(temporary, "wx", MODE));
    const source = new DatabaseSync(join(folder, DATA_FILE), {
      readOnly: true,
      timeout: BUSY_TIMEOUT_MS,
    });
    try {
      await backup(source, temporary, { rate: ALL_PAGES });
    } finally {
      source.close();
    }
    checkData(temporary);
    const read = readerOf(temporary);
    const details = describe(read);
    const files = await listFiles(read);
    const filesBytes = await appendFiles(temporary, files, readFile);
    const end = await backupEnd(temporary, details, filesBytes);
    writeFileSync(temporary, end, { flag: "a", flush: true });
    if (!placeFile(temporary, path)) throw taken(path);
    syncFolder(dirname(resolve(path)));
  } catch (error) {
    if (error instanceof LedgerlineError) throw error;
    throw backupFailure(`The backup ${path} cannot be written: ${backupReasonOf(error)}.`, error);
  } finally {
    for (const end of ["", "-journal", "-wal", "-shm"]) rmSync(temporary + end, { force: true });
  }
}

/**
 * Puts the data of a backup in place of that of `folder`.
 * @param isForced whether data that is there may be replaced
 * @throws LedgerlineError `data_folder`; the folder has the data that it had before then
 */
export async function restoreBackup(
  path: string,
  folder: string,
  isForced: boolean,
  { putKeys, putFile }: RestoreParts,
): Promise<BackupDetails> {
  const { dataBytes, filesBytes, details } = await openBackup(path);
  const file = join(folder, DATA_FILE);
  if (existsSync(file) && !isForced)
    throw backupFailure(`The data folder ${folder} has data already: --force replaces it.`);
  makeFolder(resolve(folder));
  const lock = join(folder, LOCK_FILE);
  closeSync(openSync(lock, "a", MODE));
  const release = lockDataFolder(lock, folder);
  const temporary = join(folder, RESTORING_FILE);
  try {
    removeRestoring(folder);
    await pipeline(
      createReadStream(path, { end: dataBytes - 1 }),
      createWriteStream(temporary, { flags: "wx", mode: MODE }),
    );
    checkData(temporary);
    syncPath(temporary);
    putKeys(details);
    for await (const one of filesIn(path, dataBytes, dataBytes + filesBytes)) await putFile(one);
    removeLog(file);
    renameSync(temporary, file);
    syncFolder(resolve(folder));
    return details;
  } catch (error) {
    if (error instanceof LedgerlineError) throw error;
    throw backupFailure(
      `The backup cannot be restored to ${folder}: ${backupReasonOf(error)}.`,
      error,
    );
  } finally {
    removeRestoring(folder);
    release();
  }
}

/**
 * Empties and removes the write-ahead log of the data that is replaced: SQLite would put it into the new data. It is moved
 * into its own data file first, so that a restore that is killed here has lost nothing.
 */
function removeLog(file: string): void {
  if (existsSync(file)) moveLog(file);
  for (const end of ["-wal", "-shm"]) rmSync(file + end, { force: true });
}

function moveLog(file: string): void {
  try {
    const connection = new DatabaseSync(file);
    try {
      // Opening alone does not read the log.
      connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } finally {
      connection.close();
    }
  } catch {
    // Damaged data is what a backup replaces.
  }
}

/** @throws LedgerlineError `data_folder` when the pages are damaged or of a newer format */
function checkData(path: string): void {
  const connection = new DatabaseSync(path);
  try {
    checkFormat(connection, path);
    const [found] = connection.prepare("PRAGMA integrity_check(1)").all();
    if (found?.["integrity_check"] !== "ok")
      throw backupFailure(`The data is damaged: ${String(found?.["integrity_check"])}`);
    // A file in this mode has all its data in itself.
    connection.exec("PRAGMA journal_mode = DELETE");
  } finally {
    connection.close();
  }
}

/** Each query opens the file for itself: nothing of SQLite may have it open while more is written to it. */
const readerOf =
  (path: string): ReadBackup =>
  (sql, parameters) => {
    const connection = new DatabaseSync(path, { readOnly: true });
    try {
      return connection.prepare(sql).get(...parameters) ?? null;
    } finally {
      connection.close();
    }
  };

function syncPath(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const taken = (path: string): LedgerlineError =>
  backupFailure(`${path} is there already: choose another name.`);

const backupReasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : "unknown reason";

function backupFailure(message: string, cause?: unknown): LedgerlineError {
  return new LedgerlineError("data_folder", message, { cause });
}
