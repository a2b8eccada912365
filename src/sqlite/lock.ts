// One service per data folder. The lock is SQLite's own exclusive lock on a small file: the operating system releases
// it when the process ends, however it ends, so there is no stale lock to clean up after a kill -9 or a power cut.
import { DatabaseSync } from "node:sqlite";
import { LedgerlineError } from "../shared/errors.ts";
import { isLocked } from "./errors.ts";

/** Of two that start at the same moment each may find the other in the way; waiting a little lets one through. */
const WAIT_MS = 500;

/**
 * Takes the lock file at `path` and returns its release.
 * @throws LedgerlineError `data_folder` when another process holds it or the folder cannot be written
 */
export function lockDataFolder(path: string, folder: string): () => void {
  let connection: DatabaseSync | null = null;
  try {
    connection = new DatabaseSync(path, { timeout: WAIT_MS });
    // The lock is that of an open transaction. `locking_mode = EXCLUSIVE` would keep the shared lock of a try that failed,
    // so that two which start together would keep each other out for ever.
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
