// Opens the keyring of an installation. The store contains the ids of the keys that were used for encryption, so that a missing
// key is noticed at the start, before a new one replaces it.
import { LedgerlineError } from "../shared/errors.ts";
import { hasKeyFile, keyFilePath, openKeyFile } from "./key-file.ts";
import { createKeyring, type Keyring, keyIdOf } from "./keyring.ts";

/** The ids of keys, 8 hexadecimal digits each, as one text. */
export interface KeyRegistry {
  get(): Promise<string | null>;
  /** Stores the text if there is none; returns the stored text. */
  getOrSet(text: string): Promise<string>;
  /** Does nothing when the stored text has changed since. */
  replace(seen: string, text: string): Promise<void>;
}

export interface KeyringSource {
  /** From ENCRYPTION_KEYS; null: those of the key file. */
  readonly keys: readonly Uint8Array[] | null;
  readonly dataFolder: string;
  readonly registry: KeyRegistry;
  /** All stored encrypted texts, with what each belongs to. Read only when a key is missing. */
  encrypted(): AsyncIterable<{ readonly owner: string; readonly text: string }>;
  /** Continues without keys that are lost for good: what they encrypted stays as it is and cannot be used. */
  readonly acceptsLost: boolean;
}

/** The name of the setting that holds the registry. */
export const KEY_REGISTRY_SETTING = "encryption_keys";

const SEPARATOR = " ";
/** Others may change the registry between reading and writing; each of them does so once. */
const TRIES_MAX = 100;

/**
 * @throws LedgerlineError `bad_secret` when something is encrypted with a key that is missing
 * @throws LedgerlineError `data_folder` when the key file cannot be used
 */
export async function openKeyring(source: KeyringSource): Promise<Keyring> {
  const registered = registeredKeyIds(await source.registry.get());
  // Without a file there is no key yet, and none is created before it is certain that none is missing.
  const isFileMissing = source.keys === null && !hasKeyFile(source.dataFolder);
  const found = isFileMissing ? [] : (source.keys ?? openKeyFile(source.dataFolder));
  const present = new Set(found.map(keyIdOf));
  const missing = registered.filter((id) => !present.has(id));
  if (missing.length > 0 && !source.acceptsLost) await refuseIfUsed(source, missing);
  const keyring = createKeyring(isFileMissing ? openKeyFile(source.dataFolder) : found);
  await changeRegistry(source.registry, (ids) =>
    ids.includes(keyring.currentId) ? ids : [...ids, keyring.currentId],
  );
  return keyring;
}

/** Reduces the registry to these keys, after everything was encrypted with them. */
export async function keepKeys(registry: KeyRegistry, ids: readonly string[]): Promise<void> {
  await changeRegistry(registry, () => ids);
}

async function changeRegistry(
  registry: KeyRegistry,
  change: (ids: readonly string[]) => readonly string[],
): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const seen = await registry.getOrSet(change([]).join(SEPARATOR));
    const text = change(registeredKeyIds(seen)).join(SEPARATOR);
    if (text === seen) return;
    await registry.replace(seen, text);
  }
  throw new LedgerlineError("unavailable", "The registry of encryption keys changes too often.");
}

async function refuseIfUsed(
  { keys, dataFolder, encrypted }: KeyringSource,
  missing: readonly string[],
): Promise<void> {
  const used = new Set<string>();
  const owners = new Set<string>();
  for await (const { owner, text } of encrypted()) {
    const id = missing.find((one) => text.startsWith(`v1.${one}.`));
    if (id === undefined) continue;
    used.add(id);
    owners.add(owner);
  }
  if (used.size === 0) return;
  const count =
    owners.size === 1 ? "1 stored secret needs" : `${String(owners.size)} stored secrets need`;
  const restore =
    keys === null
      ? `restore ${keyFilePath(dataFolder)} from a copy`
      : "add it to ENCRYPTION_KEYS behind the current one";
  throw new LedgerlineError(
    "bad_secret",
    `The encryption key ${[...used].join(", ")} is missing, and ${count} it: ${restore}. If it is lost, run "ledgerline keys rotate-encryption --accept-lost" and set the secrets of webhooks again.`,
  );
}

/** The ids in the text of a registry; none without one. */
export const registeredKeyIds = (text: string | null): readonly string[] =>
  text === null || text === "" ? [] : text.split(SEPARATOR);
