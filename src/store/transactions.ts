import type { LedgerTransaction } from "../domain/ledger-transaction.ts";
import type { Page, PageRequest } from "../domain/page.ts";
import type { Store, Write } from "./collection.ts";
import { readPage } from "./pages.ts";
import { type TombstoneRow, tombstoneSpec, type TransactionRow, transactionSpec } from "./specs.ts";

export interface TransactionRepository {
  get(org: string, id: string): Promise<LedgerTransaction | null>;
  list(
    org: string,
    accountHolderId: string | null,
    page: PageRequest,
  ): Promise<Page<LedgerTransaction>>;
  /** Steps that store these transactions, each only if it was accepted later than what is there under its id. */
  upsertSteps(transactions: readonly LedgerTransaction[]): readonly Write[];
  /** Step that ends a write unless the transaction is still the one of this order. */
  requireOrder(org: string, id: string, order: string): Write;
  /**
   * Replaces the transactions by tombstones of `order`. With `accountHolderId` only those of that holder.
   * @returns how many were there
   */
  bury(
    org: string,
    ids: readonly string[],
    order: string,
    accountHolderId?: string,
  ): Promise<number>;
  /** Removes up to `limit` transactions of a holder for good. Returns how many. */
  removeOfHolder(org: string, accountHolderId: string, limit: number): Promise<number>;
  /** Removes up to `limit` tombstones that no record in the log can get past any more. Returns how many. */
  removeTombstones(beforeOrder: string, limit: number): Promise<number>;
}

export function createTransactionRepository(store: Store): TransactionRepository {
  const transactions = store.collection<TransactionRow>(transactionSpec);
  const tombstones = store.collection<TombstoneRow>(tombstoneSpec);
  const changed = async (step: Write): Promise<number> => {
    const outcome = await store.write([step]);
    return outcome.ok ? (outcome.changed[0] ?? 0) : 0;
  };
  return {
    get: async (org, id) => {
      const row = await transactions.get({ org, id });
      return row === null || row.deleted === 1 ? null : toTransaction(row);
    },
    list: (org, accountHolderId, page) =>
      readPage(
        transactions,
        { org, ...(accountHolderId === null ? {} : { holderId: accountHolderId }), deleted: 0 },
        page,
        "order",
        toTransaction,
      ),
    upsertSteps: (rows) =>
      rows.length === 0 ? [] : [transactions.upsertMany(rows.map(toRow), "order")],
    requireOrder: (org, id, order) => transactions.require({ org, id, order, deleted: 0 }, 1),
    bury: async (org, ids, order, accountHolderId) => {
      const found = await transactions.find({
        where: { org, id: { in: ids }, deleted: 0 },
        limit: ids.length,
      });
      const mine = found.filter(
        (row) => accountHolderId === undefined || row.holderId === accountHolderId,
      );
      if (mine.length === 0) return 0;
      const outcome = await store.write([
        transactions.upsertMany(
          mine.map((row) => tombstone(row, order)),
          "order",
        ),
        tombstones.upsertMany(
          mine.map((row) => ({ org, id: row.id, order })),
          "order",
        ),
      ]);
      return outcome.ok ? (outcome.changed[0] ?? 0) : 0;
    },
    removeOfHolder: (org, accountHolderId, limit) =>
      changed(transactions.delete({ org, holderId: accountHolderId }, limit)),
    removeTombstones: async (beforeOrder, limit) => {
      const past = await tombstones.find({ where: { order: { lt: beforeOrder } }, limit });
      await store.write(
        past.flatMap(({ org, id, order }) => [
          transactions.delete({ org, id, deleted: 1, order: { lte: order } }),
          tombstones.delete({ org, id, order }),
        ]),
      );
      return past.length;
    },
  };
}

/** A tombstone keeps nothing of the transaction but its id and its place in the order of acceptance. */
function tombstone(row: TransactionRow, order: string): TransactionRow {
  return {
    org: row.org,
    id: row.id,
    holderId: null,
    createdAt: row.createdAt,
    order,
    deleted: 1,
    facts: null,
    description: "",
    date: "",
    amount: 0,
    entryType: row.entryType,
    currency: "",
    location: null,
    error: null,
  };
}

function toRow(transaction: LedgerTransaction): TransactionRow {
  const { input } = transaction;
  return {
    org: transaction.org,
    id: input.id,
    holderId: input.accountHolderId,
    createdAt: transaction.createdAt,
    order: transaction.order,
    deleted: 0,
    facts: transaction.facts,
    description: input.description,
    date: input.date,
    amount: input.amount,
    entryType: input.entryType,
    currency: input.currency,
    location: input.location,
    error: transaction.error,
  };
}

function toTransaction(row: TransactionRow): LedgerTransaction {
  return {
    org: row.org,
    input: {
      id: row.id,
      description: row.description,
      date: row.date,
      amount: row.amount,
      entryType: row.entryType,
      currency: row.currency,
      accountHolderId: row.holderId,
      location: row.location,
    },
    createdAt: row.createdAt,
    order: row.order,
    facts: row.facts,
    error: row.error,
  };
}
