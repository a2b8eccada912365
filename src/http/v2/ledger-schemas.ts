import { z } from "zod";
import type { DateRange, LedgerSort } from "../../model/ledger-page.ts";
import { boundedList, instantBound, queryNumber, text } from "../server/fields.ts";
import {
  accountHolderType,
  anyText,
  countryCode,
  double,
  entryType,
  flag,
  id,
  instant,
  sortOrder,
} from "./schemas.ts";
import { enrichedShape } from "./transaction-schemas.ts";

// What the operations of ledgers take and answer.

// ---- Requests

/** Ids of one request, and the transactions of its page where it does not name a number. */
const IDS_MAX = 1_000;
const PER_PAGE_MAX = 10_000;
const PER_PAGE_DEFAULT = 100;
const SORT_LENGTH_MAX = 256;
/** Above every page that there can be. */
export const PAGE_MAX = 1_000_000;

/** By the names of the fields that a listed transaction has. */
export const LEDGER_SORT_FIELDS: ReadonlyMap<string, LedgerSort> = new Map([
  ["date", "date"],
  ["created_at", "createdAt"],
  ["transaction_id", "id"],
  ["amount", "amount"],
  ["entry_type", "entryType"],
  ["iso_currency_code", "currency"],
  ["labels", "label"],
  ["merchant", "merchant"],
]);

/** A page of transactions by its number, from 0. */
export const transactionPageQuery = (perPageDefault: number, perPageMax: number) =>
  z.object({
    page: queryNumber(0, PAGE_MAX, 0),
    per_page: queryNumber(1, perPageMax, perPageDefault),
    sort_by: text(0, SORT_LENGTH_MAX).nullish(),
    sort_order: sortOrder.nullish(),
    with_recurrence: flag.nullish(),
  });

export const ledgerPageQuery = transactionPageQuery(PER_PAGE_DEFAULT, PER_PAGE_MAX);
export const ledgerIdsQuery = transactionPageQuery(IDS_MAX, PER_PAGE_MAX);
export const ledgerIds = boundedList(id, { min: 0, max: IDS_MAX }, null);
export const ledgerPath = z.object({ account_holder_id: id });

const metric = z
  .enum(["overall_stats", "stats_by_label", "stats_by_merchant"])
  .openapi("LedgerMetric");
const METRICS_MAX = 10;

export const statisticsQuery = z
  .object({
    metrics: boundedList(metric, { min: 1, max: METRICS_MAX }, "LedgerMetric"),
    start: instantBound(),
    end: instantBound(),
  })
  .openapi("LedgerStatisticsQuery");

const DAY_MS = 86_400_000;
const LAST_DAY = Date.parse("9999-12-31T00:00:00Z") / DAY_MS;

/** The dates whose beginning (UTC) is not before `start` and not after `end`. */
export const rangeOf = ({ start, end }: z.output<typeof statisticsQuery>): DateRange => ({
  from: start == null ? null : dateOf(Math.ceil(start / DAY_MS)),
  until: end == null ? null : dateOf(Math.floor(end / DAY_MS)),
});

/** A zone may lead a datetime out of the years of four digits. */
const dateOf = (day: number): string =>
  new Date(Math.min(day, LAST_DAY) * DAY_MS).toISOString().slice(0, "YYYY-MM-DD".length);

// ---- Answers

export const listedTransaction = z
  .object({
    transaction_id: z.string(),
    account_holder_id: anyText,
    account_holder_type: accountHolderType.nullish(),
    account_holder_name: anyText,
    amount: double,
    entry_type: entryType,
    date: z.string().openapi({ format: "date" }),
    iso_currency_code: z.string(),
    description: z.string(),
    country: countryCode().nullish(),
    created_at: instant.nullish(),
    ...enrichedShape,
    error: anyText,
    error_details: anyText,
  })
  .openapi("AccountHolderTransaction");

export const ledgerPage = z
  .object({ transactions: z.array(listedTransaction).nullish(), pages: z.int().nullish() })
  .openapi("PaginatedAccountHolderTransactions");

const amounts = z
  .object({
    sum: double,
    count: z.int(),
    mean: double,
    std: double,
    min: double,
    max: double,
  })
  .openapi("AmountStatistics");
const byCurrency = z.record(z.string(), amounts);
const sides = z.object({ incoming: byCurrency, outgoing: byCurrency }).openapi("LedgerStatistics");

export const statistics = z
  .object({
    overall_stats: sides.nullish(),
    stats_by_label: z.record(z.string(), sides).nullish(),
    stats_by_merchant: z.record(z.string(), sides).nullish(),
  })
  .openapi("LedgerStatisticsByMetric");

/** The components that others refer to, innermost first. */
export const ledgerComponents: readonly z.ZodType[] = [
  metric,
  statisticsQuery,
  listedTransaction,
  ledgerPage,
  amounts,
  sides,
  statistics,
];
