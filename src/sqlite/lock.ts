// One service per data folder. The lock is SQLite's own exclusive lock on a small file: the operating system releases
// it when the process ends, however it ends, so there is no stale lock to clean up after a kill -9 or a power cut.
import { DatabaseSync } from "node:sqlite";
import { LedgerlineError } from "../domain/errors.ts";

/**
 * Takes the lock file at `path` and returns its release.
 * @throws LedgerlineError `data_folder` when another process holds it.
 */
export function lockDataFolder(path: string, folder: string): () => void {
  const connection = new DatabaseSync(path, { timeout: 0 });
  try {
    connection.exec("PRAGMA locking_mode = EXCLUSIVE");
    connection.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    connection.close();
    throw new LedgerlineError(
      "data_folder",
      `Another Ledgerline already runs on the data folder ${folder}; stop it first or set LEDGERLINE_DATA to another folder.`,
      { cause: error },
    );
  }
  return () => {
    connection.close();
  };
}
