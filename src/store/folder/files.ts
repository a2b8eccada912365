// Files in the data folder, readable for its user alone. One is written under a temporary name, synced and renamed: a crash
// leaves a whole file or a temporary one, which is deleted with its document.
import { mkdirSync } from "node:fs";
import { type FileHandle, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { syncFolderLater } from "../../observability/files.ts";
import { LedgerlineError } from "../../shared/errors.ts";
import type { FileKey, FileStore, StoredFile } from "../file-store.ts";

/** The folder of the files, in the data folder. */
export const FILES_FOLDER = "files";
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const PARTIAL_END = ".partial";
/** As the command that makes keys takes organizations; the id is a UUID. Neither can lead out of the folder. */
const NAME = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** @param dataFolder exists; the folder of files is made with the first file */
export function createFolderFiles(dataFolder: string): FileStore {
  const folder = resolve(dataFolder, FILES_FOLDER);

  const pathOf = ({ org, id }: FileKey): string => {
    const name = `${org}.${id}`;
    if (!NAME.test(name)) throw new Error("A file has an organization and a UUID");
    return join(folder, name);
  };

  return {
    put: async (key, bytes) => {
      const path = pathOf(key);
      const partial = path + PARTIAL_END;
      try {
        await guarded(() => mkdirSync(folder, { recursive: true, mode: FOLDER_MODE }));
        await writeAll(partial, bytes);
        await guarded(() => rename(partial, path));
        await guarded(() => syncFolderLater(folder));
      } catch (error) {
        await rm(partial, { force: true }).catch(() => undefined);
        throw error;
      }
    },
    read: async (key) => {
      const path = pathOf(key);
      return guarded(() => readFile(path).catch(nullIfMissing));
    },
    delete: async (key) => {
      const path = pathOf(key);
      await guarded(async () => {
        await rm(path + PARTIAL_END, { force: true });
        await rm(path, { force: true });
        await syncFolderLater(folder).catch(nullIfMissing);
      });
    },
    list: () => listFiles(folder),
  };
}

async function writeAll(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const file: FileHandle = await guarded(() => open(path, "wx", FILE_MODE));
  try {
    for await (const part of bytes) await guarded(() => file.writeFile(part));
    await guarded(() => file.sync());
  } finally {
    await file.close();
  }
}

async function* listFiles(folder: string): AsyncIterable<StoredFile> {
  const names = await guarded(() => readdir(folder).catch(nullIfMissing));
  for (const name of names ?? []) {
    const isPartial = name.endsWith(PARTIAL_END);
    const [, org, id] = NAME.exec(isPartial ? name.slice(0, -PARTIAL_END.length) : name) ?? [];
    const found = await guarded(() => stat(join(folder, name)).catch(nullIfMissing));
    // What someone else put there is not ours.
    if (org === undefined || id === undefined || found === null) continue;
    yield { org, id, storedAt: found.mtimeMs };
  }
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
  throw error;
}

/** A disk that is full or cannot be read is lost infrastructure. What the bytes throw does not come through here. */
async function guarded<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new LedgerlineError("unavailable", "The files in the data folder cannot be used.", {
      cause,
    });
  }
}
