import { LedgerlineError } from "../shared/errors.ts";

// Primary result codes of SQLite (https://sqlite.org/rescode.html) that mean the file or the disk, not our statement.
const UNAVAILABLE: Readonly<Record<number, string>> = {
  5: "the data file is locked by another program",
  6: "the data file is locked by another program",
  7: "SQLite ran out of memory",
  8: "the data file is read-only",
  10: "the disk failed while reading or writing the data file",
  11: "the data file is damaged",
  13: "the disk is full",
  14: "the data file cannot be opened",
  26: "the data file is not a Ledgerline database or is damaged",
};

/** The primary SQLite result code of an error of `node:sqlite`, or null when it is some other error. */
function primaryCode(error: unknown): number | null {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number")
    return null;
  // Extended codes carry the primary code in their lowest byte.
  return error.errcode & 0xff;
}

/** Whether another connection holds the file's lock. */
export function isLocked(error: unknown): boolean {
  const code = primaryCode(error);
  return code === 5 || code === 6;
}

/** Whether the content of the file is what is wrong. */
export function isDamaged(error: unknown): boolean {
  const code = primaryCode(error);
  return code === 11 || code === 26;
}

/** Turns a failure of the file or the disk into a retryable `unavailable`; everything else is a bug and stays as it is. */
export function asFileUnavailable(error: unknown): unknown {
  const code = primaryCode(error);
  const reason = code === null ? undefined : UNAVAILABLE[code];
  if (reason === undefined) return error;
  return new LedgerlineError("unavailable", `The store is unavailable: ${reason}.`, {
    cause: error,
  });
}
