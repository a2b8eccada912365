import { z } from "zod";
import { CURRENCIES } from "../../model/currencies.ts";
import type { StatementStatus } from "../../model/statement-document.ts";
import { queryNumber, text } from "../server/fields.ts";
import { statementForm } from "../v3/statement-schemas.ts";
import { listedTransaction, PAGE_MAX, transactionPageQuery } from "./ledger-schemas.ts";
import { accountHolderType, anyText, double, entryType, id, instant } from "./schemas.ts";

// What the operations of bank statements take and answer in the v2 API.

const PER_PAGE_MAX = 1_000;
const DOCUMENTS_PER_PAGE_DEFAULT = 20;
const TRANSACTIONS_PER_PAGE_DEFAULT = 100;
const NAME_LENGTH_MAX = 256;

// ---- Requests

export const documentPath = z.object({ uuid: id });
export const documentForm = statementForm.pick({ password: true });

export const submissionQuery = z.object({
  account_holder_id: id.nullish(),
  account_type: accountHolderType.nullish(),
  iso_currency_code: z.enum(CURRENCIES).nullish(),
});

/** The words of the v2 API: a document whose transactions could not be enriched has failed. */
const STATUSES = {
  queued: ["queued"],
  processing: ["processing"],
  processed: ["processed"],
  failed: ["failed", "unenriched"],
} as const satisfies Record<string, readonly StatementStatus[]>;
const status = z.enum(["queued", "processing", "processed", "failed"]).openapi("DocumentStatus");

export type DocumentStatus = z.output<typeof status>;
/** Null: any. */
export const statusesOfDocuments = (
  asked: DocumentStatus | null | undefined,
): readonly StatementStatus[] | null => (asked == null ? null : STATUSES[asked]);

export const documentStatus = (stored: StatementStatus): DocumentStatus =>
  stored === "unenriched" ? "failed" : stored;
const order = z.enum(["desc", "asc"]);

export const documentsQuery = z.object({
  status: status.nullish(),
  account_holder_id: id.nullish(),
  page: queryNumber(0, PAGE_MAX, 0),
  per_page: queryNumber(1, PER_PAGE_MAX, DOCUMENTS_PER_PAGE_DEFAULT),
  // The name of `per_page` in older clients.
  page_size: queryNumber(1, PER_PAGE_MAX, DOCUMENTS_PER_PAGE_DEFAULT),
  order_by: order.nullish(),
  query: text(0, NAME_LENGTH_MAX).nullish(),
});
/** Documents of a page: the one of its two names that is not left at its default. */
export const perPageOf = ({ per_page, page_size }: z.output<typeof documentsQuery>): number =>
  per_page === DOCUMENTS_PER_PAGE_DEFAULT ? page_size : per_page;

export const transactionsQuery = transactionPageQuery(TRANSACTIONS_PER_PAGE_DEFAULT, PER_PAGE_MAX);

export const documentName = z
  .object({ name: text(1, NAME_LENGTH_MAX) })
  .openapi("BankStatementName");

// ---- Answers

const day = z.string().openapi({ format: "date" });
const amount = double.nullish();

const bankAccount = z
  .object({
    name: anyText,
    bank_name: anyText,
    account_holder: anyText,
    account_number: anyText,
  })
  .openapi("BankStatementBankAccount");
const period = z
  .object({
    begin_date: day.nullish(),
    end_date: day.nullish(),
    begin_balance: amount,
    end_balance: amount,
    total_incoming: amount,
    total_outgoing: amount,
    is_balance_reconciled: z.boolean().nullish(),
  })
  .openapi("BankStatementStatement");
const file = z.object({ no_pages: z.int(), size: z.int() }).openapi("BankStatementFile");

export const document = z
  .object({
    id: z.string(),
    name: anyText,
    size: z.int().nullish(),
    created_at: instant.nullish(),
    account_holder_id: anyText,
    account_type: accountHolderType,
    status,
    bank_accounts: z.array(bankAccount).nullish(),
    statements: z.array(period).nullish(),
    error_code: z.int().nullish(),
    error: anyText,
    complete: z.boolean(),
    batch_id: anyText,
    file,
  })
  .openapi("BankStatementExternal");
export const documents = z.array(document);

export const statementTransactions = z.array(listedTransaction);

const extracted = z
  .object({
    date: day,
    entry_type: entryType,
    amount: double,
    running_balance: amount,
    iso_currency_code: z.string(),
    description: z.string(),
    transaction_id: z.string(),
    page_number: z.int().nullish(),
  })
  .openapi("BankStatementTransaction");
const account = z
  .object({
    number: anyText,
    opening_balance: amount,
    closing_balance: amount,
    start_date: day.nullish(),
    end_date: day.nullish(),
    is_balance_reconciled: z.boolean().nullish(),
    transactions: z.array(extracted),
    total_incoming: amount,
    total_outgoing: amount,
  })
  .openapi("BankStatementAccount");
export const documentResults = z
  .object({ accounts: z.array(account) })
  .openapi("BankStatementResults");

/** The components that others refer to, innermost first. */
export const statementComponents: readonly z.ZodType[] = [
  status,
  documentName,
  bankAccount,
  period,
  file,
  document,
  extracted,
  account,
  documentResults,
];
