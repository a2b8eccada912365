import { constants, createReadStream } from "node:fs";
import { access, stat } from "node:fs/promises";
import { addAbortSignal, pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { InputError } from "../input-error.ts";

export interface Source {
  /** How messages name it. */
  readonly name: string;
  /** The bytes, unpacked when they were gzip. Back-pressure reaches the file. */
  readonly bytes: AsyncIterable<Buffer>;
  /** Size on disk, for the progress bar; null when it cannot be known (a pipe). */
  readonly bytesTotal: number | null;
  /** Bytes taken from the file so far, before unpacking. */
  bytesRead(): number;
  /** Lets go of the file or the pipe; an open pipe would keep the process alive. */
  close(): void;
}

const READ_BYTES = 256 * 1024;
/** Bytes from which the format is detected. */
const HEAD_BYTES = 4096;

/** Reads the head of the bytes without losing it: at least 4 KiB, or all there is. */
export async function takeHead(
  bytes: AsyncIterable<Buffer>,
): Promise<{ readonly head: Buffer; readonly all: AsyncIterable<Buffer> }> {
  const rest = bytes[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const next = await rest.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  return { head, all: withHead(head, { [Symbol.asyncIterator]: () => rest }) };
}

/**
 * Opens a file, or standard input for "-". Throws InputError with one sentence when it cannot be read. An abort ends
 * the stream with an error, also while it waits for a pipe.
 */
export async function openSource(
  file: string,
  stdin: Readable,
  signal: AbortSignal,
): Promise<Source> {
  if (file === "-") return toSource("standard input", addAbortSignal(signal, stdin), null);
  const bytesTotal = await checkFile(file);
  const stream = createReadStream(file, { highWaterMark: READ_BYTES });
  return toSource(file, addAbortSignal(signal, stream), bytesTotal);
}

/** One sentence about a file system error, without the stack and the codes. */
function describeFileError(file: string, error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return `There is no file ${file}.`;
  if (code === "EACCES" || code === "EPERM") return `No permission to read ${file}.`;
  if (code === "EISDIR") return `${file} is a directory, not a file.`;
  if (code.startsWith("Z_")) return `${file} is a damaged or incomplete gzip file.`;
  return `Cannot read ${file}: ${error instanceof Error ? error.message : String(error)}.`;
}

async function checkFile(file: string): Promise<number | null> {
  try {
    const info = await stat(file);
    if (info.isDirectory()) throw new InputError(`${file} is a directory, not a file.`);
    await access(file, constants.R_OK);
    return info.isFile() ? info.size : null;
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(describeFileError(file, error), error);
  }
}

async function toSource(name: string, input: Readable, bytesTotal: number | null): Promise<Source> {
  const counter = { bytes: 0 };
  const counted = countBytes(name, input, counter);
  const first = await counted.next();
  const head = first.done === true ? Buffer.alloc(0) : first.value;
  const plain = withHead(head, counted);
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  const bytes = isGzip ? unpack(name, plain) : plain;
  return {
    name,
    bytes,
    bytesTotal,
    bytesRead: () => counter.bytes,
    close: () => {
      input.destroy();
    },
  };
}

async function* countBytes(
  name: string,
  input: Readable,
  counter: { bytes: number },
): AsyncGenerator<Buffer, void> {
  try {
    for await (const chunk of input) {
      const buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      counter.bytes += buffer.length;
      yield buffer;
    }
  } catch (error) {
    throw new InputError(describeFileError(name, error), error);
  }
}

async function* withHead(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  if (head.length > 0) yield head;
  yield* rest;
}

async function* unpack(
  name: string,
  packed: AsyncGenerator<Buffer, void>,
): AsyncGenerator<Buffer, void> {
  const gunzip = createGunzip({ chunkSize: READ_BYTES });
  // The callback only keeps the error from being unhandled: it reaches the loop below as well.
  pipeline(Readable.from(packed, { objectMode: false }), gunzip, () => undefined);
  try {
    for await (const chunk of gunzip) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(describeFileError(name, error), error);
  }
}
