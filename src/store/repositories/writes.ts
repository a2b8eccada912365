// Writes that span collections and must happen whole or not at all.
import type { HolderRemoval } from "../../model/account-holder.ts";
import type { LedgerTransaction, ChunkWrite, Submission } from "../../model/ledger-transaction.ts";
import type { BatchRepository } from "./batches.ts";
import type { Store, Write } from "../collection.ts";
import type { StoredEvent } from "../../model/event.ts";
import type { EventRepository } from "./events.ts";
import type { HolderRepository } from "./holders.ts";
import type { OrganizationRepository } from "./organizations.ts";
import { createBatchErasureRepository } from "./batch-erasure.ts";
import type { TransactionRepository } from "./transactions.ts";

export interface LedgerWrites {
  /**
   * Stores the transactions, then the batch's chunk, so that a stored chunk means that its transactions are stored. A
   * failure may leave a part of it; repeating it is harmless. `stored`: by this call or an earlier one with the same rows;
   * `superseded`: `basedOn` is not the stored one any more, and nothing was stored. `changed`: the settings are not, and nothing
   * was stored; or one of `seen` is not, or what was not read has been corrected; the chunk was not stored, and of its
   * transactions those that replace nothing corrected may have been.
   * @param whenToWrite waited for when all but the write is done
   */
  storeChunk(
    chunk: ChunkWrite,
    whenToWrite?: () => Promise<void>,
  ): Promise<"stored" | "superseded" | "changed">;
  /**
   * Replaces transactions, all of them or none: false when one was changed since it was seen.
   * @param settingsVersion null, or the first version of the settings of an organization that has none
   */
  replaceSeen(
    org: string,
    changes: readonly { readonly seen: LedgerTransaction; readonly next: LedgerTransaction }[],
    settingsVersion: string | null,
  ): Promise<boolean>;
  /** Ends a batch that is still processing and records the event of it. */
  endBatch(
    org: string,
    id: string,
    status: "completed" | "error",
    updatedAt: number,
    event: StoredEvent,
  ): Promise<void>;
  /**
   * Takes back what these submissions have stored, unless it has been replaced since, and erases their results from the
   * chunk of a batch.
   */
  withdraw(
    org: string,
    submissions: readonly Submission[],
    chunk: { readonly batchId: string; readonly chunkIndex: number } | null,
  ): Promise<void>;
  /** Erases what batches have of a holder that is being removed. */
  eraseResults(removal: HolderRemoval): Promise<void>;
  /** Removes up to `limit` transactions of a holder that is being removed, and returns how many; 0 when it is gone. */
  removeOfHolder(removal: HolderRemoval, doneOrder: string, limit: number): Promise<number>;
}

export interface LedgerRepositories {
  readonly holders: HolderRepository;
  readonly transactions: TransactionRepository;
  readonly batches: BatchRepository;
  readonly events: EventRepository;
  readonly organizations: OrganizationRepository;
}

export function createLedgerWrites(store: Store, repositories: LedgerRepositories): LedgerWrites {
  const { holders, transactions, batches, events, organizations } = repositories;
  const erasure = createBatchErasureRepository(store);

  /**
   * Whether these rows are what is stored: a process that died behind its write left them, and its record comes again.
   * The order alone does not tell, since two changes made from the same row have the same.
   */
  async function areThere(rows: readonly LedgerTransaction[]): Promise<boolean> {
    const found = await Promise.all(rows.map(({ org, input }) => transactions.get(org, input.id)));
    return rows.length > 0 && rows.every((row, index) => isSame(row, found[index] ?? null));
  }

  return {
    storeChunk: async (chunk, whenToWrite) => {
      const { org, transactions: rows, basedOn, batch } = chunk;
      const chunkSteps = batch === null ? [] : await batches.chunkSteps(batch.head, batch.chunk);
      await whenToWrite?.();
      // Directly before storing: a reapplication of newer settings may otherwise have read its page of the ledger by then.
      if (!(await hasSettings(organizations, chunk))) return "changed";
      if (basedOn === null)
        return (await storeSubmitted(store, repositories, chunk, chunkSteps))
          ? "stored"
          : "changed";
      const steps = [...transactions.upsertSteps(rows), ...chunkSteps];
      const unchanged = transactions.requireOrder(org, basedOn.id, basedOn.order);
      const outcome = await store.write([unchanged, ...steps]);
      if (outcome.ok || (await areThere(rows))) return "stored";
      return "superseded";
    },
    replaceSeen: async (org, changes, settingsVersion) => {
      const unchanged = await transactions.requireSeen(
        org,
        changes.map(({ seen }) => seen),
      );
      if (unchanged === null) return false;
      const replaced = transactions.upsertSteps(changes.map(({ next }) => next));
      const settings =
        settingsVersion === null ? [] : organizations.settingsChangedSteps(org, settingsVersion);
      return (await store.write([...unchanged, ...replaced, ...settings])).ok;
    },
    endBatch: async (org, id, status, updatedAt, event) => {
      await store.write([
        batches.endStep(org, id, status, updatedAt),
        ...events.insertSteps(event),
      ]);
    },
    withdraw: async (org, submissions, chunk) => {
      await transactions.withdraw(org, submissions);
      if (chunk === null) return;
      const holderIds = [...new Set(submissions.map((one) => one.accountHolderId))];
      await erasure.eraseFromChunk({ org, ...chunk }, holderIds);
    },
    eraseResults: (removal) => erasure.eraseHolder(removal, holders.requireRemoval(removal)),
    removeOfHolder: (removal, doneOrder, limit) => {
      const still = holders.requireRemoval(removal);
      return transactions.removeOfHolder(removal.org, removal.id, doneOrder, limit, still);
    },
  };
}

async function hasSettings(
  organizations: OrganizationRepository,
  { org, settings }: ChunkWrite,
): Promise<boolean> {
  if (settings === undefined) return true;
  return ((await organizations.get(org))?.settingsVersion ?? null) === settings;
}

/** False: a transaction was corrected, of which the results do not know. */
async function storeSubmitted(
  store: Store,
  { transactions, organizations }: LedgerRepositories,
  { org, transactions: rows, seen, read }: ChunkWrite,
  chunkSteps: readonly Write[],
): Promise<boolean> {
  const unread = rows.filter(({ input }) => read?.has(input.id) !== true);
  const upserts = transactions.keepingSteps(unread);
  if (read === null && chunkSteps.length === 0) {
    // Alone in its write, it is written together with those of other calls; nothing is behind the requirement.
    await store.apply(upserts);
    return (await organizations.get(org)) === null;
  }
  const uncorrected =
    read === null
      ? organizations.requireUnset(org)
      : transactions.requireUncorrected(
          org,
          unread.map(({ input }) => input.id),
        );
  const known = rows.filter(({ input }) => read?.has(input.id) === true);
  const steps = [
    ...transactions.upsertSteps(known),
    ...upserts,
    ...(unread.length === 0 ? [] : [uncorrected]),
    ...chunkSteps,
  ];
  if (seen.length === 0) return store.apply(steps);
  const same = seen.map(({ id, order }) => transactions.requireOrder(org, id, order));
  return (await store.write([...same, ...steps])).ok;
}

function isSame(row: LedgerTransaction, stored: LedgerTransaction | null): boolean {
  return (
    stored?.order === row.order &&
    stored.facts === row.facts &&
    stored.input.accountHolderId === row.input.accountHolderId
  );
}
