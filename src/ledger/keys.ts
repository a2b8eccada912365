import { createHash, timingSafeEqual } from "node:crypto";
import type { ApiKey, Principal, Role } from "../domain/api-key.ts";
import { ROLES } from "../domain/api-key.ts";

/** What the keys need of the store. */
export interface KeyPorts {
  insertKey(key: ApiKey): Promise<void>;
  findKeyByHash(hash: string): Promise<ApiKey | null>;
  findKeyById(id: string): Promise<ApiKey | null>;
  listKeys(): Promise<readonly ApiKey[]>;
  revokeKey(id: string, atMs: number): Promise<boolean>;
  nowMs(): number;
  randomBytes(length: number): Uint8Array;
}

/** A key as far as checking signatures made with it goes. */
export interface SigningKey {
  readonly org: string;
  /** SHA-256 of the key. */
  readonly secret: Buffer;
  readonly mayWrite: boolean;
}

export interface Keys {
  /** Who the key belongs to, or null when it is unknown or revoked. */
  authenticate(secret: string): Promise<Principal | null>;
  /** What signatures made with the key of this id are checked with, or null when it is unknown or revoked. */
  signingKey(id: string): Promise<SigningKey | null>;
  /** Makes a key and returns it with its secret, which is shown this once and never stored. */
  create(
    org: string,
    name: string | null,
    roles: readonly Role[],
  ): Promise<{ key: ApiKey; secret: string }>;
  list(): Promise<readonly ApiKey[]>;
  revoke(id: string): Promise<boolean>;
}

export const DEFAULT_ORG = "default";
const ENVIRONMENT_KEY_ID = "environment";
const ID_LENGTH = 8;
const SECRET_LENGTH = 32;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** @param environmentKey the key that LEDGERLINE_API_KEY names: it exists as long as the setting does and is not stored */
export function createKeys(ports: KeyPorts, environmentKey: string | null): Keys {
  const environmentHash = environmentKey === null ? null : hashOf(environmentKey);
  return {
    authenticate: async (secret) => {
      const hash = hashOf(secret);
      if (
        environmentHash !== null &&
        timingSafeEqual(Buffer.from(hash), Buffer.from(environmentHash))
      ) {
        return { org: DEFAULT_ORG, keyId: ENVIRONMENT_KEY_ID, roles: ROLES };
      }
      const key = await ports.findKeyByHash(hash);
      return key === null || key.revokedAt !== null
        ? null
        : { org: key.org, keyId: key.id, roles: key.roles };
    },
    signingKey: async (id) => {
      if (id === ENVIRONMENT_KEY_ID && environmentHash !== null) {
        return { org: DEFAULT_ORG, secret: Buffer.from(environmentHash, "hex"), mayWrite: true };
      }
      const key = await ports.findKeyById(id);
      if (key === null || key.revokedAt !== null) return null;
      const secret = Buffer.from(key.hash, "hex");
      return { org: key.org, secret, mayWrite: key.roles.includes("write") };
    },
    create: async (org, name, roles) => {
      const id = randomText(ports, ID_LENGTH);
      const secret = `ll_${id}_${randomText(ports, SECRET_LENGTH)}`;
      const key: ApiKey = {
        id,
        org,
        name,
        roles,
        hash: hashOf(secret),
        createdAt: ports.nowMs(),
        revokedAt: null,
      };
      await ports.insertKey(key);
      return { key, secret };
    },
    list: ports.listKeys,
    revoke: (id) => ports.revokeKey(id, ports.nowMs()),
  };
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret, "utf8").digest("hex");
}

/** Characters drawn evenly: bytes that would favour the first letters of the alphabet are thrown away. */
function randomText(ports: KeyPorts, length: number): string {
  const limit = 256 - (256 % ALPHABET.length);
  let text = "";
  while (text.length < length) {
    for (const byte of ports.randomBytes(length)) {
      if (byte < limit && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return text;
}
