// The contract of files over a folder, and what only a folder has: permissions, and files that a killed process left.
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { createFolderFiles, FILES_FOLDER } from "../../src/store/folder/files.ts";
import type { StoredFile } from "../../src/store/file-store.ts";
import { filesContract } from "./files.contract.ts";

const ID = "0d7c1a52-9c0e-4f0a-8f4b-2a6f6f3f1f7e";
const KEY = { org: "acme", id: ID };

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "ledgerline-files-"));
}

filesContract("folder", () => {
  const folder = newFolder();
  return Promise.resolve({
    files: createFolderFiles(folder),
    stored: () => Promise.resolve(readdirSync(join(folder, FILES_FOLDER)).length),
    close: () => {
      rmSync(folder, { recursive: true });
      return Promise.resolve();
    },
  });
});

function inFolder(): string {
  const folder = newFolder();
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

it("files of the folder are for its user alone", async () => {
  const folder = inFolder();
  await createFolderFiles(folder).put(KEY, Readable.from([Buffer.from("x")]));
  const inside = join(folder, FILES_FOLDER);
  const [name = ""] = readdirSync(inside);
  const modes = [inside, join(inside, name)].map((path) => statSync(path).mode & 0o777);
  if (process.platform !== "win32") expect(modes).toEqual([0o700, 0o600]);
});

it("a file that a killed process was writing is not read, is listed by its time, and is erased", async () => {
  const folder = inFolder();
  const inside = join(folder, FILES_FOLDER);
  await mkdir(inside);
  const partial = join(inside, `acme.${ID}.partial`);
  writeFileSync(partial, "half");
  utimesSync(partial, 100, 100);
  const files = createFolderFiles(folder);
  expect(await files.read(KEY)).toBeNull();
  const found: StoredFile[] = [];
  for await (const file of files.list()) found.push(file);
  expect(found).toEqual([{ ...KEY, storedAt: 100_000 }]);
  await files.delete(KEY);
  expect(readdirSync(inside)).toEqual([]);
});

it("what others put into the folder is neither listed nor erased", async () => {
  const folder = inFolder();
  const files = createFolderFiles(folder);
  await files.put(KEY, Readable.from([Buffer.from("x")]));
  writeFileSync(join(folder, FILES_FOLDER, "notes.txt"), "mine");
  const found: StoredFile[] = [];
  for await (const file of files.list()) found.push(file);
  expect(found).toMatchObject([KEY]);
});

it.each([
  ["../../etc", ID],
  ["acme", "../../ledgerline.db"],
  ["acme/x", ID],
  ["", ID],
])("no name leads out of the folder: %s %s", async (org, id) => {
  const files = createFolderFiles(inFolder());
  await expect(files.read({ org, id })).rejects.toThrow("organization and a UUID");
  await expect(files.put({ org, id }, Readable.from([]))).rejects.toThrow("organization");
});
