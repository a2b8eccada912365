// The Ed25519 key of the installation, which signs calls in addition to the secret of a webhook. It is made once and stored
// encrypted.
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import type { StoredSettings } from "../shared/stored-settings.ts";
import { openOrNull, type Vault } from "./endpoint.ts";

export const SIGNING_KEY_SETTING = "webhook_ed25519";
const CONTEXT = "settings/webhook_ed25519";
/** A public key in SPKI form begins with the bytes that mean Ed25519. */
const SPKI_PREFIX_BYTES = 12;

/** The key pair of the installation. @throws LedgerlineError `bad_secret` when it cannot be decrypted */
export async function openInstallationKey(
  settings: StoredSettings,
  vault: Vault,
): Promise<KeyObject> {
  const encrypted = await settings.getOrSet(SIGNING_KEY_SETTING, newKey(vault));
  return createPrivateKey(vault.open(encrypted, CONTEXT));
}

/** `whpk_` and base64, as receivers configure it. */
export function publicKeyText(key: KeyObject): string {
  const spki = createPublicKey(key).export({ format: "der", type: "spki" });
  return `whpk_${spki.subarray(SPKI_PREFIX_BYTES).toString("base64")}`;
}

/** Replaces a key that cannot be decrypted by a new one. */
export async function replaceLostKey(settings: StoredSettings, vault: Vault): Promise<void> {
  const encrypted = await settings.get(SIGNING_KEY_SETTING);
  if (encrypted === null || openOrNull(vault, encrypted, CONTEXT) !== null) return;
  await settings.replace(SIGNING_KEY_SETTING, encrypted, newKey(vault));
}

/** Encrypts the key with the current encryption key. */
export async function reencryptKey(settings: StoredSettings, vault: Vault): Promise<void> {
  const encrypted = await settings.get(SIGNING_KEY_SETTING);
  if (encrypted === null || vault.isCurrent(encrypted)) return;
  const text = vault.encrypt(vault.open(encrypted, CONTEXT), CONTEXT);
  await settings.replace(SIGNING_KEY_SETTING, encrypted, text);
}

/** One sentence when the key cannot be decrypted although it is not in use. */
export async function unusedKeyWarnings(
  settings: StoredSettings,
  vault: Vault,
): Promise<readonly string[]> {
  const encrypted = await settings.get(SIGNING_KEY_SETTING);
  if (encrypted === null || openOrNull(vault, encrypted, CONTEXT) !== null) return [];
  return [
    'The signing key of the installation cannot be decrypted, and is not used while WEBHOOK_ED25519 is off. Before it is on again, restore its encryption key, or run "ledgerline keys rotate-encryption --accept-lost" for a new signing key.',
  ];
}

function newKey(vault: Vault): string {
  const { privateKey } = generateKeyPairSync("ed25519", {
    publicKeyEncoding: { format: "pem", type: "spki" },
    privateKeyEncoding: { format: "pem", type: "pkcs8" },
  });
  return vault.encrypt(privateKey, CONTEXT);
}
