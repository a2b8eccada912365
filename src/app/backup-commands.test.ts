import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { backUp, restore } from "./backup-commands.ts";
import { readConfig } from "../config/config.ts";
import { addKey, dropOldKeys, openKeyFile } from "../secrets/key-file.ts";
import { keyIdOf } from "../secrets/keyring.ts";
import { DATA_FILE } from "../sqlite/data-folder.ts";
import { openDatabase } from "../sqlite/database.ts";
import { createSettingRepository } from "../store/repositories/settings.ts";
import { createSqliteStore } from "../store/sqlite/store.ts";

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-backup-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

const configOf = (folder: string) => readConfig({ LEDGERLINE_DATA: folder }, 1);

/** A data folder whose store names these keys as used. */
async function folderWith(registered: string | null): Promise<string> {
  const folder = temporary();
  const database = openDatabase(join(folder, DATA_FILE));
  if (registered !== null) {
    const settings = createSettingRepository(createSqliteStore(database));
    await settings.getOrSet("encryption_keys", registered);
  }
  await database.close();
  return folder;
}

it("a backup has the keys of before and after its copy when they are changed meanwhile", async () => {
  const folder = await folderWith(null);
  const [old] = openKeyFile(folder).map(keyIdOf);
  const file = join(temporary(), "one.backup");
  const running = backUp(configOf(folder), file, true);
  const [added] = addKey(folder).map(keyIdOf);
  dropOldKeys(folder);
  expect(await running).toEqual({ included: [added, old], missing: [] });
  const restored = join(temporary(), "restored");
  await restore(configOf(restored), file, false);
  expect(openKeyFile(restored).map(keyIdOf)).toEqual([added, old]);
});

it("a backup names the keys of its data, also where the command does not have them", async () => {
  const folder = await folderWith("0a0b0c0d 1a1b1c1d");
  const file = join(temporary(), "one.backup");
  const expected = { included: [], missing: ["0a0b0c0d", "1a1b1c1d"] };
  expect(await backUp(configOf(folder), file, true)).toEqual(expected);
  expect(await restore(configOf(join(temporary(), "restored")), file, false)).toEqual(expected);
});
