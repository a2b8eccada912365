import { type AccountHolder, statedTypeOf } from "../../model/account-holder.ts";
import type {
  AmountStatistics,
  DateRange,
  LedgerPageQuery,
  LedgerStatistics,
  StatisticsMetric,
} from "../../model/ledger-page.ts";
import type { LedgerTransaction } from "../../model/ledger-transaction.ts";
import { type Answer, errorAnswer, jsonAnswer, ofHolder } from "../server/answer.ts";
import { IDS_BODY } from "../server/body-bounds.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { TOO_MANY_CALLS, withSlot } from "../server/slots.ts";
import { storedFields, UNKNOWN_LABEL } from "./enriched.ts";
import {
  LEDGER_SORT_FIELDS,
  ledgerIds,
  ledgerIdsQuery,
  ledgerPage,
  ledgerPageQuery,
  ledgerPath,
  rangeOf,
  statistics,
  statisticsQuery,
} from "./ledger-schemas.ts";
import type { RecurrenceText, V2RecurrenceServices } from "./recurrence.ts";
import { recurrenceReader, streamed } from "./result-texts.ts";

/** A page of the ledger of an account holder. */
interface ShownPage {
  readonly holder: AccountHolder;
  /** Transactions of all pages. */
  readonly total: number;
  readonly transactions: AsyncIterable<readonly LedgerTransaction[]>;
}

/** Each answers null when there is no such account holder. */
export interface LedgerPagesPort {
  page(org: string, accountHolderId: string, query: LedgerPageQuery): Promise<ShownPage | null>;
  among(
    org: string,
    accountHolderId: string,
    ids: readonly string[],
    query: LedgerPageQuery,
  ): Promise<ShownPage | null>;
  statistics(
    org: string,
    accountHolderId: string,
    range: DateRange,
    metrics: ReadonlySet<StatisticsMetric>,
  ): Promise<LedgerStatistics | null>;
}

export interface V2LedgerServices extends V2RecurrenceServices {
  readonly ledgerPages: LedgerPagesPort;
}

const tag = "Ledger";
const NOT_FOUND = "Account holder not found";
const UNSORTABLE = `A ledger can be sorted by ${[...LEDGER_SORT_FIELDS.keys()].join(", ")}`;
const PAGE_ERRORS = { 400: UNSORTABLE, 404: NOT_FOUND, 429: TOO_MANY_CALLS };

export const v2LedgerRoutes: readonly Route<V2LedgerServices>[] = [
  defineRoute({
    method: "GET",
    path: "/v2/account-holder/{account_holder_id}/transactions",
    operationId: "list_transactions",
    summary: "List the transactions of an account holder by pages, latest date first",
    tag,
    request: { path: ledgerPath, query: ledgerPageQuery, body: null },
    success: ledgerPage,
    errors: PAGE_ERRORS,
    handle: (services: V2LedgerServices, { principal, path, query }) =>
      pageAnswer(services, principal, path.account_holder_id, query, ({ page }, asked) =>
        page(principal.org, path.account_holder_id, asked),
      ),
  }),
  defineRoute({
    method: "POST",
    path: "/v2/account-holder/{account_holder_id}/transactions",
    operationId: "get_transactions",
    isSafe: true,
    summary: "Get up to 1000 transactions of an account holder by their ids",
    tag,
    request: { path: ledgerPath, query: ledgerIdsQuery, body: ledgerIds, bounds: IDS_BODY },
    success: ledgerPage,
    errors: PAGE_ERRORS,
    handle: (services: V2LedgerServices, { principal, path, query, body }) =>
      pageAnswer(services, principal, path.account_holder_id, query, ({ among }, asked) =>
        among(principal.org, path.account_holder_id, body, asked),
      ),
  }),
  defineRoute({
    method: "POST",
    path: "/v2/account-holder/{account_holder_id}/query",
    operationId: "query_ledger",
    isSafe: true,
    summary: "Add up the transactions of an account holder, in all, by label and by merchant",
    tag,
    request: { path: ledgerPath, query: nothing, body: statisticsQuery },
    success: statistics,
    errors: { 404: NOT_FOUND, 429: TOO_MANY_CALLS },
    handle: ({ ledgerPages, syncSlots }: V2LedgerServices, { principal, path, body }) =>
      withSlot(syncSlots, principal.keyId, async () => {
        const metrics = new Set(body.metrics.map((name) => METRICS[name]));
        const range = rangeOf(body);
        const { org } = principal;
        const found = await ledgerPages.statistics(org, path.account_holder_id, range, metrics);
        if (found === null) return notFound();
        const { overall, byLabel, byMerchant } = found;
        const answer = jsonAnswer(200, {
          ...(overall === null ? {} : { overall_stats: shownSides(overall) }),
          ...(byLabel === null ? {} : { stats_by_label: shownByName(byLabel) }),
          ...(byMerchant === null ? {} : { stats_by_merchant: shownByName(byMerchant) }),
        });
        return ofHolder(answer, path.account_holder_id);
      }),
  }),
];

const METRICS = {
  overall_stats: "overall",
  stats_by_label: "label",
  stats_by_merchant: "merchant",
} as const;

const notFound = () => errorAnswer("account_holder_not_found", NOT_FOUND);

interface AskedPage {
  readonly page: number;
  readonly per_page: number;
  readonly sort_by?: string | null | undefined;
  readonly sort_order?: "asc" | "desc" | null | undefined;
  readonly with_recurrence?: boolean | null | undefined;
}

/** The slot is held until the page begins to be sent: its rows are read some at a time then. */
function pageAnswer(
  services: V2LedgerServices,
  { org, keyId }: { readonly org: string; readonly keyId: string },
  accountHolderId: string,
  query: AskedPage,
  find: (pages: LedgerPagesPort, asked: LedgerPageQuery) => Promise<ShownPage | null>,
): Promise<Answer> {
  const { ledgerPages, syncSlots } = services;
  const sortBy = LEDGER_SORT_FIELDS.get(query.sort_by ?? "date");
  if (sortBy === undefined) return Promise.resolve(errorAnswer("invalid_sort", UNSORTABLE));
  return withSlot(syncSlots, keyId, async () => {
    const found = await find(ledgerPages, {
      sortBy,
      direction: query.sort_order ?? "desc",
      offset: query.page * query.per_page,
      limit: query.per_page,
    });
    if (found === null) return notFound();
    const pages = Math.ceil(found.total / query.per_page);
    const isWanted = (query.with_recurrence ?? true) && found.total > 0;
    const repeats = await recurrenceReader(services, org, isWanted)(accountHolderId);
    const opening = `{"pages":${String(pages)},"transactions":[`;
    const answer = streamed(opening, listedTexts(found, repeats), "]}");
    return { ...answer, accountHolderIds: [accountHolderId] };
  });
}

async function* listedTexts(
  { holder, transactions }: ShownPage,
  repeats: RecurrenceText,
): AsyncIterable<string> {
  for await (const some of transactions)
    if (some.length > 0) yield some.map((one) => listedText(one, holder, repeats)).join(",");
}

/** JSON text of a transaction of a ledger. */
export function listedText(
  transaction: LedgerTransaction,
  holder: AccountHolder,
  repeats: RecurrenceText,
): string {
  const { input, createdAt, error } = transaction;
  const type = statedTypeOf(holder);
  const fields = JSON.stringify({
    transaction_id: input.id,
    account_holder_id: holder.id,
    account_holder_type: type,
    account_holder_name: holder.name,
    amount: input.amount,
    entry_type: input.entryType,
    date: input.date,
    iso_currency_code: input.currency,
    description: input.description,
    country: input.location?.country ?? null,
    created_at: new Date(createdAt).toISOString(),
    ...storedFields(transaction, type),
    error: error?.code ?? null,
    error_details: error?.message ?? null,
  });
  return `${fields.slice(0, -1)},${repeats(input.id)}}`;
}

const shownByName = (byName: ReadonlyMap<string | null, AmountStatistics>): object =>
  // Names come from customers too: an object made of entries takes any.
  Object.fromEntries(
    [...byName].map(([name, sides]) => [name ?? UNKNOWN_LABEL, shownSides(sides)]),
  );

const shownSides = ({ incoming, outgoing }: AmountStatistics): object => ({
  incoming: Object.fromEntries(incoming),
  outgoing: Object.fromEntries(outgoing),
});
