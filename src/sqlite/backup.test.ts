import fs, { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { restoreBackup, writeBackup } from "./backup.ts";
import { DATA_FILE } from "./data-folder.ts";
import { openDatabase } from "./database.ts";

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-backup-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** A data folder with so many rows, all of them in the write-ahead log, as a killed service leaves it. */
async function killedWith(rows: number): Promise<string> {
  const [running, folder] = [temporary(), temporary()];
  const database = openDatabase(join(running, DATA_FILE));
  database.define("CREATE TABLE t (x INTEGER)");
  for (let row = 0; row < rows; row += 1)
    await database.write(() => database.run("INSERT INTO t VALUES (1)"));
  for (const end of ["", "-wal"])
    copyFileSync(join(running, DATA_FILE + end), join(folder, DATA_FILE + end));
  await database.close();
  return folder;
}

async function rowsOf(folder: string): Promise<unknown> {
  const database = openDatabase(join(folder, DATA_FILE));
  const row = database.get("SELECT count(*) AS count FROM t");
  await database.close();
  return row?.["count"];
}

it("a restore that fails or is killed at its last step leaves all data of the folder", async () => {
  const backup = join(temporary(), "one.backup");
  const details = { program: "", createdAt: "", keys: [], keyIds: [] };
  await writeBackup(await killedWith(1), backup, details);
  const folder = await killedWith(3);
  const { renameSync } = fs;
  fs.renameSync = () => {
    throw new Error("killed");
  };
  syncBuiltinESMExports();
  try {
    await expect(restoreBackup(backup, folder, true, () => undefined)).rejects.toThrow("killed");
  } finally {
    fs.renameSync = renameSync;
    syncBuiltinESMExports();
  }
  expect(await rowsOf(folder)).toBe(3);
  await restoreBackup(backup, folder, true, () => undefined);
  expect(await rowsOf(folder)).toBe(1);
});
