// A submitted bank statement and what was read from it, as the v3 API shows it, and what both versions of the API say of them.
import type {
  BankStatement,
  StatementAccount,
  StatementBreak,
  StatementHeader,
  StatementRepair,
  StatementTransaction,
  StatementVerdict,
} from "./bank-statement.ts";
import type {
  StatementDocument,
  StatementFailure,
  StatementReading,
} from "./statement-document.ts";
import type { EntryType } from "./transaction.ts";

/** Where neither the statement nor its upload names a currency, and one has to be answered. */
const CURRENCY_DEFAULT = "USD";

/** Why a document failed, in a sentence each. */
export const STATEMENT_FAILURE_MESSAGES: Readonly<Record<StatementFailure, string>> = {
  unsupported_type: "The file is not a PDF, PNG or JPEG.",
  too_large: "The file is too large.",
  too_many_pages: "The document has too many pages.",
  too_many_pixels: "A picture of the document has too many pixels.",
  damaged: "The file is damaged or incomplete.",
  password_needed: "The document is locked: send it again with its password.",
  password_wrong: "The password does not open the document.",
  no_text: "No text was found on any page.",
  no_transactions: "No transactions were found: the document is probably not a bank statement.",
  time_limit: "Reading the document took too long.",
  memory_limit: "Reading the document took too much memory.",
  internal_error: "The document could not be read because of a fault of the service.",
};

const STATUSES = {
  queued: "processing",
  processing: "processing",
  processed: "completed",
  failed: "error",
} as const;

/** The status by the words of the v3 API. */
export const shownStatementStatus = (
  status: StatementDocument["status"],
): (typeof STATUSES)[StatementDocument["status"]] => STATUSES[status];

/** The document as the v3 API and its events show it. */
export function statementResource(document: StatementDocument): Record<string, unknown> {
  const { id, name, status, createdAt, pages, size, failure } = document;
  return {
    id,
    name,
    status: STATUSES[status],
    created_at: new Date(createdAt).toISOString(),
    file: { no_pages: pages, size },
    error:
      failure === null
        ? null
        : {
            code: failure === "internal_error" ? failure : "invalid_bank_statement",
            message: STATEMENT_FAILURE_MESSAGES[failure],
            fault: failure,
          },
  };
}

const amountOf = (text: string): number => Number(text);
const amountOrNull = (text: string | null): number | null => (text === null ? null : Number(text));

/** Whether the balances of an account follow from its transactions; null: too little is printed to tell. */
export function isReconciled(verdict: StatementVerdict): boolean | null {
  return verdict === "not_checkable" ? null : verdict !== "not_reconciled";
}

/** The currency of an account, for answers that need one. */
export const currencyOf = (
  account: Pick<StatementAccount, "currency">,
  document: Pick<StatementDocument, "currency">,
): string => account.currency ?? document.currency ?? CURRENCY_DEFAULT;

/**
 * A day, YYYY-MM-DD, for each transaction of an account: a row that prints none has that of the row before it, else of the
 * next one that has one, else the first day of the period, else the day on which the document was submitted.
 */
export function datesOf(
  { transactions, period }: Pick<StatementAccount, "transactions" | "period">,
  createdAt: number,
): readonly string[] {
  const first = transactions.find(({ date }) => date !== null)?.date;
  let latest = first ?? period?.start ?? new Date(createdAt).toISOString().slice(0, 10);
  return transactions.map(({ date }) => (latest = date ?? latest));
}

const shownEntryType = ({ direction }: Pick<StatementTransaction, "direction">): EntryType =>
  direction === "credit" ? "incoming" : "outgoing";

/** A transaction of a statement in the words that both versions of the API have. */
export interface ShownTransaction {
  readonly id: string;
  readonly description: string;
  readonly date: string;
  readonly amount: number;
  readonly entryType: EntryType;
  readonly currency: string;
  readonly balance: number | null;
  readonly page: number;
  readonly row: number;
  /** Whether no date is printed in its row. */
  readonly isDateInferred: boolean;
  readonly isYearInferred: boolean;
}

/** The transactions of each account. */
export function shownTransactions({
  document,
  statement,
  transactionIds,
}: StatementReading): readonly (readonly ShownTransaction[])[] {
  return statement.accounts.map((account, place) => {
    const currency = currencyOf(account, document);
    const dates = datesOf(account, document.createdAt);
    return account.transactions.map((transaction, index) => ({
      id: transactionIds[place]?.[index] ?? "",
      description: transaction.description,
      date: dates[index] ?? "",
      amount: amountOf(transaction.amount),
      entryType: shownEntryType(transaction),
      currency,
      balance: amountOrNull(transaction.balance),
      page: transaction.page,
      row: transaction.row,
      isDateInferred: transaction.date === null,
      isYearInferred: transaction.isYearInferred,
    }));
  });
}

/** The sums and balances of an account that both versions of the API show. */
export function shownAccount(account: StatementAccount): Record<string, unknown> {
  return {
    number: account.number,
    opening_balance: amountOrNull(account.opening),
    closing_balance: amountOrNull(account.closing),
    start_date: account.period?.start ?? null,
    end_date: account.period?.end ?? null,
    is_balance_reconciled: isReconciled(account.verdict),
    total_incoming: amountOf(account.totalIncoming),
    total_outgoing: amountOf(account.totalOutgoing),
  };
}

/** Whether the balances of an account are exact, where they are not, and what was repaired. */
export function shownVerdict(account: StatementAccount): Record<string, unknown> {
  return {
    verdict: account.verdict,
    first_break: account.firstBreak === null ? null : shownBreak(account.firstBreak),
    repairs: account.repairs.map(shownRepair),
  };
}

const shownBreak = ({ page, row, difference }: StatementBreak): object => ({
  page,
  row,
  difference: Number(difference),
});

const shownRepair = ({ page, row, field, from, to }: StatementRepair): object => ({
  page,
  row,
  field,
  from,
  to,
});

/** The results of a statement, as the v3 API shows them. */
export function statementResults(reading: StatementReading): Record<string, unknown> {
  const transactions = shownTransactions(reading);
  return {
    accounts: reading.statement.accounts.map((account, place) => ({
      ...shownAccount(account),
      name: account.name,
      type: account.type,
      currency: account.currency,
      is_opening_calculated: account.isOpeningCalculated,
      ...shownVerdict(account),
      transactions: (transactions[place] ?? []).map((one) => ({
        id: one.id,
        description: one.description,
        date: one.date,
        amount: one.amount,
        entry_type: one.entryType,
        currency: one.currency,
        running_balance: one.balance,
        page_number: one.page,
        row: one.row,
        is_date_inferred: one.isDateInferred,
        is_year_inferred: one.isYearInferred,
      })),
    })),
  };
}

/** What the first page says, in the words of both versions of the API. */
export function statementInfo(header: StatementHeader): Record<string, unknown> {
  const { institution, holder, period, accounts } = header;
  const address = holder?.address ?? null;
  return {
    institution,
    start_date: period?.start ?? null,
    end_date: period?.end ?? null,
    account_holder:
      holder === null
        ? null
        : {
            type: holder.type,
            name: holder.name,
            address:
              address === null
                ? null
                : {
                    street: address.street,
                    postcode: address.postcode,
                    city: address.city,
                    state: address.state,
                    country: address.country,
                  },
          },
    accounts: accounts.map(({ type, number, opening, closing, currency }) => ({
      type,
      number,
      opening_balance: amountOrNull(opening),
      closing_balance: amountOrNull(closing),
      iso_currency_code: currency,
    })),
  };
}

/** What a statement shows about itself as a whole: pages, signals, and the verdict of each account. */
export function statementSummary(statement: BankStatement): Record<string, unknown> {
  return {
    pages: statement.pages,
    pages_without_text: statement.pagesWithoutText,
    pages_recognised: statement.pagesRecognised,
    signals: statement.signals.map(({ kind, reason, page, box }) => ({ kind, reason, page, box })),
    accounts: statement.accounts.map((account) => ({
      number: account.number,
      name: account.name,
      ...shownVerdict(account),
    })),
  };
}
