import type { AmountGroup, DateRange, LedgerPageQuery } from "../../model/ledger-page.ts";
import type { LedgerTransaction } from "../../model/ledger-transaction.ts";
import type { Store } from "../collection.ts";
import { type TransactionRow, transactionSpec } from "../specs/specs.ts";
import { amountKeyParts, transactionOfRow } from "./transaction-rows.ts";

export interface LedgerPageRepository {
  /** Ids of the transactions of a page, from an index alone. */
  ids(org: string, accountHolderId: string, query: LedgerPageQuery): Promise<readonly string[]>;
  /** Those of the transactions that the holder has, sorted. */
  among(
    org: string,
    accountHolderId: string,
    ids: readonly string[],
    query: Pick<LedgerPageQuery, "sortBy" | "direction">,
  ): Promise<readonly LedgerTransaction[]>;
  /** Sums of the amounts by direction, currency, label and merchant, from an index alone. */
  amounts(org: string, accountHolderId: string, range: DateRange): Promise<readonly AmountGroup[]>;
  /** The mean of how likely the categories of the holder are right, from an index alone; null: none is decided. */
  meanConfidence(org: string, accountHolderId: string): Promise<number | null>;
}

/** As many as the confidence of one transaction has. */
const CONFIDENCE_DIGITS = 4;

export function createLedgerPageRepository(store: Store): LedgerPageRepository {
  const transactions = store.collection<TransactionRow>(transactionSpec);
  return {
    ids: async (org, holderId, { sortBy, direction, offset, limit }) => {
      // Tombstones have no holder.
      const keys = await transactions.keys({
        where: { org, holderId },
        order: { fields: orderOf(sortBy), direction },
        offset,
        limit,
      });
      return keys.flatMap(({ id }) => id ?? []);
    },
    among: async (org, holderId, ids, { sortBy, direction }) => {
      const found = await transactions.find({
        where: { org, id: { in: ids }, holderId, deleted: 0 },
        order: { fields: orderOf(sortBy), direction },
        limit: ids.length,
      });
      return found.map(transactionOfRow);
    },
    amounts: async (org, holderId, { from, until }) => {
      const date = {
        ...(from === null ? {} : { gte: from }),
        ...(until === null ? {} : { lte: until }),
      };
      const isBounded = Object.keys(date).length > 0;
      const groups = await transactions.groups({
        where: { org, holderId, ...(isBounded ? { date } : {}) },
        by: ["amountKey"],
        of: "amount",
      });
      return groups.map(({ values: [amountKey], ...sums }) => ({
        ...amountKeyParts(amountKey as string),
        ...sums,
      }));
    },
    meanConfidence: async (org, holderId) => {
      const [all] = await transactions.groups({
        where: { org, holderId, confidence: { ne: null } },
        by: [],
        of: "confidence",
      });
      return all === undefined ? null : Number((all.sum / all.count).toFixed(CONFIDENCE_DIGITS));
    },
  };
}

/** Behind the field the order of acceptance, so that transactions of one value have their place too. */
const orderOf = (sortBy: LedgerPageQuery["sortBy"]): readonly (keyof TransactionRow)[] =>
  sortBy === "createdAt" ? ["createdAt", "order"] : [sortBy, "createdAt", "order"];
