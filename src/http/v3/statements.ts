import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type PrintedValue,
  type StatementAccount,
  STATEMENT_BYTES_MAX,
} from "../../model/bank-statement.ts";
import {
  type ReadingOutcome,
  shownStatementStatus,
  STATEMENT_FAILURE_MESSAGES,
  type StatementReading,
  statementResource,
  type StatementStatus,
  type Statements,
  type StatementSubmission,
} from "../../model/statement-document.ts";
import {
  resultAccount,
  resultTransaction,
  type ShownTransaction,
  shownTransactions,
  statementInfo,
  statementSummary,
} from "../../model/statement-resource.ts";
import {
  type Answer,
  errorAnswer,
  JSON_TYPE,
  jsonAnswer,
  noContent,
  ofStatement,
  type StreamAnswer,
  type TextAnswer,
} from "../server/answer.ts";
import type { Cursors } from "../server/cursor.ts";
import { defineRoute, defineUpload, nothing, type Route } from "../server/route.ts";
import { TOO_MANY_CALLS } from "../server/slots.ts";
import { EMPTY_FILE } from "../server/upload.ts";
import { answerPage } from "./lists.ts";
import { idPath } from "./schemas.ts";
import {
  evidence,
  info,
  results,
  statement,
  statementForm,
  statementPage,
  statementQuery,
  statusesOf,
} from "./statement-schemas.ts";

/** What the handlers use of the stage. */
export type StatementsPort = Omit<Statements, "listPage" | "rename">;

export interface StatementServices {
  readonly statements: StatementsPort;
  readonly cursors: Cursors;
}

const tag = "Bank statements";
export const STATEMENT_NOT_FOUND = "Bank statement not found";
const NO_HOLDER = "Account holder not found";
const NO_RESULTS = "The bank statement is not there, or it has no results; `detail` has its status";
export const UNREADABLE = "The document cannot be read; `detail` has the reason";

/** A form with a statement. */
export const STATEMENT_UPLOAD = {
  fileBytesMax: STATEMENT_BYTES_MAX,
  typeError: "The file is not a PDF, PNG or JPEG, or the body is compressed",
} as const;

export const statementRoutes: readonly Route<StatementServices>[] = [
  defineUpload({
    method: "POST",
    path: "/v3/bank_statements",
    operationId: "create_bank_statement",
    summary: "Submit a bank statement: a PDF, PNG or JPEG of less than 50 MB",
    tag,
    request: {
      path: nothing,
      query: nothing,
      upload: { ...STATEMENT_UPLOAD, fields: statementForm },
    },
    success: statement,
    errors: { 404: NO_HOLDER, 429: TOO_MANY_CALLS },
    async handle({ statements }: StatementServices, { principal, body, file, repeatedId }) {
      const submission = await statements.submit(principal.org, {
        ...(repeatedId === null ? {} : { id: repeatedId }),
        ...{ name: file.name, bytes: file.bytes },
        password: body.password === undefined || body.password === "" ? null : body.password,
        accountHolderId: body.account_holder_id ?? null,
        accountType: null,
        currency: body.currency ?? null,
      });
      if (!submission.ok) return uploadRefusal(submission.reason);
      const { document } = submission;
      const answer = jsonAnswer(200, statementResource(document));
      return ofStatement(answer, document.id, document.accountHolderId);
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v3/bank_statements",
    operationId: "list_bank_statements",
    summary: "List bank statements, newest first",
    tag,
    request: { path: nothing, query: statementQuery, body: null },
    success: statementPage,
    errors: {},
    handle({ statements, cursors }: StatementServices, { principal, query }) {
      const status = statusesOf(query.status);
      return answerPage(cursors, principal, query, {
        name: "bank_statements",
        read: async ({ limit, createdAfter, createdBefore, after }) => {
          // One more shows whether there is a next page.
          const found = await statements.list(principal.org, {
            ...{ createdAfter, createdBefore, status, limit: limit + 1 },
            after: after === null ? null : [after.createdAt, after.tie],
          });
          const rows = found.slice(0, limit);
          const last = rows.at(-1);
          const isMore = found.length > limit && last !== undefined;
          return { rows, next: isMore ? { createdAt: last.createdAt, tie: last.id } : null };
        },
        write: (row) => JSON.stringify(statementResource(row)),
      });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v3/bank_statements/{id}",
    operationId: "get_bank_statement",
    summary: "Get a bank statement",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: statement,
    errors: { 404: STATEMENT_NOT_FOUND },
    async handle({ statements }: StatementServices, { principal, path }) {
      const found = await statements.get(principal.org, path.id);
      return found === null ? statementMissing() : jsonAnswer(200, statementResource(found));
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/v3/bank_statements/{id}",
    operationId: "delete_bank_statement",
    summary: "Delete a bank statement, its file and results; its transactions stay",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: null,
    errors: { 404: STATEMENT_NOT_FOUND },
    handle: async ({ statements }: StatementServices, { principal, path }) =>
      (await statements.remove(principal.org, path.id)) ? noContent() : statementMissing(),
  }),
  defineRoute({
    method: "GET",
    path: "/v3/bank_statements/{id}/results",
    operationId: "get_bank_statement_results",
    summary: "Get the accounts and transactions of a bank statement",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: results,
    errors: { 404: NO_RESULTS },
    handle: ({ statements }: StatementServices, { principal, path }) =>
      readingAnswer(statements.reading(principal.org, path.id), shownStatementStatus, (reading) =>
        accountsAnswer(reading, resultAccount, resultTransaction),
      ),
  }),
  defineRoute({
    method: "GET",
    path: "/v3/bank_statements/{id}/evidence",
    operationId: "get_bank_statement_evidence",
    summary: "Get where each value of a bank statement is printed, and what is suspicious",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: evidence,
    errors: { 404: NO_RESULTS },
    handle: ({ statements }: StatementServices, { principal, path }) =>
      readingAnswer(
        statements.reading(principal.org, path.id),
        shownStatementStatus,
        (reading) => ({
          kind: "stream",
          status: 200,
          headers: { "Content-Type": JSON_TYPE },
          opening: `${JSON.stringify(statementSummary(reading.statement)).slice(0, -1)},"transactions":[`,
          chunks: evidenceTexts(reading),
          closing: "]}",
        }),
      ),
  }),
  defineRoute({
    method: "POST",
    path: "/v3/bank_statements/{id}/verify",
    operationId: "verify_bank_statement",
    isSafe: true,
    summary: "Read the institution, holder, period and balances from the first page, now",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: info,
    errors: { 400: UNREADABLE, 404: STATEMENT_NOT_FOUND },
    async handle({ statements }: StatementServices, { principal, path }) {
      // First: when it is deleted meanwhile, alone or with its account holder, the answer that is kept still has to go with it.
      const document = await statements.get(principal.org, path.id);
      const answer = await infoAnswer(statements, principal.org, path.id);
      return ofStatement(answer, path.id, document?.accountHolderId ?? null);
    },
  }),
];

export const statementMissing = (): TextAnswer =>
  errorAnswer("statement_not_found", STATEMENT_NOT_FOUND);

/** The answer to an upload of which nothing was kept. */
export function uploadRefusal(
  reason: Exclude<StatementSubmission, { readonly ok: true }>["reason"],
): Answer {
  switch (reason) {
    case "too_large":
      return errorAnswer("file_too_large", TOO_LARGE);
    case "unsupported_type":
      return errorAnswer("unsupported_file_type", STATEMENT_FAILURE_MESSAGES.unsupported_type);
    case "empty":
      return EMPTY_FILE;
    case "holder_not_found":
      return errorAnswer("account_holder_not_found", NO_HOLDER);
  }
}

const TOO_LARGE = `The file must have at most ${String(STATEMENT_BYTES_MAX)} bytes`;

/** What was read, or a 404 that names the status of a document without results. */
export async function readingAnswer(
  outcome: Promise<ReadingOutcome>,
  statusWord: (status: StatementStatus) => string,
  show: (reading: StatementReading) => Answer | Promise<Answer>,
): Promise<Answer> {
  const found = await outcome;
  if (found === null) return statementMissing();
  if (found.kind === "reading") return show(found.reading);
  const status = statusWord(found.status);
  return errorAnswer(
    "statement_not_completed",
    `The bank statement has no results: its status is ${status}`,
  );
}

/** What is read from the first page. */
export async function infoAnswer(
  statements: Pick<Statements, "verify">,
  org: string,
  id: string,
): Promise<TextAnswer> {
  const found = await statements.verify(org, id);
  if (found === null) return statementMissing();
  return "fault" in found
    ? errorAnswer("unreadable_statement", STATEMENT_FAILURE_MESSAGES[found.fault])
    : jsonAnswer(200, statementInfo(found));
}

/** Rows written at a time: a few milliseconds, after which other requests continue. */
const ROWS_AT_ONCE = 200;

/**
 * The accounts of a statement, each with its transactions as its last member, a few of which are written at a time.
 * @param account all else that is shown of one; it has members
 */
export function accountsAnswer(
  reading: StatementReading,
  account: (one: StatementAccount) => Record<string, unknown>,
  transaction: (one: ShownTransaction) => object,
): StreamAnswer {
  const shown = shownTransactions(reading);
  async function* texts(): AsyncGenerator<string> {
    for (const [place, one] of reading.statement.accounts.entries()) {
      const head = JSON.stringify(account(one)).slice(0, -1);
      yield `${place > 0 ? "," : ""}${head},"transactions":[`;
      const rows = shown[place] ?? [];
      for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
        const part = rows
          .slice(from, from + ROWS_AT_ONCE)
          .map((row) => JSON.stringify(transaction(row)));
        yield (from > 0 ? "," : "") + part.join(",");
        await nextTurn();
      }
      yield "]}";
    }
  }
  return {
    kind: "stream",
    status: 200,
    headers: { "Content-Type": JSON_TYPE },
    ...{ opening: '{"accounts":[', chunks: texts(), separator: "", closing: "]}" },
  };
}

async function* evidenceTexts({
  statement: { accounts },
  transactionIds,
}: StatementReading): AsyncGenerator<string> {
  for (const [account, { transactions }] of accounts.entries()) {
    for (let from = 0; from < transactions.length; from += ROWS_AT_ONCE) {
      const texts = transactions.slice(from, from + ROWS_AT_ONCE).map((transaction, place) => {
        const { page, row, evidence: printed } = transaction;
        return JSON.stringify({
          id: transactionIds[account]?.[from + place] ?? "",
          ...{ account, page, row },
          date: shownValue(printed.date),
          description: printed.description.map(shownValue),
          amount: shownValue(printed.amount),
          balance: shownValue(printed.balance),
        });
      });
      yield texts.join(",");
      await nextTurn();
    }
  }
}

const shownValue = (value: PrintedValue | null): object | null =>
  value === null
    ? null
    : {
        page: value.page,
        box: value.box,
        text: value.text,
        confidence: value.confidence,
        source: value.source,
      };
