import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../support/service.ts";
import { assertHash, cached, hashFile, hashFolder } from "./cache.ts";

it("keeps one whole copy when two processes fill the cache at the same time", async () => {
  const root = temporaryFolder();
  const bothStarted = Promise.withResolvers<undefined>();
  let fills = 0;
  const fill = async (folder: string): Promise<void> => {
    fills += 1;
    if (fills === 2) bothStarted.resolve(undefined);
    await bothStarted.promise;
    await writeFile(join(folder, "program"), "whole");
  };
  const paths = await Promise.all([cached("tool", fill, root), cached("tool", fill, root)]);
  expect(paths).toEqual([join(root, "tool"), join(root, "tool")]);
  expect(await readFile(join(root, "tool", "program"), "utf8")).toBe("whole");
  expect(await readdir(root)).toEqual(["tool"]);
  await cached("tool", fill, root);
  expect(fills).toBe(2);
});

it("leaves nothing under the name when a download is not what was expected", async () => {
  const root = temporaryFolder();
  const fill = async (folder: string): Promise<void> => {
    await writeFile(join(folder, "program"), "damaged");
    assertHash("The program", await hashFile(join(folder, "program")), "0".repeat(64));
  };
  await expect(cached("tool", fill, root)).rejects.toThrow(/The program has SHA-256 [0-9a-f]{64}/);
  expect(await readdir(root)).toEqual([]);
});

it("notices another name, another content and another file in a folder", async () => {
  const root = temporaryFolder();
  const hash = async (files: Readonly<Record<string, string>>, name: string): Promise<string> => {
    const folder = join(root, name);
    await mkdir(folder);
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
    return hashFolder(folder);
  };
  const hashes = await Promise.all([
    hash({ "a.jar": "1" }, "one"),
    hash({ "b.jar": "1" }, "renamed"),
    hash({ "a.jar": "2" }, "changed"),
    hash({ "a.jar": "1", "b.jar": "" }, "added"),
  ]);
  expect(new Set(hashes).size).toBe(4);
  expect(await hash({ "a.jar": "1" }, "same")).toBe(hashes[0]);
});

it("removes the files of a killed download, but not of a running one", async () => {
  const root = temporaryFolder();
  await mkdir(join(root, ".partial-old"));
  await mkdir(join(root, ".partial-new"));
  await utimes(join(root, ".partial-old"), 0, 0);
  await cached("tool", () => Promise.resolve(), root);
  expect((await readdir(root)).sort()).toEqual([".partial-new", "tool"]);
});
