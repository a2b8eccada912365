import { z } from "zod";
import { type AccountHolder, statedTypeOf } from "../../model/account-holder.ts";
import type { BankStatement, StatementAccount } from "../../model/bank-statement.ts";
import {
  isRead,
  STATEMENT_FAILURE_MESSAGES,
  type StatementDocument,
  type Statements,
} from "../../model/statement-document.ts";
import {
  isReconciled,
  shownAccount,
  type ShownTransaction,
} from "../../model/statement-resource.ts";
import type { HolderType } from "../../model/transaction.ts";
import { errorAnswer, jsonAnswer, ofStatement } from "../server/answer.ts";
import { defineRoute, defineUpload, nothing, type Route } from "../server/route.ts";
import { TOO_MANY_CALLS, withSlot } from "../server/slots.ts";
import {
  accountsAnswer,
  infoAnswer,
  readingAnswer,
  uploadRefusal,
  STATEMENT_NOT_FOUND,
  STATEMENT_UPLOAD,
  statementMissing,
  UNREADABLE,
} from "../v3/statements.ts";
import { info } from "../v3/statement-schemas.ts";
import type { V2HolderServices } from "./account-holders.ts";
import {
  document,
  documentForm,
  documentName,
  documentPath,
  documentResults,
  documentStatus,
  documents,
  documentsQuery,
  perPageOf,
  statementTransactions,
  statusesOfDocuments,
  submissionQuery,
  transactionsQuery,
} from "./statement-schemas.ts";
import {
  orderedRows,
  pageOfStatement,
  STATEMENT_SORTS,
  type StatementTransactionServices,
} from "./statement-transactions.ts";
import { streamed } from "./result-texts.ts";

// Bank statements by the v2 API: another view of those of the v3 API, which enriches their transactions too.

export interface V2StatementServices extends StatementTransactionServices {
  readonly holders: Pick<V2HolderServices["holders"], "get">;
  readonly statements: Statements;
}

const tag = "Bank statements";
const NO_RESULTS = "The bank statement is not there, or it has no results; `detail` has its status";
const UNSORTABLE = `Transactions of a bank statement can be sorted by ${[...STATEMENT_SORTS.keys()].join(", ")}`;
const NO_HOLDER = "The account holder is missing: create it, or send its type as account_type";
/** Clients of these operations expect a fault of the service, and a second sentence in a 401. */
const LIKE_ALL = { tag, repeatsDetail: true } as const;
const FAULT = { 500: "A fault of the service" } as const;

export const v2StatementRoutes: readonly Route<V2StatementServices>[] = [
  defineUpload({
    method: "POST",
    path: "/datasources/bank_statements",
    operationId: "submit_bank_statement",
    summary: "Submit a bank statement: a PDF, PNG or JPEG of less than 50 MB",
    ...LIKE_ALL,
    request: {
      path: nothing,
      query: submissionQuery,
      upload: { ...STATEMENT_UPLOAD, fields: documentForm },
    },
    success: document,
    errors: { 404: NO_HOLDER, 429: TOO_MANY_CALLS, ...FAULT },
    async handle(services: V2StatementServices, { principal, query, body, file, repeatedId }) {
      const { org } = principal;
      const submission = await services.statements.submit(org, {
        ...(repeatedId === null ? {} : { id: repeatedId }),
        ...{ name: file.name, bytes: file.bytes },
        password: body.password === undefined || body.password === "" ? null : body.password,
        accountHolderId: query.account_holder_id ?? null,
        accountType: query.account_type ?? null,
        currency: query.iso_currency_code ?? null,
      });
      if (!submission.ok)
        return submission.reason === "holder_not_found"
          ? errorAnswer("account_holder_not_found", NO_HOLDER)
          : uploadRefusal(submission.reason);
      const shown = await documentReader(services, org)(submission.document);
      const { id, accountHolderId } = submission.document;
      return ofStatement(jsonAnswer(200, shown), id, accountHolderId);
    },
  }),
  defineRoute({
    method: "GET",
    path: "/datasources/bank_statements",
    operationId: "list_documents",
    summary: "List bank statements by pages, newest first",
    ...LIKE_ALL,
    request: { path: nothing, query: documentsQuery, body: null },
    success: documents,
    errors: { 404: STATEMENT_NOT_FOUND, ...FAULT },
    async handle(services: V2StatementServices, { principal: { org }, query }) {
      const found = await services.statements.listPage(org, {
        status: statusesOfDocuments(query.status),
        accountHolderId: query.account_holder_id ?? null,
        query: query.query == null || query.query === "" ? null : query.query,
        order: query.order_by ?? "desc",
        page: query.page,
        perPage: perPageOf(query),
      });
      return streamed("[", documentTexts(found, documentReader(services, org)), "]");
    },
  }),
  defineRoute({
    method: "GET",
    path: "/datasources/bank_statements/{uuid}",
    operationId: "get_document",
    summary: "Get a bank statement with its status, accounts and periods",
    ...LIKE_ALL,
    request: { path: documentPath, query: nothing, body: null },
    success: document,
    errors: { 404: STATEMENT_NOT_FOUND, ...FAULT },
    async handle(services: V2StatementServices, { principal: { org }, path }) {
      const found = await services.statements.get(org, path.uuid);
      return found === null
        ? statementMissing()
        : jsonAnswer(200, await documentReader(services, org)(found));
    },
  }),
  defineRoute({
    method: "PATCH",
    path: "/datasources/bank_statements/{uuid}",
    operationId: "rename_document",
    summary: "Rename a bank statement",
    ...LIKE_ALL,
    request: { path: documentPath, query: nothing, body: documentName },
    success: z.null(),
    errors: { 404: STATEMENT_NOT_FOUND, ...FAULT },
    handle: async ({ statements }: V2StatementServices, { principal, path, body }) =>
      (await statements.rename(principal.org, path.uuid, body.name))
        ? jsonAnswer(200, null)
        : statementMissing(),
  }),
  defineRoute({
    method: "DELETE",
    path: "/datasources/bank_statements/{uuid}",
    operationId: "delete_document",
    summary: "Delete a bank statement, its file and results; its transactions stay",
    ...LIKE_ALL,
    request: { path: documentPath, query: nothing, body: null },
    success: z.null(),
    errors: { 404: STATEMENT_NOT_FOUND, ...FAULT },
    handle: async ({ statements }: V2StatementServices, { principal, path }) =>
      (await statements.remove(principal.org, path.uuid))
        ? jsonAnswer(200, null)
        : statementMissing(),
  }),
  defineRoute({
    method: "GET",
    path: "/datasources/bank_statements/{uuid}/transactions",
    operationId: "list_document_transactions",
    summary: "List the enriched transactions of a bank statement by pages, latest date first",
    ...LIKE_ALL,
    request: { path: documentPath, query: transactionsQuery, body: null },
    success: statementTransactions,
    errors: { 400: UNSORTABLE, 404: NO_RESULTS, 429: TOO_MANY_CALLS, ...FAULT },
    handle(services: V2StatementServices, { principal: { org, keyId }, path, query }) {
      const sort = STATEMENT_SORTS.get(query.sort_by ?? "date");
      if (sort === undefined) return Promise.resolve(errorAnswer("invalid_sort", UNSORTABLE));
      return withSlot(services.syncSlots, keyId, () =>
        readingAnswer(services.statements.reading(org, path.uuid), documentStatus, (reading) => {
          const rows = orderedRows(reading, sort, query.sort_order ?? "desc");
          const from = query.page * query.per_page;
          const page = rows.slice(from, from + query.per_page);
          const isWanted = query.with_recurrence ?? true;
          return pageOfStatement(services, org, reading.document, page, isWanted);
        }),
      );
    },
  }),
  defineRoute({
    method: "GET",
    path: "/datasources/bank_statements/{uuid}/statement-info",
    operationId: "get_document_info",
    summary: "Read the institution, holder, period and balances from the first page, now",
    ...LIKE_ALL,
    request: { path: documentPath, query: nothing, body: null },
    success: info,
    errors: { 400: UNREADABLE, 404: STATEMENT_NOT_FOUND, ...FAULT },
    handle: ({ statements }: V2StatementServices, { principal, path }) =>
      infoAnswer(statements, principal.org, path.uuid),
  }),
  defineRoute({
    method: "GET",
    path: "/datasources/bank_statements/{uuid}/results",
    operationId: "get_document_results",
    summary: "Get the accounts and transactions of a bank statement, without their enrichment",
    ...LIKE_ALL,
    request: { path: documentPath, query: nothing, body: null },
    success: documentResults,
    errors: { 404: NO_RESULTS, ...FAULT },
    handle: ({ statements }: V2StatementServices, { principal, path }) =>
      readingAnswer(statements.reading(principal.org, path.uuid), documentStatus, (reading) =>
        accountsAnswer(reading, shownAccount, resultsTransaction),
      ),
  }),
];

type DocumentReader = (found: StatementDocument) => Promise<object>;

/** Shows documents with what was read from them, and the type of the account holder where the upload named none. */
function documentReader({ statements, holders }: V2StatementServices, org: string): DocumentReader {
  const types = new Map<string, Promise<HolderType>>();
  const typeOf = (id: string): Promise<HolderType> => {
    const known = types.get(id) ?? holders.get(org, id).then(typeOfHolder);
    types.set(id, known);
    return known;
  };
  return async (found) => {
    const { accountHolderId, accountType, status, id } = found;
    const type =
      accountType ?? (accountHolderId === null ? "unknown" : await typeOf(accountHolderId));
    const outcome = isRead(status) ? await statements.reading(org, id) : null;
    const read = outcome?.kind === "reading" ? outcome.reading.statement : null;
    return documentResource(found, type, read);
  };
}

const typeOfHolder = (holder: AccountHolder | null): HolderType =>
  holder === null ? "unknown" : statedTypeOf(holder);

async function* documentTexts(
  found: readonly StatementDocument[],
  show: DocumentReader,
): AsyncGenerator<string> {
  for (const one of found) yield JSON.stringify(await show(one));
}

/** Codes of what could not be read or enriched, and of a fault of the service. */
const ERROR_CODE_UNREADABLE = 301;
const ERROR_CODE_FAULT = 500;
const UNENRICHED = "The document was read, but its transactions could not be enriched.";

interface DocumentError {
  readonly error_code: number | null;
  readonly error: string | null;
}

function errorOf({ failure, status }: StatementDocument): DocumentError {
  if (status === "unenriched") return { error_code: ERROR_CODE_UNREADABLE, error: UNENRICHED };
  if (failure === null) return { error_code: null, error: null };
  const error_code = failure === "internal_error" ? ERROR_CODE_FAULT : ERROR_CODE_UNREADABLE;
  return { error_code, error: STATEMENT_FAILURE_MESSAGES[failure] };
}

function documentResource(
  found: StatementDocument,
  accountType: HolderType,
  read: BankStatement | null,
): object {
  return {
    id: found.id,
    name: found.name,
    size: found.size,
    created_at: new Date(found.createdAt).toISOString(),
    account_holder_id: found.accountHolderId,
    account_type: accountType,
    status: documentStatus(found.status),
    bank_accounts: read?.accounts.map((account) => bankAccount(account, read)) ?? null,
    statements: read?.accounts.map(periodOf) ?? null,
    ...errorOf(found),
    complete: found.status === "processed",
    batch_id: found.batchId,
    file: { no_pages: found.pages, size: found.size },
  };
}

const bankAccount = ({ name, number }: StatementAccount, { header }: BankStatement): object => ({
  name,
  bank_name: header.institution,
  account_holder: header.holder?.name ?? null,
  account_number: number,
});

const periodOf = (account: StatementAccount): object => ({
  begin_date: account.period?.start ?? null,
  end_date: account.period?.end ?? null,
  begin_balance: account.opening === null ? null : Number(account.opening),
  end_balance: account.closing === null ? null : Number(account.closing),
  total_incoming: Number(account.totalIncoming),
  total_outgoing: Number(account.totalOutgoing),
  is_balance_reconciled: isReconciled(account.verdict),
});

const resultsTransaction = (one: ShownTransaction): object => ({
  date: one.date,
  entry_type: one.entryType,
  amount: one.amount,
  running_balance: one.balance,
  iso_currency_code: one.currency,
  description: one.description,
  transaction_id: one.id,
  page_number: one.page,
});
