// What was read from a bank statement, as both versions of the API show it.
import type {
  BankStatement,
  StatementAccount,
  StatementBreak,
  StatementHeader,
  StatementRepair,
  StatementTransaction,
  StatementVerdict,
} from "./bank-statement.ts";
import type { StatementReading } from "./statement-document.ts";
import type { EntryType } from "./transaction.ts";

const amountOf = (text: string): number => Number(text);
const amountOrNull = (text: string | null): number | null => (text === null ? null : Number(text));

/** Whether the balances of an account follow from its transactions; null: too little is printed to tell. */
export function isReconciled(verdict: StatementVerdict): boolean | null {
  return verdict === "not_checkable" ? null : verdict !== "not_reconciled";
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
  /** Whether its date is not the one that is printed in its row. */
  readonly isDateInferred: boolean;
  readonly isYearInferred: boolean;
}

/** The transactions of each account. */
export function shownTransactions({
  statement,
  transactionIds,
  submitted,
}: StatementReading): readonly (readonly ShownTransaction[])[] {
  return statement.accounts.map((account, place) => {
    const currency = submitted[place]?.currency ?? "";
    return account.transactions.map((transaction, index) => ({
      id: transactionIds[place]?.[index] ?? "",
      description: transaction.description,
      date: submitted[place]?.dates[index] ?? "",
      amount: amountOf(transaction.amount),
      entryType: shownEntryType(transaction),
      currency,
      balance: amountOrNull(transaction.balance),
      page: transaction.page,
      row: transaction.row,
      isDateInferred: transaction.date !== submitted[place]?.dates[index],
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
function shownVerdict(account: StatementAccount): Record<string, unknown> {
  return {
    verdict: account.verdict,
    unproven: account.unproven,
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

/** An account as the v3 API shows it, without its transactions. */
export const resultAccount = (account: StatementAccount): Record<string, unknown> => ({
  ...shownAccount(account),
  name: account.name,
  type: account.type,
  currency: account.currency,
  is_opening_calculated: account.isOpeningCalculated,
  ...shownVerdict(account),
});

/** A transaction as the v3 API shows it. */
export const resultTransaction = (one: ShownTransaction): Record<string, unknown> => ({
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
});

/** What is read from the first page, in the words of both versions of the API. */
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
