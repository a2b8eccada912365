// Backup and restore of a data folder, joined with the encryption keys; part of the composition root.
import type { BackupKeys } from "../cli/backup.ts";
import type { Config } from "../config/config.ts";
import { LedgerlineError } from "../shared/errors.ts";
import { formatKey, parseKey } from "../secrets/key.ts";
import { hasKeyFile, openKeyFile, putKeys } from "../secrets/key-file.ts";
import { keyIdOf } from "../secrets/keyring.ts";
import { KEY_REGISTRY_SETTING, registeredKeyIds } from "../secrets/open-keyring.ts";
import { restoreBackup, writeBackup } from "../sqlite/backup.ts";
import { hasData } from "../sqlite/data-folder.ts";
import { storedSetting } from "../store/sqlite/stored-setting.ts";
import { programVersion } from "../config/version.ts";

/** @throws LedgerlineError `data_folder` */
export async function backUp(config: Config, file: string, hasKeys: boolean): Promise<BackupKeys> {
  requireEmbedded(config);
  const { dataFolder, encryptionKeys } = config;
  if (!hasData(dataFolder)) {
    throw new LedgerlineError(
      "data_folder",
      `There is nothing of Ledgerline in the data folder ${dataFolder}; LEDGERLINE_DATA names another one.`,
    );
  }
  const keysNow = (): readonly Uint8Array[] =>
    hasKeyFile(dataFolder) ? openKeyFile(dataFolder) : [];
  // Keys that are set belong to whoever sets them, and are never written down.
  const fromSettings = encryptionKeys?.map((key) => Buffer.from(key, "base64")) ?? null;
  const before = fromSettings ?? keysNow();
  let named: BackupKeys = { included: [], missing: [] };
  await writeBackup(dataFolder, file, (read) => {
    // A key may be added before the data is copied, and its predecessor removed after: both sides of the copy count.
    const own = fromSettings ?? distinct([...keysNow(), ...before]);
    const keys = hasKeys && fromSettings === null && own.length > 0 ? own : null;
    const registered = registeredKeyIds(storedSetting(read, KEY_REGISTRY_SETTING));
    const keyIds = [...new Set([...own.map(keyIdOf), ...registered])];
    named = splitKeys(keyIds, keys ?? []);
    return {
      program: programVersion(),
      createdAt: new Date().toISOString(),
      keyIds,
      keys: keys?.map(formatKey) ?? null,
    };
  });
  return named;
}

const distinct = (keys: readonly Uint8Array[]): readonly Uint8Array[] => [
  ...new Map(keys.map((key) => [formatKey(key), key])).values(),
];

function splitKeys(ids: readonly string[], keys: readonly Uint8Array[]): BackupKeys {
  const included = new Set(keys.map(keyIdOf));
  return { included: [...included], missing: ids.filter((id) => !included.has(id)) };
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
  const { keyIds } = await restoreBackup(file, dataFolder, isForced, ({ keys }) => {
    included = (keys ?? []).map(parseKey).filter((key) => key !== null);
    if (included.length > 0) putKeys(dataFolder, included);
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
