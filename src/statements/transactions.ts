// The transactions of a statement as they are submitted. All of it follows from the document and what was read, so that a
// repeated reading submits the same ones.
import { setImmediate as nextTurn } from "node:timers/promises";
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
): Promise<readonly (readonly string[])[]> =>
  Promise.all(
    accounts.map(({ transactions }, account) =>
      inTurns(transactions, (_, row) => transactionId(documentId, account, row)),
    ),
  );

/** What is made of each row, of a chunk in a turn of the event loop: other requests go on meanwhile. */
async function inTurns<Row, Made>(
  rows: readonly Row[],
  make: (row: Row, index: number) => Made,
): Promise<Made[]> {
  const made: Made[] = [];
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % CHUNK_TRANSACTIONS_MAX === 0) await nextTurn();
    made.push(make(row, index));
  }
  return made;
}

const transactionId = (documentId: string, account: number, row: number): string =>
  uuidv5(`${String(account)}/${String(row)}`, documentId);

/** A row with its place in the document. */
interface PlacedRow {
  readonly account: StatementAccount;
  readonly currency: string;
  /** Index of the account. */
  readonly place: number;
  readonly row: StatementTransaction;
  /** Index in the account. */
  readonly index: number;
}

const rowsOf = (document: StatementDocument, statement: BankStatement): PlacedRow[] =>
  statement.accounts.flatMap((account, place) => {
    const currency = submittedCurrency(account, document, statement);
    return account.transactions.map((row, index) => ({ account, currency, place, row, index }));
  });

/** Whether it has more transactions than a batch. */
export const hasTooManyRows = ({ accounts }: BankStatement): boolean =>
  accounts.reduce((sum, { transactions }) => sum + transactions.length, 0) > BATCH_LENGTH_MAX;

export interface StatementBatch {
  readonly head: BatchHead;
  readonly records: readonly { readonly key: string; readonly value: EnrichmentRequest }[];
}

/**
 * The batch of a document as records of at most 250 transactions; null: it has none. Each is made in another turn of the event loop:
 * thousands of ids take as long as a batch.
 * @throws Error when it has too many rows
 */
export async function statementRecords(
  document: StatementDocument,
  statement: BankStatement,
): Promise<StatementBatch | null> {
  if (hasTooManyRows(statement)) throw new Error("A statement has more rows than a batch");
  const rows = rowsOf(document, statement);
  if (rows.length === 0) return null;
  const { org, createdAt } = document;
  const chunkCount = Math.ceil(rows.length / CHUNK_TRANSACTIONS_MAX);
  const id = statementBatchId(document.id);
  const head: BatchHead = {
    ...{ org, id, chunkCount, createdAt },
    ...{ total: rows.length, priority: "default" },
  };
  const records: { key: string; value: EnrichmentRequest }[] = [];
  for (let chunkIndex = 0; chunkIndex < chunkCount; chunkIndex += 1) {
    if (chunkIndex > 0) await nextTurn();
    const from = chunkIndex * CHUNK_TRANSACTIONS_MAX;
    const chunk = rows.slice(from, from + CHUNK_TRANSACTIONS_MAX);
    const value: EnrichmentRequest = {
      ...{ org, requestId: document.id, origin: "statement", batchId: id },
      ...{ chunkIndex, chunkCount, total: rows.length, createdAt },
      ...{ replyTo: null, basedOn: null, priority: "default" },
      transactions: chunk.map((row) => toInput(row, document, statement)),
    };
    records.push({ key: batchRecordKey(org, id, chunkIndex), value });
  }
  return { head, records };
}

/** What the transactions of each account are submitted with. */
export const submittedOf = (
  document: StatementDocument,
  statement: BankStatement,
): Promise<StatementReading["submitted"]> =>
  Promise.all(
    statement.accounts.map(async (account) => ({
      currency: submittedCurrency(account, document, statement),
      dates: await inTurns(account.transactions, (row) =>
        statementRowDate(row, account, document, statement),
      ),
    })),
  );

const toInput = (
  { account, currency, place, row, index }: PlacedRow,
  document: StatementDocument,
  statement: BankStatement,
): TransactionInput => ({
  id: transactionId(document.id, place, index),
  description: shortened(row.description),
  date: statementRowDate(row, account, document, statement),
  amount: Math.abs(Number(row.amount)),
  entryType: row.direction === "credit" ? "incoming" : "outgoing",
  currency,
  accountHolderId: document.accountHolderId,
  location: null,
  ...detailsOf(document),
});

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
