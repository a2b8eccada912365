// Backup and restore of a data folder, joined with the encryption keys; part of the composition root.
import type { BackupKeys } from "../cli/backup.ts";
import type { Config } from "../config/config.ts";
import { programVersion } from "../config/version.ts";
import { readBackupKeys, restoreKeys, splitKeys } from "../secrets/backup-keys.ts";
import { KEY_REGISTRY_SETTING, registeredKeyIds } from "../secrets/open-keyring.ts";
import { LedgerlineError } from "../shared/errors.ts";
import { restoreBackup, writeBackup } from "../sqlite/backup.ts";
import type { BackedUpFile } from "../sqlite/backup-content.ts";
import { requireData } from "../sqlite/data-folder.ts";
import { createFolderFiles } from "../store/folder/files.ts";
import { storedSetting } from "../store/sqlite/stored-setting.ts";
import { hasStoredStatement } from "../store/sqlite/stored-statement.ts";

/** @throws LedgerlineError `data_folder` */
export async function backUp(config: Config, file: string, hasKeys: boolean): Promise<BackupKeys> {
  requireEmbedded(config);
  const { dataFolder, encryptionKeys } = config;
  requireData(dataFolder);
  const settingKeys = encryptionKeys?.map((key) => Buffer.from(key, "base64")) ?? null;
  const keysOf = readBackupKeys(dataFolder, settingKeys, hasKeys);
  let split: BackupKeys = { included: [], missing: [] };
  const files = createFolderFiles(dataFolder);
  await writeBackup(dataFolder, file, {
    describe: (read) => {
      const found = keysOf(registeredKeyIds(storedSetting(read, KEY_REGISTRY_SETTING)));
      split = found.split;
      return {
        program: programVersion(),
        createdAt: new Date().toISOString(),
        keyIds: found.ids,
        keys: found.keys,
      };
    },
    // A document is in the log after its file is stored: the file of each document in the data is here, unless it was removed since.
    listFiles: async (read) => {
      const found: BackedUpFile[] = [];
      for await (const { org, id } of files.list())
        if (hasStoredStatement(read, { org, id })) found.push({ org, id });
      return found;
    },
    readFile: files.read,
  });
  return split;
}

/** @throws LedgerlineError `data_folder` */
export async function restore(
  config: Config,
  file: string,
  isForced: boolean,
): Promise<BackupKeys> {
  requireEmbedded(config);
  const { dataFolder } = config;
  let included: readonly Uint8Array[] = [];
  const files = createFolderFiles(dataFolder);
  const { keyIds } = await restoreBackup(file, dataFolder, isForced, {
    putKeys: ({ keys }) => {
      included = restoreKeys(dataFolder, keys);
    },
    // One that is there may be a part that a killed restore left.
    putFile: async ({ bytes, ...key }) => {
      await files.delete(key);
      await files.put(key, bytes);
    },
  });
  return splitKeys(keyIds, included);
}

function requireEmbedded({ distributed }: Config): void {
  if (distributed === null) return;
  throw new LedgerlineError(
    "data_folder",
    "backup and restore work on a data folder: with MongoDB, use mongodump and mongorestore.",
  );
}
