// A backup is one file: the pages of the data file, the files that belong to it, what is known of it as JSON, and a footer with a
// checksum of everything before it. It is written under another name first, so that a file without a footer is never taken for one.
import { createHash } from "node:crypto";
import { createReadStream, openSync, closeSync, fstatSync, readSync } from "node:fs";
import { LedgerlineError } from "../shared/errors.ts";

export interface BackupDetails {
  /** Version of the program that made it. */
  readonly program: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Ids of all encryption keys that may have encrypted its secrets. */
  readonly keyIds: readonly string[];
  /** Those of the keys that are in the backup, in base64, the current one first; null: none is. */
  readonly keys: readonly string[] | null;
}

/** Where what is in a backup. */
export interface BackupFile {
  readonly dataBytes: number;
  /** Of the files, which follow the data. */
  readonly filesBytes: number;
  readonly details: BackupDetails;
}

const MAGIC = "LEDGERLINE-BACKUP-2";
const DIGEST_LENGTH = 64;
const LENGTH_DIGITS = 8;
const FOOTER_BYTES = MAGIC.length + LENGTH_DIGITS + DIGEST_LENGTH;
const DETAILS_BYTES_MAX = 1024 * 1024;
const FOOTER = new RegExp(
  `^${MAGIC}(\\d{${String(LENGTH_DIGITS)}})([0-9a-f]{${String(DIGEST_LENGTH)}})$`,
);

/**
 * What follows the data and the files at `path`.
 * @param filesBytes how many of its last bytes are files
 */
export async function backupEnd(
  path: string,
  details: BackupDetails,
  filesBytes: number,
): Promise<Buffer> {
  const text = Buffer.from(JSON.stringify({ ...details, filesBytes }));
  const length = String(text.length).padStart(LENGTH_DIGITS, "0");
  const digest = await digestOf(path, Infinity, [text, Buffer.from(MAGIC + length)]);
  return Buffer.concat([text, Buffer.from(MAGIC + length + digest)]);
}

/**
 * Reads the end of a backup and checks all of it.
 * @throws LedgerlineError `data_folder` when it is not a backup, not whole or damaged
 */
export async function openBackup(path: string): Promise<BackupFile> {
  const { size, end } = readEnd(path);
  const [, digits = "", digest = ""] =
    FOOTER.exec(end.subarray(-FOOTER_BYTES).toString("latin1")) ?? [];
  const contentBytes = size - FOOTER_BYTES - Number(digits);
  if (digest === "" || contentBytes <= 0 || Number(digits) > DETAILS_BYTES_MAX)
    throw backupFileFailure(`${path} is not a backup of Ledgerline, or is not complete.`);
  if ((await digestOf(path, size - DIGEST_LENGTH, [])) !== digest)
    throw backupFileFailure(
      `The backup ${path} is damaged: its checksum is not that of its content.`,
    );
  const text = end.subarray(-FOOTER_BYTES - Number(digits), -FOOTER_BYTES).toString("utf8");
  const { filesBytes, ...details } = JSON.parse(text) as BackupDetails & { filesBytes: number };
  return { dataBytes: contentBytes - filesBytes, filesBytes, details };
}

function readEnd(path: string): { readonly size: number; readonly end: Buffer } {
  try {
    const file = openSync(path, "r");
    try {
      const { size } = fstatSync(file);
      const end = Buffer.alloc(Math.min(size, FOOTER_BYTES + DETAILS_BYTES_MAX));
      readSync(file, end, 0, end.length, size - end.length);
      return { size, end };
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw backupFileFailure(`The backup ${path} cannot be read.`, cause);
  }
}

async function digestOf(path: string, bytes: number, more: readonly Buffer[]): Promise<string> {
  const hash = createHash("sha256");
  const options = bytes === Infinity ? {} : { end: bytes - 1 };
  for await (const part of createReadStream(path, options)) hash.update(part as Buffer);
  for (const part of more) hash.update(part);
  return hash.digest("hex");
}

/** What is wrong with a file that should be a backup. */
export function backupFileFailure(message: string, cause?: unknown): LedgerlineError {
  return new LedgerlineError("data_folder", message, { cause });
}
