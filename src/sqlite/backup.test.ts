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
import type { RestoredFile } from "./backup-content.ts";
import { DATA_FILE, openDataFolder } from "./data-folder.ts";
import { openDatabase } from "./database.ts";

const PARTS = {
  describe: () => DETAILS,
  listFiles: () => Promise.resolve([]),
  readFile: () => Promise.resolve(null),
};
const RESTORED = { putKeys: () => undefined, putFile: () => Promise.resolve() };
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
  await writeBackup(await killedWith(1), backup, PARTS);
  const folder = await killedWith(3);
  const { renameSync } = fs;
  fs.renameSync = () => {
    throw new Error("killed");
  };
  syncBuiltinESMExports();
  try {
    await expect(restoreBackup(backup, folder, true, RESTORED)).rejects.toThrow("killed");
  } finally {
    fs.renameSync = renameSync;
    syncBuiltinESMExports();
  }
  expect(await rowsOf(folder)).toBe(3);
  await restoreBackup(backup, folder, true, RESTORED);
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
    await writeBackup(source, file, PARTS);
    expect(readdirSync(folder)).toEqual(["one.backup"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const meanwhile = join(folder, "two.backup");
    const second = writeBackup(source, meanwhile, {
      ...PARTS,
      describe: () => {
        writeFileSync(meanwhile, "of another");
        return DETAILS;
      },
    });
    await expect(second).rejects.toThrow(`${meanwhile} is there already`);
    expect(readFileSync(meanwhile, "utf8")).toBe("of another");
    expect(readdirSync(folder)).toEqual(["one.backup", "two.backup"]);
  } finally {
    fs.linkSync = linkSync;
    syncBuiltinESMExports();
  }
  const restored = join(temporary(), "restored");
  await restoreBackup(file, restored, false, RESTORED);
  expect(await rowsOf(restored)).toBe(2);
});

it("two backups at once to one file leave the one that was complete first", async () => {
  const folder = temporary();
  const file = join(folder, "one.backup");
  const source = await killedWith(2);
  const both = await Promise.allSettled([
    writeBackup(source, file, PARTS),
    writeBackup(source, file, PARTS),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(readdirSync(folder)).toEqual(["one.backup"]);
  await restoreBackup(file, join(folder, "restored"), false, RESTORED);
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
  await writeBackup(await killedWith(1), backup, PARTS);
  const folder = temporary();
  const seen: unknown[] = [];
  const putKeys = (): void => {
    seen.push(readdirSync(folder).includes("ledgerline.db.restoring"));
    expect(() => openDataFolder(folder, true)).toThrow("already runs on");
    seen.push(readdirSync(folder).includes("ledgerline.db.restoring"));
  };
  await restoreBackup(backup, folder, false, { ...RESTORED, putKeys });
  expect(seen).toEqual([true, true]);
  expect(await rowsOf(folder)).toBe(1);
});

it("a backup has the files of its data behind it, and a damaged one restores none of them", async () => {
  const files = new Map([
    ["1", Buffer.from("%PDF- one\n")],
    ["2", Buffer.alloc(300_000, 7)],
  ]);
  const file = join(temporary(), "one.backup");
  await writeBackup(await killedWith(2), file, {
    ...PARTS,
    listFiles: () => Promise.resolve(["1", "gone", "2"].map((id) => ({ org: "a.b", id }))),
    readFile: ({ id }) => Promise.resolve(files.get(id) ?? null),
  });
  const found = new Map<string, Buffer>();
  const parts = {
    ...RESTORED,
    putFile: async ({ org, id, bytes }: RestoredFile) => {
      const all: Uint8Array[] = [];
      for await (const part of bytes) all.push(part);
      found.set(`${org} ${id}`, Buffer.concat(all));
    },
  };
  const folder = temporary();
  await restoreBackup(file, folder, false, parts);
  expect(await rowsOf(folder)).toBe(2);
  expect(found).toEqual(new Map([...files].map(([id, bytes]) => [`a.b ${id}`, bytes])));
  found.clear();
  const bytes = readFileSync(file);
  bytes.fill(8, bytes.length - 2_000, bytes.length - 1_000);
  const damaged = join(temporary(), "damaged.backup");
  writeFileSync(damaged, bytes);
  await expect(restoreBackup(damaged, temporary(), false, parts)).rejects.toThrow("is damaged");
  expect(found.size).toBe(0);
});
