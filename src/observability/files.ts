// How a file that was written whole gets its name.
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";

const MODE = 0o600;
/** Windows has no way to sync a folder. */
const IS_POSIX = process.platform !== "win32";

/**
 * Gives the file at `temporary`, in the same folder, the name `path`. The caller removes `temporary`, which may still be
 * there. Never replaces a file, also not one that is made at the same moment.
 * @returns false: the name is taken
 * @throws the error of the file system
 */
export function placeFile(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (isExisting(error)) return false;
  }
  // No hard links here (FAT, some network and container file systems). An empty file reserves the name, because renaming
  // alone would replace a file of that name; the content then comes in one step.
  try {
    closeSync(openSync(path, "wx", MODE));
  } catch (error) {
    if (isExisting(error)) return false;
    throw error;
  }
  try {
    renameSync(temporary, path);
    return true;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

/** Makes new names in a folder survive a power cut, where the system can. */
export function syncFolder(folder: string): void {
  if (!IS_POSIX) return;
  const file = openSync(folder, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The same without stopping the event loop, which serves others meanwhile: a disk that is busy takes tens of milliseconds. */
export async function syncFolderLater(folder: string): Promise<void> {
  if (!IS_POSIX) return;
  const file = await open(folder, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

const isExisting = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EEXIST";
