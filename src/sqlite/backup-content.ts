// The files in a backup, between the pages of the data file and its end: each behind a line with its key and its length.
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { backupFileFailure } from "./backup-file.ts";

/** Names a file that belongs to a row of the data. */
export interface BackedUpFile {
  readonly org: string;
  readonly id: string;
}

export interface RestoredFile extends BackedUpFile {
  /** To be read once. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

type FileLine = BackedUpFile & { readonly length: number };

/** Of a line: longer than every organization and id. */
const LINE_BYTES_MAX = 512;

/** Appends the files to `path`; returns how many bytes they take there. */
export async function appendFiles(
  path: string,
  files: readonly BackedUpFile[],
  readFile: (file: BackedUpFile) => Promise<Uint8Array | null>,
): Promise<number> {
  const target = await open(path, "a");
  let length = 0;
  try {
    for (const { org, id } of files) {
      const bytes = await readFile({ org, id });
      if (bytes === null) continue;
      const head: FileLine = { org, id, length: bytes.byteLength };
      const line = Buffer.from(`${JSON.stringify(head)}\n`);
      await target.appendFile(line);
      await target.appendFile(bytes);
      length += line.length + bytes.byteLength;
    }
  } finally {
    await target.close();
  }
  return length;
}

/**
 * The files in a backup whose checksum is right.
 * @param from where the first one begins
 * @param until where what follows the last one begins
 */
export async function* filesIn(
  path: string,
  from: number,
  until: number,
): AsyncGenerator<RestoredFile> {
  const source = await open(path, "r");
  try {
    for (let at = from; at < until; ) {
      const { head, start } = await readLine(source, at, path);
      at = start + head.length;
      if (at > until) throw wrongFiles(path);
      const { org, id, length } = head;
      const bytes = createReadStream(path, { start, end: start + length - 1 });
      yield { org, id, bytes };
    }
  } finally {
    await source.close();
  }
}

async function readLine(
  source: FileHandle,
  at: number,
  path: string,
): Promise<{ readonly head: FileLine; readonly start: number }> {
  const { buffer, bytesRead } = await source.read(Buffer.alloc(LINE_BYTES_MAX), {
    position: at,
  });
  const end = buffer.subarray(0, bytesRead).indexOf("\n");
  if (end < 0) throw wrongFiles(path);
  const head = JSON.parse(buffer.subarray(0, end).toString("utf8")) as FileLine;
  return { head, start: at + end + 1 };
}

const wrongFiles = (path: string): Error =>
  backupFileFailure(`The backup ${path} is damaged: the lengths of its files are wrong.`);
