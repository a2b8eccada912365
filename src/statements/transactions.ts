// The transactions of a statement as they are submitted. All of it follows from the document and what was read, so that a
// repeated reading submits the same ones.
import { v5 as uuidv5 } from "uuid";
import type {
  BankStatement,
  StatementAccount,
  StatementTransaction,
} from "../model/bank-statement.ts";
import { BATCH_LENGTH_MAX, type BatchHead } from "../model/batch.ts";
import { CURRENCIES } from "../model/currencies.ts";
import { batchRecordKey } from "../model/record-key.ts";
import { CHUNK_TRANSACTIONS_MAX, type EnrichmentRequest } from "../model/records.ts";
import type { StatementDocument, StatementReading } from "../model/statement-document.ts";
import type { TransactionInput } from "../model/transaction.ts";

/** The batch of a document: a name in its namespace that no row has. */
const BATCH_NAME = "batch";
const DESCRIPTION_CHARACTERS_MAX = 1_024;
/** Where neither the statement nor its submitter names a currency. */
const DEFAULT_CURRENCY = "USD";
const currencies: ReadonlySet<string> = new Set(CURRENCIES);

/** The batch in which the transactions of a document are enriched: UUIDv5 in the namespace of the document's id. */
export const statementBatchId = (documentId: string): string => uuidv5(BATCH_NAME, documentId);

/** Ids of the transactions, by account and row: UUIDv5 of both, from 0, in the namespace of the document's id. */
export const statementTransactionIds = (
  documentId: string,
  { accounts }: { readonly accounts: readonly { readonly transactions: readonly unknown[] }[] },
): readonly (readonly string[])[] =>
  accounts.map(({ transactions }, account) =>
    transactions.map((_, row) => uuidv5(`${String(account)}/${String(row)}`, documentId)),
  );

/**
 * The batch of a document as records of at most 250 transactions; null: it has none.
 * @returns "too_many" when a batch cannot have so many
 */
export function statementRecords(
  document: StatementDocument,
  statement: BankStatement,
):
  | {
      readonly head: BatchHead;
      readonly records: readonly { readonly key: string; readonly value: EnrichmentRequest }[];
    }
  | "too_many"
  | null {
  const inputs = toInputs(document, statement);
  if (inputs.length === 0) return null;
  if (inputs.length > BATCH_LENGTH_MAX) return "too_many";
  const { org, createdAt } = document;
  const chunkCount = Math.ceil(inputs.length / CHUNK_TRANSACTIONS_MAX);
  const id = statementBatchId(document.id);
  const head: BatchHead = {
    ...{ org, id, chunkCount, createdAt },
    ...{ total: inputs.length, priority: "default" },
  };
  const records = Array.from({ length: chunkCount }, (_, chunkIndex) => {
    const from = chunkIndex * CHUNK_TRANSACTIONS_MAX;
    const value: EnrichmentRequest = {
      org,
      requestId: document.id,
      origin: "statement",
      batchId: id,
      chunkIndex,
      chunkCount,
      total: inputs.length,
      createdAt,
      replyTo: null,
      basedOn: null,
      priority: "default",
      transactions: inputs.slice(from, from + CHUNK_TRANSACTIONS_MAX),
    };
    return { key: batchRecordKey(org, id, chunkIndex), value };
  });
  return { head, records };
}

/** What the transactions of each account are submitted with. */
export const submittedOf = (
  document: StatementDocument,
  statement: BankStatement,
): StatementReading["submitted"] =>
  statement.accounts.map((account) => ({
    currency: submittedCurrency(account, document, statement),
    dates: account.transactions.map((row) => statementRowDate(row, account, document, statement)),
  }));

function toInputs(document: StatementDocument, statement: BankStatement): TransactionInput[] {
  const ids = statementTransactionIds(document.id, statement);
  return statement.accounts.flatMap((account, place) => {
    const currency = submittedCurrency(account, document, statement);
    return account.transactions.map((row, index) => ({
      id: ids[place]?.[index] ?? "",
      description: shortened(row.description),
      date: statementRowDate(row, account, document, statement),
      amount: Math.abs(Number(row.amount)),
      entryType: row.direction === "credit" ? ("incoming" as const) : ("outgoing" as const),
      currency,
      accountHolderId: document.accountHolderId,
      location: null,
      ...detailsOf(document),
    }));
  });
}

const detailsOf = ({ accountType }: StatementDocument): Pick<TransactionInput, "details"> =>
  accountType === null
    ? {}
    : { details: { mcc: null, accountHolderName: null, accountHolderType: accountType } };

/**
 * The currency of an account: what it prints, else what the submitter named, else what other accounts of the document print if
 * that is one, else US dollars.
 */
export function submittedCurrency(
  account: Pick<StatementAccount, "currency">,
  document: Pick<StatementDocument, "currency">,
  statement: { readonly accounts: readonly Pick<StatementAccount, "currency">[] },
): string {
  const printed = new Set(
    statement.accounts.flatMap(({ currency }) => (isCurrency(currency) ? [currency] : [])),
  );
  const common = printed.size === 1 ? [...printed] : [];
  const known = [account.currency, document.currency, ...common].find(isCurrency);
  return known ?? DEFAULT_CURRENCY;
}

const isCurrency = (text: string | null): text is string => text !== null && currencies.has(text);

/**
 * The day of a row: as it is printed, else the last day of its account's period or of the document's, else the day of the
 * submission (UTC).
 */
export function statementRowDate(
  { date }: Pick<StatementTransaction, "date">,
  { period }: Pick<StatementAccount, "period">,
  { createdAt }: Pick<StatementDocument, "createdAt">,
  { header }: { readonly header: Pick<BankStatement["header"], "period"> },
): string {
  const known = [date, period?.end ?? null, header.period?.end ?? null].find(isCalendarDate);
  return known ?? new Date(createdAt).toISOString().slice(0, 10);
}

/** A day that was read wrongly may be one that no month has, which no record can say. */
function isCalendarDate(text: string | null): text is string {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith("0000")) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

function shortened(text: string): string {
  if (text.length <= DESCRIPTION_CHARACTERS_MAX) return text;
  return Array.from(text).slice(0, DESCRIPTION_CHARACTERS_MAX).join("");
}
