// One service per data folder. The lock is SQLite's own exclusive lock on a small file: the operating system releases
// it when the process ends, however it ends, so there is no stale lock to clean up after a kill -9 or a power cut.
import { DatabaseSync } from "node:sqlite";
import { LedgerlineError } from "../domain/errors.ts";
import { isLocked } from "./errors.ts";

/**
 * Takes the lock file at `path` and returns its release.
 * @throws LedgerlineError `data_folder` when another process holds it or the folder cannot be written
 */
export function lockDataFolder(path: string, folder: string): () => void {
  let connection: DatabaseSync | null = null;
  try {
    connection = new DatabaseSync(path, { timeout: 0 });
    connection.exec("PRAGMA locking_mode = EXCLUSIVE");
    connection.exec("BEGIN EXCLUSIVE");
    const held = connection;
    return () => {
      held.close();
    };
  } catch (cause) {
    connection?.close();
    const message = isLocked(cause)
      ? `Another Ledgerline already runs on the data folder ${folder}; stop it first or set LEDGERLINE_DATA to another folder.`
      : `The data folder ${folder} cannot be written.`;
    throw new LedgerlineError("data_folder", message, { cause });
  }
}
