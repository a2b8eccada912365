import { createHash, timingSafeEqual } from "node:crypto";
import {
  type ApiKey,
  isGoodKey,
  type KeyLimits,
  keyPrefix,
  LIMITS_OF_SETTINGS,
  type Principal,
  type Role,
  ROLES,
} from "../model/api-key.ts";
import { type AuditAction, type AuditEntry, COMMAND_LINE } from "../model/audit.ts";

/** What the keys need from the store; an audit entry is written with the change or not at all. */
export interface KeyPorts {
  insertKey(key: ApiKey, entry: AuditEntry): Promise<void>;
  findKeyByHash(hash: string): Promise<ApiKey | null>;
  findKeyById(id: string): Promise<ApiKey | null>;
  listKeys(): Promise<readonly ApiKey[]>;
  /** False when it is revoked already. */
  revokeKey(id: string, atMs: number, entry: AuditEntry): Promise<boolean>;
  nowMs(): number;
  newId(): string;
  randomBytes(length: number): Uint8Array;
}

/** The options of a new key in addition to its roles. */
export interface KeyOptions {
  readonly expiresAt?: number | null;
  readonly limits?: KeyLimits;
}

export interface Keys {
  /** The owner of the key, or null when the key is unknown, revoked or expired. */
  authenticate(secret: string): Promise<Principal | null>;
  /** Creates a key and returns it with its secret, which is shown only this once and never stored. */
  create(
    org: string,
    name: string | null,
    roles: readonly Role[],
    options?: KeyOptions,
  ): Promise<{ key: ApiKey; secret: string }>;
  list(): Promise<readonly ApiKey[]>;
  /** False when there is no such key or it is revoked already. */
  revoke(id: string): Promise<boolean>;
}

export const DEFAULT_ORG = "default";
const ENVIRONMENT_KEY_ID = "environment";
const ID_LENGTH = 8;
const SECRET_LENGTH = 32;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Creates a key with all roles for a new installation; null when there is a key already. Returns its secret. */
export async function createFirstKey(keys: Pick<Keys, "list" | "create">): Promise<string | null> {
  if ((await keys.list()).length > 0) return null;
  return (await keys.create(DEFAULT_ORG, "first key", ROLES)).secret;
}

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
        const limits = LIMITS_OF_SETTINGS;
        return { org: DEFAULT_ORG, keyId: ENVIRONMENT_KEY_ID, roles: ROLES, limits };
      }
      const key = await ports.findKeyByHash(hash);
      if (key === null || !isGoodKey(key, ports.nowMs())) return null;
      const { org, id: keyId, roles, limits } = key;
      return { org, keyId, roles, limits };
    },
    create: async (org, name, roles, { expiresAt = null, limits = LIMITS_OF_SETTINGS } = {}) => {
      const id = randomText(ports, ID_LENGTH);
      const secret = `${keyPrefix(id)}_${randomText(ports, SECRET_LENGTH)}`;
      const key: ApiKey = {
        id,
        org,
        name,
        roles,
        hash: hashOf(secret),
        createdAt: ports.nowMs(),
        revokedAt: null,
        expiresAt,
        limits,
      };
      await ports.insertKey(key, entryOf(ports, key, "key.created", detailsOf(key)));
      return { key, secret };
    },
    list: ports.listKeys,
    revoke: async (id) => {
      const key = await ports.findKeyById(id);
      if (key === null) return false;
      const entry = entryOf(ports, key, "key.revoked", { name: key.name });
      return ports.revokeKey(id, ports.nowMs(), entry);
    },
  };
}

/** Keys are created and revoked only by the command line, and at the first start. */
function entryOf(
  { newId, nowMs }: KeyPorts,
  { org, id }: ApiKey,
  action: AuditAction,
  details: AuditEntry["details"],
): AuditEntry {
  return { ...COMMAND_LINE, org, id: newId(), createdAt: nowMs(), action, subject: id, details };
}

/** The permissions of a key, so that the audit shows how it was created. */
function detailsOf({ name, roles, expiresAt, limits }: ApiKey): AuditEntry["details"] {
  return {
    name,
    roles: roles.join(","),
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    rate_per_second: limits.ratePerSecond,
    credits_max: limits.credits?.max ?? null,
    credits_per_second: limits.credits?.perSecond ?? null,
  };
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret, "utf8").digest("hex");
}

/** Evenly distributed characters: bytes that would favour the first letters of the alphabet are discarded. */
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
