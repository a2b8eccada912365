import {
  type AccountHolder,
  type HolderDetails,
  type HolderKey,
  type HolderQuery,
  type BegunRemovals,
  type HolderRemoval,
  type HolderReplacement,
  type HolderSince,
  holderTypes,
  statedTypeOf,
} from "../../model/account-holder.ts";
import type { AuditEntry } from "../../model/audit.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import { createAuditRepository } from "./audit.ts";
import type { Collection, Store, Write } from "../collection.ts";
import { createOrganizationRepository } from "./organizations.ts";
import { readPage } from "./pages.ts";
import {
  type HolderDeletionRow,
  holderDeletionSpec,
  type HolderRow,
  holderSpec,
} from "../specs/specs.ts";

export interface HolderRepository {
  /** False when the organization already has a holder of this id. */
  insert(holder: AccountHolder, since: string): Promise<boolean>;
  /** Inserts those whose ids the organization does not have yet, and changes no other. */
  insertMissing(holders: readonly AccountHolder[], since: string): Promise<void>;
  /** Step that inserts the holder unless the organization has one of its id. */
  ensureStep(holder: HolderSince): Write;
  /** Step that ends a write unless there is such a holder, which is not being removed. */
  requireStep(holder: HolderKey): Write;
  get(org: string, id: string): Promise<AccountHolder | null>;
  /** The holders among `ids` that exist, in no particular order. */
  getMany(org: string, ids: readonly string[]): Promise<readonly HolderSince[]>;
  list(org: string, page: PageRequest): Promise<Page<AccountHolder>>;
  /** A page by number. */
  search(org: string, query: HolderQuery): Promise<readonly AccountHolder[]>;
  /**
   * Replaces the holder's own fields, or its name alone, and with them the version of the organization's holders. False
   * when there is no such holder.
   */
  change(
    org: string,
    id: string,
    change: HolderReplacement | Pick<AccountHolder, "name">,
    version: string,
  ): Promise<boolean>;
  /**
   * Hides the holder until its transactions are gone; again when that was begun before. Null when there is none. The entry
   * is written with the change.
   */
  markDeleting(org: string, id: string, entry?: AuditEntry): Promise<HolderRemoval | null>;
  /** Step that ends a write unless this very holder is still there and being removed. */
  requireRemoval(removal: HolderRemoval): Write;
  /** Nothing when the holder is gone. */
  remove(removal: HolderRemoval): Promise<void>;
  /** Some of the removals that have begun and not ended. */
  listDeleting(): Promise<BegunRemovals>;
}

const RESUMED_AT_ONCE = 100;
/** Rows in one write: few enough that other requests are answered in between. */
const INSERTED_AT_ONCE = 500;
/** Bounds a query whose ids are long. */
const FOUND_AT_ONCE = 1_000;

export function createHolderRepository(store: Store): HolderRepository {
  const holders = store.collection<HolderRow>(holderSpec);
  const deletions = store.collection<HolderDeletionRow>(holderDeletionSpec);
  const audit = createAuditRepository(store);
  const { holderChangedSteps } = createOrganizationRepository(store);
  const requireRemoval = ({ org, id, since }: HolderRemoval): Write =>
    holders.require({ org, id, since, deleting: 1 }, 1);
  return {
    insert: async (holder, since) => {
      const outcome = await store.write([holders.insert(toHolderRow(holder, since), "fail")]);
      return outcome.ok;
    },
    insertMissing: async (all, since) => {
      const steps = all.map((holder) => holders.insert(toHolderRow(holder, since), "ignore"));
      for (let from = 0; from < steps.length; from += INSERTED_AT_ONCE)
        await store.apply(steps.slice(from, from + INSERTED_AT_ONCE));
    },
    ensureStep: ({ holder, since }) => holders.insert(toHolderRow(holder, since), "ignore"),
    requireStep: ({ org, id }) => holders.require({ org, id, deleting: 0 }, 1),
    ...readsOf(holders),
    change: async (org, id, change, version) => {
      const set = {
        name: change.name,
        searchText: searchTextOf(id, change.name),
        ...("type" in change ? { ...typeFields(change), details: detailsText(change) } : {}),
      };
      // Together: a cached holder must not outlive its change because the process died behind the first write.
      const outcome = await store.write([
        holders.update({ org, id, deleting: 0 }, set, "fail"),
        ...holderChangedSteps(org, version),
      ]);
      return outcome.ok;
    },
    markDeleting: async (org, id, entry) => {
      for (;;) {
        const row = await holders.get({ org, id });
        if (row === null) return null;
        const { since } = row;
        const outcome = await store.write([
          holders.update({ org, id, since, deleting: row.deleting }, { deleting: 1 }, "fail"),
          deletions.insert({ org, id }, "ignore"),
          ...(entry === undefined || row.deleting === 1 ? [] : [audit.step(entry)]),
        ]);
        // Otherwise it was removed or hidden in between, and perhaps created anew.
        if (outcome.ok) return { org, id, since };
      }
    },
    requireRemoval,
    remove: async (removal) => {
      const { org, id } = removal;
      await store.write([
        requireRemoval(removal),
        holders.delete({ org, id, deleting: 1 }),
        deletions.delete({ org, id }),
      ]);
    },
    listDeleting: async () => {
      const begun = await deletions.find({ where: {}, limit: RESUMED_AT_ONCE });
      const rows = await Promise.all(begun.map(({ org, id }) => holders.get({ org, id })));
      const removals = rows.flatMap((row) =>
        row?.deleting === 1 ? [{ org: row.org, id: row.id, since: row.since }] : [],
      );
      return { removals, more: begun.length === RESUMED_AT_ONCE };
    },
  };
}

/** The ways in which holders are read. */
function readsOf(
  holders: Collection<HolderRow>,
): Pick<HolderRepository, "get" | "getMany" | "list" | "search"> {
  return {
    get: async (org, id) => {
      const row = await holders.get({ org, id });
      return row === null || row.deleting === 1 ? null : toHolder(row);
    },
    getMany: async (org, ids) => {
      const found: HolderSince[] = [];
      for (let from = 0; from < ids.length; from += FOUND_AT_ONCE) {
        const some = ids.slice(from, from + FOUND_AT_ONCE);
        // Looked up by id alone, so that the key serves it; those being deleted are few.
        const rows = await holders.find({ where: { org, id: { in: some } }, limit: some.length });
        for (const row of rows)
          if (row.deleting === 0) found.push({ holder: toHolder(row), since: row.since });
      }
      return found;
    },
    list: (org, page) => readPage(holders, { org, deleting: 0 }, page, "id", toHolder),
    search: async (org, { search, isNamed, sortBy, direction, offset, limit }) => {
      const rows = await holders.find({
        where: {
          ...{ org, deleting: 0 },
          ...(isNamed ? { name: { ne: null } } : {}),
          ...(search === null ? {} : { searchText: { contains: search.toLowerCase() } }),
        },
        order: { fields: sortBy === "id" ? ["id"] : [sortBy, "id"], direction },
        ...{ offset, limit },
      });
      return rows.map(toHolder);
    },
  };
}

function toHolderRow(holder: AccountHolder, since: string): HolderRow {
  return {
    org: holder.org,
    id: holder.id,
    ...typeFields(holder),
    createdAt: holder.createdAt,
    since,
    deleting: 0,
    name: holder.name,
    searchText: searchTextOf(holder.id, holder.name),
    categoryId: holder.categoryId,
    details: detailsText(holder),
  };
}

const typeFields = (
  holder: Pick<AccountHolder, "type" | "statedType">,
): Pick<HolderRow, "type" | "statedType"> => ({
  type: holder.type,
  statedType: statedTypeOf(holder),
});

const searchTextOf = (id: string, name: string | null): string =>
  `${id}\n${name ?? ""}`.toLowerCase();

const detailsText = ({ details }: Pick<AccountHolder, "details">): string | null =>
  details === undefined ? null : JSON.stringify(details);

function toHolder(row: HolderRow): AccountHolder {
  return {
    org: row.org,
    id: row.id,
    ...holderTypes(row.statedType),
    name: row.name,
    categoryId: row.categoryId,
    createdAt: row.createdAt,
    ...(row.details === null ? {} : { details: JSON.parse(row.details) as HolderDetails }),
  };
}
