import fs, {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { restoreBackup, writeBackup } from "./backup.ts";
import { DATA_FILE, openDataFolder } from "./data-folder.ts";
import { openDatabase } from "./database.ts";

const DETAILS = { program: "", createdAt: "", keys: [], keyIds: [] };

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
  await writeBackup(await killedWith(1), backup, () => DETAILS);
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

it("a backup needs no hard links, and never replaces a file that was made meanwhile", async () => {
  const folder = temporary();
  const file = join(folder, "one.backup");
  const source = await killedWith(2);
  const { linkSync } = fs;
  fs.linkSync = () => {
    throw Object.assign(new Error("EPERM: operation not permitted, link"), { code: "EPERM" });
  };
  syncBuiltinESMExports();
  try {
    await writeBackup(source, file, () => DETAILS);
    expect(readdirSync(folder)).toEqual(["one.backup"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const meanwhile = join(folder, "two.backup");
    const second = writeBackup(source, meanwhile, () => {
      writeFileSync(meanwhile, "of another");
      return DETAILS;
    });
    await expect(second).rejects.toThrow(`${meanwhile} is there already`);
    expect(readFileSync(meanwhile, "utf8")).toBe("of another");
    expect(readdirSync(folder)).toEqual(["one.backup", "two.backup"]);
  } finally {
    fs.linkSync = linkSync;
    syncBuiltinESMExports();
  }
  const restored = join(temporary(), "restored");
  await restoreBackup(file, restored, false, () => undefined);
  expect(await rowsOf(restored)).toBe(2);
});

it("two backups at once to one file leave the one that was complete first", async () => {
  const folder = temporary();
  const file = join(folder, "one.backup");
  const source = await killedWith(2);
  const both = await Promise.allSettled([
    writeBackup(source, file, () => DETAILS),
    writeBackup(source, file, () => DETAILS),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(readdirSync(folder)).toEqual(["one.backup"]);
  await restoreBackup(file, join(folder, "restored"), false, () => undefined);
});

it("what a killed restore left is removed by the next owner of the folder, not by a command", async () => {
  const folder = temporary();
  const left = ["ledgerline.db.restoring", "ledgerline.db.restoring-journal"];
  for (const name of left) writeFileSync(join(folder, name), "personal data");
  await openDataFolder(folder, false).close();
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(left));
  await openDataFolder(folder, true).close();
  expect(readdirSync(folder).toSorted()).toEqual(["ledgerline.db", "ledgerline.lock"]);
});

it("a folder that is being restored cannot be opened by an owner", async () => {
  const backup = join(temporary(), "one.backup");
  await writeBackup(await killedWith(1), backup, () => DETAILS);
  const folder = temporary();
  const seen: unknown[] = [];
  await restoreBackup(backup, folder, false, () => {
    seen.push(readdirSync(folder).includes("ledgerline.db.restoring"));
    expect(() => openDataFolder(folder, true)).toThrow("already runs on");
    seen.push(readdirSync(folder).includes("ledgerline.db.restoring"));
  });
  expect(seen).toEqual([true, true]);
  expect(await rowsOf(folder)).toBe(1);
});
