import { nextRevision } from "../../model/acceptance-order.ts";
import type {
  LedgerTransaction,
  ReplaceableTransaction,
  Submission,
  WalkedTransaction,
} from "../../model/ledger-transaction.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import type { Collection, FieldValue, Store, Where, Write } from "../collection.ts";
import { readPage } from "./pages.ts";
import {
  newVersion,
  factsFields,
  tombstone,
  rowsOfTransactions,
  transactionOfRow,
} from "./transaction-rows.ts";
import {
  type TombstoneRow,
  tombstoneSpec,
  type TransactionRow,
  transactionSpec,
} from "../specs/specs.ts";

export interface TransactionRepository {
  get(org: string, id: string): Promise<LedgerTransaction | null>;
  /** Those of the transactions that are in the ledger, in any order. */
  getMany(org: string, ids: readonly string[]): Promise<readonly LedgerTransaction[]>;
  /** The holder of a transaction that is in the ledger; undefined when it is not. */
  holderOf(org: string, id: string): Promise<string | null | undefined>;
  /** Those of the transactions that are in the ledger, as far as it takes to replace them; in any order. */
  seenOf(org: string, ids: readonly string[]): Promise<readonly ReplaceableTransaction[]>;
  /** Of these, those that their customer has corrected: others are not read. */
  correctedOf(org: string, ids: readonly string[]): Promise<readonly ReplaceableTransaction[]>;
  list(
    org: string,
    accountHolderId: string | null,
    page: PageRequest,
  ): Promise<Page<LedgerTransaction>>;
  /** Another text after each change of a transaction of the holder: added, replaced, corrected, moved, deleted. */
  ledgerVersion(org: string, accountHolderId: string): Promise<string>;
  /** Transactions of a holder, counted in an index. */
  countOfHolder(org: string, accountHolderId: string): Promise<number>;
  /** All transactions of a holder, oldest first, up to `size` at a time. */
  walkLedger(
    org: string,
    accountHolderId: string,
    size: number,
  ): AsyncIterable<readonly WalkedTransaction[]>;
  /** Ids of all transactions of a holder in the same order, up to `size` at a time; nothing else of them is read. */
  walkIds(org: string, accountHolderId: string, size: number): AsyncIterable<readonly string[]>;
  /** Steps that store these transactions, each only if it was accepted later than what is there under its id. */
  upsertSteps(transactions: readonly LedgerTransaction[]): readonly Write[];
  /** The same, of which none replaces a transaction that its customer has corrected. */
  keepingSteps(transactions: readonly LedgerTransaction[]): readonly Write[];
  /** Step that ends a write when one of the transactions has been corrected by its customer. */
  requireUncorrected(org: string, ids: readonly string[]): Write;
  /** Step that ends a write unless the transaction is still the one of this order. */
  requireOrder(org: string, id: string, order: string): Write;
  /**
   * Steps that end a write unless each transaction is still as it was seen, its facts too: a reapplication replaces those and leaves
   * the order. Null: one of them is not.
   */
  requireSeen(org: string, seen: readonly LedgerTransaction[]): Promise<readonly Write[] | null>;
  /**
   * Replaces transactions by tombstones of `order`.
   * @param only which of those that are there
   * @param absentToo leaves a tombstone also for an id that is not there, against pending submissions
   */
  writeTombstones(
    org: string,
    ids: readonly string[],
    order: string,
    only: { readonly accountHolderId: string | null },
    absentToo: boolean,
  ): Promise<void>;
  /**
   * Takes back what these submissions have stored, unless it has been replaced since. The tombstone stands right behind
   * the submission, so that later ones keep their right.
   */
  withdraw(org: string, submissions: readonly Submission[]): Promise<void>;
  /**
   * Removes up to `limit` transactions of a holder. Those accepted after `doneOrder` leave a tombstone right
   * behind themselves: earlier submissions of their ids may still be redelivered. Returns how many were removed.
   * @param still a step that ends the write when the transactions are not to be removed any more
   */
  removeOfHolder(
    org: string,
    accountHolderId: string,
    doneOrder: string,
    limit: number,
    still?: Write,
  ): Promise<number>;
  /** How many there are. */
  count(org: string): Promise<number>;
  /** Steps that replace facts of transactions that are still those of these orders. */
  factsSteps(org: string, changes: readonly ReplacedFacts[]): readonly Write[];
  /** Removes up to `limit` tombstones that no record in the log can get past any more. Returns how many. */
  removeTombstones(beforeOrder: string, limit: number): Promise<number>;
}

/** New facts of a transaction, with what it keeps. */
interface ReplacedFacts extends Pick<TransactionRow, "id" | "order" | "entryType" | "currency"> {
  readonly facts: string;
}

export function createTransactionRepository(store: Store): TransactionRepository {
  const transactions = store.collection<TransactionRow>(transactionSpec);
  const tombstones = store.collection<TombstoneRow>(tombstoneSpec);
  const findAll = (org: string, ids: readonly string[]): Promise<TransactionRow[]> =>
    transactions.find({ where: { org, id: { in: ids } }, limit: ids.length });
  const writeAll = createTombstoneWriter(store, transactions, tombstones);
  return {
    ...readingOne(transactions),
    ...readingMany(transactions, findAll),
    ...forReapplications(transactions),
    ...forLedgers(transactions),
    list: (org, accountHolderId, page) =>
      readPage(
        transactions,
        { org, ...(accountHolderId === null ? {} : { holderId: accountHolderId }), deleted: 0 },
        page,
        "order",
        transactionOfRow,
      ),
    ...storing(transactions, findAll),
    writeTombstones: async (org, ids, order, { accountHolderId }, absentToo) => {
      const there = (await findAll(org, ids)).filter((row) => row.deleted === 0);
      const thereIds = new Set(there.map((row) => row.id));
      const mine = there.filter((row) => [null, row.holderId].includes(accountHolderId));
      const absent = absentToo ? ids.filter((id) => !thereIds.has(id)) : [];
      await writeAll(
        [...mine.map((row) => row.id), ...absent].map((id) => tombstone(org, id, order)),
      );
    },
    withdraw: async (org, submissions) => {
      // The holder too: two assignments of one transaction can have the same order.
      const orphans = new Set(
        submissions.map(({ id, order, accountHolderId }) =>
          JSON.stringify([id, order, accountHolderId]),
        ),
      );
      const ids = submissions.map(({ id }) => id);
      const stored = (await findAll(org, ids)).filter(
        ({ id, order, holderId, deleted }) =>
          deleted === 0 && orphans.has(JSON.stringify([id, order, holderId])),
      );
      await writeAll(stored.map((row) => tombstone(org, row.id, nextRevision(row.order))));
    },
    removeOfHolder: async (org, accountHolderId, doneOrder, limit, still) => {
      const ofHolder = { org, holderId: accountHolderId };
      const first = still === undefined ? [] : [still];
      const outcome = await store.write([
        ...first,
        transactions.delete({ ...ofHolder, order: { lte: doneOrder } }, limit),
      ]);
      if (!outcome.ok) return 0;
      const removed = outcome.changed.at(-1) ?? 0;
      if (removed > 0) return removed;
      const open = await transactions.find({ where: ofHolder, limit });
      const tombstones = open.map((row) => tombstone(org, row.id, nextRevision(row.order)));
      return (await writeAll(tombstones, first)) ? open.length : 0;
    },
    removeTombstones: async (beforeOrder, limit) => {
      const past = await tombstones.find({ where: { order: { lt: beforeOrder } }, limit });
      // The entry last: it is what leads to the tombstone.
      const steps = past.flatMap(({ org, id, order }) => [
        transactions.delete({ org, id, deleted: 1, order: { lte: order } }),
        tombstones.delete({ org, id, order }),
      ]);
      await store.apply(steps);
      return past.length;
    },
  };
}

function storing(
  transactions: Collection<TransactionRow>,
  findAll: (org: string, ids: readonly string[]) => Promise<readonly TransactionRow[]>,
): Pick<
  TransactionRepository,
  "upsertSteps" | "keepingSteps" | "requireUncorrected" | "requireOrder" | "requireSeen"
> {
  return {
    upsertSteps: (rows) =>
      rows.length === 0 ? [] : [transactions.upsertMany(rowsOfTransactions(rows), "order")],
    keepingSteps: (rows) =>
      rows.length === 0
        ? []
        : [transactions.upsertMany(rowsOfTransactions(rows), "order", "corrected")],
    requireUncorrected: (org, ids) =>
      transactions.require({ org, id: { in: ids }, corrected: 1 }, 0),
    requireOrder: (org, id, order) => transactions.require({ org, id, order, deleted: 0 }, 1),
    requireSeen: async (org, seen) => {
      const ids = seen.map(({ input }) => input.id);
      const rows = new Map((await findAll(org, ids)).map((row) => [row.id, row]));
      const steps = seen.flatMap(({ input, order, facts }) => {
        const row = rows.get(input.id);
        if (row?.order !== order || row.deleted === 1 || row.facts !== facts) return [];
        return [transactions.require({ org, id: row.id, version: row.version }, 1)];
      });
      return steps.length < seen.length ? null : steps;
    },
  };
}

function readingMany(
  transactions: Collection<TransactionRow>,
  findAll: (org: string, ids: readonly string[]) => Promise<readonly TransactionRow[]>,
): Pick<TransactionRepository, "getMany" | "seenOf" | "correctedOf"> {
  return {
    correctedOf: async (org, ids) => {
      const where = { org, id: { in: ids }, corrected: 1 };
      const limit = ids.length;
      return limit === 0 ? [] : (await transactions.find({ where, limit })).map(toReplaceable);
    },
    getMany: async (org, ids) =>
      (await findAll(org, ids)).filter((row) => row.deleted === 0).map(transactionOfRow),
    seenOf: async (org, ids) => {
      const rows = ids.length === 0 ? [] : await findAll(org, ids);
      return rows.filter((row) => row.deleted === 0).map(toReplaceable);
    },
  };
}

function toReplaceable(row: TransactionRow): ReplaceableTransaction {
  const { id, order, holderId, override } = row;
  return { id, order, accountHolderId: holderId, override: override ?? null };
}

function readingOne(
  transactions: Collection<TransactionRow>,
): Pick<TransactionRepository, "get" | "holderOf"> {
  const get = async (org: string, id: string): Promise<LedgerTransaction | null> => {
    const row = await transactions.get({ org, id });
    return row === null || row.deleted === 1 ? null : transactionOfRow(row);
  };
  return {
    get,
    holderOf: async (org, id) => (await get(org, id))?.input.accountHolderId,
  };
}

/** What it takes to tell something else about transactions that stay the same. */
function forReapplications(
  transactions: Collection<TransactionRow>,
): Pick<TransactionRepository, "count" | "factsSteps"> {
  return {
    count: async (org) => {
      // Tombstones have no time. Only what the index has is looked at.
      const times = { gte: 1 };
      return (await transactions.aggregate({ org, createdAt: times }, "createdAt", "createdAt"))
        .count;
    },
    factsSteps: (org, changes) =>
      changes.map(({ id, order, facts, ...kept }) =>
        transactions.update(
          { org, id, order, deleted: 0 },
          { facts, ...factsFields(facts, kept), version: newVersion() },
          "ignore",
        ),
      ),
  };
}

/** What concerns all transactions of a holder. */
function forLedgers(
  transactions: Collection<TransactionRow>,
): Pick<TransactionRepository, "ledgerVersion" | "countOfHolder" | "walkLedger" | "walkIds"> {
  return {
    // Tombstones have no holder.
    countOfHolder: async (org, holderId) =>
      (await transactions.aggregate({ org, holderId }, "version", "version")).count,
    ledgerVersion: async (org, holderId) => {
      // Tombstones have no holder. Sums of so many numbers are exact up to two million transactions.
      const { count, sum } = await transactions.aggregate({ org, holderId }, "version", "version");
      return `${String(count)}-${String(sum)}`;
    },
    walkLedger: async function* (org, holderId, size) {
      const where = { org, holderId, deleted: 0 };
      for await (const rows of walk(transactions, where, WALKED_FIELDS, size))
        yield rows.map(walkedTransaction);
    },
    walkIds: async function* (org, holderId, size) {
      for await (const rows of walk(transactions, { org, holderId }, [...WALK_ORDER, "id"], size))
        yield rows.map(([, , id]) => id as string);
    },
  };
}

const WALK_ORDER = ["createdAt", "order"] as const;

/**
 * Values of the fields of all rows, the oldest first, in pages of at least one row.
 * @param fields first those of WALK_ORDER
 */
async function* walk(
  transactions: Collection<TransactionRow>,
  where: Where<TransactionRow>,
  fields: readonly (keyof TransactionRow)[],
  size: number,
): AsyncGenerator<readonly (readonly FieldValue[])[]> {
  const order = { fields: WALK_ORDER, direction: "asc" as const };
  let after: readonly FieldValue[] | null = null;
  for (;;) {
    const query = { where, order, limit: size };
    const rows = await transactions.values(after === null ? query : { ...query, after }, fields);
    const last = rows.at(-1);
    if (last !== undefined) yield rows;
    if (last === undefined || rows.length < size) return;
    after = last.slice(0, WALK_ORDER.length);
  }
}

/** First those by which a walk goes on. */
const WALKED_FIELDS = [
  ...WALK_ORDER,
  ...["id", "date", "amount"],
  ...["entryType", "currency", "description", "facts", "label", "corrected"],
] as readonly (keyof TransactionRow)[];

/** @param values those of WALKED_FIELDS */
function walkedTransaction(values: readonly FieldValue[]): WalkedTransaction {
  const [, , id, date, amount, entryType, currency, description, facts, label, corrected] = values;
  return {
    id: id as string,
    date: date as string,
    amount: amount as number,
    entryType: entryType as WalkedTransaction["entryType"],
    currency: currency as string,
    description: description as string,
    facts: facts as string | null,
    label: label as string | null,
    isCorrected: corrected === 1,
  };
}

/** Returns what replaces rows by tombstones, after steps that may end the write; false when one did. */
function createTombstoneWriter(
  store: Store,
  transactions: Collection<TransactionRow>,
  tombstones: Collection<TombstoneRow>,
): (rows: readonly TransactionRow[], first?: readonly Write[]) => Promise<boolean> {
  return async (rows, first = []) => {
    if (rows.length === 0) return true;
    const outcome = await store.write([
      ...first,
      transactions.upsertMany(rows, "order"),
      tombstones.upsertMany(
        rows.map(({ org, id, order }) => ({ org, id, order })),
        "order",
      ),
    ]);
    return outcome.ok;
  };
}
