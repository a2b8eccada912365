import type { Actor } from "../../model/audit.ts";
import type { LedgerTransaction } from "../../model/ledger-transaction.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import {
  type CorrectionDone,
  type MoveRefusal,
  refusalWords,
  type Report,
  type ReportMove,
  reportResource,
  type ReportStatus,
  type StoredCorrection,
} from "../../model/report.ts";
import {
  errorAnswer,
  jsonAnswer,
  jsonTextAnswer,
  noContent,
  retryAfter,
} from "../server/answer.ts";
import type { Cursors } from "../server/cursor.ts";
import type { ErrorCode } from "../server/error-codes.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { answerPage } from "../v3/lists.ts";
import { shownInstant, transactionText } from "../v3/resources.ts";
import { idPath } from "../v3/schemas.ts";
import {
  correctionPage,
  correctionQuery,
  movedReport,
  opsReportDetail,
  opsReportPage,
  opsReportQuery,
  reportMove,
} from "./report-schemas.ts";

/** Reports and corrections of all organizations. */
export interface OperatorReportsPort {
  listAll(
    filter: { readonly org: string | null; readonly status: ReportStatus | null },
    page: PageRequest,
  ): Promise<Page<Report>>;
  details(id: string): Promise<{
    readonly report: Report;
    /** Null when it was deleted. */
    readonly transaction: LedgerTransaction | null;
  } | null>;
  move(
    id: string,
    move: ReportMove,
    by: Actor,
  ): Promise<
    | { readonly ok: true; readonly report: Report; readonly corrected: CorrectionDone | null }
    | { readonly ok: false; readonly refusal: MoveRefusal }
  >;
  corrections(
    filter: { readonly org: string | null },
    page: PageRequest,
  ): Promise<Page<StoredCorrection>>;
  /** False when there is no such correction. */
  dropCorrection(id: string, by: Actor): Promise<boolean>;
}

interface OperatorReportServices {
  readonly reports: OperatorReportsPort;
  readonly cursors: Cursors;
}

const tag = "Operators";
const role = "operator";
const NOT_FOUND = "Report not found";
const NO_CORRECTION = "Correction not found";

const CODE_OF: Readonly<Record<MoveRefusal["reason"], ErrorCode>> = {
  not_found: "report_not_found",
  final: "report_conflict",
  busy: "concurrent_change",
  not_correctable: "invalid_report_change",
  corrections_full: "invalid_report_change",
};

export const operatorReportRoutes: readonly Route<OperatorReportServices>[] = [
  defineRoute({
    method: "GET",
    path: "/ops/reports",
    operationId: "list_all_reports",
    summary: "List the reports of all organizations, oldest first",
    tag,
    role,
    request: { path: nothing, query: opsReportQuery, body: null },
    success: opsReportPage,
    errors: {},
    handle({ reports, cursors }: OperatorReportServices, { principal, query }) {
      const filter = { org: query.org ?? null, status: query.status ?? null };
      return answerPage(cursors, principal, query, {
        name: "ops/reports",
        read: (page) => reports.listAll(filter, page),
        write: (row) => JSON.stringify(resource(row)),
      });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/ops/reports/{id}",
    operationId: "get_report_details",
    summary: "Get a report with its transaction as it is now",
    tag,
    role,
    request: { path: idPath, query: nothing, body: null },
    success: opsReportDetail,
    errors: { 404: NOT_FOUND },
    async handle({ reports }: OperatorReportServices, { path }) {
      const found = await reports.details(path.id);
      if (found === null) return errorAnswer("report_not_found", NOT_FOUND);
      const { report, transaction } = found;
      const text = transaction === null ? "null" : transactionText(transaction);
      const own = JSON.stringify(resource(report)).slice(0, -1);
      return jsonTextAnswer(200, `${own},"transaction":${text}}`);
    },
  }),
  defineRoute({
    method: "PATCH",
    path: "/ops/reports/{id}",
    operationId: "move_report",
    summary: "Change the status of a report; a resolved one may correct the transaction",
    tag,
    role,
    request: { path: idPath, query: nothing, body: reportMove },
    success: movedReport,
    errors: {
      400: "The correction is not possible for this transaction",
      404: NOT_FOUND,
      409: "The report cannot change from its current status to this one",
    },
    async handle({ reports }: OperatorReportServices, { principal, requestId, path, body }) {
      const by = { keyId: principal.keyId, requestId };
      const outcome = await reports.move(path.id, body, by);
      if (!outcome.ok) return refusalAnswer(outcome.refusal, body.status);
      const { report, corrected } = outcome;
      return jsonAnswer(200, { ...resource(report), corrected: doneResource(corrected) });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/ops/corrections",
    operationId: "list_corrections",
    summary: "List learned corrections of resolved reports, newest first",
    tag,
    role,
    request: { path: nothing, query: correctionQuery, body: null },
    success: correctionPage,
    errors: {},
    handle: ({ reports, cursors }: OperatorReportServices, { principal, query }) =>
      answerPage(cursors, principal, query, {
        name: "ops/corrections",
        read: (page) => reports.corrections({ org: query.org ?? null }, page),
        write: (row) => JSON.stringify(correctionResource(row)),
      }),
  }),
  defineRoute({
    method: "DELETE",
    path: "/ops/corrections/{id}",
    operationId: "delete_correction",
    summary: "Delete a correction: later transactions are recognised without it",
    tag,
    role,
    request: { path: idPath, query: nothing, body: null },
    success: null,
    errors: { 404: NO_CORRECTION },
    async handle({ reports }: OperatorReportServices, { principal, requestId, path }) {
      const by = { keyId: principal.keyId, requestId };
      const dropped = await reports.dropCorrection(path.id, by);
      return dropped ? noContent() : errorAnswer("correction_not_found", NO_CORRECTION);
    },
  }),
];

function refusalAnswer(refusal: MoveRefusal, to: ReportStatus) {
  const headers = refusal.reason === "busy" ? retryAfter(1) : {};
  return errorAnswer(CODE_OF[refusal.reason], refusalWords(refusal, to), headers);
}

function resource(report: Report): Record<string, unknown> {
  const updatedAt = shownInstant(report.updatedAt);
  const { org, expected } = report;
  return { ...reportResource(report), org, updated_at: updatedAt, expected };
}

function doneResource(done: CorrectionDone | null): object | null {
  if (done === null) return null;
  const { transaction, cleanName, correctionId } = done;
  const clean = cleanName === "" ? null : cleanName;
  return { transaction, clean_name: clean, correction_id: correctionId };
}

function correctionResource(correction: StoredCorrection): object {
  const { id, org, createdAt, updatedAt, cleanName, entryType, accountType, parts } = correction;
  return {
    id,
    org,
    created_at: shownInstant(createdAt),
    updated_at: shownInstant(updatedAt),
    clean_name: cleanName,
    entry_type: entryType,
    account_type: accountType,
    parts,
  };
}
