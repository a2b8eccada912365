// The ledger of one account holder by pages, by ids, and added up.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AccountHolder } from "../model/account-holder.ts";
import type {
  AmountGroup,
  AmountStatistics,
  DateRange,
  LedgerPageQuery,
  LedgerStatistics,
  StatisticsMetric,
} from "../model/ledger-page.ts";
import type { LedgerTransaction } from "../model/ledger-transaction.ts";
import { labelsIn } from "../model/labels.ts";
import { addUp } from "./statistics.ts";

/** What the pages need from the store. */
export interface LedgerPagePorts {
  getHolder(org: string, id: string): Promise<AccountHolder | null>;
  countTransactions(org: string, accountHolderId: string): Promise<number>;
  pageIds(org: string, accountHolderId: string, query: LedgerPageQuery): Promise<readonly string[]>;
  /** In any order. */
  getTransactions(org: string, ids: readonly string[]): Promise<readonly LedgerTransaction[]>;
  /** Those that the holder has, sorted. */
  transactionsAmong(
    org: string,
    accountHolderId: string,
    ids: readonly string[],
    query: Pick<LedgerPageQuery, "sortBy" | "direction">,
  ): Promise<readonly LedgerTransaction[]>;
  amounts(org: string, accountHolderId: string, range: DateRange): Promise<readonly AmountGroup[]>;
}

export interface LedgerPage {
  readonly holder: AccountHolder;
  /** Transactions of all pages. */
  readonly total: number;
  /** Those of the page in its order, some at a time; without those that are deleted or moved while they are read. */
  readonly transactions: AsyncIterable<readonly LedgerTransaction[]>;
}

/** Each answers null when there is no such account holder. */
export interface LedgerPages {
  page(org: string, accountHolderId: string, query: LedgerPageQuery): Promise<LedgerPage | null>;
  /** Those among `ids` that the holder has, by pages. */
  among(
    org: string,
    accountHolderId: string,
    ids: readonly string[],
    query: LedgerPageQuery,
  ): Promise<LedgerPage | null>;
  statistics(
    org: string,
    accountHolderId: string,
    range: DateRange,
    metrics: ReadonlySet<StatisticsMetric>,
  ): Promise<LedgerStatistics | null>;
}

/** Rows read at a time: a few milliseconds, after which other requests continue. */
const ROWS_AT_ONCE = 500;

export function createLedgerPages(ports: LedgerPagePorts): LedgerPages {
  async function* readRows(
    org: string,
    accountHolderId: string,
    ids: readonly string[],
  ): AsyncIterable<readonly LedgerTransaction[]> {
    for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
      const some = ids.slice(from, from + ROWS_AT_ONCE);
      const found = await ports.getTransactions(org, some);
      const byId = new Map(found.map((one) => [one.input.id, one]));
      yield some
        .flatMap((id) => byId.get(id) ?? [])
        .filter(({ input }) => input.accountHolderId === accountHolderId);
      await nextTurn();
    }
  }

  return {
    page: async (org, id, query) => {
      const holder = await ports.getHolder(org, id);
      if (holder === null) return null;
      const total = await ports.countTransactions(org, id);
      const ids = query.offset >= total ? [] : await ports.pageIds(org, id, query);
      return { holder, total, transactions: readRows(org, id, ids) };
    },
    among: async (org, id, ids, query) => {
      const holder = await ports.getHolder(org, id);
      if (holder === null) return null;
      const wanted = [...new Set(ids)];
      const found =
        wanted.length === 0 ? [] : await ports.transactionsAmong(org, id, wanted, query);
      const shown = found.slice(query.offset, query.offset + query.limit);
      return { holder, total: found.length, transactions: only(shown) };
    },
    statistics: async (org, id, range, metrics) => {
      if ((await ports.getHolder(org, id)) === null) return null;
      const groups = await ports.amounts(org, id, range);
      const withMerchant = groups.filter(({ merchant }) => merchant !== null);
      return {
        overall: metrics.has("overall") ? (addUp(groups, () => [""]).get("") ?? EMPTY) : null,
        byLabel: metrics.has("label") ? addUp(groups, labelsOf) : null,
        byMerchant: metrics.has("merchant")
          ? addUp(withMerchant, ({ merchant }) => [merchant ?? ""])
          : null,
      };
    },
  };
}

/** A transaction with several labels is added to each of them. */
const labelsOf = ({ label }: AmountGroup): readonly (string | null)[] =>
  label === null ? [null] : labelsIn(label);

const EMPTY: AmountStatistics = { incoming: new Map(), outgoing: new Map() };

async function* only<Row>(rows: readonly Row[]): AsyncIterable<readonly Row[]> {
  yield await Promise.resolve(rows);
}
