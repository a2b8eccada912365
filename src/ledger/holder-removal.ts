// The removal of an account holder with all that is kept of it. A crash interrupts it between steps; the next start resumes it.
import type { BegunRemovals, HolderRemoval } from "../model/account-holder.ts";
import type { Actor, AuditEntry } from "../model/audit.ts";
import { LedgerlineError } from "../shared/errors.ts";

export interface HolderRemovalPorts {
  /** Hides the holder and writes the entry with it; null when there is no such holder. */
  markDeleting(org: string, id: string, entry: AuditEntry): Promise<HolderRemoval | null>;
  listDeleting(): Promise<BegunRemovals>;
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
  /** The low watermark: records up to this order are done and will not be redelivered. */
  doneOrder(): string;
  newId(): string;
  nowMs(): number;
}

export interface HolderRemovals {
  /** Removes the holder, all its transactions and all its other data. False when there is no such holder. */
  delete(org: string, id: string, by: Actor): Promise<boolean>;
  /**
   * Finishes deletions that a crash interrupted. One that fails is reported and retried at the next start. Deletions that other
   * processes begin meanwhile are not waited for: under load there would always be one.
   */
  resumeDeletions(): Promise<void>;
}

/** Rows removed in one write: few enough that other requests are answered in between. */
const REMOVED_AT_ONCE = 1_000;

export function createHolderRemovals(ports: HolderRemovalPorts): HolderRemovals {
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
    resumeDeletions: async () => {
      const failed = new Set<string>();
      for (;;) {
        const { removals, more } = await ports.listDeleting();
        const begun = removals.filter(({ org, id }) => !failed.has(org + id));
        for (const removal of begun)
          if (!(await isRemoved(removal))) failed.add(removal.org + removal.id);
        if (!more || begun.length === 0) return;
      }
    },
  };
}
