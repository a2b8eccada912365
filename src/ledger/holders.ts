import {
  type AccountHolder,
  type HolderRemoval,
  type HolderSince,
  holderTypes,
  type NewAccountHolder,
} from "../model/account-holder.ts";
import type { Actor, AuditEntry } from "../model/audit.ts";
import { LedgerlineError } from "../shared/errors.ts";
import { afterRecord } from "../model/acceptance-order.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import type { WantedHolder } from "./submission.ts";

/** What the account holders need from the store and the log. */
export interface HolderPorts {
  insertHolder(holder: AccountHolder, since: string): Promise<boolean>;
  /** Inserts those whose ids do not exist, and changes no other. */
  insertMissing(holders: readonly AccountHolder[], since: string): Promise<void>;
  getHolder(org: string, id: string): Promise<AccountHolder | null>;
  /** Those among `ids` that exist, in any order. */
  getHolders(org: string, ids: readonly string[]): Promise<readonly HolderSince[]>;
  listHolders(org: string, page: PageRequest): Promise<Page<AccountHolder>>;
  /** Hides the holder and writes the entry with it; null when there is no such holder. */
  markDeleting(org: string, id: string, entry: AuditEntry): Promise<HolderRemoval | null>;
  listDeleting(): Promise<readonly HolderRemoval[]>;
  /** Returns how many were removed; 0 also when another process has removed the holder meanwhile. */
  removeTransactionsOfHolder(
    removal: HolderRemoval,
    doneOrder: string,
    limit: number,
  ): Promise<number>;
  /** Each step erases data of the holder in another place; the steps are idempotent. */
  readonly erasures: readonly ((removal: HolderRemoval) => Promise<void>)[];
  removeHolder(removal: HolderRemoval): Promise<void>;
  /** Invalidates the holders of the organization in all caches, see `known-holders.ts`. */
  holderRemoved(org: string, version: string): Promise<void>;
  /** Reports that the removal of a holder failed; it is retried at the next start. */
  removalFailed(error: unknown): void;
  newId(): string;
  writeTombstones(
    org: string,
    ids: readonly string[],
    order: string,
    only: { readonly accountHolderId: string | null },
    absentToo: boolean,
  ): Promise<void>;
  /** Order of the last record in the log: the end offset. */
  endOrder(): Promise<string>;
  /** The low watermark: records up to this order are done and will not be redelivered. */
  doneOrder(): string;
  nowMs(): number;
}

export type CreateHolderOutcome =
  | { readonly ok: true; readonly holder: AccountHolder }
  | { readonly ok: false; readonly reason: "exists" };

export interface Holders {
  create(org: string, input: NewAccountHolder): Promise<CreateHolderOutcome>;
  /** Creates those that do not exist, of one id the first, and changes no other. One that is being deleted is not created. */
  ensure(org: string, wanted: readonly WantedHolder[]): Promise<void>;
  /** The ids that no holder has, in the order of `ids`. */
  missing(org: string, ids: readonly string[]): Promise<readonly string[]>;
  list(org: string, page: PageRequest): Promise<Page<AccountHolder>>;
  get(org: string, id: string): Promise<AccountHolder | null>;
  /** Removes the holder, all its transactions and all its other data. False when there is no such holder. */
  delete(org: string, id: string, by: Actor): Promise<boolean>;
  /** Deletes those of the transactions that belong to the holder. False when there is no such holder. */
  deleteTransactions(org: string, id: string, transactionIds: readonly string[]): Promise<boolean>;
  /** Finishes deletions that a crash interrupted. One that fails is reported and retried at the next start. */
  resumeDeletions(): Promise<void>;
}

/** Rows removed in one write: few enough that other requests are answered in between. */
const REMOVED_AT_ONCE = 1_000;

export function createHolders(ports: HolderPorts): Holders {
  async function removeAll(removal: HolderRemoval): Promise<void> {
    // After the holder is hidden, so that no cache reads it again, and before its transactions are looked up; repeated after a
    // crash.
    await ports.holderRemoved(removal.org, ports.newId());
    for (;;) {
      const removed = await ports.removeTransactionsOfHolder(
        removal,
        ports.doneOrder(),
        REMOVED_AT_ONCE,
      );
      if (removed === 0) break;
    }
    for (const erase of ports.erasures) await erase(removal);
    await ports.removeHolder(removal);
  }

  /** @throws LedgerlineError when the store or the log is unavailable, because the process cannot work without them */
  async function isRemoved(removal: HolderRemoval): Promise<boolean> {
    try {
      await removeAll(removal);
      return true;
    } catch (error) {
      // Damaged data of one holder must not stop the removal of all others.
      if (error instanceof LedgerlineError) throw error;
      ports.removalFailed(error);
      return false;
    }
  }

  return {
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
    get: ports.getHolder,
    delete: async (org, id, by) => {
      // From this write on no chunk finds the holder, so no transactions are added to those that are removed then.
      const removal = await ports.markDeleting(org, id, {
        ...by,
        org,
        id: ports.newId(),
        createdAt: ports.nowMs(),
        action: "account_holder.deleted",
        subject: id,
        details: {},
      });
      if (removal === null) return false;
      await removeAll(removal);
      return true;
    },
    deleteTransactions: async (org, id, transactionIds) => {
      if ((await ports.getHolder(org, id)) === null) return false;
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
    resumeDeletions: async () => {
      const failed = new Set<string>();
      for (;;) {
        const begun = (await ports.listDeleting()).filter(({ org, id }) => !failed.has(org + id));
        if (begun.length === 0) return;
        for (const removal of begun)
          if (!(await isRemoved(removal))) failed.add(removal.org + removal.id);
      }
    },
  };
}
