// Backup and restore of a data folder, joined with the encryption keys; part of the composition root.
import type { BackupKeys } from "./cli/backup.ts";
import type { Config } from "./config.ts";
import { LedgerlineError } from "./domain/errors.ts";
import { formatKey, parseKey } from "./secrets/key.ts";
import { hasKeyFile, openKeyFile, putKeys } from "./secrets/key-file.ts";
import { keyIdOf } from "./secrets/keyring.ts";
import { restoreBackup, writeBackup } from "./sqlite/backup.ts";
import { hasData } from "./sqlite/data-folder.ts";
import { programVersion } from "./version.ts";

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
  const ofFolder = hasKeyFile(dataFolder) ? openKeyFile(dataFolder) : [];
  // Keys that are set belong to whoever sets them, and are never written down.
  const own =
    encryptionKeys === null ? ofFolder : encryptionKeys.map((key) => Buffer.from(key, "base64"));
  const isIncluded = hasKeys && encryptionKeys === null && own.length > 0;
  const keyIds = own.map(keyIdOf);
  await writeBackup(dataFolder, file, {
    program: programVersion(),
    createdAt: new Date().toISOString(),
    keyIds,
    keys: isIncluded ? own.map(formatKey) : null,
  });
  return { keyIds, hasKeys: isIncluded };
}

/** @throws LedgerlineError `data_folder` */
export async function restore(
  config: Config,
  file: string,
  isForced: boolean,
): Promise<BackupKeys> {
  requireEmbedded(config);
  const { dataFolder } = config;
  const { keyIds, keys } = await restoreBackup(file, dataFolder, isForced, (details) => {
    const parsed = (details.keys ?? []).map(parseKey).filter((key) => key !== null);
    if (parsed.length > 0) putKeys(dataFolder, parsed);
  });
  return { keyIds, hasKeys: keys !== null };
}

function requireEmbedded({ distributed }: Config): void {
  if (distributed === null) return;
  throw new LedgerlineError(
    "data_folder",
    "backup and restore work on a data folder: with MongoDB, use mongodump and mongorestore.",
  );
}
