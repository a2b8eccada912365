import {
  type AccountHolder,
  type HolderQuery,
  type HolderReplacement,
  type HolderSince,
  holderTypes,
  type NewAccountHolder,
} from "../model/account-holder.ts";
import { afterRecord } from "../model/acceptance-order.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import {
  createHolderRemovals,
  type HolderRemovalPorts,
  type HolderRemovals,
} from "./holder-removal.ts";
import type { WantedHolder } from "./submission.ts";

/** What the account holders need from the store and the log. */
export interface HolderPorts extends HolderRemovalPorts {
  insertHolder(holder: AccountHolder, since: string): Promise<boolean>;
  /** Inserts those whose ids do not exist, and changes no other. */
  insertMissing(holders: readonly AccountHolder[], since: string): Promise<void>;
  getHolder(org: string, id: string): Promise<AccountHolder | null>;
  /** Those among `ids` that exist, in any order. */
  getHolders(org: string, ids: readonly string[]): Promise<readonly HolderSince[]>;
  listHolders(org: string, page: PageRequest): Promise<Page<AccountHolder>>;
  searchHolders(org: string, query: HolderQuery): Promise<readonly AccountHolder[]>;
  /** Changes the holder and invalidates the holders of the organization in all caches; false when there is no such holder. */
  changeHolder(
    org: string,
    id: string,
    change: HolderReplacement | Pick<AccountHolder, "name">,
    version: string,
  ): Promise<boolean>;
  countTransactions(org: string, accountHolderId: string): Promise<number>;
  meanConfidence(org: string, accountHolderId: string): Promise<number | null>;
  writeTombstones(
    org: string,
    ids: readonly string[],
    order: string,
    only: { readonly accountHolderId: string | null },
    absentToo: boolean,
  ): Promise<void>;
  /** Order of the last record in the log: the end offset. */
  endOrder(): Promise<string>;
}

export type CreateHolderOutcome =
  | { readonly ok: true; readonly holder: AccountHolder }
  | { readonly ok: false; readonly reason: "exists" };

export interface Holders extends HolderRemovals {
  create(org: string, input: NewAccountHolder): Promise<CreateHolderOutcome>;
  /** Creates those that do not exist, of one id the first, and changes no other. One that is being deleted is not created. */
  ensure(org: string, wanted: readonly WantedHolder[]): Promise<void>;
  /** The ids that no holder has, in the order of `ids`. */
  missing(org: string, ids: readonly string[]): Promise<readonly string[]>;
  list(org: string, page: PageRequest): Promise<Page<AccountHolder>>;
  /** A page by number, of the holders that match. */
  search(org: string, query: HolderQuery): Promise<readonly AccountHolder[]>;
  get(org: string, id: string): Promise<AccountHolder | null>;
  /** Replaces the holder's own fields; submissions that are accepted later are categorised by the new type. Null: unknown id. */
  replace(org: string, id: string, replacement: HolderReplacement): Promise<AccountHolder | null>;
  /** False when there is no such holder. */
  rename(org: string, id: string, name: string): Promise<boolean>;
  /** Transactions in the ledger of the holder; 0 also when there is no such holder. */
  countTransactions(org: string, id: string): Promise<number>;
  /** The mean of how likely the categories of its transactions are right, 0 to 1; null: none is decided. */
  meanConfidence(org: string, id: string): Promise<number | null>;
  /** Deletes those of the transactions that belong to the holder. False when there is no such holder. */
  deleteTransactions(org: string, id: string, transactionIds: readonly string[]): Promise<boolean>;
}

export function createHolders(ports: HolderPorts): Holders {
  const { changeHolder, getHolder, newId } = ports;
  return {
    ...createHolderRemovals(ports),
    create: async (org, input) => {
      const holder: AccountHolder = { org, ...input, createdAt: ports.nowMs() };
      const inserted = await ports.insertHolder(holder, await ports.endOrder());
      return inserted ? { ok: true, holder } : { ok: false, reason: "exists" };
    },
    ensure: async (org, wanted) => {
      if (wanted.length === 0) return;
      const since = await ports.endOrder();
      const createdAt = ports.nowMs();
      const created = wanted.map(({ id, statedType, name }): AccountHolder => {
        return { org, id, ...holderTypes(statedType), name, categoryId: null, createdAt };
      });
      await ports.insertMissing(created, since);
    },
    missing: async (org, ids) => {
      const found = await ports.getHolders(org, ids);
      const known = new Set(found.map(({ holder }) => holder.id));
      return ids.filter((id) => !known.has(id));
    },
    list: ports.listHolders,
    search: ports.searchHolders,
    get: getHolder,
    replace: async (org, id, replacement) => {
      const isThere = await changeHolder(org, id, replacement, newId());
      return isThere ? getHolder(org, id) : null;
    },
    rename: (org, id, name) => changeHolder(org, id, { name }, newId()),
    countTransactions: ports.countTransactions,
    meanConfidence: ports.meanConfidence,
    deleteTransactions: async (org, id, transactionIds) => {
      if ((await getHolder(org, id)) === null) return false;
      const endOrder = await ports.endOrder();
      // Pending records with these ids were accepted before this deletion.
      const isPending = ports.doneOrder() < endOrder;
      await ports.writeTombstones(
        org,
        transactionIds,
        afterRecord(endOrder),
        { accountHolderId: id },
        isPending,
      );
      return true;
    },
  };
}
