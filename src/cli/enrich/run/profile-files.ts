import { Buffer } from "node:buffer";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InputError } from "../input-error.ts";
import { type ParseSettings, readProfile, writeProfile } from "./parse-settings.ts";

/** A profile has a few hundred bytes. */
const PROFILE_BYTES_MAX = 64 * 1024;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/u;

/** A plain word is a name in the folder of profiles; everything else is a path. */
function pathOf(nameOrFile: string, folder: string): string {
  return NAME.test(nameOrFile) ? join(folder, `${nameOrFile}.json`) : nameOrFile;
}

/** Throws InputError when there is no such profile, or it is too large or not a profile. */
export async function loadProfile(nameOrFile: string, folder: string): Promise<ParseSettings> {
  const path = pathOf(nameOrFile, folder);
  return readProfile(path, await readProfileText(path));
}

/** Replaces a profile of that name as a whole, and returns where it is. Throws InputError when it cannot be written. */
export async function saveProfile(
  nameOrFile: string,
  folder: string,
  settings: ParseSettings,
  runId: string,
): Promise<string> {
  const path = pathOf(nameOrFile, folder);
  const partial = `${path}.${runId}.partial`;
  try {
    if (path !== nameOrFile) await mkdir(dirname(path), { recursive: true });
    const file = await open(partial, "wx");
    try {
      await file.writeFile(writeProfile(settings));
    } finally {
      await file.close();
    }
    await rename(partial, path);
    return path;
  } catch (error) {
    await rm(partial, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(`Cannot write the parse profile ${path}: ${reason}.`, error);
  }
}

async function readProfileText(path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const { buffer, bytesRead } = await file.read({
        buffer: Buffer.alloc(PROFILE_BYTES_MAX + 1),
      });
      if (bytesRead > PROFILE_BYTES_MAX)
        throw new InputError(`${path} is too large for a parse profile: at most 64 KiB.`);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw new InputError(
      isMissing
        ? `There is no parse profile ${path}. Save one with --save-profile.`
        : `Cannot read the parse profile ${path}: ${error instanceof Error ? error.message : String(error)}.`,
      error,
    );
  }
}
