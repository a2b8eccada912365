// What was downloaded for the tests, kept outside the work tree and shared by all of its copies.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

const PARTIAL = ".partial-";
/** A download takes minutes at most, so a partial folder this old was left behind by a killed process. */
const PARTIAL_AGE_MS_MAX = 3_600_000;

export function cacheFolder(): string {
  return (
    process.env["LEDGERLINE_TEST_CACHE"] ?? join(homedir(), ".cache", "ledgerline-test-services")
  );
}

/**
 * The cached folder `name`, which `fill` makes when it is not there yet. A folder appears under its name only complete
 * and checked: `fill` works in a folder of its own, and of two processes that do it at once the second to finish
 * throws its copy away.
 */
export async function cached(
  name: string,
  fill: (folder: string) => Promise<void>,
  root = cacheFolder(),
): Promise<string> {
  const target = join(root, name);
  if (await exists(target)) return target;
  await mkdir(root, { recursive: true });
  await removeLeftOvers(root);
  const partial = await mkdtemp(join(root, `${PARTIAL}${name}-`));
  try {
    await fill(partial);
    await rename(partial, target);
  } catch (error) {
    if (!isTaken(error)) throw error;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return target;
}

/** Whether `cached` would find this folder. */
export function isCached(name: string, root = cacheFolder()): Promise<boolean> {
  return exists(join(root, name));
}

/** SHA-256 of a file in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** SHA-256 over the names and hashes of all files of a flat folder, as `sha256sum` lists them. */
export async function hashFolder(folder: string): Promise<string> {
  const hash = createHash("sha256");
  for (const name of (await readdir(folder)).sort()) {
    hash.update(`${await hashFile(join(folder, name))}  ${name}\n`);
  }
  return hash.digest("hex");
}

/** @throws Error when what was downloaded is not what these tests were written with */
export function assertHash(what: string, actual: string, expected: string): void {
  if (actual !== expected) {
    throw new Error(`${what} has SHA-256 ${actual} where ${expected} was expected`);
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The error codes of `rename` on each system when the target is a folder with files. */
function isTaken(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    (error.code === "ENOTEMPTY" || error.code === "EEXIST") &&
    "syscall" in error &&
    error.syscall === "rename"
  );
}

async function removeLeftOvers(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (!name.startsWith(PARTIAL)) continue;
    const path = join(root, name);
    // Another process may be done with it by now.
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > PARTIAL_AGE_MS_MAX) {
      await rm(path, { recursive: true, force: true });
    }
  }
}
