// Encrypts secrets with AES-256-GCM; each encrypted text names its key. To rotate keys, everything that is encrypted with an
// older key is encrypted again; meanwhile the keyring decrypts both.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { LedgerlineError } from "../shared/errors.ts";
import { KEY_BYTES } from "./key.ts";

export interface Keyring {
  /**
   * Encrypts with the current key.
   * @param context what the secret belongs to, such as `webhook/<org>/<id>`: it decrypts for nothing else
   */
  encrypt(text: string, context: string): string;
  /** @throws LedgerlineError `bad_secret` when the key is unknown, the text is damaged or it belongs to something else */
  open(encrypted: string, context: string): string;
  /** Whether it is encrypted with the current key; if not, a key rotation must encrypt it again. */
  isCurrent(encrypted: string): boolean;
  readonly currentId: string;
}

interface Encrypted {
  readonly keyId: string;
  readonly iv: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

interface Key {
  readonly id: string;
  /** Unlike plain bytes, it does not show the key in a log. */
  readonly secret: KeyObject;
}

const VERSION = "v1";
const CIPHER = "aes-256-gcm";
const KEY_ID_BYTES = 4;
/** Random ones of this length may be used 2^32 times with one key; an organization has ten webhooks. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
const FORM = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;

/**
 * @param keys the first is the current one, the others only decrypt
 * @throws LedgerlineError `misconfigured` when two of them have the same id
 */
export function createKeyring(keys: readonly Uint8Array[]): Keyring {
  const [current, ...older] = keys.map(toKey);
  if (current === undefined) throw new Error("A keyring needs a key");
  const byId = new Map([[current.id, current.secret]]);
  for (const { id, secret } of older) {
    if (byId.get(id)?.equals(secret) === false) {
      const message = `Two encryption keys have the same id ${id}: make another one in place of the newer.`;
      throw new LedgerlineError("misconfigured", message);
    }
    byId.set(id, secret);
  }
  return {
    currentId: current.id,
    encrypt: (text, context) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, current.secret, iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(context));
      const body = Buffer.concat([
        cipher.update(text, "utf8"),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return [VERSION, current.id, iv.toString("base64url"), body.toString("base64url")].join(".");
    },
    open: (encrypted, context) => {
      const parts = parse(encrypted);
      if (parts === null) {
        throw badSecret(`The secret of ${context} is damaged, or a newer Ledgerline wrote it.`);
      }
      const secret = byId.get(parts.keyId);
      if (secret === undefined) {
        throw badSecret(
          `The secret of ${context} is encrypted with the key ${parts.keyId}, which is not among the encryption keys here.`,
        );
      }
      return decrypt(parts, secret, context);
    },
    isCurrent: (encrypted) => parse(encrypted)?.keyId === current.id,
  };
}

function toKey(bytes: Uint8Array): Key {
  if (bytes.length !== KEY_BYTES) throw new Error("An encryption key has 32 bytes");
  return { id: keyIdOf(bytes), secret: createSecretKey(bytes) };
}

/** The id of a key in the texts that it encrypted: 8 hexadecimal digits that reveal nothing about the key. */
export function keyIdOf(key: Uint8Array): string {
  return createHash("sha256").update(key).digest().subarray(0, KEY_ID_BYTES).toString("hex");
}

function parse(text: string): Encrypted | null {
  const [, keyId = "", ivText = "", bodyText = ""] = FORM.exec(text) ?? [];
  const iv = Buffer.from(ivText, "base64url");
  const body = Buffer.from(bodyText, "base64url");
  // The last character may have bits that decoding ignores: only one spelling is accepted.
  const isExact = iv.toString("base64url") === ivText && body.toString("base64url") === bodyText;
  if (!isExact || iv.length !== IV_BYTES || body.length < TAG_BYTES) return null;
  const end = body.length - TAG_BYTES;
  return { keyId, iv, ciphertext: body.subarray(0, end), tag: body.subarray(end) };
}

function decrypt({ iv, ciphertext, tag }: Encrypted, secret: KeyObject, context: string): string {
  const decipher = createDecipheriv(CIPHER, secret, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
  const start = decipher.update(ciphertext);
  try {
    return Buffer.concat([start, decipher.final()]).toString("utf8");
  } catch (cause) {
    // The cipher cannot distinguish the two cases.
    const message = `The secret of ${context} is damaged or belongs to something else.`;
    throw badSecret(message, cause);
  }
}

function badSecret(message: string, cause?: unknown): LedgerlineError {
  return new LedgerlineError("bad_secret", message, { cause });
}
