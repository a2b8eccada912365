import type { AccountHolder, HolderSince } from "../domain/account-holder.ts";
import type { Page, PageRequest } from "../domain/page.ts";
import type { Store } from "./collection.ts";
import { readPage } from "./pages.ts";
import { type HolderDeletionRow, holderDeletionSpec, type HolderRow, holderSpec } from "./specs.ts";

export interface HolderRepository {
  /** False when the organization already has a holder of this id. */
  insert(holder: AccountHolder, since: string): Promise<boolean>;
  get(org: string, id: string): Promise<AccountHolder | null>;
  /** The holders among `ids` that exist, in no particular order. */
  getMany(org: string, ids: readonly string[]): Promise<readonly HolderSince[]>;
  list(org: string, page: PageRequest): Promise<Page<AccountHolder>>;
  /** Hides the holder until its transactions are gone; again when that was begun before. False when there is none. */
  markDeleting(org: string, id: string): Promise<boolean>;
  remove(org: string, id: string): Promise<void>;
  /** Some of the holders whose deletion has begun and not ended. */
  listDeleting(): Promise<readonly { readonly org: string; readonly id: string }[]>;
}

const RESUMED_AT_ONCE = 100;

export function createHolderRepository(store: Store): HolderRepository {
  const holders = store.collection<HolderRow>(holderSpec);
  const deletions = store.collection<HolderDeletionRow>(holderDeletionSpec);
  return {
    insert: async (holder, since) => {
      const outcome = await store.write([
        holders.insert({ ...holder, since, deleting: 0 }, "fail"),
      ]);
      return outcome.ok;
    },
    get: async (org, id) => {
      const row = await holders.get({ org, id });
      return row === null || row.deleting === 1 ? null : toHolder(row);
    },
    getMany: async (org, ids) => {
      if (ids.length === 0) return [];
      // Looked up by id alone, so that the key serves it; those being deleted are few.
      const rows = await holders.find({ where: { org, id: { in: ids } }, limit: ids.length });
      return rows
        .filter((row) => row.deleting === 0)
        .map((row) => ({ holder: toHolder(row), since: row.since }));
    },
    list: (org, page) => readPage(holders, { org, deleting: 0 }, page, "id", toHolder),
    markDeleting: async (org, id) => {
      const outcome = await store.write([
        holders.update({ org, id }, { deleting: 1 }, "fail"),
        deletions.insert({ org, id }, "ignore"),
      ]);
      return outcome.ok;
    },
    remove: async (org, id) => {
      await store.write([holders.delete({ org, id, deleting: 1 }), deletions.delete({ org, id })]);
    },
    listDeleting: () => deletions.find({ where: {}, limit: RESUMED_AT_ONCE }),
  };
}

function toHolder(row: HolderRow): AccountHolder {
  return {
    org: row.org,
    id: row.id,
    type: row.type,
    name: row.name,
    categoryId: row.categoryId,
    createdAt: row.createdAt,
  };
}
