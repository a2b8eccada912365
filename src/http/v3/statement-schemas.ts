import { z } from "zod";
import {
  ACCOUNT_ENDS,
  REPAIRED_FIELDS,
  STATEMENT_FAULTS,
  STATEMENT_SIGNALS,
  type StatementVerdict,
} from "../../model/bank-statement.ts";
import { CURRENCIES } from "../../model/currencies.ts";
import type { StatementStatus } from "../../model/statement-document.ts";
import { text } from "../server/fields.ts";
import {
  accountType,
  anyText,
  currency,
  double,
  entryType,
  id,
  instant,
  nextCursor,
  pageQuery,
} from "./schemas.ts";

// What the operations of bank statements take and answer. Fields that the public document does not have are extensions.

/** Of a locked PDF; longer ones cannot lock it. */
const PASSWORD_LENGTH_MAX = 127;

// ---- Requests

/** Fields of the form, without its file. */
export const statementForm = z.object({
  password: text(0, PASSWORD_LENGTH_MAX)
    .optional()
    .openapi({ description: "Extension: opens a locked PDF." }),
  account_holder_id: id
    .optional()
    .openapi({ description: "Extension: whose transactions they are." }),
  currency: z
    .enum(CURRENCIES)
    .optional()
    .openapi({ description: "Extension: of accounts that print none, ISO 4217." }),
});

/** Words of both versions: `processing` has the meaning of v3, in which what is queued is processing already. */
const STATUSES: Readonly<Record<string, readonly StatementStatus[]>> = {
  queued: ["queued"],
  processing: ["queued", "processing"],
  processed: ["processed", "unenriched"],
  failed: ["failed"],
  completed: ["processed", "unenriched"],
  error: ["failed"],
};
const statusFilter = z
  .enum(["queued", "processing", "processed", "failed", "completed", "error"])
  .openapi("DocumentStatus");

export const statementQuery = pageQuery.extend({ status: statusFilter.nullish() });
/** Null: any. */
export const statusesOf = (
  status: z.output<typeof statusFilter> | null | undefined,
): readonly StatementStatus[] | null => (status == null ? null : (STATUSES[status] ?? null));

// ---- Answers

const day = z.string().openapi({ format: "date" });
const amount = double.nullish();

const statementStatus = z.enum(["processing", "completed", "error"]).openapi("BankStatementStatus");
const statementFile = z
  .object({ no_pages: z.int(), size: z.int().nullish() })
  .openapi("BankStatementFile");
const errorCode = z
  .enum(["invalid_bank_statement", "internal_error"])
  .openapi("BankStatementErrorCode");
const statementError = z
  .object({
    code: errorCode,
    message: z.string(),
    fault: z.enum([...STATEMENT_FAULTS, "internal_error"]).optional(),
  })
  .openapi("BankStatementError");
export const statement = z
  .object({
    id: z.string(),
    name: anyText,
    status: statementStatus,
    created_at: instant,
    file: statementFile,
    error: statementError.nullish(),
  })
  .openapi("BankStatement");
export const statementPage = z
  .object({ next_cursor: nextCursor, data: z.array(statement) })
  .openapi("BankStatementPage");

const VERDICTS = [
  "reconciled",
  "reconciled_with_repairs",
  "not_reconciled",
  "not_checkable",
] as const satisfies readonly StatementVerdict[];
const verdict = z.enum(VERDICTS).openapi("StatementVerdict");
const firstBreak = z
  .object({ page: z.int(), row: z.int().nullable(), difference: double })
  .openapi("StatementBreak");
const repair = z
  .object({
    page: z.int(),
    row: z.int(),
    field: z.enum(REPAIRED_FIELDS),
    from: z.string().nullable(),
    to: z.string(),
  })
  .openapi("StatementRepair");
const accountEnd = z.enum(ACCOUNT_ENDS).openapi("AccountEnd");
const verdictShape = {
  verdict,
  unproven: z.array(accountEnd),
  first_break: firstBreak.nullable(),
  repairs: z.array(repair),
};

const statementTransaction = z
  .object({
    id: z.string(),
    description: z.string(),
    date: day,
    amount: double,
    entry_type: entryType,
    currency,
    running_balance: amount,
    page_number: z.int().nullish(),
    row: z.int(),
    is_date_inferred: z.boolean(),
    is_year_inferred: z.boolean(),
  })
  .openapi("BankStatementTransaction");
const statementAccount = z
  .object({
    number: anyText,
    name: anyText,
    opening_balance: amount,
    closing_balance: amount,
    start_date: day.nullish(),
    end_date: day.nullish(),
    is_balance_reconciled: z.boolean().nullish(),
    total_incoming: amount,
    total_outgoing: amount,
    transactions: z.array(statementTransaction),
    type: anyText,
    currency: anyText,
    is_opening_calculated: z.boolean(),
    ...verdictShape,
  })
  .openapi("BankStatementAccount");
export const results = z
  .object({ accounts: z.array(statementAccount) })
  .openapi("BankStatementResults");

const address = z
  .object({
    street: anyText,
    postcode: anyText,
    city: anyText,
    state: anyText,
    country: anyText,
  })
  .openapi("Address");
const holder = z
  .object({ type: accountType.nullish(), name: anyText, address: address.nullish() })
  .openapi("StatementAccountHolder");
const infoAccount = z
  .object({
    type: anyText,
    number: anyText,
    opening_balance: amount,
    closing_balance: amount,
    iso_currency_code: anyText,
  })
  .openapi("Account");
export const info = z
  .object({
    institution: anyText,
    start_date: day.nullish(),
    end_date: day.nullish(),
    account_holder: holder.nullish(),
    accounts: z.array(infoAccount).nullish(),
  })
  .openapi("StatementInfo");

const box = z.array(double).min(4).max(4);
const printedValue = z
  .object({
    page: z.int(),
    box,
    text: z.string(),
    confidence: double,
    source: z.enum(["text", "ocr"]),
  })
  .openapi("PrintedValue");
const evidenceTransaction = z
  .object({
    id: z.string(),
    account: z.int(),
    page: z.int(),
    row: z.int(),
    date: printedValue.nullable(),
    description: z.array(printedValue),
    amount: printedValue.nullable(),
    balance: printedValue.nullable(),
  })
  .openapi("TransactionEvidence");
const signal = z
  .object({
    kind: z.enum(STATEMENT_SIGNALS),
    reason: z.string(),
    page: z.int().nullable(),
    box: box.nullable(),
  })
  .openapi("StatementSignal");
const evidenceAccount = z
  .object({ number: anyText, name: anyText, ...verdictShape })
  .openapi("AccountEvidence");
export const evidence = z
  .object({
    pages: z.int(),
    pages_without_text: z.array(z.int()),
    pages_recognised: z.array(z.int()),
    signals: z.array(signal),
    accounts: z.array(evidenceAccount),
    transactions: z.array(evidenceTransaction),
  })
  .openapi("StatementEvidence");

/** Of what is read from the first page. */
export const infoComponents: readonly z.ZodType[] = [
  accountType,
  address,
  holder,
  infoAccount,
  info,
];
/** The components that others refer to, innermost first. */
export const statementComponents: readonly z.ZodType[] = [
  statusFilter,
  statementStatus,
  statementFile,
  errorCode,
  statementError,
  statement,
  verdict,
  firstBreak,
  repair,
  statementTransaction,
  statementAccount,
  results,
  ...infoComponents,
  printedValue,
  evidenceTransaction,
  signal,
  evidenceAccount,
  evidence,
];
