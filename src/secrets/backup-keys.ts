// The encryption keys of a backup: which of them it contains, and which have to be kept elsewhere.
import { formatKey, parseKey } from "./key.ts";
import { hasKeyFile, openKeyFile, putKeys } from "./key-file.ts";
import { keyIdOf } from "./keyring.ts";

/** Ids of keys that a backup contains, and of those that its data needs and it does not contain. */
export interface KeyIds {
  readonly included: readonly string[];
  readonly missing: readonly string[];
}

export interface BackupKeySet {
  /** Ids of all keys that the data may need. */
  readonly ids: readonly string[];
  /** The keys to include; null: none. */
  readonly keys: readonly string[] | null;
  readonly split: KeyIds;
}

/**
 * Returns a function for the moment after the data was copied. A key may be added before that and its predecessor removed
 * after it: the keys of both sides of the copy count.
 * @param settingKeys keys that are set in the environment: they belong to the operator and are never written; null: the key
 *   file of the folder is used
 * @param isIncluded whether the keys of the key file go into the backup
 */
export function readBackupKeys(
  dataFolder: string,
  settingKeys: readonly Uint8Array[] | null,
  isIncluded: boolean,
): (registeredIds: readonly string[]) => BackupKeySet {
  const inFile = (): readonly Uint8Array[] =>
    hasKeyFile(dataFolder) ? openKeyFile(dataFolder) : [];
  const before = settingKeys ?? inFile();
  return (registeredIds) => {
    const own = settingKeys ?? distinct([...inFile(), ...before]);
    const keys = isIncluded && settingKeys === null && own.length > 0 ? own : null;
    const ids = [...new Set([...own.map(keyIdOf), ...registeredIds])];
    return { ids, keys: keys?.map(formatKey) ?? null, split: splitKeys(ids, keys ?? []) };
  };
}

const distinct = (keys: readonly Uint8Array[]): readonly Uint8Array[] => [
  ...new Map(keys.map((key) => [formatKey(key), key])).values(),
];

export function splitKeys(ids: readonly string[], keys: readonly Uint8Array[]): KeyIds {
  const included = new Set(keys.map(keyIdOf));
  return { included: [...included], missing: ids.filter((id) => !included.has(id)) };
}

/** Writes the keys of a backup into the key file of a data folder and returns them; null: the backup has none. */
export function restoreKeys(
  dataFolder: string,
  texts: readonly string[] | null,
): readonly Uint8Array[] {
  const keys = (texts ?? []).map(parseKey).filter((key) => key !== null);
  if (keys.length > 0) putKeys(dataFolder, keys);
  return keys;
}
