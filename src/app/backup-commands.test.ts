import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { statementDocument } from "../../test/support/http-statements.ts";
import type { StoredStatement } from "../model/statement-document.ts";
import { backUp, restore } from "./backup-commands.ts";
import { readConfig } from "../config/config.ts";
import { addKey, dropOldKeys, openKeyFile } from "../secrets/key-file.ts";
import { keyIdOf } from "../secrets/keyring.ts";
import { DATA_FILE } from "../sqlite/data-folder.ts";
import { openDatabase } from "../sqlite/database.ts";
import { createFolderFiles } from "../store/folder/files.ts";
import { createEventRepository } from "../store/repositories/events.ts";
import { createHolderRepository } from "../store/repositories/holders.ts";
import { createSettingRepository } from "../store/repositories/settings.ts";
import { createStatementRepository } from "../store/repositories/statements.ts";
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

it("a backup has the files of the bank statements in its data, and no others", async () => {
  const folder = await folderWith(null);
  const database = openDatabase(join(folder, DATA_FILE));
  const store = createSqliteStore(database);
  const events = createEventRepository(store);
  const statements = createStatementRepository(store, events, createHolderRepository(store));
  const files = createFolderFiles(folder);
  const [kept, removed, unknown] = [1, 2, 3].map((at) => ({
    ...{ ...statementDocument, org: "acme.x", password: null, crashes: 0 },
    id: `0d7c1a52-9c0e-4f0a-8f4b-00000000000${String(at)}`,
  })) as [StoredStatement, StoredStatement, StoredStatement];
  for (const document of [kept, removed]) {
    await statements.insert(document);
    await statements.accept(document);
  }
  await statements.hide(removed.org, removed.id);
  for (const document of [kept, removed, unknown])
    await files.put(document, Readable.from([Buffer.from(document.id)]));
  await database.close();
  const file = join(temporary(), "one.backup");
  await backUp(configOf(folder), file, true);
  const target = temporary();
  await restore(configOf(target), file, true);
  // A second time over what is there.
  await restore(configOf(target), file, true);
  const found: string[] = [];
  for await (const { id } of createFolderFiles(target).list()) found.push(id);
  expect(found).toEqual([kept.id]);
  expect(await createFolderFiles(target).read(kept)).toEqual(Buffer.from(kept.id));
});
