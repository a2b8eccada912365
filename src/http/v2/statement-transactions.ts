import type { AccountHolder } from "../../model/account-holder.ts";
import { type ChunkResults, parsedResults } from "../../model/batch.ts";
import type { Facts } from "../../model/facts.ts";
import type { LedgerTransaction } from "../../model/ledger-transaction.ts";
import type { StatementDocument, StatementReading } from "../../model/statement-document.ts";
import { type ShownTransaction, shownTransactions } from "../../model/statement-resource.ts";
import type { HolderType, TransactionError } from "../../model/transaction.ts";
import { type Answer, jsonTextAnswer } from "../server/answer.ts";
import { enrichedFields } from "./enriched.ts";
import { listedText, type V2LedgerServices } from "./ledger.ts";
import { NO_RECURRENCE, type RecurrenceText } from "./recurrence.ts";
import { recurrenceReader } from "./result-texts.ts";
import type { BatchResultsPort } from "./transactions.ts";

// The transactions of a bank statement with what was found out about them. Those of an account holder are in its ledger: what is
// there counts, with its corrections, and what was deleted or moved from it is gone. Others have results in their batch only.

export interface StatementTransactionServices extends V2LedgerServices {
  readonly batches: Pick<BatchResultsPort, "resultChunks">;
}

type Sort = (one: ShownTransaction) => string | number;

/** By the names of the fields that a transaction has. */
export const STATEMENT_SORTS: ReadonlyMap<string, Sort> = new Map<string, Sort>([
  ["date", (one) => one.date],
  ["transaction_id", (one) => one.id],
  ["amount", (one) => one.amount],
  ["entry_type", (one) => one.entryType],
  ["iso_currency_code", (one) => one.currency],
  ["description", (one) => one.description],
]);

/** The transactions of all accounts; equal ones as they are printed, or the other way round. */
export function orderedRows(
  reading: StatementReading,
  sort: Sort,
  direction: "asc" | "desc",
): readonly ShownTransaction[] {
  const rows = shownTransactions(reading).flat();
  const ascending = rows.toSorted((one, other) => {
    const [left, right] = [sort(one), sort(other)];
    return left < right ? -1 : left > right ? 1 : 0;
  });
  return direction === "asc" ? ascending : ascending.reverse();
}

/** These transactions as a list. */
export async function pageOfStatement(
  services: StatementTransactionServices,
  org: string,
  document: StatementDocument,
  rows: readonly ShownTransaction[],
  withRecurrence: boolean,
): Promise<Answer> {
  const { accountHolderId } = document;
  const isAny = rows.length > 0;
  const results = isAny ? await batchResults(services, org, document.batchId, rows) : null;
  const ledger =
    isAny && accountHolderId !== null ? await ledgerOf(services, org, accountHolderId, rows) : null;
  const isWanted = withRecurrence && ledger !== null;
  const repeats = await recurrenceReader(services, org, isWanted)(accountHolderId);
  const texts = rows.flatMap((row) => {
    const stored = ledger?.transactions.get(row.id);
    if (ledger !== null && stored !== undefined) return listedText(stored, ledger.holder, repeats);
    // Enriched for an account holder and not in its ledger any more.
    if (accountHolderId !== null && results !== null) return [];
    return rowText(row, document, results?.get(row.id) ?? null, NO_RECURRENCE);
  });
  return jsonTextAnswer(200, `[${texts.join(",")}]`);
}

interface FoundLedger {
  readonly holder: AccountHolder;
  readonly transactions: ReadonlyMap<string, LedgerTransaction>;
}

async function ledgerOf(
  { ledgerPages }: StatementTransactionServices,
  org: string,
  accountHolderId: string,
  rows: readonly ShownTransaction[],
): Promise<FoundLedger | null> {
  const found = await ledgerPages.among(
    org,
    accountHolderId,
    rows.map(({ id }) => id),
    { sortBy: "id", direction: "asc", offset: 0, limit: rows.length },
  );
  if (found === null) return null;
  const transactions = new Map<string, LedgerTransaction>();
  for await (const some of found.transactions)
    for (const one of some) transactions.set(one.input.id, one);
  return { holder: found.holder, transactions };
}

/** A result of the batch of a statement. */
interface RowResult {
  readonly facts: Facts | null;
  readonly error: TransactionError | null;
  readonly type: HolderType | null;
}

/** Null while the batch is not completed. */
async function batchResults(
  { batches }: StatementTransactionServices,
  org: string,
  batchId: string | null,
  rows: readonly ShownTransaction[],
): Promise<ReadonlyMap<string, RowResult> | null> {
  const found = batchId === null ? null : await batches.resultChunks(org, batchId);
  if (found?.batch.status !== "completed") return null;
  const wanted = new Set(rows.map(({ id }) => id));
  const results = new Map<string, RowResult>();
  for await (const chunk of found.chunks)
    for (const [id, result] of resultsOf(chunk)) if (wanted.has(id)) results.set(id, result);
  return results;
}

function resultsOf(chunk: ChunkResults): readonly [string, RowResult][] {
  const stored = parsedResults(chunk) as readonly (Facts & {
    readonly id: string;
    readonly error: TransactionError | null;
  })[];
  return stored.map(({ id, error, ...facts }, place) => {
    const type = chunk.accountTypes[place] ?? null;
    return [id, { facts: error === null ? facts : null, error, type }];
  });
}

/** JSON text of a transaction that is in no ledger; what is not found out yet is null. */
function rowText(
  row: ShownTransaction,
  document: StatementDocument,
  result: RowResult | null,
  repeats: RecurrenceText,
): string {
  const type = result?.type ?? document.accountType;
  const isKnown = result !== null && result.error === null;
  const fields = JSON.stringify({
    transaction_id: row.id,
    account_holder_id: document.accountHolderId,
    account_holder_type: type,
    account_holder_name: null,
    amount: row.amount,
    entry_type: row.entryType,
    date: row.date,
    iso_currency_code: row.currency,
    description: row.description,
    country: null,
    created_at: new Date(document.createdAt).toISOString(),
    ...(isKnown ? enrichedFields(result.facts, type, null) : { ...NOTHING_FOUND }),
    review_state: null,
    error: result?.error?.code ?? null,
    error_details: result?.error?.message ?? null,
  });
  return `${fields.slice(0, -1)},${repeats(row.id)}}`;
}

const NOTHING_FOUND = {
  merchant: null,
  merchant_id: null,
  person: null,
  website: null,
  logo: null,
  mcc: null,
  labels: null,
  transaction_type: null,
  location: null,
  location_structured: null,
  intermediaries: null,
  confidence: null,
};
