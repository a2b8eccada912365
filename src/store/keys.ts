import type { ApiKey } from "../domain/api-key.ts";
import type { Store } from "./collection.ts";
import { type KeyRow, keySpec } from "./specs.ts";

export interface KeyRepository {
  insert(key: ApiKey): Promise<void>;
  /** The key with this SHA-256 (hex), revoked or not. */
  findByHash(hash: string): Promise<ApiKey | null>;
  /** The key of this id, revoked or not. */
  findById(id: string): Promise<ApiKey | null>;
  /** All keys of the installation, oldest first. */
  list(): Promise<readonly ApiKey[]>;
  /** False when there is no such key or it is revoked already. */
  revoke(id: string, atMs: number): Promise<boolean>;
}

const KEYS_MAX = 10_000;

export function createKeyRepository(store: Store): KeyRepository {
  const keys = store.collection<KeyRow>(keySpec);
  return {
    insert: async (key) => {
      await store.write([keys.insert(key, "fail")]);
    },
    findByHash: async (hash) => (await keys.find({ where: { hash }, limit: 1 }))[0] ?? null,
    findById: async (id) => (await keys.find({ where: { id }, limit: 1 }))[0] ?? null,
    list: () =>
      keys.find({
        where: {},
        order: { fields: ["createdAt", "id"], direction: "asc" },
        limit: KEYS_MAX,
      }),
    revoke: async (id, atMs) => {
      const outcome = await store.write([
        keys.update({ id, revokedAt: null }, { revokedAt: atMs }, "fail"),
      ]);
      return outcome.ok;
    },
  };
}
