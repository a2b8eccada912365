import type { ApiKey } from "../../model/api-key.ts";
import type { AuditEntry } from "../../model/audit.ts";
import { createAuditRepository } from "./audit.ts";
import type { Collection, Store } from "../collection.ts";
import { type KeyRow, keySpec } from "../specs/specs.ts";

/** Every change leaves its entry in the audit in the same write. */
export interface KeyRepository {
  insert(key: ApiKey, entry: AuditEntry): Promise<void>;
  /** The key with this SHA-256 (hex), revoked and expired ones too. */
  findByHash(hash: string): Promise<ApiKey | null>;
  /** The key of this id, revoked and expired ones too. */
  findById(id: string): Promise<ApiKey | null>;
  /** All keys of the installation, oldest first. */
  list(): Promise<readonly ApiKey[]>;
  /** Whether the organization ever had a key. */
  isKnown(org: string): Promise<boolean>;
  /** False when there is no such key or it is revoked already. */
  revoke(id: string, atMs: number, entry: AuditEntry): Promise<boolean>;
  /**
   * Removes up to `limit` keys that were revoked or expired before then; returns how many. The newest key of an organization
   * stays whatever it is: it is what the organization is known by.
   */
  removeEnded(beforeMs: number, limit: number): Promise<number>;
}

const PART = 500;

export function createKeyRepository(store: Store): KeyRepository {
  const keys = store.collection<KeyRow>(keySpec);
  const audit = createAuditRepository(store);
  const first = async (where: { readonly hash: string } | { readonly id: string }) => {
    const [row] = await keys.find({ where, limit: 1 });
    return row ?? null;
  };
  return {
    insert: async (key, entry) => {
      await store.write([keys.insert(key, "fail"), audit.step(entry)]);
    },
    findByHash: (hash) => first({ hash }),
    findById: (id) => first({ id }),
    list: async () => (await allRows(keys)).toSorted(byAge),
    isKnown: async (org) => (await keys.find({ where: { org }, limit: 1 })).length > 0,
    revoke: async (id, atMs, entry) => {
      const outcome = await store.write([
        keys.update({ id, revokedAt: null }, { revokedAt: atMs }, "fail"),
        audit.step(entry),
      ]);
      return outcome.ok;
    },
    removeEnded: async (beforeMs, limit) => {
      const rows = (await allRows(keys)).toSorted(byAge);
      const newest = new Map(rows.map(({ org, id }) => [org, id]));
      const ended = rows
        .filter((row) => endOf(row) < beforeMs && newest.get(row.org) !== row.id)
        .slice(0, limit);
      await store.apply(ended.map(({ org, id }) => keys.delete({ org, id })));
      return ended.length;
    },
  };
}

async function allRows(keys: Collection<KeyRow>): Promise<readonly KeyRow[]> {
  const rows: KeyRow[] = [];
  for (;;) {
    const last = rows.at(-1);
    const part = await keys.find({
      where: {},
      order: { fields: ["org", "id"], direction: "asc" },
      ...(last === undefined ? {} : { after: [last.org, last.id] }),
      limit: PART,
    });
    rows.push(...part);
    if (part.length < PART) return rows;
  }
}

/** When a key was revoked or expired; Infinity: neither. */
const endOf = ({ revokedAt, expiresAt }: KeyRow): number =>
  Math.min(revokedAt ?? Infinity, expiresAt ?? Infinity);

function byAge(one: KeyRow, other: KeyRow): number {
  return one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
}
