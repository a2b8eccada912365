// Programs of others that read the served document: their versions, and how they are run.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findPythonWith, type Python } from "../support/python.ts";

const REQUIREMENTS = fileURLToPath(new URL("requirements.txt", import.meta.url));
const LIBRARY = fileURLToPath(new URL("python-library.txt", import.meta.url));
const OUTPUT_BYTES_MAX = 100_000_000;

export interface Ended {
  readonly code: number;
  /** What it wrote, to either side. */
  readonly output: string;
}

/** @throws Error that names what is missing */
export function findTools(): Promise<Python> {
  const hash = createHash("sha256").update(readFileSync(REQUIREMENTS)).digest("hex");
  // The list is whole: what pip would add is what these tests were not written with.
  return findPythonWith(`conformance-${hash.slice(0, 12)}`, ["--no-deps", "-r", REQUIREMENTS]);
}

/** Messages of pip when it cannot reach a server. Any other error is a failure. */
const UNREACHABLE =
  /NewConnectionError|ConnectTimeoutError|NameResolutionError|Temporary failure in name resolution|Network is unreachable|ProxyError/;

/**
 * The published Python client library of this version with what it needs, or null when PyPI cannot be reached.
 * @throws Error that names what is missing
 */
export async function findPythonLibrary(version: string): Promise<Python | null> {
  const hash = createHash("sha256").update(readFileSync(LIBRARY)).digest("hex");
  const packages = ["--no-deps", "-r", LIBRARY, `ntropy-sdk==${version}`];
  try {
    return await findPythonWith(`library-${version}-${hash.slice(0, 12)}`, packages);
  } catch (error) {
    if (UNREACHABLE.test(String(error))) return null;
    throw error;
  }
}

/** Runs a Python program to its end in a folder of its own, whatever the end is. */
export function runPython(
  { command, env }: Python,
  folder: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  input = "",
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const options = {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder, ...env, ...settings },
      maxBuffer: OUTPUT_BYTES_MAX,
    };
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === "number") resolve({ code, output: `${stdout}${stderr}` });
      else reject(error ?? new Error("no exit code"));
    });
    child.stdin?.end(input);
  });
}
