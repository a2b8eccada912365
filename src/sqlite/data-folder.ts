import { chmodSync, closeSync, existsSync, mkdirSync, openSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { LedgerlineError } from "../shared/errors.ts";
import { type Database, openDatabase } from "./database.ts";
import { lockDataFolder } from "./lock.ts";

export const DATA_FILE = "ledgerline.db";
export const LOCK_FILE = "ledgerline.lock";
/** What a restore copies the data to before it takes the place of the data file. */
export const RESTORING_FILE = `${DATA_FILE}.restoring`;

/**
 * Opens the data file in `folder`, which is made when it is not there.
 * @param exclusive whether other processes may not open it exclusively: true for the service, false for commands
 * @throws LedgerlineError `data_folder` or `unavailable`; nothing stays open then
 */
export function openDataFolder(folder: string, exclusive: boolean): Database {
  refuseOpenFolder(folder);
  const file = join(folder, DATA_FILE);
  const lock = join(folder, LOCK_FILE);
  try {
    // Transactions are personal data: no other user may read them. Files that SQLite creates next to its file get
    // the file's mode.
    makeFolder(resolve(folder));
    for (const path of [lock, file]) {
      closeSync(openSync(path, "a", 0o600));
      chmodSync(path, 0o600);
    }
  } catch (cause) {
    const message = `The data folder ${folder} cannot be written.`;
    throw new LedgerlineError("data_folder", message, { cause });
  }
  const release = exclusive ? lockDataFolder(lock, folder) : () => undefined;
  try {
    // No restore runs while the lock is held: it belongs to one that was killed.
    if (exclusive) removeRestoring(folder);
    const database = openDatabase(file);
    return {
      ...database,
      close: async () => {
        await database.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Removes the copy of a restore that was killed. The caller holds the lock of the folder. */
export function removeRestoring(folder: string): void {
  for (const end of ["", "-journal", "-wal", "-shm"])
    rmSync(join(folder, RESTORING_FILE + end), { force: true });
}

const WRITABLE_BY_OTHERS = 0o002;
const WRITABLE_BY_GROUP = 0o020;

/** Permission bits; none where the folder does not exist yet, or the system has no such bits. */
function modeOf(folder: string): number {
  if (process.platform === "win32") return 0;
  return statSync(folder, { throwIfNoEntry: false })?.mode ?? 0;
}

/** A user with write access to the folder can replace the files in it, whatever their own permissions are. */
function refuseOpenFolder(folder: string): void {
  if ((modeOf(folder) & WRITABLE_BY_OTHERS) === 0) return;
  throw new LedgerlineError(
    "data_folder",
    `Every user of this machine can write in the data folder ${folder}: run "chmod 700 ${folder}", or set LEDGERLINE_DATA to a folder inside it.`,
  );
}

/** What an operator should know of a folder that is used all the same: volumes of containers often belong to a group. */
export function folderWarnings(folder: string): readonly string[] {
  if ((modeOf(folder) & WRITABLE_BY_GROUP) === 0) return [];
  return [
    `Its group can write in the data folder ${folder}; unless the group is this service's alone, run "chmod 700 ${folder}".`,
  ];
}

/** Node's own recursive way never ends below folders that nothing can be made in, such as /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** @throws LedgerlineError `data_folder` when the folder has no data */
export function requireData(folder: string): void {
  if (existsSync(join(folder, DATA_FILE))) return;
  throw new LedgerlineError(
    "data_folder",
    `There is nothing of Ledgerline in the data folder ${folder}; LEDGERLINE_DATA names another one.`,
  );
}
