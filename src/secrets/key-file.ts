// The encryption keys of an installation with a data folder: a file next to the data, so that nothing has to be configured. It
// protects copies of the data file, not the folder as a whole.
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { LedgerlineError } from "../shared/errors.ts";
import { placeFile, syncFolder } from "../observability/files.ts";
import { formatKey, KEY_BYTES, parseKey } from "./key.ts";

const KEY_FILE = "encryption.key";
const MODE = 0o600;
/** Permission bits of users other than the owner. */
const OTHERS = 0o077;
/** Enough for a thousand keys: a larger file is not a key file. */
const FILE_BYTES_MAX = 65_536;
/** Windows has no such permissions. */
const IS_POSIX = process.platform !== "win32";
const HEADER = `# The secrets of webhooks are encrypted with these and lost without them: keep a copy, apart from that of the data.
# One key a line, 32 bytes in base64. The first one encrypts, the others only decrypt.
`;

/**
 * The keys of this folder, which must exist; the current one first. The first call creates a key; of several concurrent calls
 * all get the same.
 * @throws LedgerlineError `data_folder` when the file is damaged, cannot be used or is open to others
 */
export function openKeyFile(dataFolder: string): readonly Uint8Array[] {
  return readKeys(dataFolder) ?? makeKeys(dataFolder);
}

export const keyFilePath = (dataFolder: string): string => join(dataFolder, KEY_FILE);

export const hasKeyFile = (dataFolder: string): boolean => existsSync(keyFilePath(dataFolder));

/**
 * Creates a key and puts it in front of the others; returns them all. The caller must own the data folder: of two concurrent
 * calls, one would lose the key of the other.
 * @throws LedgerlineError `data_folder`
 */
export function addKey(dataFolder: string): readonly Uint8Array[] {
  const keys = [randomBytes(KEY_BYTES), ...openKeyFile(dataFolder)];
  replaceKeys(dataFolder, keys);
  return keys;
}

/**
 * Puts keys in front of the existing ones, so that what either has encrypted can be decrypted. The caller must own the data
 * folder.
 * @throws LedgerlineError `data_folder`
 */
export function putKeys(dataFolder: string, keys: readonly Uint8Array[]): void {
  const texts = [...keys, ...(readKeys(dataFolder) ?? [])].map(formatKey);
  replaceKeys(
    dataFolder,
    [...new Set(texts)].map((text) => Buffer.from(text, "base64")),
  );
}

/**
 * Deletes all keys but the current one, for good: nothing may be encrypted with them any more. The caller must own the data
 * folder.
 * @throws LedgerlineError `data_folder`
 */
export function dropOldKeys(dataFolder: string): void {
  const keys = openKeyFile(dataFolder);
  if (keys.length > 1) replaceKeys(dataFolder, keys.slice(0, 1));
}

function makeKeys(dataFolder: string): readonly Uint8Array[] {
  const path = join(dataFolder, KEY_FILE);
  write(dataFolder, [randomBytes(KEY_BYTES)], (temporary) => {
    // If another start was first, its keys are used.
    placeFile(temporary, path);
  });
  const keys = readKeys(dataFolder);
  if (keys === null) throw keyFileFailure(`The key file ${path} was removed while it was made.`);
  return keys;
}

function replaceKeys(dataFolder: string, keys: readonly Uint8Array[]): void {
  write(dataFolder, keys, (temporary) => {
    renameSync(temporary, join(dataFolder, KEY_FILE));
  });
}

/** Null when there is no file yet. */
function readKeys(dataFolder: string): readonly Uint8Array[] | null {
  const path = join(dataFolder, KEY_FILE);
  let mode: number;
  let size: number;
  let text: string;
  try {
    const file = openSync(path, "r");
    try {
      ({ mode, size } = fstatSync(file));
      text = size > FILE_BYTES_MAX ? "" : readFileSync(file, "utf8");
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    throw keyFileFailure(`The key file ${path} cannot be read.`, error);
  }
  if (IS_POSIX && (mode & OTHERS) !== 0) {
    throw keyFileFailure(
      `The key file ${path} is open to others than its owner: run "chmod 600 ${path}", or set ENCRYPTION_KEYS where the file system has no such rights.`,
    );
  }
  if (size > FILE_BYTES_MAX) throw keyFileFailure(`The key file ${path} is too large to be one.`);
  return parseKeyFile(text, path);
}

function parseKeyFile(text: string, path: string): readonly Uint8Array[] {
  const keys: Uint8Array[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    const key = parseKey(trimmed);
    // The error does not repeat the line: most of it may be a key.
    if (key === null) {
      throw keyFileFailure(
        `Line ${String(index + 1)} of the key file ${path} is not a key of 32 bytes in base64: restore the file from a copy.`,
      );
    }
    keys.push(key);
  }
  if (keys.length === 0) {
    throw keyFileFailure(`The key file ${path} has no key: restore the file from a copy.`);
  }
  return keys;
}

/** Writes a complete file next to the key file, renames it into place and makes that durable. */
function write(
  dataFolder: string,
  keys: readonly Uint8Array[],
  putInPlace: (temporary: string) => void,
): void {
  const temporary = join(dataFolder, `${KEY_FILE}.${randomBytes(8).toString("hex")}.tmp`);
  const lines = keys.map((key) => `${formatKey(key)}\n`);
  try {
    try {
      writeFileSync(temporary, HEADER + lines.join(""), { mode: MODE, flag: "wx", flush: true });
      putInPlace(temporary);
    } finally {
      rmSync(temporary, { force: true });
    }
    syncFolder(dataFolder);
  } catch (cause) {
    throw keyFileFailure(
      `The key file ${join(dataFolder, KEY_FILE)} cannot be written; ENCRYPTION_KEYS would take its place.`,
      cause,
    );
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function keyFileFailure(message: string, cause?: unknown): LedgerlineError {
  return new LedgerlineError("data_folder", message, { cause });
}
