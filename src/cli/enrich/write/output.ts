import { createWriteStream } from "node:fs";
import { realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { InputError } from "../input-error.ts";

/** The slice of a stream that the output needs; `process.stdout` fits. */
export interface TextStream {
  write(text: string): boolean;
  once(event: "drain" | "close", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  removeListener(event: "drain" | "close", listener: () => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
}

/** Where the rows go. */
export interface Output {
  /** Waits for a slow reader. "closed": the reader has gone away (`| head`) and wants no more. */
  write(text: string): Promise<"ok" | "closed">;
  /** Makes the file visible under its name. */
  finish(): Promise<void>;
  /** Removes what was written. Safe after finish and twice. */
  discard(): Promise<void>;
}

export function openStreamOutput(stream: TextStream): Output {
  const writer = createWriter(stream);
  return {
    write: async (text) => {
      const error = await writer.write(text);
      if (error === null) return "ok";
      if (error === "closed" || ("code" in error && error.code === "EPIPE")) return "closed";
      throw new InputError(`Cannot write to standard output: ${error.message}.`, error);
    },
    finish: () => Promise.resolve(),
    discard: () => {
      writer.release();
      return Promise.resolve();
    },
  };
}

/**
 * Writes to a temporary file next to `path` and renames it at the end: an interrupted run leaves nothing behind. A device
 * or a pipe (/dev/null) is written directly. Throws InputError when `path` is an input file or cannot be written.
 */
export async function openFileOutput(
  path: string,
  inputFiles: readonly string[],
  runId: string,
): Promise<Output> {
  const target = await checkTarget(path, inputFiles);
  const written = target.isSpecial
    ? target.path
    : join(dirname(target.path), `.${basename(target.path)}.${runId}.partial`);
  const stream = createWriteStream(written, target.isSpecial ? {} : { flags: "wx" });
  const writer = createWriter(stream);
  const fail = (error: Error): never => {
    throw new InputError(`Cannot write ${path}: ${error.message}.`, error);
  };
  let settled = false;
  return {
    write: async (text) => {
      const error = await writer.write(text);
      return error === null
        ? "ok"
        : fail(error === "closed" ? new Error("the file was closed") : error);
    },
    finish: async () => {
      await new Promise<void>((resolve, reject) => {
        stream.once("error", reject);
        stream.end(resolve);
      }).catch(fail);
      if (!target.isSpecial) await rename(written, target.path).catch(fail);
      settled = true;
    },
    discard: async () => {
      writer.release();
      if (settled) return;
      settled = true;
      await closeQuietly(stream);
      if (!target.isSpecial) await rm(written, { force: true });
    },
  };
}

async function closeQuietly(stream: ReturnType<typeof createWriteStream>): Promise<void> {
  if (stream.closed) return;
  await new Promise<void>((resolve) => {
    stream.on("error", () => undefined);
    stream.once("close", resolve);
    stream.destroy();
  });
}

async function checkTarget(
  path: string,
  inputFiles: readonly string[],
): Promise<{ path: string; isSpecial: boolean }> {
  if (/\.gz$/iu.test(path))
    throw new InputError(`Cannot write ${path}: the output is not compressed. Leave out .gz.`);
  const info = await stat(path).catch(() => null);
  if (info === null) {
    const folder = await stat(dirname(path)).catch(() => null);
    if (folder?.isDirectory() !== true)
      throw new InputError(`There is no folder ${dirname(path)} to write ${path} in.`);
    return { path, isSpecial: false };
  }
  if (info.isDirectory()) throw new InputError(`${path} is a directory, not a file.`);
  for (const inputFile of inputFiles) {
    const input = inputFile === "-" ? null : await stat(inputFile).catch(() => null);
    if (input !== null && info.isFile() && input.dev === info.dev && input.ino === info.ino)
      throw new InputError(`${path} is the input file. Choose another name for --out.`);
  }
  // The rename must replace the file a link points to, not the link.
  return { path: await realpath(path), isSpecial: !info.isFile() };
}

interface Writer {
  /** Null when written; the error of the stream, or "closed" when it ended without one. */
  write(text: string): Promise<Error | "closed" | null>;
  release(): void;
}

function createWriter(stream: TextStream): Writer {
  let failed: Error | "closed" | null = null;
  let wake: () => void = () => undefined;
  const onError = (error: Error): void => {
    failed ??= error;
    wake();
  };
  const onClose = (): void => {
    failed ??= "closed";
    wake();
  };
  const onDrain = (): void => {
    wake();
  };
  stream.on("error", onError);
  stream.once("close", onClose);
  return {
    write: async (text) => {
      if (failed !== null || text === "") return failed;
      const { promise, resolve } = Promise.withResolvers<undefined>();
      wake = () => {
        resolve(undefined);
      };
      if (!stream.write(text)) {
        stream.once("drain", onDrain);
        await promise;
        stream.removeListener("drain", onDrain);
      }
      return failed;
    },
    // The error listener stays: a late EPIPE must not crash the process.
    release: () => {
      stream.removeListener("close", onClose);
    },
  };
}
