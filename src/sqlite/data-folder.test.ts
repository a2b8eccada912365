import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { folderWarnings, openDataFolder } from "./data-folder.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ledgerline-folder-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test.each([[0o777], [0o1777], [0o702]])(
  "a data folder of mode %o is refused with what to do, and nothing is put into it",
  (mode) => {
    chmodSync(folder, mode);
    expect(() => openDataFolder(folder, true)).toThrow(`run "chmod 700 ${folder}"`);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test("a folder inside one that all can write in is made for its owner alone", async () => {
  chmodSync(folder, 0o777);
  const inside = join(folder, "ledgerline");
  const database = openDataFolder(inside, true);
  expect(folderWarnings(inside)).toEqual([]);
  await database.close();
});

test("a data folder that its group can write in is used, with a warning", async () => {
  chmodSync(folder, 0o2770);
  const database = openDataFolder(folder, true);
  await database.close();
  expect(folderWarnings(folder)).toEqual([expect.stringContaining(`run "chmod 700 ${folder}"`)]);
  chmodSync(folder, 0o750);
  expect(folderWarnings(folder)).toEqual([]);
});
